"""Item tables: CSV, JSON Lines or Parquet by ending, every cell as it stands, nothing guessed."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from annotation.studyfile.csv_records import CsvError, Record, records
from annotation.studyfile.errors import SETTINGS_FILE, Findings
from annotation.studyfile.files import MAX_TABLE_BYTES, StudyFiles
from annotation.studyfile.parquet_rows import ParquetError, parquet_rows
from annotation.studyfile.wording import shown
from annotation.studyfile.yaml_nodes import Node

MAX_ROWS = 1_000_000
ENDINGS = (".csv", ".jsonl", ".parquet")

# A cell: text, or, where the file can say so, true/false or a list. An empty one is left out.
Cell = str | bool | list[Any]


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its number (the first below the header is 1), its line, its cells that hold something."""

    number: int
    line: int | None
    cells: Mapping[str, Cell]


@dataclass(slots=True)
class Table:
    """A table as read; `columns` are those it names, in order, whether or not they hold anything."""

    file: str
    columns: dict[str, None] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    # The line that names the columns; only CSV has one.
    header_line: int | None = None


class _TableError(Exception):
    """A row that cannot be read."""

    def __init__(self, line: int | None, column: str, message: str) -> None:
        self.line = line
        self.column = column
        super().__init__(message)


def read_table(files: StudyFiles, named: Node) -> Table | None:
    """Read the table that a line of `study.yaml` names; None where it cannot be read at all."""
    name = named.value if isinstance(named.value, str) else ""
    if not files.holds(name, line=named.line, field=named.path):
        return None
    ending = name[name.rfind(".") :].lower() if "." in name else ""
    if ending not in ENDINGS:
        message = f"{shown(name)} is no table: its name must end in {', '.join(ENDINGS)}."
        files.findings.add(SETTINGS_FILE, named.line, named.path, message)
        return None
    data = files.read_bytes(name, MAX_TABLE_BYTES, line=named.line, field=named.path)
    if data is None:
        return None
    table = Table(name)
    before = files.findings.count
    if ending == ".parquet":
        _fill(table, _parquet(data, table), files.findings)
    elif (text := files.decode(name, data)) is not None:
        reader: Callable[[str, Table, Findings], Iterator[Row]] = (
            _csv if ending == ".csv" else _jsonl
        )
        _fill(table, reader(text, table, files.findings), files.findings)
    if not table.rows and files.findings.count == before:
        files.findings.add(name, None, "", "The table has no rows.")
    return table if table.rows else None


def _fill(table: Table, rows: Iterator[Row], findings: Findings) -> None:
    try:
        table.rows.extend(islice(rows, MAX_ROWS))
        if next(rows, None) is not None:
            findings.add(table.file, None, "", f"The table has more than {MAX_ROWS:,} rows.")
    except _TableError as fault:
        findings.add(table.file, fault.line, fault.column, str(fault))
    except ParquetError as fault:
        findings.add(table.file, None, "", str(fault))


def _csv(text: str, table: Table, findings: Findings) -> Iterator[Row]:
    number = 0
    stream = records(text)
    try:
        header = next(stream, None)
        if header is not None:
            _columns(header, table)
        for number, record in enumerate(stream, start=1):
            row = _csv_row(number, record, table, findings)
            if row is not None:
                yield row
    except CsvError as fault:
        names = list(table.columns)
        column = names[fault.cell - 1] if names and fault.cell <= len(names) else ""
        row_name = f"Row {number + 1}" if names else "The first row"
        raise _TableError(fault.line, column, f"{row_name} {fault}") from None


def _columns(header: Record, table: Table) -> None:
    table.header_line = header.line
    for name in header.cells:
        if not name.strip():
            raise _TableError(header.line, "", "The first row has a column without a name.")
        if name in table.columns:
            raise _TableError(header.line, name, f"The column {shown(name)} stands twice.")
        if "\x00" in name:
            raise _TableError(header.line, "", f"The column name {shown(name)} holds a NUL.")
        table.columns[name] = None
    if len(header.cells) == 1 and any(mark in header.cells[0] for mark in ";\t"):
        message = "The first row holds no comma: save the table with commas between the cells."
        raise _TableError(header.line, "", message)


def _csv_row(number: int, record: Record, table: Table, findings: Findings) -> Row | None:
    wanted, given = len(table.columns), len(record.cells)
    if given != wanted:
        many = "too many" if given > wanted else "too few"
        message = f"Row {number} has {given} cells, {many}: the first row names {wanted} columns."
        findings.add(table.file, record.line, "", message)
        return None
    cells = zip(table.columns, record.cells, strict=True)
    return Row(number, record.line, {name: cell for name, cell in cells if cell})


def _jsonl(text: str, table: Table, findings: Findings) -> Iterator[Row]:
    number = 0
    # Only U+000A ends a line: JSON may hold U+2028 and its like inside a text.
    for line, source in enumerate(text.split("\n"), start=1):
        if not source.strip():
            continue
        number += 1
        try:
            cells = _json_cells(source)
        except _NotAnItemError as fault:
            findings.add(table.file, line, fault.column, f"Row {number} {fault}")
            continue
        table.columns |= dict.fromkeys(cells)
        yield Row(number, line, _present(cells))


class _NotAnItemError(Exception):
    """A line of JSON that is no item."""

    def __init__(self, message: str, column: str = "") -> None:
        self.column = column
        super().__init__(message)


def _json_cells(source: str) -> dict[str, Cell]:
    try:
        value = json.loads(
            source,
            object_pairs_hook=_Pairs,
            parse_int=str,
            parse_float=str,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as error:
        message = f"is not valid JSON: {error.msg} (column {error.colno:,})."
        raise _NotAnItemError(message) from None
    except RecursionError:
        raise _NotAnItemError("is nested too deep.") from None
    if not isinstance(value, _Pairs):
        raise _NotAnItemError("is not a JSON object ({…}).")
    names = [name for name, _ in value]
    if twice := [name for name in names if names.count(name) > 1]:
        raise _NotAnItemError(f"has the key {shown(twice[0])} twice.", twice[0])
    return {name: _json_cell(name, cell) for name, cell in value}


class _Pairs(list[tuple[str, Any]]):
    """A JSON object with its keys in order, also those that stand twice."""


def _refuse_constant(word: str) -> str:
    raise _NotAnItemError(
        f"holds {word}, which is no JSON; leave the field out where there is no value."
    )


def _json_cell(name: str, value: Any) -> Cell:
    if isinstance(value, _Pairs):
        message = f"holds an object in {shown(name)}; a field is a text, true/false or a list."
        raise _NotAnItemError(message, name)
    return "" if value is None else value


def _parquet(data: bytes, table: Table) -> Iterator[Row]:
    for number, cells in enumerate(parquet_rows(data, MAX_ROWS), start=1):
        table.columns |= dict.fromkeys(cells)
        yield Row(number, None, _present(cells))


def _present(cells: Mapping[str, Cell]) -> dict[str, Cell]:
    return {name: cell for name, cell in cells.items() if cell not in ("", [])}
