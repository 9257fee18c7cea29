"""Responses taken apart once, with the reason why one cannot be compared."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from math import isnan
from unicodedata import name as unicode_name

import numpy as np
import pandas as pd

from analysis.frames import Traces
from analysis.pipelines.trace.parser import ParsedTrace, Settings, parse
from analysis.stats.trace_scores import Starts

# The engine stopped before the model had: the trace is not all of the reasoning, or is none.
CUT_OFF = {"length": "cut off", "max_tokens": "cut off"}
REFUSED = {"refusal": "refused", "content_filter": "refused", "safety": "refused"}

# A language is recognised by its script only; languages of one script are not told apart.
SCRIPTS = {
    "ar": "ARABIC", "fa": "ARABIC", "ur": "ARABIC", "bn": "BENGALI", "hi": "DEVANAGARI",
    "mr": "DEVANAGARI", "ru": "CYRILLIC", "uk": "CYRILLIC", "bg": "CYRILLIC", "zh": "CJK",
    "ja": "CJK", "ko": "HANGUL", "te": "TELUGU", "ta": "TAMIL", "th": "THAI", "el": "GREEK",
    "he": "HEBREW", "en": "LATIN", "es": "LATIN", "de": "LATIN", "fr": "LATIN", "sw": "LATIN",
    "vi": "LATIN", "pt": "LATIN", "it": "LATIN", "tr": "LATIN", "id": "LATIN",
}  # fmt: skip
KANA = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "KATAKANA-HIRAGANA": "CJK"}
SMALLEST_SHARE = 0.3
ANCHOR = "en"


@dataclass(frozen=True)
class Trace:
    """One response of one model to one problem in one language."""

    dataset: str
    model: str
    problem: str
    language: str
    text: str
    correct: bool | None
    answer: str | None
    parsed: ParsedTrace
    fault: str | None

    @cached_property
    def sentences(self) -> list[str]:
        """The sentences of all steps, in order."""
        return [sentence.text for step in self.parsed.steps for sentence in step.sentences]

    @cached_property
    def starts(self) -> Starts:
        """Index of the first sentence of each step."""
        counts = [len(step.sentences) for step in self.parsed.steps]
        return np.cumsum([0, *counts[:-1]], dtype=np.intp)

    @property
    def usable(self) -> bool:
        """Whether it has steps that can be compared."""
        return self.fault is None


PUBLISHED = Settings()


def read_traces(frame: pd.DataFrame, settings: Settings = PUBLISHED) -> list[Trace]:
    """Return the rows of the traces table as parsed traces."""
    columns = [str(name) for name in frame.columns]
    rows = frame.itertuples(index=False, name=None)
    return [_trace(dict(zip(columns, row, strict=True)), settings) for row in rows]


def _trace(row: Mapping[str, object], settings: Settings) -> Trace:
    text = str(row[Traces.RESPONSE])
    parsed = parse(text, settings)
    language = str(row[Traces.LANGUAGE])
    correct = float(str(row[Traces.CORRECT]) or "nan")
    answer = str(row.get(Traces.ANSWER) or "").strip()
    return Trace(
        dataset=str(row[Traces.DATASET]),
        model=str(row[Traces.MODEL]),
        problem=str(row[Traces.PROBLEM]),
        language=language,
        text=text.strip(),
        correct=None if isnan(correct) else bool(correct),
        answer=answer or None,
        parsed=parsed,
        fault=_fault(text, parsed, language, str(row.get(Traces.FINISH) or "")),
    )


def _fault(text: str, parsed: ParsedTrace, language: str, finish_reason: str) -> str | None:
    reason = finish_reason.strip().lower()
    if reason in CUT_OFF or reason in REFUSED:
        return (CUT_OFF | REFUSED)[reason]
    if not parsed.steps:
        return "no step"
    if not in_script(text, language):
        return "other language"
    return "one step only" if parsed.fallback else None


def in_script(text: str, language: str) -> bool:
    """Whether enough of the letters are of the script of the language, where it is known.

    Formulas and names are Latin in every language, so a third is enough; a response in another
    language has next to none.
    """
    script = SCRIPTS.get(language.partition("-")[0])
    if script is None:
        return True
    letters = {one: times for one, times in Counter(text[:2000]).items() if one.isalpha()}
    hits = sum(times for one, times in letters.items() if _script_of(one) == script)
    return hits >= SMALLEST_SHARE * sum(letters.values())


@cache
def _script_of(character: str) -> str:
    word = unicode_name(character, "").partition(" ")[0]
    return KANA.get(word, word)


def language_pairs(languages: Iterable[str], anchor: str = ANCHOR) -> list[tuple[str, str]]:
    """Return every pair once; the anchor language stands first, the others by name."""
    ordered = sorted(set(languages), key=lambda language: (language != anchor, language))
    return [(a, b) for i, a in enumerate(ordered) for b in ordered[i + 1 :]]
