"""The same-language control: how far two answers in one language agree, beside other languages."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from analysis.pipelines.trace.cache import Vectors
from analysis.pipelines.trace.calibration import Calibrated, Pair
from analysis.pipelines.trace.matrices import locate
from analysis.pipelines.trace.resampling import Resampling, mean_of
from analysis.pipelines.trace.scoring import Scored, score_pair
from analysis.stats.results import Estimate
from analysis.stats.trace_review import same_language_differences
from analysis.stats.trace_scores import Calibration

KEY = ["dataset", "model", "problem_id"]


def same_language_control(
    scored: Scored,
    steps: Vectors,
    calibrations: Mapping[tuple[str, Pair], Calibrated],
    draws: Resampling,
    *,
    anchor: str,
    control: str,
) -> dict[str, object]:
    """Return Delta S of the control over the other languages, before and after calibration bias.

    The control pair has a ceiling of its own. The bias is what that calibration, instead of the
    mean one of the cross-language pairs, adds to its S; the adjusted difference goes without it.
    """
    pairs = scored.pairs
    anchored = pairs[(pairs["language_a"] == anchor) & (pairs["group"] == "both_right")]
    own = anchored[anchored["language_b"] == control]
    others = anchored[anchored["language_b"] != control]
    if own.empty or others.empty:
        return {"reason": f"no scored pairs of {anchor} with {control} and with other languages"}
    differences = _differences(own, others)
    bias = mean_of(own.assign(bias=_bias(own, scored, steps, calibrations)), "bias", draws)
    delta = mean_of(differences, "delta", draws)
    return {"delta": delta, "calibration_bias": bias, "adjusted": _adjusted(delta, bias)}


def _differences(own: pd.DataFrame, others: pd.DataFrame) -> pd.DataFrame:
    first = own.set_index(KEY)["S"]
    rest = others.groupby(KEY)["S"].apply(list)
    common = first.index.intersection(rest.index)
    delta = same_language_differences(list(first[common]), list(rest[common]))
    return common.to_frame(index=False).assign(delta=delta)


def _bias(
    own: pd.DataFrame,
    scored: Scored,
    steps: Vectors,
    calibrations: Mapping[tuple[str, Pair], Calibrated],
) -> list[float]:
    found = []
    for row in own.index:
        a, b, _ = scored.candidates[row]
        cross = _mean_calibration(calibrations, a.dataset, a.language, b.language)
        score = score_pair(locate(a, steps), locate(b, steps), cross)
        found.append(float(own["S"][row]) - score.S)
    return found


def _mean_calibration(
    calibrations: Mapping[tuple[str, Pair], Calibrated], dataset: str, anchor: str, control: str
) -> Calibration:
    kept = [
        one.main
        for (name, (a, b)), one in calibrations.items()
        if name == dataset and a == anchor and b != control and one.main is not None
    ]
    floor = float(np.mean([one.floor for one in kept]))
    return Calibration(floor, float(np.mean([one.ceiling for one in kept])))


def _adjusted(delta: Estimate, bias: Estimate) -> Estimate:
    if delta.value is None or bias.value is None:
        return delta
    low = None if delta.low is None else delta.low - bias.value
    high = None if delta.high is None else delta.high - bias.value
    return Estimate(
        delta.value - bias.value, low, high, n=delta.n, seed=delta.seed,
        method=f"{delta.method}, minus the mean calibration bias",
    )  # fmt: skip
