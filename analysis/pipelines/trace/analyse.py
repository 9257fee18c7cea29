"""From two tables to everything the paper reports: the one entry of this pipeline."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pandas as pd

from analysis.pipelines.trace.cache import (
    EncodeBatches,
    Progress,
    Store,
    Vectors,
    embed,
    one_by_one,
)
from analysis.pipelines.trace.calibration import (
    Calibrated,
    Pair,
    calibrate,
    chosen_parallel,
    parallel_pairs,
)
from analysis.pipelines.trace.corpus import ANCHOR, Trace, language_pairs, read_traces
from analysis.pipelines.trace.encoders import Encoder, refuse_unknown_languages
from analysis.pipelines.trace.parser import Settings
from analysis.pipelines.trace.resampling import Resampling, resample
from analysis.pipelines.trace.retention import CELL, Retention, retain
from analysis.pipelines.trace.scoring import Scored, score_all
from analysis.pipelines.trace.shuffled import shuffled_scores
from analysis.stats.threads import one_thread


class NothingToScoreError(ValueError):
    """No pair of traces is left to score; the message says where they were lost."""


@dataclass(frozen=True)
class Options:
    """The choices of a run; all of them stand in its provenance."""

    seed: int = 42
    resamples: int = 2000
    anchor: str = ANCHOR
    control: str | None = None
    parsing: Settings = field(default_factory=Settings)
    provenance: str = "imported parallel texts"


@dataclass(frozen=True)
class Embedding:
    """How texts become vectors: which encoders, where vectors are kept, who computes them."""

    steps: Encoder
    wholes: Encoder
    store: Store
    encode: EncodeBatches = one_by_one
    progress: Callable[[Progress], None] = lambda _: None

    def of(self, encoder: Encoder, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts under one of the encoders."""
        return embed(texts, encoder, self.store, encode=self.encode, progress=self.progress)


class Texts(NamedTuple):
    """What is to be encoded: sentences of steps and of translations, and whole responses."""

    steps: list[str]
    wholes: list[str]


class Embedded(NamedTuple):
    """The vectors of all sentences and of all whole responses."""

    steps: Vectors
    wholes: Vectors


@dataclass(frozen=True)
class TraceResult:
    """What a run has found; `right` holds the primary pairs, those with both answers right."""

    traces: list[Trace]
    retention: Retention
    calibrations: dict[tuple[str, Pair], Calibrated]
    scored: Scored
    shuffled: pd.DataFrame
    draws: Resampling
    vectors: Embedded
    encoders: tuple[Encoder, Encoder]
    options: Options

    @property
    def pairs(self) -> pd.DataFrame:
        """Every scored pair."""
        return self.scored.pairs

    @property
    def right(self) -> pd.DataFrame:
        """The scored pairs with both answers right."""
        return self.pairs[self.pairs["group"] == "both_right"]


def analyse(
    traces: pd.DataFrame, parallel: pd.DataFrame, embedding: Embedding, options: Options
) -> TraceResult:
    """Parse, retain, embed, calibrate and score."""
    read = read_traces(traces, options.parsing)
    languages = sorted({trace.language for trace in read})
    refuse_unknown_languages(embedding.steps, languages)
    pairs = language_pairs(languages, options.anchor)
    texts = chosen_parallel(parallel_pairs(parallel, languages), pairs)
    retention = retain(read, options.anchor)
    vectors = embed_all(read, texts, embedding)
    calibrations = calibrate(
        read, pairs, texts, vectors.steps, encoder=embedding.steps.id,
        provenance=options.provenance, seed=options.seed,
    )  # fmt: skip
    with one_thread():
        # The matrices are small: a second BLAS thread costs more than it brings.
        scored = score_all(
            retention.candidates, *vectors, calibrations, wholes_limit=embedding.wholes.max_tokens
        )
        shuffled = shuffled_scores(retention.candidates, *vectors, calibrations, seed=options.seed)
    if scored.pairs.empty:
        raise NothingToScoreError(_why_nothing(retention, calibrations))
    return TraceResult(
        traces=read, retention=retention, calibrations=calibrations, scored=scored,
        shuffled=shuffled,
        draws=resample(scored.pairs, resamples=options.resamples, seed=options.seed),
        vectors=vectors, encoders=(embedding.steps, embedding.wholes), options=options,
    )  # fmt: skip


def embed_all(
    traces: Sequence[Trace], parallel: dict[Pair, list[tuple[str, str]]], embedding: Embedding
) -> Embedded:
    """Embed the sentences of usable traces, the parallel texts and the whole responses."""
    steps, wholes = _texts(traces, parallel)
    return Embedded(embedding.of(embedding.steps, steps), embedding.of(embedding.wholes, wholes))


def texts_to_embed(traces: pd.DataFrame, parallel: pd.DataFrame, options: Options) -> Texts:
    """Return what `analyse` would have encoded."""
    read = read_traces(traces, options.parsing)
    languages = sorted({trace.language for trace in read})
    pairs = language_pairs(languages, options.anchor)
    return _texts(read, chosen_parallel(parallel_pairs(parallel, languages), pairs))


def _texts(traces: Sequence[Trace], parallel: dict[Pair, list[tuple[str, str]]]) -> Texts:
    usable = [trace for trace in traces if trace.usable]
    sentences = [sentence for trace in usable for sentence in trace.sentences]
    sentences += [text for rows in parallel.values() for row in rows for text in row]
    return Texts(sentences, [trace.text for trace in usable])


def _why_nothing(retention: Retention, calibrations: dict[tuple[str, Pair], Calibrated]) -> str:
    reasons = sorted({one.reason for one in calibrations.values() if one.reason})
    if retention.candidates and reasons:
        return f"No language pair could be calibrated: {reasons[0]}."
    counts = retention.funnel.drop(columns=CELL).sum()
    left = ", ".join(f"{name} {int(count)}" for name, count in counts.items())
    return f"No pair of traces is left to score. The counts of the cascade: {left or 'no pair'}."
