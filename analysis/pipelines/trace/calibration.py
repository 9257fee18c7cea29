"""Floor and ceiling of every language pair, fixed before anything is scored."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
import pandas as pd

from analysis.frames import ParallelTexts
from analysis.pipelines.trace.cache import Vectors
from analysis.pipelines.trace.corpus import Trace
from analysis.pipelines.trace.normalise import normalise
from analysis.pipelines.trace.splitter import sentences
from analysis.stats.trace_scores import (
    Calibration,
    CalibrationError,
    Floats,
    ceiling_of,
    floor_of,
)

Pair = tuple[str, str]
TextPairs = Mapping[Pair, Sequence[tuple[str, str]]]

FLOOR_SAMPLE = 2000
PARALLEL_LIMIT = 200
PARALLEL_WANTED = 200
PARALLEL_LEAST = 20
PERCENTILE = 90.0
VARIANTS = ("ceiling P85", "ceiling P95", "median floor")


@dataclass(frozen=True)
class Calibrated:
    """The calibration of one dataset and language pair under one encoder, with where it is from."""

    dataset: str
    pair: Pair
    encoder: str
    provenance: str
    seed: int
    floor_n: int
    ceiling_n: int
    main: Calibration | None
    variants: Mapping[str, Calibration]
    reason: str | None = None

    @property
    def note(self) -> str | None:
        """What a reader must know of it."""
        if self.main is not None and self.ceiling_n < PARALLEL_WANTED:
            return f"only {self.ceiling_n} parallel sentences; {PARALLEL_WANTED} are wanted"
        return None


def parallel_pairs(
    frame: pd.DataFrame, languages: Iterable[str]
) -> dict[Pair, list[tuple[str, str]]]:
    """Return parallel texts by language pair, both orders of a pair pooled.

    A long table has one pair of sentences a row. A wide one has a column a language and a row a
    text; there the sentences are aligned where both texts have as many, else the texts stand whole.
    """
    if set(ParallelTexts.LONG) <= set(frame.columns):
        return _from_long(frame)
    known = sorted(set(languages) & set(frame.columns))
    if len(known) < 2:  # noqa: PLR2004  a translation needs two
        raise CalibrationError(
            f"The parallel texts need the columns {', '.join(ParallelTexts.LONG)}, or one column "
            "for each language of the traces."
        )
    parts = {language: [_parts(text) for text in frame[language]] for language in known}
    return {
        (a, b): list(_aligned(frame[[a, b]].itertuples(index=False, name=None), parts[a], parts[b]))
        for i, a in enumerate(known)
        for b in known[i + 1 :]
    }


def _from_long(frame: pd.DataFrame) -> dict[Pair, list[tuple[str, str]]]:
    found: dict[Pair, list[tuple[str, str]]] = defaultdict(list)
    columns = frame[list(ParallelTexts.LONG)]
    for lang_a, text_a, lang_b, text_b in columns.itertuples(index=False, name=None):
        if lang_a <= lang_b:
            found[lang_a, lang_b].append((text_a, text_b))
        else:
            found[lang_b, lang_a].append((text_b, text_a))
    return dict(found)


def _aligned(
    rows: Iterable[tuple[str, ...]], parts_a: Sequence[list[str]], parts_b: Sequence[list[str]]
) -> Iterator[tuple[str, str]]:
    for (text_a, text_b), some, others in zip(rows, parts_a, parts_b, strict=True):
        if some and others and len(some) == len(others):
            yield from zip(some, others, strict=True)
        elif some and others:
            yield text_a.strip(), text_b.strip()


def _parts(text: str) -> list[str]:
    clean = normalise(text).text
    return [clean[start:end] for start, end in sentences(clean)]


def chosen_parallel(
    parallel: TextPairs, pairs: Iterable[Pair], *, limit: int = PARALLEL_LIMIT
) -> dict[Pair, list[tuple[str, str]]]:
    """Return the first `limit` parallel texts of each wanted pair, in the pair's own order."""
    chosen = {}
    for a, b in pairs:
        swapped = (b, a) in parallel
        rows = parallel.get((b, a) if swapped else (a, b), ())[:limit]
        chosen[a, b] = [(second, first) if swapped else (first, second) for first, second in rows]
    return chosen


