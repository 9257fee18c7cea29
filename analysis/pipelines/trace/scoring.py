"""S, tau and H of every pair of traces, and the variants that show what they rest on."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis.pipelines.trace.cache import Vectors
from analysis.pipelines.trace.calibration import Calibrated, Pair
from analysis.pipelines.trace.corpus import Trace
from analysis.pipelines.trace.retention import Candidate
from analysis.stats.trace_order import Order, order, order_by_softmax, order_from_weights, sharpen
from analysis.stats.trace_scores import (
    Calibration,
    Floats,
    Starts,
    holistic,
    step_similarity,
    structural,
)

# A trace longer than the encoder's window is marked, since its H rests on pooled windows.
ORDER_VARIANTS: Mapping[str, Callable[[Floats], Order]] = {
    "p = 1": lambda M: order(M, p=1.0),
    "p = 2": lambda M: order(M, p=2.0),
    "p = 5": lambda M: order(M, p=5.0),
    "softmax 0.1": lambda M: order_by_softmax(M, temperature=0.1),
    "softmax 0.2": lambda M: order_by_softmax(M, temperature=0.2),
}


class Located(NamedTuple):
    """The unit vectors of a trace's sentences in float64, and where its steps start."""

    rows: Floats
    starts: Starts


class PairScore(NamedTuple):
    """What one pair of traces scores; M for those who look closer."""

    S: float
    tau: float | None
    gamma: float | None
    coverage_a: float
    coverage_b: float
    tau_reason: str | None
    M: Floats


def locate(trace: Trace, vectors: Vectors) -> Located:
    """Look the sentences of a trace up."""
    return Located(vectors.of(trace.sentences).astype(np.float64), trace.starts)


def score_pair(a: Located, b: Located, calibration: Calibration) -> PairScore:
    """Score two traces that have at least one step each."""
    return score_cosines(a.rows @ b.rows.T, a.starts, b.starts, calibration)


def score_cosines(
    cosines: Floats, starts_a: Starts, starts_b: Starts, calibration: Calibration
) -> PairScore:
    """Score two traces from the raw cosines of their sentences."""
    M = step_similarity(calibration(cosines), starts_a, starts_b)
    similarity, coverage_a, coverage_b = structural(M)
    found = order(M)
    return PairScore(
        similarity, found.tau, found.gamma, coverage_a, coverage_b, found.reason, M
    )  # fmt: skip


class Scored(NamedTuple):
    """The scored pairs as a table, and the step similarities of each row."""

    pairs: pd.DataFrame
    matrices: list[Floats]
    candidates: list[Candidate]


def score_all(
    candidates: Sequence[Candidate],
    steps: Vectors,
    wholes: Vectors,
    calibrations: Mapping[tuple[str, Pair], Calibrated],
    *,
    wholes_limit: int,
) -> Scored:
    """Score every candidate whose pair could be calibrated."""
    rows: list[dict[str, object]] = []
    matrices: list[Floats] = []
    scored: list[Candidate] = []
    whole_cosines = _holistic(candidates, wholes)
    for (candidate, a, b, calibration), H in zip(
        _located(candidates, steps, calibrations), whole_cosines, strict=True
    ):
        if calibration is None or calibration.main is None:
            continue
        cosines = a.rows @ b.rows.T
        score = score_cosines(cosines, a.starts, b.starts, calibration.main)
        tokens = [int(wholes.tokens[wholes.place[side.text]]) for side in candidate[:2]]
        rows.append(
            _named(candidate, score, H)
            | _self_reference(a, b, calibration.main)
            | _variant_scores(cosines, a, b, score.M, calibration.variants)
            | {
                "tokens_a": tokens[0],
                "tokens_b": tokens[1],
                "truncated": max(tokens) > wholes_limit,
            }
        )
        matrices.append(score.M)
        scored.append(candidate)
    return Scored(pd.DataFrame(rows), matrices, scored)


def _located(
    candidates: Sequence[Candidate],
    vectors: Vectors,
    calibrations: Mapping[tuple[str, Pair], Calibrated],
) -> Iterator[tuple[Candidate, Located, Located, Calibrated | None]]:
    """Yield candidates with their vectors; the traces of one problem are looked up once."""
    problem: tuple[str, str, str] | None = None
    held: dict[str, Located] = {}
    for candidate in candidates:
        a, b = candidate.a, candidate.b
        if (a.dataset, a.model, a.problem) != problem:
            problem, held = (a.dataset, a.model, a.problem), {}
        for trace in (a, b):
            if trace.language not in held:
                held[trace.language] = locate(trace, vectors)
        calibration = calibrations.get((a.dataset, (a.language, b.language)))
        yield candidate, held[a.language], held[b.language], calibration


def _holistic(candidates: Sequence[Candidate], wholes: Vectors) -> Floats:
    left = wholes.of([candidate.a.text for candidate in candidates]).astype(np.float64)
    right = wholes.of([candidate.b.text for candidate in candidates]).astype(np.float64)
    return holistic(left, right)


def _named(candidate: Candidate, score: PairScore, H: float) -> dict[str, object]:
    a, b = candidate.a, candidate.b
    return {
        "dataset": a.dataset, "model": a.model, "problem_id": a.problem,
        "language_a": a.language, "language_b": b.language,
        "S": score.S, "tau": score.tau, "H": float(H),
        "coverage_a": score.coverage_a, "coverage_b": score.coverage_b,
        "steps_a": len(a.parsed.steps), "steps_b": len(b.parsed.steps),
        "group": candidate.group, "gamma": score.gamma, "tau_reason": score.tau_reason or "",
    }  # fmt: skip


def _self_reference(a: Located, b: Located, calibration: Calibration) -> dict[str, object]:
    """Return tau of each trace with itself under the calibration of the pair."""
    return {
        f"tau_self_{side}": _self_order(trace, calibration) for side, trace in (("a", a), ("b", b))
    }


def _self_order(trace: Located, calibration: Calibration) -> float | None:
    """Compare a trace with itself: M is symmetric, so one direction stands for both."""
    cosines = trace.rows @ trace.rows.T
    W = sharpen(step_similarity(calibration(cosines), trace.starts, trace.starts))
    return order_from_weights(W, W).tau


def _variant_scores(
    cosines: Floats, a: Located, b: Located, M: Floats, variants: Mapping[str, Calibration]
) -> dict[str, object]:
    found: dict[str, object] = {
        f"tau, {name}": variant(M).tau for name, variant in ORDER_VARIANTS.items()
    }
    for name, calibration in variants.items():
        score = score_cosines(cosines, a.starts, b.starts, calibration)
        found |= {f"S, {name}": score.S, f"tau, {name}": score.tau}
    return found
