"""The three file formats of a table, each turned into chunks of text cells with row numbers."""

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
from pyarrow import compute

BLOCK_BYTES = 2**22
# What stands between columns in files that are called CSV and have no commas there.
SEPARATORS = (";", "\t", "|")
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
        try:
            found += _files_at(path)
        except OSError as error:
            raise _unreadable(path, error) from None
    return found


def _files_at(path: Path) -> list[Path]:
    if path.is_dir():
        inside = sorted(p for p in path.iterdir() if p.suffix.lower() in READERS)
        if not inside:
            raise FileError(str(path), "the folder holds no .csv, .jsonl or .parquet file")
        return inside
    if not path.is_file():
        raise FileError(str(path), "there is no such file or folder")
    if path.suffix.lower() not in READERS:
        message = "the name must end in .csv, .jsonl or .parquet; unpack or convert the file first"
        raise FileError(str(path), message)
    return [path]


def _unreadable(path: Path, error: OSError) -> FileError:
    return FileError(str(path), f"it cannot be read: {error.strerror or error}")


def file_chunks(
    path: Path, rows: int, wanted: frozenset[str] | None, *, lists: bool = False
) -> Iterator[Chunk]:
    """Yield the file in chunks of at most `rows` rows, with the wanted columns or with all.

    With `lists`, a cell of JSONL or Parquet may be a list; it reads as its JSON, as in a CSV.
    """
    try:
        for frame in READERS[path.suffix.lower()](path, rows, wanted, lists=lists):
            _check_names(path, frame)
            yield Chunk(str(path), frame)
    except UnicodeDecodeError:
        raise _not_utf8(path) from None
    except OSError as error:
        raise _unreadable(path, error) from None
    finally:
        # What the reader held would stay with the process, beside all that is computed from it.
        pa.default_memory_pool().release_unused()


def _not_utf8(path: Path) -> FileError:
    """Name the first place that is no UTF-8, read again with what cannot be read marked as such."""
    message = (
        "the file is not UTF-8 here; spreadsheets write another encoding unless they are told: save it "
        "as UTF-8"
    )
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        rows = csv.reader(file) if path.suffix.lower() == ".csv" else ([line] for line in file)
        header: list[str] = []
        for number, row in enumerate(rows, 1):
            place = next((i for i, cell in enumerate(row) if not _is_whole(cell)), None)
            if place is not None:
                column = header[place] if place < len(header) else None
                return FileError(str(path), message, row=number, column=column)
            header = header or (row if path.suffix.lower() == ".csv" else [])
    return FileError(str(path), message)


def _check_names(path: Path, frame: pd.DataFrame) -> None:
    for name in frame.columns:
        if "\0" in name:
            raise FileError(str(path), "the name of the column holds a NUL character", column=name)


def _csv(
    path: Path, rows: int, wanted: frozenset[str] | None, *, lists: bool
) -> Iterator[pd.DataFrame]:
    del lists  # a cell of a CSV is a text, whatever it says
    header = _csv_header(path)
    names = [name for name in header if wanted is None or name in wanted]
    _check_quotes(path)
    yield pd.DataFrame(columns=names, dtype=str)
    faults: list[pa_csv.InvalidRow] = []

    def refuse(row: pa_csv.InvalidRow) -> str:
        faults.append(row)
        return "error"

    try:
        with path.open("rb") as file, _csv_reader(file, names, refuse) as reader:
            start = 2
            for batch in reader:
                for piece in _pieces(batch, rows):
                    index = pd.RangeIndex(start, start + piece.num_rows)
                    start += piece.num_rows
                    yield _without_blank_lines(_text_frame(piece, index))
    except pa.ArrowInvalid as error:
        raise _csv_fault(path, faults, str(error)) from None


def _csv_reader(
    file: BinaryIO, names: list[str], refuse: Callable[[pa_csv.InvalidRow], str]
) -> pa_csv.CSVStreamingReader:
    # An open file, since from a path the whole of it would be read ahead.
    return pa_csv.open_csv(
        file,
        # Only one thread knows the number of a faulty row.
        read_options=pa_csv.ReadOptions(use_threads=False, block_size=BLOCK_BYTES),
        parse_options=pa_csv.ParseOptions(
            newlines_in_values=True, ignore_empty_lines=False, invalid_row_handler=refuse
        ),
        convert_options=pa_csv.ConvertOptions(
            strings_can_be_null=False,
            include_columns=names,
            column_types=dict.fromkeys(names, pa.string()),
        ),
    )


def _csv_header(path: Path) -> list[str]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            return _header(path, next(csv.reader(file), []))
        except csv.Error as error:
            message = f"the names of the columns cannot be read: {error}"
            raise FileError(str(path), message, row=1) from None


def _csv_fault(path: Path, faults: list[pa_csv.InvalidRow], words: str) -> FileError:
    if not faults:
        if "UTF8" in words:
            return _not_utf8(path)
        if "straddl" in words:
            words = f"a row is longer than {BLOCK_BYTES // 2**20} MB; use JSONL or Parquet for it"
        return FileError(str(path), words)
    row = faults[0]
    message = f"the row has {row.actual_columns} fields, the header {row.expected_columns}"
    return FileError(str(path), message, row=row.number)


def _check_quotes(path: Path) -> None:
    """Name the row of a quote that is never closed; it would swallow the rest of the file."""
    with path.open("rb") as file:
        quotes = sum(block.count(b'"') for block in iter(lambda: file.read(BLOCK_BYTES), b""))
    if quotes % 2 == 0:
        return
    number = 0
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            for number, _ in enumerate(csv.reader(file, strict=True), 1):  # noqa: B007
                pass
        except csv.Error:
            message = "a quote opens here and is never closed"
            raise FileError(str(path), message, row=number + 1) from None