def calibrate(
    traces: Sequence[Trace], pairs: Sequence[Pair], parallel: TextPairs, vectors: Vectors, *,
    encoder: str, provenance: str, seed: int,
) -> dict[tuple[str, Pair], Calibrated]:  # fmt: skip
    """Return the calibration of every dataset and pair.

    The draw of a pair depends on the seed and the pair's own names, so that a language more or less
    changes no other pair.
    """
    pools = _sentence_pools(traces, vectors)
    ceilings = {pair: _cosines(parallel.get(pair, ()), vectors) for pair in pairs}
    found = {}
    for dataset in sorted({trace.dataset for trace in traces}):
        for pair in pairs:
            rng = np.random.default_rng([seed, crc32("\0".join((dataset, *pair)).encode())])
            pool_a, pool_b = pools.get((dataset, pair[0])), pools.get((dataset, pair[1]))
            if pool_a is None or pool_b is None:
                continue
            unrelated = _unrelated(pool_a, pool_b, vectors, rng)
            fixed = _fixed(unrelated, ceilings[pair])
            found[dataset, pair] = Calibrated(
                dataset, pair, encoder, provenance, seed, unrelated.size, ceilings[pair].size, *fixed
            )  # fmt: skip
    return found


def _fixed(
    unrelated: Floats, translated: Floats
) -> tuple[Calibration | None, dict[str, Calibration], str | None]:
    if translated.size < PARALLEL_LEAST:
        return None, {}, (
            f"{translated.size} parallel sentences for this pair; at least {PARALLEL_LEAST} are "
            "needed to know what a translation scores"
        )  # fmt: skip
    try:
        main = Calibration(floor_of(unrelated), ceiling_of(translated, percentile=PERCENTILE))
    except CalibrationError as error:
        return None, {}, str(error)
    return main, _variants(unrelated, translated), None


def _variants(unrelated: Floats, translated: Floats) -> dict[str, Calibration]:
    floor = floor_of(unrelated)
    wanted = {
        "ceiling P85": (floor, ceiling_of(translated, percentile=85)),
        "ceiling P95": (floor, ceiling_of(translated, percentile=95)),
        "median floor": (floor_of(unrelated, kind="median"), ceiling_of(translated)),
    }
    found = {}
    for name, ends in wanted.items():
        try:
            found[name] = Calibration(*ends)
        except CalibrationError:
            continue
    return found


@dataclass(frozen=True)
class _Pool:
    rows: np.ndarray
    problem: np.ndarray


def _sentence_pools(traces: Sequence[Trace], vectors: Vectors) -> dict[tuple[str, str], _Pool]:
    sentence_rows: dict[tuple[str, str], list[int]] = defaultdict(list)
    problems: dict[tuple[str, str], list[int]] = defaultdict(list)
    # In an order of their own, so that the draw does not depend on the order of the table's rows.
    for trace in sorted(
        traces, key=lambda one: (one.dataset, one.model, one.problem, one.language)
    ):
        if not trace.usable:
            continue
        key = trace.dataset, trace.language
        places = [vectors.place[sentence] for sentence in trace.sentences]
        sentence_rows[key] += places
        problems[key] += [crc32(trace.problem.encode())] * len(places)
    return {
        key: _Pool(np.array(rows), np.array(problems[key])) for key, rows in sentence_rows.items()
    }


def _unrelated(a: _Pool, b: _Pool, vectors: Vectors, rng: np.random.Generator) -> Floats:
    """Return cosines of sentences of different problems: a sample, or all where there are few."""
    if a.rows.size * b.rows.size <= 4 * FLOOR_SAMPLE:
        i, j = (index.ravel() for index in np.indices((a.rows.size, b.rows.size)))
        order = rng.permutation(i.size)
        i, j = i[order], j[order]
    else:
        i = rng.integers(a.rows.size, size=2 * FLOOR_SAMPLE)
        j = rng.integers(b.rows.size, size=2 * FLOOR_SAMPLE)
    apart = np.flatnonzero(a.problem[i] != b.problem[j])[:FLOOR_SAMPLE]
    return _dots(vectors, a.rows[i[apart]], b.rows[j[apart]])


def _cosines(pairs: Sequence[tuple[str, str]], vectors: Vectors) -> Floats:
    left = np.array([vectors.place[a] for a, _ in pairs], dtype=np.intp)
    right = np.array([vectors.place[b] for _, b in pairs], dtype=np.intp)
    return _dots(vectors, left, right)


def _dots(vectors: Vectors, left: np.ndarray, right: np.ndarray) -> Floats:
    rows_a = vectors.rows[left].astype(np.float64)
    rows_b = vectors.rows[right].astype(np.float64)
    return np.asarray(np.einsum("ij,ij->i", rows_a, rows_b))
