"""Text made comparable, with the way back to every character of the raw text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from unicodedata import is_normalized, normalize

# Invisible marks that would hide a header or split a word. ZWJ and ZWNJ stay: Indic spelling needs them.
_REMOVED = "\u200b\ufeff\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\x00"
_SPACES = "\u00a0\u3000\u2007\u202f"
_CHANGES = re.compile(rf"\r\n?|[{_REMOVED}{_SPACES}]")


@dataclass(frozen=True)
class Normal:
    """Normalised text, and the raw offset of each of its characters (and of its end)."""

    text: str
    offsets: tuple[int, ...] | range

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the part of the raw text from which text[start:end] came."""
        return self.offsets[start], self.offsets[end]


def normalise(raw: str) -> Normal:
    """Unify line ends and spaces, drop invisible marks, compose characters (NFC)."""
    if is_normalized("NFC", raw) and not _CHANGES.search(raw):
        return Normal(raw, range(len(raw) + 1))
    pieces: list[str] = []
    offsets: list[int] = []
    for piece, start in _clusters(raw):
        pieces.append(piece)
        offsets += [start] * len(piece)
    return Normal("".join(pieces), (*offsets, len(raw)))


def _clusters(raw: str) -> Iterator[tuple[str, int]]:
    """Yield composed pieces with their raw start; a piece is as short as composition allows."""
    held, held_at = "", 0
    for character, start in _clean(raw):
        joined = normalize("NFC", held + character)
        if joined == held + normalize("NFC", character) and held:
            yield held, held_at
            held, held_at = normalize("NFC", character), start
        else:
            held, held_at = joined, held_at if held else start
    if held:
        yield held, held_at


def _clean(raw: str) -> Iterator[tuple[str, int]]:
    edges = [0]
    for change in _CHANGES.finditer(raw):
        edges += [change.start(), change.end()]
    edges.append(len(raw))
    for index, (start, end) in enumerate(pairwise(edges)):
        if index % 2 == 0:
            yield from ((raw[at], at) for at in range(start, end))
        elif raw[start] in _SPACES:
            yield " ", start
        elif raw[start] == "\r":
            yield "\n", start
