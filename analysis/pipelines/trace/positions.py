"""Where along the anchor's trace the other language stops following."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.pipelines.trace.scoring import Scored
from analysis.stats.results import Estimate, undefined
from analysis.stats.trace_position import (
    THRESHOLDS,
    branch,
    last_minus_middle,
    mean_profile,
    profile,
)
from analysis.stats.trace_scores import Floats

LONG_ENOUGH = 2
TERCILES = 3


def positions(scored: Scored, anchor: str) -> dict[str, object]:
    """Return profile, end and branch points over right pairs that start in the anchor language."""
    rows = _anchored(scored, anchor)
    if not rows:
        return {"reason": f"no scored pair of right answers has the language {anchor!r}"}
    best = [scored.matrices[row].max(axis=1) for row in rows]
    pairs = scored.pairs.iloc[rows]
    equal = (pairs["steps_a"] == pairs["steps_b"]).to_numpy()
    return {
        "anchor": anchor,
        "pairs": len(rows),
        "quintiles": _profile(best),
        "quintiles_by_language": {
            str(language): _profile([best[row] for row in where])
            for language, where in pairs.groupby("language_b").indices.items()
        },
        "last_minus_middle": _end(best),
        "last_minus_middle_equal_steps": _end(
            [b for b, same in zip(best, equal, strict=True) if same]
        ),
        "last_minus_middle_by_step_length": _by_step_length(scored, rows, best),
        "branch": {str(threshold): _branches(best, threshold) for threshold in THRESHOLDS},
    }


def _anchored(scored: Scored, anchor: str) -> list[int]:
    pairs = scored.pairs
    if pairs.empty:
        return []
    wanted = (pairs["language_a"] == anchor) & (pairs["group"] == "both_right")
    return [int(row) for row in np.flatnonzero(wanted.to_numpy())]


def _profile(best: Sequence[Floats]) -> list[Estimate]:
    long = [profile(one) for one in best if one.size >= LONG_ENOUGH]
    if not long:
        return [undefined("no trace has two steps", n=0)] * 5
    return mean_profile(np.vstack(long))


def _end(best: Sequence[Floats]) -> Estimate:
    found = [gap for gap in map(last_minus_middle, best) if gap is not None]
    if not found:
        return undefined("no trace has three steps", n=0)
    return Estimate(value=float(np.mean(found)), n=len(found), method="mean over traces")


def _by_step_length(scored: Scored, rows: Sequence[int], best: Sequence[Floats]) -> list[Estimate]:
    """Return the end gap in terciles of the mean length of the anchor's steps, in characters."""
    lengths = [
        np.mean([len(step.text.text) for step in scored.candidates[row].a.parsed.steps])
        for row in rows
    ]
    ranks = pd.Series(lengths).rank(method="first").to_numpy()
    tercile = np.minimum(TERCILES - 1, ((ranks - 1) * TERCILES // len(rows)).astype(int))
    return [
        _end([one for one, where in zip(best, tercile, strict=True) if where == third])
        for third in range(TERCILES)
    ]


def _branches(best: Sequence[Floats], threshold: float) -> dict[str, object]:
    found = [branch(one, threshold=threshold) for one in best]
    placed = [one.position for one in found if one.position is not None]
    filled = [1.0 if one.step is None else one.position for one in found]
    late = [position for position in filled if position is not None]
    return {
        "rate": Estimate(
            value=sum(one.step is not None for one in found) / len(found), n=len(found),
            method="share of traces with a step below the threshold",
        ),
        "position": _mean(placed, "no trace branches"),
        "position_with_none_at_the_end": _mean(late, "no trace has two steps"),
    }  # fmt: skip


def _mean(values: Sequence[float], reason: str) -> Estimate:
    if not values:
        return undefined(reason, n=0)
    return Estimate(value=float(np.mean(values)), n=len(values), method="mean over traces")
