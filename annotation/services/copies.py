"""Copies of what people gave that lie elsewhere, and how each is removed when somebody is erased.

Who keeps such a copy registers here when the program starts, and so need not be known here.
"""

from collections.abc import Callable

from annotation.models import Study

# Removes every copy of a study inside the caller's transaction, in which the study is locked; says how
# many there were.
Remove = Callable[[Study], int]

COPIES: dict[str, Remove] = {}


def copies_register(name: str, remove: Remove) -> None:
    """Have `remove` called whenever somebody of a study is erased; `name` stands on the receipt."""
    COPIES[name] = remove


def copies_remove(study: Study) -> dict[str, int]:
    """Remove every copy of a study; return how many of each name there were."""
    return {name: remove(study) for name, remove in sorted(COPIES.items())}
