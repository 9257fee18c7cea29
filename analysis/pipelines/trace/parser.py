"""Steps of a response, by the same ordered rules in every language, without a language model.

The first rule that applies decides: step headers, a numbered list, paragraphs, lines, sentences,
the whole text. The sentence rule is for answers written as one run of text; without it every such
answer would be one step and have no order. Only the last rule counts as a fallback.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from analysis.pipelines.trace.markers import Marker, answer_lines, headers, list_items
from analysis.pipelines.trace.normalise import Normal, normalise
from analysis.pipelines.trace.splitter import Span, sentences, speaks, trimmed

Rule = Literal["headers", "list", "paragraphs", "lines", "sentences", "whole", "none"]

_BLANK_LINE = re.compile(r"\n[ \t]*\n\s*")
_LINE_END = re.compile(r"\n\s*")


@dataclass(frozen=True)
class Settings:
    """What may differ from the published rules, and stands in the provenance of every result."""

    preamble: Literal["drop", "step"] = "drop"
    unmarked: Literal["sentences", "whole"] = "sentences"


@dataclass(frozen=True)
class Piece:
    """Normalised text, and the part of the raw response from which it came."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Step:
    """One step and its sentences."""

    text: Piece
    sentences: tuple[Piece, ...]


@dataclass(frozen=True)
class ParsedTrace:
    """A response taken apart; `fallback` says that no rule found more than one step."""

    rule: Rule
    steps: tuple[Step, ...]
    preamble: Piece | None
    answer_line: Piece | None

    @property
    def fallback(self) -> bool:
        """Whether the whole text had to stand for one step."""
        return self.rule == "whole"


@dataclass(frozen=True)
class _Cut:
    rule: Rule
    spans: list[Span]
    preamble: Span | None = None


def parse(raw: str, settings: Settings = Settings()) -> ParsedTrace:
    """Take a response apart; offsets in the result are those of `raw`."""
    normal = normalise(raw)
    text = normal.text
    found_headers = headers(text)
    end, answer = _before_answer(text, found_headers)
    cut = _cut(text, end, [mark for mark in found_headers if mark.start < end], settings)
    spans = list(cut.spans)
    if cut.preamble is not None and settings.preamble == "step":
        spans.insert(0, cut.preamble)
    return ParsedTrace(
        rule=cut.rule,
        steps=tuple(_step(normal, span) for span in spans),
        preamble=None if cut.preamble is None else _piece(normal, cut.preamble),
        answer_line=None if answer is None else _piece(normal, answer),
    )


def _before_answer(text: str, found_headers: list[Marker]) -> tuple[int, Span | None]:
    """Return where the reasoning ends, and the answer line that ends it."""
    lines = answer_lines(text)
    if found_headers:
        last = found_headers[-1].start
        lines = [line for line in lines if line[0] >= last][:1]
    if not lines:
        return len(text), None
    return lines[-1][0], trimmed(text, lines[-1][0], len(text))


def _cut(text: str, end: int, found_headers: list[Marker], settings: Settings) -> _Cut:
    if found_headers:
        return _marked("headers", text, end, found_headers)
    items = list_items(text, end)
    if len(items) > 1:
        return _marked("list", text, end, items)
    rules: list[tuple[Rule, Callable[[], Iterable[Span]]]] = [
        ("paragraphs", lambda: _separated(_BLANK_LINE, text, end)),
        ("lines", lambda: _separated(_LINE_END, text, end)),
    ]
    if settings.unmarked == "sentences":
        rules.append(("sentences", lambda: sentences(text, 0, end)))
    for rule, spans_of in rules:
        spans = _spoken(text, spans_of())
        if len(spans) > 1:
            return _Cut(rule, spans)
    whole = _spoken(text, [(0, end)])
    return _Cut("whole" if whole else "none", whole)


def _marked(rule: Rule, text: str, end: int, marks: list[Marker]) -> _Cut:
    edges = [*marks, Marker(end, end)]
    spans = [(mark.end, following.start) for mark, following in pairwise(edges)]
    before = _spoken(text, [(0, marks[0].start)])
    return _Cut(rule, _spoken(text, spans), before[0] if before else None)


def _separated(separator: re.Pattern[str], text: str, end: int) -> list[Span]:
    breaks = [match.span() for match in separator.finditer(text, 0, end)]
    starts = [0, *(after for _, after in breaks)]
    ends = [*(before for before, _ in breaks), end]
    return list(zip(starts, ends, strict=True))


def _spoken(text: str, spans: Iterable[Span]) -> list[Span]:
    kept = (trimmed(text, *span) for span in spans)
    return [(start, end) for start, end in kept if speaks(text[start:end])]


def _step(normal: Normal, span: Span) -> Step:
    parts = sentences(normal.text, *span)
    return Step(_piece(normal, span), tuple(_piece(normal, part) for part in parts))


def _piece(normal: Normal, span: Span) -> Piece:
    return Piece(normal.text[slice(*span)], *normal.raw_span(*span))
