"""How often each cluster is drawn in each replicate of a bootstrap, and draws that statistics share."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
CountArray = npt.NDArray[np.integer]

BLOCK = 1 << 18  # entries of one block of multiplicities, which stays in the processor's cache
# With many clusters a block has these rows all the same, up to so many entries: a product of few
# rows reads the sums of all clusters from memory again and again.
FEWEST_ROWS, LARGEST_BLOCK = 32, 1 << 22
MOST_KEPT = 3 << 24  # bytes of draws that are held for others


def multiplicities(
    n_clusters: int, resamples: int, rng: np.random.Generator
) -> Iterator[FloatArray]:
    """Yield blocks of (replicates, clusters): how often each cluster is drawn in each replicate.

    The draws are one call of `Generator.integers`, one row a replicate; making them in blocks takes
    the same numbers from the generator. The interval depends on this call as well as on the seed.
    Within `draws_kept` they are made once for all generators that stand where this one does.

    Examples
    --------
    >>> block, = multiplicities(3, 2, np.random.default_rng(1))
    >>> block.tolist()
    [[0.0, 2.0, 1.0], [2.0, 0.0, 1.0]]
    """
    kept = _kept.get()
    fits = n_clusters * resamples <= MOST_KEPT
    draw = kept.drawn if kept is not None and fits else _drawn
    rows = min(FEWEST_ROWS, LARGEST_BLOCK // max(n_clusters, 1))
    for block in _stacked(draw(n_clusters, resamples, rng), rows):
        yield block.astype(np.float64)


def _stacked(blocks: Iterable[CountArray], rows: int) -> Iterator[CountArray]:
    """Put blocks together until they have so many rows."""
    held: list[CountArray] = []
    for block in blocks:
        held.append(block)
        if sum(map(len, held)) >= rows:
            yield np.concatenate(held)
            held = []
    if held:
        yield np.concatenate(held)


def _drawn(n_clusters: int, resamples: int, rng: np.random.Generator) -> Iterator[CountArray]:
    """Yield the multiplicities as whole numbers, in the fewest bytes."""
    height = max(1, BLOCK // max(n_clusters, 1))
    for start in range(0, resamples, height):
        rows = min(height, resamples - start)
        draws = rng.integers(0, n_clusters, size=(rows, n_clusters))
        draws += np.arange(rows)[:, None] * n_clusters
        counts = np.bincount(draws.ravel(), minlength=rows * n_clusters)
        yield _narrow(counts).reshape(rows, n_clusters)


class _Kept:
    """Draws by their size and the state of the generator before them; those asked for longest ago go."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[list[CountArray], Mapping[str, Any]]] = {}

    def drawn(self, n_clusters: int, resamples: int, rng: np.random.Generator) -> list[CountArray]:
        """Return the blocks that the generator yields, and leave it as it would be after them."""
        key = repr((n_clusters, resamples, rng.bit_generator.state))
        if key in self.known:
            found = self.known.pop(key)
        else:
            # Before they are made, lest both be held at once.
            self._make_room(n_clusters * resamples)
            found = list(_drawn(n_clusters, resamples, rng)), rng.bit_generator.state
        self.known[key] = found
        blocks, rng.bit_generator.state = found
        return blocks

    def _make_room(self, size: int) -> None:
        while self.known and self.size + size > MOST_KEPT:
            del self.known[next(iter(self.known))]

    @property
    def size(self) -> int:
        """Return the bytes held."""
        return sum(block.nbytes for blocks, _ in self.known.values() for block in blocks)


def _narrow(counts: CountArray) -> CountArray:
    """Return counts in the fewest bytes; hardly a cluster is drawn more than 255 times."""
    return counts.astype(np.min_scalar_type(int(counts.max(initial=0))))


_kept: ContextVar[_Kept | None] = ContextVar("draws that are kept", default=None)


@contextmanager
def draws_kept() -> Iterator[None]:
    """Keep draws within a `with` block, so that statistics of one seed and size share them.

    Nothing changes but the time: where many dimensions of one study are resampled, the draws cost
    more than what is done with them.
    """
    token = _kept.set(_Kept())
    try:
        yield
    finally:
        _kept.reset(token)
