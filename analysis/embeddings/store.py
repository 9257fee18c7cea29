"""Vectors in one SQLite file: written batch by batch, so that a killed run goes on where it was."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from analysis.pipelines.trace.encoders import Encoded

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
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        with self._connected() as connection:
            connection.execute(f"PRAGMA page_size={PAGE_BYTES}")
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(SCHEMA)

    def get(self, keys: Sequence[str]) -> dict[str, Encoded]:
        """Return those of the keys that are known."""
        found: dict[str, Encoded] = {}
        # In the order of the file, so that a page is read once and not once for each of its rows.
        ordered = sorted(keys)
        with self._connected() as connection:
            for at in range(0, len(ordered), KEYS_AT_ONCE):
                some = ordered[at : at + KEYS_AT_ONCE]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, tokens, row FROM embedding WHERE key IN ({marks})"  # noqa: S608  only marks
                for key, tokens, row in connection.execute(query, some):
                    found[key] = Encoded(np.frombuffer(row, dtype="<f4"), tokens)
        return found

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
