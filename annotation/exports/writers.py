"""Tables as CSV and JSONL, row by row: UTF-8, one newline a row, the text of a cell untouched."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from annotation.exports.columns import Cell, Row, Table

_QUOTED = frozenset('",\r\n')


@dataclass(frozen=True, slots=True)
class Written:
    """One finished file; only a table has rows."""

    path: str
    rows: int | None
    sha256: str

    def as_dict(self) -> dict[str, Any]:
        """Return the part that is printed."""
        return {"path": self.path, "rows": self.rows, "sha256": self.sha256}


class TableWriter:
    """Writes one table to `NAME.csv` and `NAME.jsonl`; columns that do not leave are not looked at."""

    def __init__(self, folder: Path, table: Table) -> None:
        self._names = [column.name for column in table.columns]
        self._files = [
            _HashedFile(folder / f"{table.name}{ending}") for ending in (".csv", ".jsonl")
        ]
        self.rows = 0
        self._files[0].write(csv_line(self._names))

    def __enter__(self) -> "TableWriter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for file in self._files:
            file.close()

    def write(self, rows: Iterable[Row]) -> None:
        """Append rows."""
        table, lines = self._files
        for row in rows:
            cells = {name: _whole(row[name]) for name in self._names}
            table.write(csv_line(cells.values()))
            lines.write(json.dumps(cells, ensure_ascii=False, allow_nan=False) + "\n")
            self.rows += 1

    def written(self) -> list[Written]:
        """Return what was written."""
        return [Written(file.path.name, self.rows, file.digest()) for file in self._files]


def write_table(folder: Path, table: Table, rows: Iterable[Row]) -> list[Written]:
    """Write a whole table."""
    with TableWriter(folder, table) as writer:
        writer.write(rows)
    return writer.written()


def write_text(folder: Path, name: str, text: str) -> Written:
    """Write a file that is no table."""
    content = text.encode()
    (folder / name).write_bytes(content)
    return Written(name, None, hashlib.sha256(content).hexdigest())


def write_json(folder: Path, name: str, document: Any) -> Written:
    """Write a JSON document for people and programs."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2)
    return write_text(folder, name, text + "\n")


def csv_line(cells: Iterable[Cell]) -> str:
    """Return a row as RFC 4180 has it, ended by a newline alone.

    The standard module leaves a lone carriage return unquoted where rows end otherwise.
    """
    return ",".join(_quoted(_text(cell)) for cell in cells) + "\n"


def _quoted(text: str) -> str:
    if _QUOTED.isdisjoint(text):
        return text
    return '"' + text.replace('"', '""') + '"'


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, list):
        return json.dumps(cell, ensure_ascii=False)
    return cell if isinstance(cell, str) else repr(_whole(cell))


def _whole(cell: Cell) -> Cell:
    """Return a number as it is read by people: 3, not 3.0."""
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


class _HashedFile:
    """A file that knows the SHA-256 of what was written to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("wb")
        self._sha256 = hashlib.sha256()

    def write(self, text: str) -> None:
        content = text.encode()
        self._file.write(content)
        self._sha256.update(content)

    def close(self) -> None:
        self._file.close()

    def digest(self) -> str:
        return self._sha256.hexdigest()
