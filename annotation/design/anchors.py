"""Items that stand on every form of every pool, so that all people can be compared by them.

How many forms there are follows from the other items; every anchor then has a slot on each of them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from annotation.design.items import DesignItem
from annotation.design.report import DesignReport


def require_anchors(items: Sequence[DesignItem]) -> None:
    """Raise ValueError, in a sentence, where some items cannot stand on every form."""
    anchors = [item for item in items if item.anchor]
    if not anchors:
        return
    if not any(item.wanted for item in items if not item.anchor):
        raise ValueError("All items are anchors; the others decide how many forms there are.")
    if any(item.wanted for item in anchors):
        raise ValueError(
            "An anchor wants replicates of its own; it gets one on every form, so give it none."
        )
    crowd = Counter(
        value for item in items if item.anchor or item.wanted for value in item.conflicts
    )
    for anchor in anchors:
        for value in anchor.conflicts:
            if crowd[value] > 1:
                raise ValueError(
                    f"The anchor {anchor.key} shares {value!r} with another item, and would stand "
                    "on one form with it; choose another anchor, or leave the other item out."
                )


def places_beside(
    anchors: Sequence[DesignItem], form_size: int, mix: Mapping[str, int] | None
) -> tuple[int, dict[str, int] | None]:
    """Return the size and the mix of what a form holds besides the anchors.

    A task of the mix keeps no place where anchors take them all.
    """
    if not anchors:
        return form_size, None if mix is None else dict(mix)
    size = form_size - len(anchors)
    if size < 1:
        raise ValueError(
            f"{len(anchors)} anchors leave no place on a form of {form_size}; "
            "make the form larger or take fewer anchors."
        )
    if mix is None:
        return size, None
    taken = Counter(item.task for item in anchors)
    for task, count in taken.items():
        if count > mix.get(task, 0):
            raise ValueError(
                f"The mix has {mix.get(task, 0)} places of {task!r}, and there are {count} anchors "
                "of it; make the mix larger or take fewer anchors."
            )
    left = {task: places - taken[task] for task, places in mix.items()}
    return size, {task: places for task, places in left.items() if places}


def with_anchors(report: DesignReport, anchors: int) -> DesignReport:
    """Return the report of the forms of the other items, as it is with the anchors on them."""
    return replace(
        report,
        slots=report.slots + anchors * report.forms,
        form_sizes={size + anchors: forms for size, forms in report.form_sizes.items()},
        anchors=anchors,
    )
