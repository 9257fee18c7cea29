"""Many words looked for at once in bytes: each is eight bytes of a hash, whatever their number.

A window of each length slides over the text by a rolling hash (Karp and Rabin 1987), so a text is
read once a length and not once a word. Two different words meet in 64 bits about once in 10^19.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Kinds = NDArray[np.uint8]

_BASE = 0x9E3779B97F4A7C15  # odd, so that it has an inverse
_MASK = (1 << 64) - 1
_WORDS = np.random.default_rng(20_13).integers(0, 1 << 64, 256, dtype=np.uint64, endpoint=False)
# Texts are looked at in pieces that stay in the processor's cache.
PIECE = 1 << 17
# So many words of a length are hashed at once; until then they are held.
WORDS_AT_ONCE = 4_096
_LONGEST = PIECE + 4096


def _powers(base: int) -> Hashes:
    values = np.full(_LONGEST, base & _MASK, dtype=np.uint64)
    values[0] = 1
    return np.cumprod(values, dtype=np.uint64)


_POWERS = _powers(_BASE)
_INVERSE = _powers(pow(_BASE, -1, 1 << 64))


def hashes_of(words: Sequence[bytes]) -> Hashes:
    """Return the hash of each word; all are of one length."""
    length = len(words[0])
    letters = np.frombuffer(b"".join(words), dtype=np.uint8).reshape(-1, length)
    total: Hashes = (_WORDS[letters] * _POWERS[:length]).sum(axis=1, dtype=np.uint64)
    return total


class Needles:
    """Words by length, each with a small number for its kind."""

    def __init__(self) -> None:
        # Words, then their hashes, that are not among the sorted ones yet.
        self._waiting: dict[int, list[tuple[bytes, int]]] = {}
        self._hashed: dict[int, list[tuple[Hashes, Kinds]]] = {}
        self._hashes: dict[int, Hashes] = {}
        self._kinds: dict[int, Kinds] = {}

    def add(self, word: bytes, kind: int) -> None:
        """Note a word."""
        waiting = self._waiting.setdefault(len(word), [])
        waiting.append((word, kind))
        if len(waiting) >= WORDS_AT_ONCE:
            self._hash(len(word))

    def __len__(self) -> int:
        self._settle_all()
        return sum(len(hashes) for hashes in self._hashes.values())

    def within(self, text: bytes) -> set[int]:
        """Return the kinds of the words that stand anywhere in a text of at most a piece."""
        self._settle_all()
        letters = np.frombuffer(text, dtype=np.uint8)
        sums = np.zeros(len(letters) + 1, dtype=np.uint64)
        np.cumsum(_WORDS[letters] * _POWERS[: len(letters)], out=sums[1:])
        found: set[int] = set()
        for length in self._hashes:
            if length <= len(letters):
                windows = (sums[length:] - sums[:-length]) * _INVERSE[: len(sums) - length]
                found.update(self._kinds_of(length, windows))
        return found

    def among(self, words: Iterable[bytes]) -> set[int]:
        """Return the kinds of the words that are among these as a whole."""
        self._settle_all()
        by_length: dict[int, list[bytes]] = {}
        for word in words:
            if len(word) in self._hashes:
                by_length.setdefault(len(word), []).append(word)
        return {
            kind
            for length, group in by_length.items()
            for kind in self._kinds_of(length, hashes_of(group))
        }

    def _kinds_of(self, length: int, hashes: Hashes) -> set[int]:
        known = self._hashes[length]
        at = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
        return {int(kind) for kind in np.unique(self._kinds[length][at[known[at] == hashes]])}

    def _settle_all(self) -> None:
        for length in list(self._waiting):
            self._hash(length)
        for length in list(self._hashed):
            self._settle(length)

    def _hash(self, length: int) -> None:
        """Keep eight bytes of each word that waits, and let the word go."""
        waiting = self._waiting.pop(length)
        kinds = np.array([kind for _, kind in waiting], dtype=np.uint8)
        made = hashes_of([word for word, _ in waiting]), kinds
        self._hashed.setdefault(length, []).append(made)

    def _settle(self, length: int) -> None:
        made = self._hashed.pop(length)
        if length in self._hashes:
            made.insert(0, (self._hashes[length], self._kinds[length]))
        hashes = np.concatenate([one for one, _ in made])
        kinds = np.concatenate([one for _, one in made])
        self._hashes[length], first = np.unique(hashes, return_index=True)
        self._kinds[length] = kinds[first]
