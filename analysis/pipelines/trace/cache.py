"""Embeddings once and for all: what is in the store is never computed again.

The store is a protocol; a dictionary serves in memory, `analysis.embeddings.store` on disk. Batches
reach the store as they are done, so a run that is killed has lost one batch at most.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from itertools import islice
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from analysis.pipelines.trace.encoders import Encoded, Encoder, Rows, encodable, encode_checked

BATCH = 8
AT_ONCE = 10_000
UNKNOWN = -1

Batches = Iterable[Sequence[str]]
EncodeBatches = Callable[[Encoder, Batches], Iterable[list[Encoded]]]


class Store(Protocol):
    """Keeps encoded texts by key."""

    def get(self, keys: Sequence[str]) -> dict[str, Encoded]:
        """Return those of the keys that are known."""

    def known(self, keys: Sequence[str]) -> int:
        """Return how many of these keys, each given once, are known."""

    def put(self, entries: Mapping[str, Encoded]) -> None:
        """Keep the entries, for good when this returns."""


class MemoryStore(dict[str, Encoded]):
    """A store that lives as long as the program."""

    def get(self, keys: Sequence[str]) -> dict[str, Encoded]:  # type: ignore[override]
        """Return those of the keys that are known."""
        return {key: self[key] for key in keys if key in self}

    def known(self, keys: Sequence[str]) -> int:
        """Return how many of these keys, each given once, are known."""
        return sum(key in self for key in keys)

    def put(self, entries: Mapping[str, Encoded]) -> None:
        """Keep the entries."""
        self.update(entries)


class Progress(NamedTuple):
    """How far the encoding of what was missing has come."""

    done: int
    missing: int
    known: int


class Vectors(NamedTuple):
    """The encoded texts as one table, and where each text stands in it."""

    rows: Rows
    tokens: NDArray[np.int64]
    place: dict[str, int]

    def of(self, texts: Sequence[str]) -> Rows:
        """Return the rows of some texts."""
        return self.rows[[self.place[text] for text in texts]]


def key_of(encoder_id: str, text: str) -> str:
    """Return the key under which this encoder's vector of the text is kept."""
    return sha256(f"{encoder_id}\0{encodable(text)}".encode()).hexdigest()


def one_by_one(encoder: Encoder, batches: Batches) -> Iterable[list[Encoded]]:
    """Encode batch after batch in this process."""
    return map(partial(encode_checked, encoder), batches)


def embed(
    texts: Iterable[str],
    encoder: Encoder,
    store: Store,
    *,
    encode: EncodeBatches = one_by_one,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Vectors:
    """Return the vectors of all distinct texts, encoding only those that the store lacks."""
    keys = {text: key_of(encoder.id, text) for text in dict.fromkeys(texts)}
    place = {key: index for index, key in enumerate(dict.fromkeys(keys.values()))}
    table = _Table(len(place))
    ordered = sorted(place)
    for at in range(0, len(ordered), AT_ONCE):
        table.add(place, store.get(ordered[at : at + AT_ONCE]))
    missing = {key: text for text, key in keys.items() if not table.has(place[key])}
    for entries in _encoded(missing, encoder, store, encode, progress, known=table.filled):
        table.add(place, entries)
    rows = np.empty((0, encoder.dim), np.float32) if table.rows is None else table.rows
    return Vectors(rows, table.tokens, {text: place[key] for text, key in keys.items()})


class _Table:
    """Vectors as they come in. They are kept once: of millions, a second copy would not fit."""

    def __init__(self, size: int) -> None:
        self.rows: Rows | None = None
        self.tokens: NDArray[np.int64] = np.full(size, UNKNOWN)
        self.filled = 0

    def add(self, place: Mapping[str, int], entries: Mapping[str, Encoded]) -> None:
        """Write entries to their places."""
        for key, one in entries.items():
            if self.rows is None:
                self.rows = np.empty((len(self.tokens), len(one.row)), np.float32)
            self.rows[place[key]] = one.row
            self.tokens[place[key]] = one.tokens
        self.filled += len(entries)

    def has(self, index: int) -> bool:
        """Whether a place is written."""
        return bool(self.tokens[index] != UNKNOWN)


def _encoded(
    missing: Mapping[str, str],
    encoder: Encoder,
    store: Store,
    encode: EncodeBatches,
    progress: Callable[[Progress], None],
    *,
    known: int,
) -> Iterator[dict[str, Encoded]]:
    """Encode batch after batch; each is in the store before it is yielded."""
    # Texts of like length share a batch, and the longest come first, so that no process ends late.
    queue = sorted(missing, key=lambda key: (-len(missing[key]), key))
    batches = [queue[at : at + BATCH] for at in range(0, len(queue), BATCH)]
    done = 0
    progress(Progress(done, len(missing), known))
    encoded = encode(encoder, [[missing[key] for key in batch] for batch in batches])
    for batch, rows in zip(batches, encoded, strict=True):
        entries = dict(zip(batch, rows, strict=True))
        store.put(entries)
        done += len(entries)
        progress(Progress(done, len(missing), known))
        yield entries


def shards(texts: Iterable[str], number: int) -> list[list[str]]:
    """Deal distinct texts into shards of like size that several machines can embed on their own."""
    distinct = sorted(dict.fromkeys(texts), key=lambda text: (-len(text), text))
    return [list(islice(distinct, start, None, number)) for start in range(number)]
