"""A table in every format at once, row by row: CSV, JSONL, Parquet, and CSV for spreadsheets."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Protocol

from annotation.exports.cells import Remembering, csv_cell, json_cell, typed
from annotation.exports.columns import Cell, Row, Table
from annotation.exports.files import HashedFile, Written
from annotation.exports.parquet import ParquetFile
from annotation.exports.spreadsheet import SpreadsheetFile


class Format(Protocol):
    """One file that takes rows."""

    def write(self, cells: Sequence[Cell]) -> None:
        """Append a row."""

    def close(self) -> list[Written]:
        """Return what was written."""


class CsvFile:
    """CSV as RFC 4180 has it, but lines end by a newline alone; texts as they are."""

    def __init__(self, folder: Path, table: Table) -> None:
        self._file = HashedFile(folder, f"{table.name}.csv")
        self._cells = [Remembering(csv_cell) for _ in table.columns]
        self._rows = 0
        self._file.write(csv_line([column.name for column in table.columns]).encode())

    def write(self, cells: Sequence[Cell]) -> None:
        """Append a row."""
        line = ",".join([w(cell) for w, cell in zip(self._cells, cells, strict=True)])
        self._file.write(f"{line}\n".encode())
        self._rows += 1

    def close(self) -> list[Written]:
        """Return the file."""
        self._file.close()
        return [self._file.written(self._rows)]


class JsonlFile:
    """One JSON object a line."""

    def __init__(self, folder: Path, table: Table) -> None:
        self._file = HashedFile(folder, f"{table.name}.jsonl")
        self._keys = [f"{json_cell(column.name)}: " for column in table.columns]
        self._cells = [Remembering(json_cell) for _ in table.columns]
        self._rows = 0

    def write(self, cells: Sequence[Cell]) -> None:
        """Append a row."""
        members = zip(self._keys, self._cells, cells, strict=True)
        line = ", ".join([key + w(cell) for key, w, cell in members])
        self._file.write(f"{{{line}}}\n".encode())
        self._rows += 1

    def close(self) -> list[Written]:
        """Return the file."""
        self._file.close()
        return [self._file.written(self._rows)]


class TableWriter:
    """Writes one table in all formats; columns that do not leave are not looked at."""

    def __init__(self, folder: Path, table: Table) -> None:
        self._columns = [(column.name, column.type) for column in table.columns]
        self._sheet = SpreadsheetFile(folder, table)
        self._formats: list[Format] = [
            CsvFile(folder, table),
            JsonlFile(folder, table),
            ParquetFile(folder, table),
            self._sheet,
        ]
        self._written: list[Written] = []
        self.rows = 0

    def __enter__(self) -> "TableWriter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._written = [file for one in self._formats for file in one.close()]

    def write(self, rows: Iterable[Row]) -> None:
        """Append rows."""
        for row in rows:
            cells = [typed(kind, row[name]) for name, kind in self._columns]
            for one in self._formats:
                one.write(cells)
            self.rows += 1

    def written(self) -> list[Written]:
        """Return what was written, when it is."""
        return self._written

    @property
    def replaced(self) -> int:
        """How many characters a spreadsheet could not have held."""
        return self._sheet.replaced

    @property
    def moved(self) -> int:
        """How many cells were too long for a spreadsheet."""
        return len(self._sheet.longer)


def csv_line(cells: Iterable[Cell]) -> str:
    """Return a row as RFC 4180 has it, ended by a newline alone."""
    return ",".join(csv_cell(cell) for cell in cells) + "\n"
