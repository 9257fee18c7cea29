"""Sentences of a step, by one set of rules for every script."""

import re
from collections.abc import Iterator
from itertools import pairwise

from analysis.pipelines.trace.words import ABBREVIATIONS, BEFORE_NUMBERS, UNITS_BEHIND_NUMBERS

Span = tuple[int, int]

_FULL = "。！？।॥؟۔｡"
_FULL_MARKS = frozenset(_FULL)
_ENDS = re.compile(rf"[.!?…{_FULL}]+[\"'”’»)\]」』）】]*|\n+")
_PROTECTED = re.compile(
    r"\$\$.+?\$\$|\$[^$\n]+\$|\\\(.+?\\\)|\\\[.+?\\\]|`[^`\n]+`|https?://[^\s<>\"]+", re.DOTALL
)
_WORD_BEFORE = re.compile(r"[^\s(（\[「«\"']*$")
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t]*[(（]?\d{1,3}$")
_WIDE = re.compile(r"[\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]")
# Scripts that end a sentence with a space; one between two letters of the script is such an end.
_SPACED = re.compile(
    r"(?<=[\u0e01-\u0e4e\u0e80-\u0eff\u1780-\u17d3])[ ]+(?=[\u0e01-\u0e46\u0e80-\u0ec4\u1780-\u17b3])"
)


def sentences(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """Return the spans of the sentences in text[start:end], without the space around them."""
    stop = len(text) if end is None else end
    cuts = [start, *_cuts(text, start, stop), stop]
    spans = (trimmed(text, left, right) for left, right in pairwise(cuts))
    return [span for span in spans if speaks(text[span[0] : span[1]])]


def trimmed(text: str, start: int, end: int) -> Span:
    """Return the span without the white space at its edges."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def speaks(text: str) -> bool:
    """Whether there is any letter or digit."""
    return any(character.isalnum() for character in text)


def _cuts(text: str, start: int, end: int) -> Iterator[int]:
    kept = [match.span() for match in _PROTECTED.finditer(text, start, end)]
    found = [
        match.end() for match in _ENDS.finditer(text, start, end) if _ends(text, match, start, end)
    ]
    if _SPACED.search(text, start, end):
        found = sorted({*found, *(match.end() for match in _SPACED.finditer(text, start, end))})
    for cut in found:
        if not (kept and any(left < cut < right for left, right in kept)):
            yield cut


def _ends(text: str, match: re.Match[str], start: int, end: int) -> bool:
    """Whether this mark ends a sentence, or only abbreviates, lists or divides."""
    mark = match.group()
    after = text[match.end()] if match.end() < end else ""
    if mark[0] == "\n" or not _FULL_MARKS.isdisjoint(mark):
        return True
    if not (after == "" or after.isspace() or ("." not in mark and _WIDE.match(after))):
        return False
    return mark[0] != "." or not _joins(text, match.start(), match.end(), start, end)


def _joins(text: str, dot: int, after: int, start: int, end: int) -> bool:
    """Whether the point belongs to an abbreviation, an initial or a list number."""
    before = text[max(start, dot - 40) : dot]
    found = _WORD_BEFORE.search(before)
    word = found.group() if found else ""
    following = text[after : min(end, after + 40)].lstrip()
    if not following:
        return False
    if following[0].islower() and text[dot : dot + 3] != "...":
        return True
    if _abbreviates(word.lower(), before[: -len(word)], following) or _LIST_NUMBER.search(before):
        return True
    is_initial = len(word) == 1 and word.isupper()
    return is_initial and following[0].isupper()


def _abbreviates(word: str, before: str, following: str) -> bool:
    if word in BEFORE_NUMBERS:
        return following[0].isdecimal()
    if word in UNITS_BEHIND_NUMBERS and before.rstrip()[-1:].isdecimal():
        # The same letter is a year behind four digits and a gram behind fewer.
        return word == "г" and bool(re.search(r"\d{4}$", before.rstrip()))
    return word in ABBREVIATIONS
