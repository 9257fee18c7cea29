"""Rows of a Parquet file, as text, true/false and lists, like those of the other tables."""

import io
import math
from collections.abc import Iterator
from typing import Any

from annotation.studyfile.wording import shown

# A few bytes of Parquet can stand for gigabytes of text.
MAX_CHARACTERS = 1_000_000_000
BATCH = 1000


class ParquetError(Exception):
    """The file is not a Parquet table that can be read as items."""


def parquet_rows(data: bytes, max_rows: int) -> Iterator[dict[str, Any]]:
    """Iterate over the rows; every column stands in each, an absent value as an empty text."""
    # Imported here: it takes half a second, and most folders hold no Parquet.
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    read = 0
    try:
        file = pq.ParquetFile(io.BytesIO(data))
        if file.metadata.num_rows > max_rows:
            raise ParquetError(f"The table has more than {max_rows:,} rows.")
        names = file.schema_arrow.names
        if len(set(names)) < len(names):
            raise ParquetError("The table has two columns with one name.")
        for batch in file.iter_batches(batch_size=BATCH):
            if (read := read + batch.nbytes) > MAX_CHARACTERS:
                raise ParquetError("The table unpacks to more than a gigabyte.")
            yield from _rows(batch.to_pylist())
    except (pa.ArrowException, OSError, ValueError, OverflowError, KeyError) as error:
        first = str(error).split("\n", maxsplit=1)[0]
        raise ParquetError(f"This is not a readable Parquet file: {shown(first)}.") from None


def _rows(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for row in rows:
        yield {name: _cell(name, value) for name, value in row.items()}


def _cell(name: str, value: Any) -> Any:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, list):
        return [_cell(name, entry) for entry in value]
    if isinstance(value, bool | str):
        return value
    if isinstance(value, float) and not math.isfinite(value):
        raise ParquetError(f"The column {shown(name)} holds an infinite number.")
    if isinstance(value, int | float):
        # A column of whole numbers with a gap is stored as decimals; 3.0 was 3.
        return repr(int(value) if value == int(value) and abs(value) < 2**53 else value)
    kind = type(value).__name__
    raise ParquetError(f"The column {shown(name)} holds {kind} values; store them as text.")
