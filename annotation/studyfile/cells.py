"""What a cell of an item means: a text, a list of texts or a flag, as the task type declares it."""

import json
import re
from typing import Any

from annotation.studyfile.section import FLAGS
from annotation.studyfile.tables import Cell
from annotation.studyfile.wording import shown, text_fault
from annotation.tasktypes.base import FieldKind

# RFC 5646 in outline: language, extended languages, script, region, variants, extensions, private.
LANGUAGE_TAG = re.compile(
    r"[A-Za-z]{2,3}(-[A-Za-z]{3}){0,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?"
    r"(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(-[0-9A-WY-Za-wy-z](-[A-Za-z0-9]{2,8})+)*"
    r"(-x(-[A-Za-z0-9]{1,8})+)?"
)


class CellError(Exception):
    """A cell that is not what its field holds; the message continues `Row 3: the field …`."""


def is_language_tag(text: str) -> bool:
    """Whether a text is shaped like a BCP 47 tag: `en`, `zh-Hans`, `es-419`."""
    return len(text) <= 35 and LANGUAGE_TAG.fullmatch(text) is not None  # noqa: PLR2004 (RFC 5646, 4.4.1)


def cell_value(kind: FieldKind, cell: Cell) -> Any:
    """Return a cell as its field wants it."""
    if kind is FieldKind.TEXTS:
        return _texts(cell)
    if kind is FieldKind.FLAG:
        return _flag(cell)
    return _text(cell)


def _text(cell: Cell) -> str:
    if isinstance(cell, list):
        raise CellError("holds a list; a text is wanted.")
    # In a table that has such a thing, true is the text `true`, as it would be in CSV.
    text = str(cell).lower() if isinstance(cell, bool) else cell
    if fault := text_fault(text):
        raise CellError(fault)
    return text


def _flag(cell: Cell) -> bool:
    if isinstance(cell, bool):
        return cell
    if isinstance(cell, list) or cell not in FLAGS:
        stands = "a list" if isinstance(cell, list) else shown(cell)
        raise CellError(f"holds {stands}; true or false is wanted.")
    return FLAGS[cell]


def _texts(cell: Cell) -> list[str]:
    entries = cell if isinstance(cell, list) else _json_list(str(cell))
    for entry in entries:
        if not isinstance(entry, str) or not entry.strip():
            raise CellError("holds a list with an entry that is no text, or an empty one.")
        if fault := text_fault(entry):
            raise CellError(fault)
    if not entries:
        raise CellError("holds an empty list; leave the field empty instead.")
    return list(entries)


def _json_list(cell: str) -> list[Any]:
    example = 'a JSON list such as ["one", "two"]'
    try:
        value = json.loads(cell, parse_int=str, parse_float=str)
    except (json.JSONDecodeError, RecursionError):
        raise CellError(f"holds {shown(cell)}, which is not {example}.") from None
    if not isinstance(value, list):
        raise CellError(f"holds {shown(cell)}, which is not {example}.")
    return value
