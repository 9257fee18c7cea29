"""Tables into items: each field known or hidden, each id once in the whole study."""

import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from annotation.studyfile.cells import CellError, cell_value, is_language_tag
from annotation.studyfile.definition import ItemRow, Passage
from annotation.studyfile.errors import Findings
from annotation.studyfile.tables import Row, Table
from annotation.studyfile.wording import nearest, shown, similar
from annotation.tasktypes.base import FieldKind, ItemField, TaskType

MAX_ID = 200
PASSAGE_COLUMNS = ("passage_id", "text", "lang")
LANG = "_lang"


@dataclass(slots=True)
class Ids:
    """The ids met so far; two that differ only by outer blanks or Unicode form are one."""

    seen: dict[str, str] = field(default_factory=dict)

    def fault(self, value: str, place: str) -> str:
        """Say what is wrong with an id, or note it as taken."""
        if not value.strip():
            return "the id is empty."
        if len(value) > MAX_ID or any(unicodedata.category(c) == "Cc" for c in value):
            return f"the id {shown(value)} has more than {MAX_ID} or control characters."
        key = unicodedata.normalize("NFC", value.strip())
        if key in self.seen:
            return f"the id {shown(value)} is already that of {self.seen[key]}."
        self.seen[key] = place
        return ""


@dataclass(frozen=True, slots=True)
class FieldRules:
    """Which columns an item table of a task may have, and how each is read."""

    known: Mapping[str, ItemField]
    hidden: Collection[str]

    @classmethod
    def of(cls, task_type: TaskType, hidden: Collection[str]) -> "FieldRules":
        """Return the rules of a task."""
        known = {f.name: f for f in task_type.fields}
        for name in [f.name for f in task_type.fields if f.shown]:
            tag = ItemField(name + LANG, required=False)
            known.setdefault(tag.name, tag)
        if "passage" in known:
            known.setdefault("passage_id", ItemField("passage_id", required=False, shown=False))
        return cls(known, hidden)

    def column_fault(self, column: str) -> str:
        """Say why a column may not stand in the table, or nothing."""
        if column in self.known or column in self.hidden or column == "id":
            return ""
        near = similar(column, {*self.known, "id"})
        return (
            f"The column {shown(column)} is neither shown by the task type nor listed under "
            f"{shown('hidden')}; list it there to keep it from annotators.{near}"
        )

    def value(self, column: str, cell: Any) -> Any:
        """Return a cell as its field wants it."""
        rule = self.known.get(column)
        value = cell_value(rule.kind if rule else FieldKind.TEXT, cell)
        if rule and column.endswith(LANG) and not is_language_tag(value):
            raise CellError(
                f"holds {shown(value)}, which is no language tag such as en or zh-Hans."
            )
        return value

    def passage_id(self, fields: Mapping[str, Any]) -> str:
        """Return the id of the passage that stands for `passage`, if there is one."""
        return str(fields.get("passage_id", "")) if "passage_id" in self.known else ""

    def passage_fault(self, fields: Mapping[str, Any], passages: Collection[str] | None) -> str:
        """Say why an item's passage cannot be found, or nothing."""
        passage_id = self.passage_id(fields)
        if not passage_id:
            return ""
        if "passage" in fields:
            return f"{shown('passage')} and {shown('passage_id')} both stand here; give one."
        if passages is None:
            return f"{shown('passage_id')} needs a table of passages: name it in study.yaml."
        return "" if passage_id in passages else f"there is no passage {shown(passage_id)}."


def read_rows(
    table: Table, rules: FieldRules, ids: Ids, passages: Collection[str] | None, findings: Findings
) -> tuple[ItemRow, ...]:
    """Return the items of a table; columns are checked once, cells row by row."""
    for column in table.columns:
        if fault := rules.column_fault(column):
            findings.add(table.file, table.header_line, column, fault)
    needed = [name for name, rule in rules.known.items() if rule.required]
    missing = [name for name in ("id", *needed) if name not in table.columns]
    for name in missing:
        near = similar(name, [c for c in table.columns if c not in rules.known])
        findings.add(
            table.file, table.header_line, name, f"The table has no column {shown(name)}.{near}"
        )
    if "id" in missing:
        return ()
    required = [name for name in needed if name not in missing]
    reader = _RowReader(table.file, rules, required, ids, passages, findings)
    return tuple(reader.item(row) for row in table.rows)


@dataclass(frozen=True, slots=True)
class _RowReader:
    file: str
    rules: FieldRules
    required: list[str]
    ids: Ids
    passages: Collection[str] | None
    findings: Findings

    def item(self, row: Row) -> ItemRow:
        fields: dict[str, Any] = {}
        for column, cell in row.cells.items():
            try:
                fields[column] = self.rules.value(column, cell)
            except CellError as fault:
                self._fault(row, column, f"the field {fault}")
        for name in self.required:
            if name not in row.cells:
                self._fault(row, name, f"the field {shown(name)} is empty; this task needs it.")
        item_id = str(fields.pop("id", ""))
        if "id" in row.cells and not item_id:
            return ItemRow("", fields)
        if fault_text := self.ids.fault(item_id, f"row {row.number} of {self.file}"):
            self._fault(row, "id", fault_text)
        if fault_text := self.rules.passage_fault(fields, self.passages):
            self._fault(row, "passage_id", fault_text)
        return ItemRow(item_id, fields, self.rules.passage_id(fields), row.line or row.number)

    def _fault(self, row: Row, column: str, message: str) -> None:
        self.findings.add(self.file, row.line, column, f"Row {row.number}: {message}")


def read_passages(table: Table, findings: Findings) -> dict[str, Passage] | None:
    """Return the passages of a table by their id; None where it lacks a column."""
    for column in table.columns:
        if column not in PASSAGE_COLUMNS:
            near = nearest(column, PASSAGE_COLUMNS)
            message = f"A table of passages has no column {shown(column)}.{near}"
            findings.add(table.file, table.header_line, column, message)
    missing = [name for name in ("passage_id", "text") if name not in table.columns]
    for name in missing:
        message = f"The table has no column {shown(name)}."
        findings.add(table.file, table.header_line, name, message)
    if missing:
        return None
    ids = Ids()
    passages: dict[str, Passage] = {}
    for row in table.rows:
        try:
            passage_id, passage = _passage(row, ids, table.file)
        except _PassageError as fault:
            findings.add(table.file, row.line, fault.column, f"Row {row.number}: {fault}")
            # Items may name it: that is not their fault.
            passages.setdefault(str(row.cells.get("passage_id", "")), Passage(""))
        else:
            passages[passage_id] = passage
    return passages


class _PassageError(Exception):
    def __init__(self, column: str, message: str) -> None:
        self.column = column
        super().__init__(message)


def _passage(row: Row, ids: Ids, file: str) -> tuple[str, Passage]:
    values = {}
    for column in PASSAGE_COLUMNS:
        try:
            values[column] = cell_value(FieldKind.TEXT, row.cells.get(column, ""))
        except CellError as fault:
            raise _PassageError(column, f"the field {fault}") from None
    if fault_text := ids.fault(values["passage_id"], f"row {row.number} of {file}"):
        raise _PassageError("passage_id", fault_text)
    if not values["text"].strip():
        raise _PassageError("text", "the passage is empty.")
    if values["lang"] and not is_language_tag(values["lang"]):
        message = f"{shown(values['lang'])} is no language tag such as en or zh-Hans."
        raise _PassageError("lang", message)
    return values["passage_id"], Passage(values["text"], values["lang"])
