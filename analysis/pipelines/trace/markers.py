"""The marks at the start of a line: step headers, list numbers, answer lines."""

import re
from typing import NamedTuple
from unicodedata import digit

from analysis.pipelines.trace.splitter import Span
from analysis.pipelines.trace.words import ANSWER_LINKS, ANSWER_WORDS, STEP_PATTERNS, STEP_WORDS


class Marker(NamedTuple):
    """Where a mark starts, and where the text behind it does."""

    start: int
    end: int


_DECORATION = r"[ \t]*(?:[*#>_\[【(（]+[ \t]*)*"
_CLOSING = r"[ \t]*[*_\]】)）]*"
_CHINESE = "〇零一二三四五六七八九十百"
_NUMBER = rf"(?:\d{{1,3}}|[{_CHINESE}]{{1,5}})(?!\w)"
# A Roman numeral needs a mark or the end of the line behind it: "Step I took" is no header.
_ROMAN = r"[ivxl]{1,7}(?=[ \t]*[*_\]】)）]*[ \t]*(?:[:：.)—–-]|$))"
_NUMBER_INSIDE = rf"(?:\d{{1,3}}|[{_CHINESE}]{{1,5}})"

_HEADER = re.compile(
    rf"^{_DECORATION}(?:(?:{'|'.join(STEP_WORDS)})[ \t]*(?:№|#|no\.|nº)?[ \t]*(?:{_NUMBER}|{_ROMAN})"
    rf"|{'|'.join(pattern.format(number=_NUMBER_INSIDE) for pattern in STEP_PATTERNS)})"
    rf"{_CLOSING}[ \t]*[:：.)、،—–-]*{_CLOSING}",
    re.IGNORECASE | re.MULTILINE,
)
_ANSWER = re.compile(
    rf"^{_DECORATION}(?:{'|'.join(ANSWER_WORDS)}){_CLOSING}[ \t]*(?:{'|'.join(ANSWER_LINKS)})"
    r"|^[ \t]*[*_$]*[ \t]*\\boxed\{.*\}[ \t]*[*_$.。]*[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_ITEM = re.compile(
    rf"^ {{0,3}}[*_]{{0,2}}(?:[(（](?P<a>\d{{1,3}})[)）]|(?P<b>\d{{1,3}})(?:[.．](?!\d)|[)）、])"
    rf"|(?P<c>[①-⑳])|(?P<d>[{_CHINESE}]{{1,3}})、|[(（](?P<e>[{_CHINESE}]{{1,3}})[)）])[*_]{{0,2}}",
    re.MULTILINE,
)
_CIRCLED_ONE = ord("①") - 1


def headers(text: str) -> list[Marker]:
    """Return the step headers in textual order; a number that comes again is kept."""
    return [Marker(*match.span()) for match in _HEADER.finditer(text)]


def answer_lines(text: str) -> list[Span]:
    """Return the lines that announce the final answer."""
    return [match.span() for match in _ANSWER.finditer(text)]


def list_items(text: str, end: int) -> list[Marker]:
    """Return the items of the outer list: numbers from 0 or 1 that rise by one."""
    items: list[Marker] = []
    last: int | None = None
    for match in _ITEM.finditer(text, 0, end):
        number = _value(match)
        if number == last + 1 if last is not None else number in {0, 1}:
            items.append(Marker(*match.span()))
            last = number
    return items


def _value(match: re.Match[str]) -> int:
    digits = match["a"] or match["b"]
    if digits:
        return int("".join(str(digit(character)) for character in digits))
    if match["c"]:
        return ord(match["c"]) - _CIRCLED_ONE
    return chinese_number(match["d"] or match["e"])


def chinese_number(numeral: str) -> int:
    """Return the value of a numeral up to 199, such as 十二 or 二十."""
    total, pending = 0, 0
    for character in numeral:
        if character in "十百":
            total += (pending or 1) * (10 if character == "十" else 100)
            pending = 0
        else:
            pending = 0 if character in "〇零" else "一二三四五六七八九".index(character) + 1
    return total + pending
