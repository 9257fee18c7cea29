"""A cell as its column has it, the same in every format, and as each text format writes it."""

import json
import math
from collections.abc import Callable
from typing import Any, Final

from annotation.exports.columns import Cell, Type

_QUOTED = frozenset('",\r\n')
# Texts that repeat are written once: most cells of a large table are one of few.
SHORT, REMEMBERED = 60, 20_000


def typed(kind: Type, cell: Cell) -> Cell:
    """Return a cell as its column's type has it; None where it is empty.

    A number in a text column is its text: 3, not 3.0, as people write it.
    """
    if cell is None or cell == "":
        return None
    return _READ[kind](cell)


def _as_text(cell: Any) -> str:
    return cell if isinstance(cell, str) else plain(cell)


def _as_whole(cell: Any) -> int:
    whole = int(cell)
    if isinstance(cell, bool) or whole != float(cell):
        message = f"{cell!r} is no whole number."
        raise ValueError(message)
    return whole


def _as_number(cell: Any) -> int | float:
    number = float(cell)
    if not math.isfinite(number):
        message = f"{cell!r} is no number that JSON has."
        raise ValueError(message)
    return int(number) if number.is_integer() else number


def _as_truth(cell: Any) -> bool:
    if isinstance(cell, str):
        return {"true": True, "false": False}[cell.lower()]
    return bool(cell)


def _as_list(cell: Any) -> list[str]:
    return [_as_text(one) for one in cell] if isinstance(cell, list) else [_as_text(cell)]


_READ: Final[dict[Type, Callable[[Any], Cell]]] = {
    "text": _as_text,
    "integer": _as_whole,
    "number": _as_number,
    "boolean": _as_truth,
    "list": _as_list,
}


def plain(cell: Cell) -> str:
    """Return a cell as text: what stands in CSV before it is quoted."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, list | dict):
        return json.dumps(cell, ensure_ascii=False)
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return cell if isinstance(cell, str) else repr(cell)


def quoted(text: str) -> str:
    """Return a text as RFC 4180 has it.

    The standard module leaves a lone carriage return unquoted where rows end otherwise.
    """
    if _QUOTED.isdisjoint(text):
        return text
    return '"' + text.replace('"', '""') + '"'


def csv_cell(cell: Cell) -> str:
    """Return a cell as CSV has it."""
    return quoted(plain(cell))


def json_cell(cell: Cell) -> str:
    """Return a cell as JSON has it."""
    return json.dumps(cell, ensure_ascii=False, allow_nan=False)


class Remembering:
    """A way to write a cell that looks up what it wrote before, in a column of one type."""

    def __init__(self, write: Callable[[Cell], str]) -> None:
        self._write = write
        self._known: dict[Any, str] = {}

    def __call__(self, cell: Cell) -> str:
        """Return the cell as it is written."""
        if isinstance(cell, list):
            return self._write(cell)
        found = self._known.get(cell)
        if found is None:
            found = self._write(cell)
            if len(found) <= SHORT:
                if len(self._known) >= REMEMBERED:
                    self._known.clear()
                self._known[cell] = found
        return found
