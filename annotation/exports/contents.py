"""What can be read in a file of a release, a piece at a time: also in Parquet and within archives."""

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

BLOCK = 1 << 20
ROWS = 20_000
ZIPS_DEEP = 3
_PARQUET, _ZIP = b"PAR1", b"PK\x03\x04"


@dataclass(slots=True)
class Unread:
    """The files that hold bytes which no text could be made of; they were searched as they are."""

    files: set[str] = field(default_factory=set)


def pieces(path: Path, unread: Unread) -> Iterator[bytes]:
    """Yield the file's name, then whole lines of what it holds, about a megabyte at a time."""
    with path.open("rb") as file:
        yield from _within(file, path.name, unread, deep=0)


def _within(file: IO[bytes], name: str, unread: Unread, *, deep: int) -> Iterator[bytes]:
    yield name.encode() + b"\n"
    start = file.read(BLOCK)
    file.seek(0)
    if start.startswith(_PARQUET):
        yield from _parquet(file)
    elif start.startswith(_ZIP) and deep < ZIPS_DEEP:
        yield from _zip(file, unread, deep=deep)
    else:
        if b"\0" in start:
            unread.files.add(name)
        while lines := file.readlines(BLOCK):
            yield b"".join(lines)


def _zip(file: IO[bytes], unread: Unread, *, deep: int) -> Iterator[bytes]:
    with zipfile.ZipFile(file) as archive:
        yield archive.comment + b"\n"
        for member in archive.infolist():
            yield member.filename.encode() + b"\n" + member.comment + b"\n"
            with archive.open(member) as inner:
                yield from _within(inner, member.filename, unread, deep=deep + 1)


def _parquet(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the distinct cells of every column; a cell that stands often is looked at once."""
    table = pq.ParquetFile(file)
    metadata = table.schema_arrow.metadata or {}
    # The schema that Arrow keeps in base64 says the names again, which stand beside it.
    yield b"\n".join([*metadata, *metadata.values(), *map(str.encode, table.schema_arrow.names)])
    for batch in table.iter_batches(batch_size=ROWS):
        for column in batch.columns:
            yield _cells(column)


def _cells(column: pa.Array) -> bytes:
    while pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        column = column.flatten()
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):
        return b"\n".join(cell for cell in pc.unique(column).to_pylist() if cell is not None)
    return "\n".join(
        str(cell) for cell in pc.unique(column).to_pylist() if cell is not None
    ).encode()
