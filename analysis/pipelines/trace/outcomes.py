"""What the scores have to do with right and wrong: accuracies, review lift, matched contrast."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.pipelines.trace.corpus import Trace
from analysis.pipelines.trace.resampling import Resampling
from analysis.pipelines.trace.retention import CELL
from analysis.pipelines.trace.scoring import SCORES
from analysis.stats.results import Estimate, undefined
from analysis.stats.trace_cells import percentile_interval
from analysis.stats.trace_review import matched_contrast, review_lift

AGREEING = ("both_right", "both_wrong_same")
LIFT_RESAMPLES = 300


def accuracy(traces: Sequence[Trace]) -> pd.DataFrame:
    """Return the accuracy of each model in each language, and how many answers were read."""
    answers: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for trace in traces:
        if trace.correct is not None:
            answers[trace.dataset, trace.model, trace.language].append(trace.correct)
    rows = [(*key, float(np.mean(right)), len(right)) for key, right in sorted(answers.items())]
    return pd.DataFrame(rows, columns=["dataset", "model", "language", "accuracy", "answers"])


def accuracy_differences(funnel: pd.DataFrame, traces: Sequence[Trace]) -> pd.DataFrame:
    """Return, for each cell, the accuracies of both languages on their common problems."""
    outcome = {
        (trace.dataset, trace.model, trace.language, trace.problem): trace.correct
        for trace in traces
        if trace.correct is not None
    }
    problems: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for dataset, model, language, problem in outcome:
        problems[dataset, model, language].add(problem)
    rows = []
    cells = funnel[CELL]
    for dataset, model, a, b in cells.itertuples(index=False, name=None):
        common = problems[dataset, model, a] & problems[dataset, model, b]
        right = [
            sum(bool(outcome[dataset, model, language, problem]) for problem in common)
            for language in (a, b)
        ]
        rows.append((dataset, model, a, b, len(common), right[0] - right[1]))
    columns = [*CELL, "problems", "more_right_in_a"]
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(accuracy_difference=table["more_right_in_a"] / table["problems"])


def review(pairs: pd.DataFrame, draws: Resampling) -> dict[str, object]:
    """Return the review lift of S, tau and H among pairs whose answers agree."""
    agreeing = pairs[pairs["group"].isin(AGREEING)] if len(pairs) else pairs
    if agreeing.empty:
        return {"reason": "no scored pair has the same answer twice"}
    wrong = (agreeing["group"] == "both_wrong_same").to_numpy()
    base = Estimate(value=float(wrong.mean()), n=wrong.size, method="share of agreeing pairs")
    lifts = {score: _lift(agreeing, score, wrong, draws) for score in SCORES}
    return {"base_rate": base, "budget": 0.25, "lift": lifts}


def _lift(agreeing: pd.DataFrame, score: str, wrong: np.ndarray, draws: Resampling) -> Estimate:
    """Return the lift by percentile within (dataset, pair); undefined scores are reviewed last."""
    cells = agreeing.groupby(["dataset", "language_a", "language_b"])[score]
    percentile = cells.rank(pct=True).fillna(2.0).to_numpy(dtype=float)
    found = review_lift(percentile, wrong)
    if found.value is None:
        return found
    columns = draws.columns_of(agreeing)
    lifts = []
    for weights in draws.weights[:LIFT_RESAMPLES]:
        rows = np.repeat(np.arange(wrong.size), weights[columns].astype(int))
        lifts.append(review_lift(percentile[rows], wrong[rows]).value)
    low, high = percentile_interval(np.array([lift for lift in lifts if lift is not None]))
    return Estimate(
        found.value, low, high, n=found.n, seed=draws.seed, notes=found.notes,
        method=f"{found.method}, percentile bootstrap over problems",
    )  # fmt: skip


def difficulty(pairs: pd.DataFrame, traces: Sequence[Trace]) -> dict[str, Estimate]:
    """Return the contrast of S between right pairs and shared errors, raw and matched."""
    agreeing = pairs[pairs["group"].isin(AGREEING)] if len(pairs) else pairs
    wrong = (agreeing["group"] == "both_wrong_same").to_numpy() if len(pairs) else np.array([])
    if not wrong.any() or wrong.all():
        reason = "shared errors and right pairs are not both among the scored pairs"
        return {name: undefined(reason, n=int(wrong.size)) for name in ("raw", "matched")}
    S = agreeing["S"].to_numpy(dtype=float)
    k = others_right(agreeing, traces)
    dataset = pd.factorize(agreeing["dataset"])[0]
    raw = float(S[~wrong].mean() - S[wrong].mean())
    return {
        "raw": Estimate(value=raw, n=wrong.size, method="difference of means"),
        "matched": matched_contrast(S, wrong, k),
        "matched_within_dataset": matched_contrast(S, wrong, dataset * (k.max() + 1) + k),
    }


def others_right(pairs: pd.DataFrame, traces: Sequence[Trace]) -> np.ndarray:
    """Return how many languages outside each pair answered its problem right."""
    right: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for trace in traces:
        if trace.correct:
            right[trace.dataset, trace.model, trace.problem].add(trace.language)
    keys = pairs[["dataset", "model", "problem_id", "language_a", "language_b"]]
    return np.array(
        [
            len(right[dataset, model, problem] - {a, b})
            for dataset, model, problem, a, b in keys.itertuples(index=False, name=None)
        ],
        dtype=np.intp,
    )
