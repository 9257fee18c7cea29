"""Where along the anchor's trace the other language stops following."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.pipelines.trace.resampling import Resampling, means_of
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


def positions(scored: Scored, anchor: str, draws: Resampling) -> dict[str, object]:
    """Return profile, end and branch points over right pairs that start in the anchor language."""
    rows = _anchored(scored, anchor)
    if not rows:
        return {"reason": f"no scored pair of right answers has the language {anchor!r}"}
    best = [scored.matrices[row].max(axis=1) for row in rows]
    pairs = scored.pairs.iloc[rows].assign(end=[_or_nan(last_minus_middle(one)) for one in best])
    equal = pairs[pairs["steps_a"] == pairs["steps_b"]]
    third = _thirds_by_step_length(scored, rows)
    parts = [pairs, equal, *(pairs[third == number] for number in range(TERCILES))]
    end, end_equal, *by_length = _means(parts, "end", draws, "no trace has three steps")
    return {
        "anchor": anchor,
        "pairs": len(rows),
        "quintiles": _profile(best),
        "quintiles_by_language": {
            str(language): _profile([best[row] for row in where])
            for language, where in pairs.groupby("language_b").indices.items()
        },
        "last_minus_middle": end,
        "last_minus_middle_equal_steps": end_equal,
        "last_minus_middle_by_step_length": by_length,
        "branch": {
            str(threshold): _branches(pairs, best, threshold, draws) for threshold in THRESHOLDS
        },
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


def _thirds_by_step_length(scored: Scored, rows: Sequence[int]) -> NDArray[np.intp]:
    """Return 0, 1 or 2 by the mean length of the anchor's steps, in characters."""
    lengths = [
        np.mean([len(step.text.text) for step in scored.candidates[row].a.parsed.steps])
        for row in rows
    ]
    ranks = pd.Series(lengths).rank(method="first").to_numpy()
    third = ((ranks - 1) * TERCILES // len(rows)).astype(np.intp)
    return np.asarray(np.minimum(TERCILES - 1, third))


def _branches(
    pairs: pd.DataFrame, best: Sequence[Floats], threshold: float, draws: Resampling
) -> dict[str, Estimate]:
    found = [branch(one, threshold=threshold) for one in best]
    none = np.array([one.step is None for one in found])
    position = np.array([_or_nan(one.position) for one in found])
    columns = {
        "rate": (1.0 - none, "no trace"),
        "position": (np.where(none, np.nan, position), "no trace branches"),
        "position_with_none_at_the_end": (
            np.where(none, 1.0, position), "no trace has two steps"
        ),
    }  # fmt: skip
    return {
        name: _means([pairs.assign(**{name: values})], name, draws, reason)[0]
        for name, (values, reason) in columns.items()
    }


def _means(
    parts: Sequence[pd.DataFrame], column: str, draws: Resampling, reason: str
) -> list[Estimate]:
    """Return the mean of a column over each part with its interval over problems, or why there is none."""
    found = means_of([(part, column) for part in parts], draws)
    return [one if one.value is not None else undefined(reason, n=0) for one in found]


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else value
