"""The ceiling rule: whether ratings lie so near the top that they tell no responses apart."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.frames import Ratings
from analysis.pipelines.human.grouped import contrast, mean_by_items, row_groups
from analysis.pipelines.human.plan import Request
from analysis.pipelines.human.sample import Floats, HumanError, Sample, item_numbers
from analysis.stats.results import Estimate, undefined

BINS = ("terciles",)
THIRDS = (1 / 3, 2 / 3)
LOW, HIGH = 0, 2
RULE = "both parts hold: every class's median is at or above the bound, and HIGH and LOW lie close"


@dataclass(frozen=True)
class Ceiling:
    """The two parts of the rule and the flag; the flag is None where a part is undefined."""

    medians: Mapping[str, float]
    lowest: Estimate
    high: Estimate
    low: Estimate
    difference: Estimate
    request: Request

    @property
    def median_part(self) -> bool | None:
        """Whether the lowest class median reaches the bound."""
        return None if self.lowest.value is None else self.lowest.value >= self.request["median"]

    @property
    def separation_part(self) -> bool | None:
        """Whether the means of HIGH and LOW lie closer than the bound."""
        value = self.difference.value
        return None if value is None else value < self.request["separation"]

    @property
    def flag(self) -> bool | None:
        """Whether ratings are saturated: both parts hold."""
        parts = (self.median_part, self.separation_part)
        if False in parts:
            return False
        return None if None in parts else True

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "rule": RULE,
            "medians": dict(self.medians),
            "minimum_median": self.lowest,
            "high": self.high,
            "low": self.low,
            "difference": self.difference,
            "median_part": self.median_part,
            "separation_part": self.separation_part,
            "flag": self.flag,
            **self.request.labels(),
        }


def ceiling_of(sample: Sample, request: Request) -> Ceiling:
    """Apply the rule to the individual ratings of one dimension."""
    if request["bins"] not in BINS:
        raise HumanError(f"The bins of the ceiling rule are {request['bins']!r}; known: terciles.")
    scale = sample.scale(request["dimension"], request["task"])
    if scale is None or not scale.ordered:
        return _nothing(f"there is no ordered dimension {request['dimension']}", request)
    values = sample.values(scale)
    given = ~np.isnan(values)
    if not given.any():
        return _nothing("nobody rated this dimension", request)
    medians = _medians(sample, values, request["by"])
    lowest = (
        Estimate(min(medians.values()), n=int(given.sum()), method="lowest median over classes")
        if medians
        else undefined(f"no rated item has the field {request['by']}", method="lowest median")
    )
    return Ceiling(medians, lowest, *_bins(sample, values, request), request)


def _nothing(reason: str, request: Request) -> Ceiling:
    none = undefined(reason)
    return Ceiling({}, none, none, none, none, request)


def _medians(sample: Sample, values: Floats, by: str) -> dict[str, float]:
    if sample.item_field(by) is None:
        return {}
    codes, classes = row_groups(sample, by)
    given = {name: values[(codes == n) & ~np.isnan(values)] for n, name in enumerate(classes)}
    return {name: float(np.median(found)) for name, found in given.items() if len(found)}


def _bins(sample: Sample, values: Floats, request: Request) -> tuple[Estimate, Estimate, Estimate]:
    """Return the mean ratings of the items in the highest and the lowest third, and their difference."""
    field = sample.item_field(request["score"])
    if field is None:
        none = undefined(f"the items have no field {request['score']}")
        return none, none, none
    items = np.asarray(sample.ratings[Ratings.ITEM].cat.codes, dtype=np.intp)
    place = thirds(item_numbers(field).reindex(sample.ratings[Ratings.ITEM].cat.categories))[items]
    given = ~np.isnan(values) & (place >= 0)
    ends = {n: given & (place == n) for n in (HIGH, LOW)}
    if not all(rows.any() for rows in ends.values()):
        none = undefined(f"{request['score']} does not split the rated items into three bins")
        return none, none, none
    high, low = (mean_by_items(values[r], items[r], request) for r in ends.values())
    both = ends[HIGH] | ends[LOW]
    cells = (place[both] == HIGH).astype(np.int64)
    difference = contrast(values[both], items[both], cells, lambda m: m[:, 1] - m[:, 0], request)
    return high, low, difference


def thirds(scores: pd.Series) -> np.ndarray:
    """Return 0, 1 or 2 by which third of the items a score lies in; -1 without a score."""
    known = scores.notna().to_numpy()
    place = np.full(len(scores), -1)
    if known.any():
        numbers = scores.to_numpy(np.float64)[known]
        place[known] = np.searchsorted(np.quantile(numbers, THIRDS), numbers, side="left")
    return place
