"""Conditions on single answers, as a plan writes them: `{dimension: adequacy, is: "5"}`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.pipelines.human.sample import HumanError, Sample

Mask = NDArray[np.bool_]
TESTS = ("is", "below", "at_least", "maximum")


@dataclass(frozen=True)
class Found:
    """Which answers meet every condition, and which have an answer to every dimension named."""

    met: Mask
    eligible: Mask


def found_where(
    sample: Sample, conditions: Sequence[Mapping[str, Any]], task: str | None = None
) -> Found:
    """Return the answers that meet all conditions."""
    met = np.ones(len(sample.ratings), dtype=bool)
    eligible = met.copy()
    for condition in conditions:
        key = str(condition.get("dimension", ""))
        scale = sample.scale(key, task)
        if scale is None:
            raise HumanError(f"A condition names the dimension {key!r}, which was not asked.")
        given = np.asarray(sample.ratings[scale.column].notna())
        eligible &= given
        met &= given & _holds(sample, key, condition, task)
    return Found(met, eligible)


def _holds(sample: Sample, key: str, condition: Mapping[str, Any], task: str | None) -> Mask:
    scale = sample.scale(key, task)
    test = next((name for name in TESTS if name in condition), None)
    if scale is None or test is None:
        raise HumanError(f"The condition on {key!r} must say one of {', '.join(TESTS)}.")
    wanted = condition[test]
    if test == "is":
        labels = wanted if isinstance(wanted, list | tuple) else [wanted]
        if scale.kind == "interval":
            return np.isin(sample.values(scale), [float(label) for label in labels])
        return np.asarray(sample.texts(scale).isin([str(label) for label in labels]))
    values = sample.values(scale)
    if test == "maximum":
        top = float(scale.label_values().max()) if scale.labels else float(np.nanmax(values))
        return np.asarray(values == top)
    bound = float(wanted)
    return np.asarray(values < bound if test == "below" else values >= bound)