def _pieces(batch: pa.RecordBatch, rows: int) -> Iterator[pa.RecordBatch]:
    for first in range(0, batch.num_rows, rows):
        yield batch.slice(first, rows)


def _text_frame(batch: pa.RecordBatch, index: pd.Index) -> pd.DataFrame:
    frame = pd.DataFrame(batch.to_pandas(), dtype=str)
    frame.index = index
    return frame


def _without_blank_lines(frame: pd.DataFrame) -> pd.DataFrame:
    blank = (frame == "").all(axis=1)
    return frame[~blank] if blank.any() else frame


def _header(path: Path, header: list[str]) -> list[str]:
    if not header:
        raise FileError(str(path), "the file is empty; the first line must name the columns")
    mark = next((mark for mark in SEPARATORS if len(header) == 1 and mark in header[0]), None)
    if mark is not None:
        message = f"the columns are separated by {mark!r}; save the file as CSV with commas"
        raise FileError(str(path), message, row=1)
    doubled = sorted({name for name in header if header.count(name) > 1})
    if doubled:
        raise FileError(str(path), "the header names the column twice", row=1, column=doubled[0])
    return header


def column_names(path: Path) -> list[str]:
    """Return the names of all columns of a file, also of those that nobody asked for."""
    ending = path.suffix.lower()
    if ending == ".csv":
        return _csv_header(path)
    if ending == ".parquet":
        return list(pq.read_schema(path).names)
    with path.open(encoding="utf-8-sig") as file:
        return list(json.loads(next(line for line in file if line.strip())))


def first_row(marked: pd.Series) -> int:
    """Return the row number of the first marked row."""
    return int(marked.index.to_numpy()[int(marked.to_numpy().argmax())])


def _jsonl(
    path: Path, rows: int, wanted: frozenset[str] | None, *, lists: bool
) -> Iterator[pd.DataFrame]:
    with path.open(encoding="utf-8-sig") as file:
        filled = ((number, line) for number, line in enumerate(file, 1) if line.strip())
        first = next(filled, None)
        if first is None:
            raise FileError(str(path), "the file is empty; every line must be a JSON object")
        lines = chain([first], filled)
        while batch := list(islice(lines, rows)):
            records = [_record(path, number, line, wanted, lists=lists) for number, line in batch]
            frame = pd.DataFrame(records, index=pd.Index([n for n, _ in batch]), dtype=str)
            yield frame.fillna("")


def _record(
    path: Path, number: int, line: str, wanted: frozenset[str] | None, *, lists: bool
) -> dict[str, str]:
    try:
        record = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        words = error.msg if isinstance(error, json.JSONDecodeError) else "it is nested too deeply"
        raise FileError(str(path), f"the line is not JSON: {words}", row=number) from None
    if not isinstance(record, dict):
        raise FileError(str(path), "the line must be a JSON object", row=number)
    return {
        name: _json_text(path, number, name, value, lists=lists)
        for name, value in record.items()
        if wanted is None or name in wanted
    }


def _json_text(path: Path, number: int, name: str, value: object, *, lists: bool) -> str:
    if not (_is_whole(name) and _is_whole(value)):
        message = "the text holds half of a character (a lone surrogate)"
        raise FileError(
            str(path), message, row=number, column=name.encode(errors="replace").decode()
        )
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if lists and isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict | list):
        message = "the value must be a text or a number, not a list or an object"
        raise FileError(str(path), message, row=number, column=name)
    return json.dumps(value)


def _is_whole(value: object) -> bool:
    """Whether a text can be written down: an escape may stand for half of a character only."""
    try:
        str(value).encode()
    except UnicodeEncodeError:
        return False
    return True


def _parquet(
    path: Path, rows: int, wanted: frozenset[str] | None, *, lists: bool
) -> Iterator[pd.DataFrame]:
    try:
        with pq.ParquetFile(path) as file:
            names = [n for n in file.schema_arrow.names if wanted is None or n in wanted]
            start = 1
            for batch in file.iter_batches(batch_size=rows, columns=names):
                texts = [_arrow_text(path, n, batch.column(n), lists=lists) for n in names]
                index = pd.RangeIndex(start, start + batch.num_rows)
                yield _text_frame(pa.RecordBatch.from_arrays(texts, names), index)
                start += batch.num_rows
    except pa.ArrowInvalid as error:
        raise FileError(str(path), f"the file is not Parquet: {error}") from None


def _arrow_text(path: Path, name: str, cells: pa.Array, *, lists: bool) -> pa.Array:
    """Return a Parquet column as text; whole floats lose their '.0', as a CSV would have them."""
    if pa.types.is_dictionary(cells.type):
        cells = cells.dictionary_decode()
    if lists and pa.types.is_list(cells.type):
        found = [
            None if c is None else json.dumps(c, ensure_ascii=False) for c in cells.to_pylist()
        ]
        cells = pa.array(found, pa.string())
    if pa.types.is_nested(cells.type) or pa.types.is_binary(cells.type):
        message = f"the type {cells.type} is neither text nor number"
        raise FileError(str(path), message, column=name)
    if pa.types.is_floating(cells.type):
        cells = _whole_or_text(cells)
    return cells.cast(pa.string()).fill_null("")


def _whole_or_text(cells: pa.Array) -> pa.Array:
    """Return floats as whole numbers where all are, with NaN as an empty cell."""
    known = compute.if_else(compute.is_nan(cells), None, cells)
    try:
        return known.cast(pa.int64())
    except pa.ArrowInvalid:
        return known


READERS: dict[str, Callable[..., Iterator[pd.DataFrame]]] = {
    ".csv": _csv,
    ".jsonl": _jsonl,
    ".parquet": _parquet,
}
