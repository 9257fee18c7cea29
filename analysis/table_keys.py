"""Which keys of a table came twice, found in the same memory however many rows there are."""

from collections.abc import Iterator
from tempfile import SpooledTemporaryFile

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

AT_ONCE = 2**20
BYTES = np.dtype(np.uint64).itemsize


class SeenKeys:
    """Hashes of keys, eight bytes each; on disk where there are many.

    `at_once` is how many are sorted at the same time.
    """

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._count = 0
        self._held = SpooledTemporaryFile(max_size=at_once * BYTES)  # noqa: SIM115  closed below

    def close(self) -> None:
        """Let go of all; `contextlib.closing` does so at the end of a block."""
        self._held.close()

    def add(self, hashes: Hashes) -> None:
        """Note some more."""
        self._held.write(hashes.tobytes())
        self._count += len(hashes)

    def doubled(self) -> Hashes:
        """Return the hashes that came more than once, each at least once."""
        shares = 1 << (self._count // self._at_once).bit_length()
        return np.concatenate([_doubled(self._share(n, shares)) for n in range(shares)])

    def _share(self, number: int, shares: int) -> Hashes:
        """Return those whose last bits are a number: equal ones are in the same share."""
        bits = np.uint64(shares - 1)
        chosen = [block[block & bits == number] for block in self._blocks()]
        return np.concatenate([np.empty(0, np.uint64), *chosen])

    def _blocks(self) -> Iterator[Hashes]:
        self._held.seek(0)
        while data := self._held.read(self._at_once * BYTES):
            yield np.frombuffer(data, dtype=np.uint64)


def _doubled(hashes: Hashes) -> Hashes:
    hashes.sort()
    return np.asarray(hashes[1:][hashes[1:] == hashes[:-1]])
