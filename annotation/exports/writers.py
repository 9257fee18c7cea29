"""A table in every format at once, a block of rows at a time: CSV, JSONL, Parquet, and CSV for spreadsheets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

from annotation.exports.cells import csv_cell, json_cell, typed_column, written_column
from annotation.exports.columns import Cell, Row, Table
from annotation.exports.files import HashedFile, Written
from annotation.exports.parquet import ParquetFile
from annotation.exports.spreadsheet import SpreadsheetFile

# Some rows as columns of the same length, by the names of the columns.
Block = Mapping[str, Sequence[Cell]]
# A block ends by what was put in, whichever comes first.
BLOCK_ROWS: Final = 2_000
BLOCK_CHARACTERS: Final = 4_000_000


class Format(Protocol):
    """One file that takes rows."""

    def write(self, columns: Sequence[Sequence[Cell]]) -> None:
        """Append some rows, which are given as columns of the same length."""

    def close(self) -> list[Written]:
        """Return what was written."""


class CsvFile:
    """CSV as RFC 4180 has it, but lines end by a newline alone; texts as they are."""

    def __init__(self, folder: Path, table: Table) -> None:
        self._file = HashedFile(folder, f"{table.name}.csv")
        self._rows = 0
        self._file.write(csv_line([column.name for column in table.columns]).encode())

    def write(self, columns: Sequence[Sequence[Cell]]) -> None:
        """Append some rows."""
        cells = [written_column(column, csv_cell) for column in columns]
        self._file.write(
            "".join([f"{','.join(row)}\n" for row in zip(*cells, strict=True)]).encode()
        )
        self._rows += len(columns[0])

    def close(self) -> list[Written]:
        """Return the file."""
        self._file.close()
        return [self._file.written(self._rows)]


class JsonlFile:
    """One JSON object a line."""

    def __init__(self, folder: Path, table: Table) -> None:
        self._file = HashedFile(folder, f"{table.name}.jsonl")
        keys = [json_cell(column.name).replace("%", "%%") for column in table.columns]
        self._line = "{" + ", ".join(f"{key}: %s" for key in keys) + "}\n"
        self._rows = 0

    def write(self, columns: Sequence[Sequence[Cell]]) -> None:
        """Append some rows."""
        cells = [written_column(column, json_cell) for column in columns]
        self._file.write("".join([self._line % row for row in zip(*cells, strict=True)]).encode())
        self._rows += len(columns[0])

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
        self.written: list[Written] = []
        self.rows = 0

    def write(self, rows: Iterable[Row]) -> None:
        """Append rows."""
        for some in _batches(rows):
            self.append({name: [row[name] for row in some] for name, _ in self._columns})

    def append(self, block: Block) -> None:
        """Append a block of rows."""
        columns = [typed_column(kind, block[name]) for name, kind in self._columns]
        if not columns[0]:
            return
        for one in self._formats:
            one.write(columns)
        self.rows += len(columns[0])

    def close(self) -> None:
        """End the files; `written` then names them."""
        self.written = [file for one in self._formats for file in one.close()]

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


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    batch: list[Row] = []
    characters = 0
    for row in rows:
        batch.append(row)
        characters += sum(len(cell) for cell in row.values() if isinstance(cell, str))
        if len(batch) >= BLOCK_ROWS or characters >= BLOCK_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch
