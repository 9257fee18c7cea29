"""Scores whose gaps are known, to find out whether the analysis finds them.

The standard truth holds the gaps that the paper of this construct prints, and `PUBLISHED` its numbers
of documents, languages, models, repetitions and rows. What it does not print (how much documents
differ, English means of single levels) is set so that intervals come out about as wide.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import Scores

Floats = NDArray[np.float64]
BAND = ("L3", "L4", "L5")
REFERENCE = "en"
FAILURE_SHARES = {Scores.UNPARSEABLE: 0.89, Scores.MISSING: 0.11}

LANGUAGE_GAPS = {
    "pt": 0.0610478, "eu": 0.065, "ka": 0.074, "ceb": 0.066, "is": 0.062, "mt": 0.063, "ht": 0.064,
    "sw": 0.045, "xh": 0.080, "am": 0.0735, "ne": 0.073, "sm": 0.0701, "gn": 0.093, "mg": 0.078,
    "ay": 0.109, "fon": 0.104, "quy": 0.120,
}  # fmt: skip
MODEL_GAPS = {
    "gpt-5.6-terra": 0.062,
    "gemini-3.6-flash": 0.063,
    "kimi-k3": 0.078,
    "deepseek-v4-pro": 0.084,
    "claude-sonnet-5": 0.101,
}
MODEL_ENGLISH = dict(zip(MODEL_GAPS, (-0.010, -0.005, -0.008, -0.010, 0.033), strict=True))


@dataclass(frozen=True)
class Level:
    """English mean, gap and standard deviation of the scores of one level (`""`: no level)."""

    english: float
    gap: float
    sd: float


LEVELS = {
    "L0": Level(0.87, 0.024, 0.338),
    "L1": Level(0.62, 0.242, 0.324),
    "L2": Level(0.55, 0.166, 0.206),
    "L3": Level(0.53, 0.126, 0.1736),
    "L4": Level(0.45, 0.063, 0.1326),
    "L5": Level(0.388, 0.044, 0.1257),
    "": Level(0.42, 0.060, 0.20),
}


@dataclass(frozen=True)
class Truth:
    """True gaps, which add up: a language's, less or more by model and by level.

    `document_sd` is how much documents differ in all languages, `gap_sd` in their gap, and
    `language_sd` in one language; `failures` are the shares of answers that could not be parsed, in
    the reference language and in all others, and count as 0.
    """

    languages: Mapping[str, float] = field(default_factory=lambda: dict(LANGUAGE_GAPS))
    models: Mapping[str, float] = field(default_factory=lambda: dict(MODEL_GAPS))
    english: Mapping[str, float] = field(default_factory=lambda: dict(MODEL_ENGLISH))
    levels: Mapping[str, Level] = field(default_factory=lambda: dict(LEVELS))
    document_sd: float = 0.05
    gap_sd: float = 0.034
    language_sd: float = 0.015
    failures: tuple[float, float] = (0.003, 0.0072)

    def gap(self, language: str, model: str, level: str) -> float:
        """Return the true gap of one cell."""
        if language == REFERENCE:
            return 0.0
        band = float(np.mean([self.levels[name].gap for name in BAND]))
        by_model = self.models[model] - float(np.mean(list(self.models.values())))
        centre = float(np.mean([g for code, g in self.languages.items() if code != "pt"]))
        scale = self.levels[level].gap - (band if level in BAND else centre)
        return self.languages[language] + by_model + scale


@dataclass(frozen=True)
class Sizes:
    """How many documents, items a document and rows; `rows_of` are band rows by language.

    `per_level` are items of each level in a document, every second and third document lacking one of
    the band; `human` are items without a level. `repeated` documents have three repetitions.
    `partial` gives the share of the documents that a language has.
    """

    documents: int = 20
    repeated: int = 5
    per_level: int = 4
    human: int = 6
    partial: Mapping[str, float] = field(default_factory=lambda: {"eu": 0.61})
    rows_of: Mapping[str, int] = field(default_factory=dict)
    rows_elsewhere: int | None = None


def published_sizes() -> Sizes:
    """Return the sizes of the paper: 820,754 rows, of which 215,671 enter its primary contrast."""
    full, english, basque, portuguese = 12_995, 12_895, 7_851, 12_950
    rows = dict.fromkeys(LANGUAGE_GAPS, full) | {"eu": basque, "pt": portuguese}
    rows[REFERENCE] = english
    return Sizes(
        documents=150,
        repeated=40,
        human=18,
        partial={"eu": 0.615},
        rows_of=rows,
        rows_elsewhere=820_754 - sum(rows.values()),
    )


def simulate(sizes: Sizes, rng: np.random.Generator, truth: Truth | None = None) -> pd.DataFrame:
    """Return a table of scores with the columns of `frames.Scores`, in random order of nothing."""
    truth = truth or Truth()
    items = _items(sizes)
    frame = _crossed(items, truth)
    frame = frame[_available(frame, sizes)].reset_index(drop=True)
    frame = frame.iloc[_kept(frame, sizes, rng)].reset_index(drop=True)
    return _scored(frame, truth, rng)


def _items(sizes: Sizes) -> pd.DataFrame:
    rows = []
    for document in range(sizes.documents):
        levels = [level for level in LEVELS if level for _ in range(sizes.per_level)]
        if document % 3:
            levels.remove(BAND[document // 3 % 3])
        levels += [""] * sizes.human
        for repetition in range(3 if document < sizes.repeated else 1):
            rows += [(document, repetition, i, level) for i, level in enumerate(levels)]
    return pd.DataFrame(rows, columns=["document", "rep", "item", "level"])


def _crossed(items: pd.DataFrame, truth: Truth) -> pd.DataFrame:
    languages, models = (REFERENCE, *truth.languages), tuple(truth.models)
    count, width = len(items), len(languages) * len(models)
    frame = items.iloc[np.tile(np.arange(count), width)].reset_index(drop=True)
    cell = np.repeat(np.arange(width), count)
    frame["language"] = _category(cell // len(models), list(languages))
    frame["model"] = _category(cell % len(models), list(models))
    return frame


def _available(frame: pd.DataFrame, sizes: Sizes) -> NDArray[np.bool_]:
    there = np.ones(len(frame), dtype=bool)
    for language, share in sizes.partial.items():
        # 7 is prime to the number of documents, so that the missing ones are spread over the table.
        rank = frame["document"].to_numpy() * 7 % sizes.documents
        there &= (frame["language"] != language).to_numpy() | (rank < share * sizes.documents)
    return there


def _kept(frame: pd.DataFrame, sizes: Sizes, rng: np.random.Generator) -> NDArray[np.intp]:
    band = frame["level"].isin(BAND).to_numpy()
    if not sizes.rows_of:
        return np.arange(len(frame))
    parts = [
        _some(np.flatnonzero(band & (frame["language"] == language).to_numpy()), count, rng)
        for language, count in sizes.rows_of.items()
    ]
    parts.append(_some(np.flatnonzero(~band), sizes.rows_elsewhere, rng))
    return np.sort(np.concatenate(parts))


def _some(
    places: NDArray[np.intp], count: int | None, rng: np.random.Generator
) -> NDArray[np.intp]:
    if count is None:
        return places
    if count > len(places):
        raise ValueError(f"{count} rows are wanted of {len(places)}; make more items.")
    return rng.choice(places, size=count, replace=False)


def _scored(frame: pd.DataFrame, truth: Truth, rng: np.random.Generator) -> pd.DataFrame:
    mean, sd = _moments(frame, truth, rng)
    level = frame["level"].to_numpy()
    other = (frame["language"] != REFERENCE).to_numpy()
    fails = np.where(other, truth.failures[1], truth.failures[0])
    # Failures count as 0; the others make up for it, so that the truth holds over all rows.
    mean = np.clip(mean / (1 - fails), 0.02, 0.98)
    precision = np.maximum(mean * (1 - mean) / sd**2 - 1, 0.5)
    score = rng.beta(mean * precision, (1 - mean) * precision)
    polar = level == "L0"
    score[polar] = rng.random(int(polar.sum())) < mean[polar]
    failed = rng.random(len(frame)) < fails
    unparsed = rng.random(len(frame)) < FAILURE_SHARES[Scores.UNPARSEABLE]
    status = np.where(failed, np.where(unparsed, 1, 2), 0)
    documents, items = frame["document"].to_numpy(), frame["item"].to_numpy()
    return pd.DataFrame(
        {
            Scores.MODEL: frame["model"],
            Scores.LANGUAGE: frame["language"],
            Scores.DOCUMENT: _named("d", documents),
            Scores.REP: frame["rep"],
            Scores.ITEM: _named("i", documents * 1000 + items),
            Scores.LEVEL: frame["level"].astype("category"),
            Scores.SOURCE: _category((level == "").astype(int), [Scores.GENERATED, Scores.HUMAN]),
            Scores.SCOPE: _category(np.zeros(len(frame), int), [Scores.FULL]),
            Scores.STATUS: _category(status, Scores.STATUSES),
            Scores.SCORE: np.where(failed, 0.0, np.round(score, 6)),
        }
    )


def _moments(frame: pd.DataFrame, truth: Truth, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return the mean and the standard deviation of each row's score, given its document."""
    languages, models = list(frame["language"].cat.categories), list(frame["model"].cat.categories)
    levels = list(truth.levels)
    cells = np.array(
        [
            [[truth.levels[v].english + truth.english[m] - truth.gap(g, m, v) for v in levels]
             for m in models]
            for g in languages
        ]
    )  # fmt: skip
    language, model = frame["language"].cat.codes.to_numpy(), frame["model"].cat.codes.to_numpy()
    level = pd.Categorical(frame["level"], categories=levels).codes
    document = frame["document"].to_numpy()
    count = int(document.max()) + 1
    common, gap = (rng.normal(0, sd, count) for sd in (truth.document_sd, truth.gap_sd))
    own = rng.normal(0, truth.language_sd, (count, len(languages)))
    own[:, languages.index(REFERENCE)] = 0.0
    graded = np.where(level == levels.index("L0"), 0.0, 1.0)
    shift = common[document] + np.where(language == languages.index(REFERENCE), gap[document], 0)
    mean = cells[language, model, level] + graded * (shift + own[document, language])
    sd = np.array([truth.levels[v].sd for v in levels])[level]
    between = truth.document_sd**2 + truth.language_sd**2
    return mean, np.sqrt(np.maximum(sd**2 - between, 0.01))


def _named(prefix: str, numbers: NDArray[np.int64]) -> Any:
    codes, values = pd.factorize(numbers, sort=True)
    return _category(codes, [f"{prefix}{v:06d}" for v in values])


def _category(codes: NDArray[np.integer[Any]], names: Sequence[str]) -> Any:
    return pd.Categorical.from_codes(codes.astype(np.int64), pd.Index(list(names)))


def grounded(frame: pd.DataFrame, rng: np.random.Generator, more: float = 0.03) -> pd.DataFrame:
    """Return the first repetition again with the linked paragraphs alone, where gaps are larger."""
    rows = frame[frame[Scores.REP] == 0].reset_index(drop=True)
    other = np.where(rows[Scores.LANGUAGE] == REFERENCE, 0.0, more)
    noise = rng.normal(0, 0.02, len(rows))
    score = np.clip(rows[Scores.SCORE] + np.where(other > 0, noise - other, noise), 0, 1)
    score = np.where(rows[Scores.STATUS] == Scores.OK, np.round(score, 6), 0.0)
    rows[Scores.SCOPE], rows[Scores.SCORE] = Scores.GROUNDED, score
    return rows


def closed_book(
    frame: pd.DataFrame, rng: np.random.Generator, documents: int = 6, mean: float = 0.285
) -> pd.DataFrame:
    """Return answers without a passage, in no language, to the band's items of some documents."""
    first = sorted(frame[Scores.DOCUMENT].unique())[:documents]
    chosen = frame[Scores.DOCUMENT].isin(first) & frame[Scores.LEVEL].isin(BAND)
    chosen &= (frame[Scores.REP] == 0) & (frame[Scores.LANGUAGE] == REFERENCE)
    rows = frame[chosen].reset_index(drop=True)
    score = np.round(rng.beta(mean * 12, (1 - mean) * 12, len(rows)), 6)
    rows[Scores.LANGUAGE], rows[Scores.SCOPE] = "", Scores.CLOSED
    rows[Scores.STATUS], rows[Scores.SCORE] = Scores.OK, score
    return rows
