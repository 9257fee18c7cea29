"""The three file formats of a table, each turned into chunks of text cells with row numbers."""

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import isnan
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

# A model's answer can be longer than the 128 kB that the csv module allows a field.
csv.field_size_limit(2**27)


@dataclass(frozen=True)
class Chunk:
    """Some rows of one file: every cell text, the index the row number that a message names.

    In CSV the header is row 1, as a spreadsheet shows it; JSONL and Parquet count from 1.
    """

    file: str
    frame: pd.DataFrame


class FileError(ValueError):
    """A file that is no table at all: where, and what is wrong."""

    def __init__(
        self, file: str, message: str, *, row: int | None = None, column: str | None = None
    ) -> None:
        super().__init__(message)
        self.file, self.message, self.row, self.column = file, message, row, column


def table_files(paths: Path | Sequence[Path]) -> list[Path]:
    """Return the files to read, a folder's in the order of their names."""
    found: list[Path] = []
    for path in [paths] if isinstance(paths, Path) else paths:
        if path.is_dir():
            inside = sorted(p for p in path.iterdir() if p.suffix.lower() in READERS)
            if not inside:
                raise FileError(str(path), "the folder holds no .csv, .jsonl or .parquet file")
            found += inside
        elif not path.is_file():
            raise FileError(str(path), "there is no such file or folder")
        elif path.suffix.lower() not in READERS:
            raise FileError(str(path), "the name must end in .csv, .jsonl or .parquet")
        else:
            found.append(path)
    return found


def file_chunks(path: Path, rows: int, wanted: frozenset[str] | None) -> Iterator[Chunk]:
    """Yield the file in chunks of at most `rows` rows, with the wanted columns or with all."""
    try:
        for frame in READERS[path.suffix.lower()](path, rows, wanted):
            yield Chunk(str(path), frame)
    except UnicodeDecodeError as error:
        message = f"the file is not UTF-8 (byte {error.start}); save it as UTF-8"
        raise FileError(str(path), message) from None


def _csv(path: Path, rows: int, wanted: frozenset[str] | None) -> Iterator[pd.DataFrame]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        # The standard reader, since the one of pandas fills short rows and shifts long ones.
        records = csv.reader(file, strict=True)
        try:
            header = _header(path, next(records, []))
            kept = [i for i, name in enumerate(header) if wanted is None or name in wanted]
            names = [header[i] for i in kept]
            numbered = _csv_rows(path, records, len(header))
            while batch := list(islice(numbered, rows)):
                cells = {names[k]: [row[i] for _, row in batch] for k, i in enumerate(kept)}
                index = pd.Index([number for number, _ in batch])
                yield pd.DataFrame(cells, index=index, dtype=str)
        except csv.Error as error:
            raise FileError(str(path), f"not CSV near line {records.line_num}: {error}") from None
    yield pd.DataFrame(columns=names, dtype=str)


def _header(path: Path, header: list[str]) -> list[str]:
    if not header:
        raise FileError(str(path), "the file is empty; the first line must name the columns")
    doubled = sorted({name for name in header if header.count(name) > 1})
    if doubled:
        raise FileError(str(path), "the header names the column twice", row=1, column=doubled[0])
    return header


def _csv_rows(
    path: Path, records: Iterator[list[str]], width: int
) -> Iterator[tuple[int, list[str]]]:
    for number, row in enumerate(records, 2):
        if not row:
            continue
        if len(row) != width:
            message = f"the row has {len(row)} fields, the header {width}"
            raise FileError(str(path), message, row=number)
        yield number, row


def first_row(marked: pd.Series) -> int:
    """Return the row number of the first marked row."""
    return int(marked.index.to_numpy()[int(marked.to_numpy().argmax())])


def _jsonl(path: Path, rows: int, wanted: frozenset[str] | None) -> Iterator[pd.DataFrame]:
    with path.open(encoding="utf-8-sig") as file:
        lines = ((number, line) for number, line in enumerate(file, 1) if line.strip())
        while batch := list(islice(lines, rows)):
            records = [_record(path, number, line, wanted) for number, line in batch]
            frame = pd.DataFrame(records, index=pd.Index([n for n, _ in batch]), dtype=str)
            yield frame.fillna("")


def _record(path: Path, number: int, line: str, wanted: frozenset[str] | None) -> dict[str, str]:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        message = f"the line is not JSON: {error.msg}"
        raise FileError(str(path), message, row=number) from None
    if not isinstance(record, dict):
        raise FileError(str(path), "the line must be a JSON object", row=number)
    return {
        name: _json_text(path, number, name, value)
        for name, value in record.items()
        if wanted is None or name in wanted
    }


def _json_text(path: Path, number: int, name: str, value: object) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, dict | list):
        message = "the value must be a text or a number, not a list or an object"
        raise FileError(str(path), message, row=number, column=name)
    return json.dumps(value)


def _parquet(path: Path, rows: int, wanted: frozenset[str] | None) -> Iterator[pd.DataFrame]:
    try:
        with pq.ParquetFile(path) as file:
            names = [n for n in file.schema_arrow.names if wanted is None or n in wanted]
            start = 1
            for batch in file.iter_batches(batch_size=rows, columns=names):
                texts = {n: _arrow_text(path, n, batch.column(n)) for n in names}
                index = pd.RangeIndex(start, start + batch.num_rows)
                yield pd.DataFrame(texts, index=index, dtype=str)
                start += batch.num_rows
    except pa.ArrowInvalid as error:
        raise FileError(str(path), f"the file is not Parquet: {error}") from None


def _arrow_text(path: Path, name: str, cells: pa.Array) -> list[str]:
    """Return a Parquet column as text; whole floats lose their '.0', as a CSV would have them."""
    if pa.types.is_dictionary(cells.type):
        cells = cells.dictionary_decode()
    if pa.types.is_nested(cells.type) or pa.types.is_binary(cells.type):
        message = f"the type {cells.type} is neither text nor number"
        raise FileError(str(path), message, column=name)
    if pa.types.is_floating(cells.type):
        return ["" if x is None or isnan(x) else _float_text(x) for x in cells.to_pylist()]
    texts = cells.cast(pa.string()).fill_null("")
    return list(texts.to_pylist())


def _float_text(number: float) -> str:
    return str(int(number)) if number.is_integer() else repr(number)


READERS: dict[str, Callable[[Path, int, frozenset[str] | None], Iterator[pd.DataFrame]]] = {
    ".csv": _csv,
    ".jsonl": _jsonl,
    ".parquet": _parquet,
}
