"""S, tau and H of every pair of traces, and the variants that show what they rest on."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analysis.pipelines.trace.cache import Vectors
from analysis.pipelines.trace.calibration import VARIANTS, Calibrated, Pair
from analysis.pipelines.trace.corpus import Trace
from analysis.pipelines.trace.matrices import Comparison, Located, in_batches, step_matrices
from analysis.pipelines.trace.retention import Candidate
from analysis.stats.trace_order import (
    Orders,
    order,
    orders,
    orders_by_softmax,
    orders_from_weights,
    sharpen,
    why_undefined,
)
from analysis.stats.trace_scores import (
    Calibration,
    Calibrations,
    Floats,
    coverages,
    holistic,
    step_similarity,
    structural,
)

ORDER_VARIANTS: Mapping[str, Callable[[Floats], Orders]] = {
    "p = 1": lambda M: orders(M, p=1.0),
    "p = 2": lambda M: orders(M, p=2.0),
    "p = 5": lambda M: orders(M, p=5.0),
    "softmax 0.1": lambda M: orders_by_softmax(M, temperature=0.1),
    "softmax 0.2": lambda M: orders_by_softmax(M, temperature=0.2),
}


SCORES = ("S", "tau", "H")
WHOLES_AT_ONCE = 4_096
# The columns that stand first in the table of pairs; those of the variants follow.
LEADING = (
    "dataset", "model", "problem_id", "language_a", "language_b", *SCORES, "coverage_a", "coverage_b",
    "steps_a", "steps_b", "group", "gamma", "tau_reason", "tau_self_a", "tau_self_b",
)  # fmt: skip


class PairScore(NamedTuple):
    """What one pair of traces scores; M for those who look closer."""

    S: float
    tau: float | None
    gamma: float | None
    coverage_a: float
    coverage_b: float
    tau_reason: str | None
    M: Floats


def score_pair(a: Located, b: Located, calibration: Calibration) -> PairScore:
    """Score two traces that have at least one step each."""
    M = step_similarity(calibration(a.rows @ b.rows.T), a.starts, b.starts)
    similarity, coverage_a, coverage_b = structural(M)
    found = order(M)
    return PairScore(
        similarity, found.tau, found.gamma, coverage_a, coverage_b, found.reason, M
    )  # fmt: skip


def score_pairs(pairs: Iterable[tuple[Located, Located, Calibration]]) -> dict[str, Floats]:
    """Score one pair or more at once: S, tau, gamma and both coverages, NaN where undefined."""
    similarities = [
        step_similarity(calibration(a.rows @ b.rows.T), a.starts, b.starts)
        for a, b, calibration in pairs
    ]
    return in_batches(similarities, _published)


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
    variants = [
        name for name in VARIANTS if any(name in one.variants for one in calibrations.values())
    ]
    comparisons = _comparisons(candidates, calibrations, variants)
    if not comparisons:
        return Scored(pd.DataFrame(), [], [])
    kept = [one.candidate for one in comparisons]
    between, within = step_matrices(comparisons, steps)
    H = whole_cosines([one.a for one in kept], [one.b for one in kept], wholes)
    columns = _named(kept) | in_batches(between, partial(_scores, variants=variants))
    columns |= {"tau_reason": _reasons(columns), "H": H}
    tau_self = in_batches(within, _self_order)["tau"]
    columns |= {"tau_self_a": tau_self[::2], "tau_self_b": tau_self[1::2]}
    columns |= _tokens(kept, wholes, wholes_limit)
    ordered = {name: columns[name] for name in (*LEADING, *columns)}
    return Scored(pd.DataFrame(ordered), [every[0] for every in between], kept)


def _comparisons(
    candidates: Sequence[Candidate],
    calibrations: Mapping[tuple[str, Pair], Calibrated],
    variants: Sequence[str],
) -> list[Comparison]:
    """Return the candidates that can be scored; a variant that a pair lacks scores NaN."""
    known = {
        key: (one.main, Calibrations([one.main, *map(one.variants.get, variants)]))
        for key, one in calibrations.items()
        if one.main is not None
    }
    keyed = (((one.a.dataset, (one.a.language, one.b.language)), one) for one in candidates)
    return [Comparison(one, *known[key]) for key, one in keyed if key in known]


def _named(candidates: Sequence[Candidate]) -> dict[str, Any]:
    return {
        "dataset": [one.a.dataset for one in candidates],
        "model": [one.a.model for one in candidates],
        "problem_id": [one.a.problem for one in candidates],
        "language_a": [one.a.language for one in candidates],
        "language_b": [one.b.language for one in candidates],
        "steps_a": [len(one.a.parsed.steps) for one in candidates],
        "steps_b": [len(one.b.parsed.steps) for one in candidates],
        "group": [one.group for one in candidates],
    }


def _scores(M: Floats, *, variants: Sequence[str]) -> dict[str, Floats]:
    """Return the scores of pairs from (pairs, 1 + variants, n, m), the published choices first."""
    every = _published(M)
    columns = {name: values[:, 0] for name, values in every.items()}
    columns |= {f"tau, {name}": variant(M[:, 0]).tau for name, variant in ORDER_VARIANTS.items()}
    for place, name in enumerate(variants, 1):
        columns |= {f"{score}, {name}": every[score][:, place] for score in ("S", "tau")}
    return columns


def _published(M: Floats) -> dict[str, Floats]:
    """Return the scores of (..., n, m) under the published sharpening."""
    coverage_a, coverage_b = coverages(M)
    found = orders(M)
    return {
        "S": 0.5 * (coverage_a + coverage_b), "tau": found.tau, "gamma": found.gamma,
        "coverage_a": coverage_a, "coverage_b": coverage_b,
    }  # fmt: skip


def _self_order(M: Floats) -> dict[str, Floats]:
    """Return tau of traces with themselves: M is symmetric, so one direction stands for both."""
    W = sharpen(M)
    return {"tau": orders_from_weights(W, W).tau}


def _reasons(columns: Mapping[str, Any]) -> list[str]:
    rows = zip(columns["tau"], columns["steps_a"], columns["steps_b"], strict=True)
    return [why_undefined(a, b) if np.isnan(tau) else "" for tau, a, b in rows]


def whole_cosines(a: Sequence[Trace], b: Sequence[Trace], wholes: Vectors) -> Floats:
    """Return H of pairs of whole responses, some at a time: their vectors are many times the result."""
    found = np.empty(len(a))
    for at in range(0, len(a), WHOLES_AT_ONCE):
        some = slice(at, at + WHOLES_AT_ONCE)
        left, right = (
            wholes.of([trace.text for trace in traces[some]]).astype(np.float64)
            for traces in (a, b)
        )
        found[some] = holistic(left, right)
    return found


def _tokens(candidates: Sequence[Candidate], wholes: Vectors, limit: int) -> dict[str, Any]:
    a = wholes.tokens[[wholes.place[one.a.text] for one in candidates]]
    b = wholes.tokens[[wholes.place[one.b.text] for one in candidates]]
    return {"tokens_a": a, "tokens_b": b, "truncated": np.maximum(a, b) > limit}
