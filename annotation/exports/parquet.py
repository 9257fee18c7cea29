"""A table as Parquet: the same rows give the same bytes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from annotation.exports.columns import Cell, Table
from annotation.exports.files import HashedFile, Written

# A group of rows ends by what was put in, never by memory or time.
GROUP_ROWS: Final = 20_000
GROUP_CHARACTERS: Final = 16_000_000
TYPES: Final[dict[str, Any]] = {
    "text": pa.string(),
    "integer": pa.int64(),
    "number": pa.float64(),
    "boolean": pa.bool_(),
    "list": pa.list_(pa.string()),
}


class ParquetFile:
    """One table as `NAME.parquet`: ids are strings, whole numbers int64, empty cells null.

    Not compressed, so that whoever searches the bytes for an identifier finds what there is; the
    archive is.
    """

    def __init__(self, folder: Path, table: Table) -> None:
        self._file = HashedFile(folder, f"{table.name}.parquet")
        self._schema = pa.schema([(column.name, TYPES[column.type]) for column in table.columns])
        self._writer = pq.ParquetWriter(
            self._file,
            self._schema,
            version="2.6",
            compression="none",
            data_page_size=1 << 20,
            store_schema=False,
        )
        self._columns: list[list[Cell]] = [[] for _ in table.columns]
        self._texts = [column.type == "text" for column in table.columns]
        self._rows = self._characters = 0

    def write(self, columns: Sequence[Sequence[Cell]]) -> None:
        """Append some rows, which are given as columns of the same length."""
        for held, column, is_text in zip(self._columns, columns, self._texts, strict=True):
            held.extend(column)
            if is_text:
                self._characters += sum(len(cell) for cell in column if isinstance(cell, str))
        self._rows += len(columns[0])
        if len(self._columns[0]) >= GROUP_ROWS or self._characters >= GROUP_CHARACTERS:
            self._flush()

    def close(self) -> list[Written]:
        """Return the file."""
        self._flush()
        self._writer.close()
        self._file.close()
        return [self._file.written(self._rows)]

    def _flush(self) -> None:
        if not self._columns[0]:
            return
        arrays = [
            pa.array(column, type=field.type)
            for column, field in zip(self._columns, self._schema, strict=True)
        ]
        self._writer.write_table(
            pa.Table.from_arrays(arrays, schema=self._schema), row_group_size=GROUP_ROWS
        )
        self._columns = [[] for _ in self._columns]
        self._characters = 0
