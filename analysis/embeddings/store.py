"""Vectors in one SQLite file: written batch by batch, so that a killed run goes on where it was."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from analysis.pipelines.trace.encoders import Encoded, EncoderError

# SQLite's default limit on the variables of a statement, with room.
KEYS_AT_ONCE = 500
# A row of a thousand numbers fits in one page; on smaller pages the file is more than twice as large.
PAGE_BYTES = 16_384
SCHEMA = """
CREATE TABLE IF NOT EXISTS embedding (
    key TEXT PRIMARY KEY, tokens INTEGER NOT NULL, row BLOB NOT NULL
) WITHOUT ROWID
"""


class FileStore:
    """A store on disk; several processes may use it at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with self._connected() as connection:
                connection.execute(f"PRAGMA page_size={PAGE_BYTES}")
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute(SCHEMA)
        except (OSError, sqlite3.DatabaseError) as error:
            message = f"The vectors cannot be kept in {path}: {error}. Name another file."
            raise EncoderError(message) from None

    def get(self, keys: Sequence[str]) -> dict[str, Encoded]:
        """Return those of the keys that are known."""
        return {
            key: Encoded(np.frombuffer(row, dtype="<f4"), tokens)
            for key, tokens, row in self._selected("key, tokens, row", keys)
        }

    def known(self, keys: Sequence[str]) -> int:
        """Return how many of these keys, each given once, are known; no vector is loaded."""
        return sum(count for (count,) in self._selected("count(*)", keys))

    def _selected(self, columns: str, keys: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        # In the order of the file, so that a page is read once and not once for each of its rows.
        ordered = sorted(keys)
        with self._connected() as connection:
            for at in range(0, len(ordered), KEYS_AT_ONCE):
                some = ordered[at : at + KEYS_AT_ONCE]
                marks = ",".join("?" * len(some))
                query = f"SELECT {columns} FROM embedding WHERE key IN ({marks})"  # noqa: S608  only marks and our own words
                yield from connection.execute(query, some)

    def put(self, entries: Mapping[str, Encoded]) -> None:
        """Keep the entries; they are on disk when this returns. What is known already stays."""
        rows = [
            (key, one.tokens, np.asarray(one.row, dtype="<f4").tobytes())
            for key, one in entries.items()
        ]
        with self._connected() as connection:
            connection.executemany("INSERT OR IGNORE INTO embedding VALUES (?, ?, ?)", rows)

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.path, timeout=30)
        try:
            with connection:
                yield connection
        finally:
            connection.close()
