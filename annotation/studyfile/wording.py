"""How a message shows what stands in a file: short, on one line, with nothing a terminal obeys."""

from collections.abc import Iterable
from difflib import SequenceMatcher

SHOWN_CHARACTERS = 60
# From here on, two words look alike enough to be one mistyped.
ALIKE = 0.7


def shown(value: str) -> str:
    """Return a value in quotation marks, cut where it is long, its control characters escaped."""
    return f'"{one_line(value)}"'


def one_line(text: str, limit: int = SHOWN_CHARACTERS) -> str:
    """Return a text cut where it is long, its control characters escaped."""
    dots = "…" if len(text) > limit else ""
    return "".join(c if c.isprintable() else _escaped(c) for c in text[:limit]) + dots


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode()


def listed(values: Iterable[str]) -> str:
    """Return values as a list in words: `a, b, c`."""
    return ", ".join(shown(value) for value in values)


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a sentence that names the known word nearest to a mistaken one."""
    best = _best(name, known)
    return f" The nearest known one is {shown(best[1])}." if best else ""


def similar(name: str, known: Iterable[str]) -> str:
    """Return a question that names a known word, where one looks much like the mistaken one."""
    best = _best(name, known)
    return f" Did you mean {shown(best[1])}?" if best and best[0] >= ALIKE else ""


def _best(name: str, known: Iterable[str]) -> tuple[float, str] | None:
    wanted = name[:SHOWN_CHARACTERS].casefold()
    ratios = [(SequenceMatcher(None, wanted, w.casefold()).ratio(), w) for w in sorted(known)]
    return max(ratios, key=lambda pair: pair[0]) if ratios else None


def text_fault(text: str) -> str:
    """Say what in a text no database can hold, or nothing: it is kept as it is otherwise."""
    if "\x00" in text:
        return (
            f"holds a NUL character (U+0000), as character {text.index(chr(0)) + 1:,}; remove it."
        )
    try:
        text.encode()
    except UnicodeEncodeError as fault:
        code = ord(text[fault.start])
        return (
            f"holds half of a surrogate pair (U+{code:04X}), as character {fault.start + 1:,}; "
            "write the whole character."
        )
    return ""
