"""The texts of a trace analysis in parts: each can be encoded on a machine of its own.

A part brings its vectors back as bytes, so that whoever computes needs no disk in common with those who
encoded. Every machine keeps what it encodes, so that a part that is begun again encodes nothing twice.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from analysis.pipelines.trace.cache import Progress, Store, embed, key_of, shards
from analysis.pipelines.trace.encoders import Encoded, Encoder, Rows

# Half a minute of the bundled encoder: little is lost with a part, and few messages are sent.
TEXTS_A_PART = 1_000


def part_count(texts: Sequence[str]) -> int:
    """Return into how many parts texts are dealt."""
    return -(-len(set(texts)) // TEXTS_A_PART)


def parts_of(texts: Sequence[str]) -> list[list[str]]:
    """Deal texts into parts."""
    return shards(texts, part_count(texts))


def part_encoded(
    part: Sequence[str], encoder: Encoder, store: Store, progress: Callable[[Progress], None]
) -> bytes:
    """Encode the texts of one part, as far as the store lacks them; return their vectors."""
    vectors = embed(part, encoder, store, progress=progress)
    keys = [key_of(encoder.id, text) for text in vectors.place]
    return vectors_packed(keys, vectors.tokens, vectors.rows)


def vectors_packed(keys: Sequence[str], tokens: NDArray[np.int64], rows: Rows) -> bytes:
    """Return vectors with their keys as bytes; `part_kept` is the inverse."""
    target = BytesIO()
    np.savez(
        target, keys=np.array(keys, dtype="S64"), tokens=tokens, rows=np.asarray(rows, dtype="<f4")
    )
    return target.getvalue()


def part_kept(stored: bytes, store: Store) -> None:
    """Keep the vectors of a part; what is known already stays, so that twice is as once."""
    store.put(dict(_entries(stored)))


def _entries(stored: bytes) -> Iterator[tuple[str, Encoded]]:
    with np.load(BytesIO(stored), allow_pickle=False) as found:
        parts: Mapping[str, np.ndarray] = {name: found[name] for name in found.files}
    for key, tokens, row in zip(parts["keys"], parts["tokens"], parts["rows"], strict=True):
        yield bytes(key).decode(), Encoded(row, int(tokens))


def all_known(texts: Sequence[str], encoder: Encoder, store: Store) -> bool:
    """Whether nothing of these texts is left to encode."""
    keys = {key_of(encoder.id, text) for text in set(texts)}
    return store.known(list(keys)) == len(keys)
