"""What an encoder of sentences is, and the guards around every one of them."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple, Protocol
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float32]
UNIT_TOLERANCE = 1e-3


class Encoder(Protocol):
    """Turns texts into unit vectors.

    `id` names package, version, prefix and weights: it stands in every cache key, calibration and
    result. `languages` is None where the encoder knows no limit. A `test_only` encoder measures no
    meaning, and no report accepts it.
    """

    @property
    def id(self) -> str: ...  # noqa: D102
    @property
    def dim(self) -> int: ...  # noqa: D102
    @property
    def max_tokens(self) -> int: ...  # noqa: D102
    @property
    def languages(self) -> frozenset[str] | None: ...  # noqa: D102
    @property
    def test_only(self) -> bool: ...  # noqa: D102

    def encode(self, texts: Sequence[str]) -> Rows:
        """Return one unit row a text."""

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Return how many tokens the encoder makes of each text."""


class Encoded(NamedTuple):
    """The vector of a text and its length in the encoder's tokens."""

    row: Rows
    tokens: int


class EncoderError(ValueError):
    """An encoder that cannot be used for what was asked of it."""


def encodable(text: str) -> str:
    """Return the text as encoders take it: composed, without NUL and lone surrogates, not empty.

    A NUL would cut the text in an engine written in C, and the empty string would get a unit vector
    that means nothing.
    """
    clean = normalize("NFC", text).replace("\0", "").strip()
    clean = clean.encode("utf-8", errors="replace").decode("utf-8")
    if not clean:
        raise EncoderError("An empty text has no meaning to encode; leave it out.")
    return clean


def encode_checked(encoder: Encoder, texts: Sequence[str]) -> list[Encoded]:
    """Encode guarded texts, and refuse rows that are not unit vectors."""
    clean = [encodable(text) for text in texts]
    rows = np.asarray(encoder.encode(clean), dtype=np.float32)
    if rows.shape != (len(clean), encoder.dim):
        raise EncoderError(
            f"The encoder {encoder.id} gave a table of shape {rows.shape} for {len(clean)} texts; "
            f"it promises {encoder.dim} numbers a text."
        )
    lengths = np.linalg.norm(rows, axis=1)
    if rows.size and not np.abs(lengths - 1.0).max() < UNIT_TOLERANCE:
        raise EncoderError(f"The encoder {encoder.id} gave vectors that are not of length 1.")
    return [Encoded(*pair) for pair in zip(rows, encoder.token_counts(clean), strict=True)]


def refuse_unknown_languages(encoder: Encoder, languages: Sequence[str]) -> None:
    """Refuse languages that the encoder does not know: their scores would be noise."""
    if encoder.languages is None:
        return
    unknown = sorted(set(languages) - encoder.languages)
    if unknown:
        raise EncoderError(
            f"The encoder {encoder.id} does not know {', '.join(unknown)}. Use another encoder, or "
            "leave these languages out."
        )


class HashingEncoder:
    """Character n-grams hashed into a vector: repeatable, fast and blind to meaning. For tests."""

    id = "hashing@1"
    dim = 256
    max_tokens = 1_000_000
    languages: frozenset[str] | None = None
    test_only = True

    def encode(self, texts: Sequence[str]) -> Rows:
        """Return the unit vectors of the n-gram counts."""
        return (
            np.stack([self._row(text) for text in texts])
            if texts
            else np.empty((0, self.dim), np.float32)
        )

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Count words."""
        return [len(text.split()) for text in texts]

    def _row(self, text: str) -> Rows:
        row = np.zeros(self.dim)
        for size in (1, 2, 3):
            for start in range(len(text) - size + 1):
                gram = text[start : start + size].encode()
                number = int.from_bytes(blake2b(gram, digest_size=8).digest(), "big")
                row[number % self.dim] += 1.0 if number >> 63 else -1.0
        length = np.linalg.norm(row)
        if not length:
            row[0] = 1.0
            return np.asarray(row, dtype=np.float32)
        return np.asarray(row / length, dtype=np.float32)
