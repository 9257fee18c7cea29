"""Embeddings once and for all: what is in the store is never computed again.

The store is a protocol; a dictionary serves in memory, `analysis.embeddings.store` on disk. Batches
reach the store as they are done, so a run that is killed has lost one batch at most.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from itertools import islice
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from analysis.pipelines.trace.encoders import Encoded, Encoder, Rows, encodable, encode_checked

BATCH = 8

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
    known = store.get(list(dict.fromkeys(keys.values())))
    _complete(keys, known, encoder, store, encode, progress)
    found = [known[key] for key in keys.values()]
    rows = np.stack([one.row for one in found]) if found else np.empty((0, encoder.dim), np.float32)
    tokens = np.array([one.tokens for one in found], dtype=np.int64)
    return Vectors(rows, tokens, {text: index for index, text in enumerate(keys)})


def _complete(
    keys: Mapping[str, str],
    known: dict[str, Encoded],
    encoder: Encoder,
    store: Store,
    encode: EncodeBatches,
    progress: Callable[[Progress], None],
) -> None:
    missing = {key: text for text, key in keys.items() if key not in known}
    # Texts of like length share a batch, and the longest come first, so that no process ends late.
    queue = sorted(missing, key=lambda key: (-len(missing[key]), key))
    batches = [queue[at : at + BATCH] for at in range(0, len(queue), BATCH)]
    before = len(known)
    progress(Progress(0, len(missing), before))
    encoded = encode(encoder, [[missing[key] for key in batch] for batch in batches])
    for batch, rows in zip(batches, encoded, strict=True):
        entries = dict(zip(batch, rows, strict=True))
        store.put(entries)
        known.update(entries)
        progress(Progress(len(known) - before, len(missing), before))


def shards(texts: Iterable[str], number: int) -> list[list[str]]:
    """Deal distinct texts into shards of like size that several machines can embed on their own."""
    distinct = sorted(dict.fromkeys(texts), key=lambda text: (-len(text), text))
    return [list(islice(distinct, start, None, number)) for start in range(number)]
