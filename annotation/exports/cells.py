"""Cells as their column has them, the same in every format, and as each text format writes them."""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from annotation.exports.columns import Cell, Type

_QUOTED = frozenset('",\r\n')
# The types that cells of a column have already, of which nothing has to be made.
_READY: Final[dict[Type, frozenset[type]]] = {
    "text": frozenset({str, type(None)}),
    "integer": frozenset({int, type(None)}),
    "number": frozenset({int, type(None)}),
    "boolean": frozenset({bool, type(None)}),
    "list": frozenset({type(None)}),
}


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


def typed_column(kind: Type, cells: Sequence[Cell]) -> list[Cell]:
    """Return some cells of a column as its type has them."""
    if _READY[kind].issuperset(map(type, cells)):
        return [None if cell == "" else cell for cell in cells] if kind == "text" else list(cells)
    return [typed(kind, cell) for cell in cells]


def written_column(cells: Sequence[Cell], write: Callable[[Cell], str]) -> list[str]:
    """Return some cells of one type as they are written; what stands there often is written once."""
    if list in set(map(type, cells)):
        return [write(cell) for cell in cells]
    known = {cell: write(cell) for cell in set(cells)}
    return [known[cell] for cell in cells]
