"""Do automatic scores follow people: Spearman of item means and a score, whole and by group."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.pipelines.human.plan import Request
from analysis.pipelines.human.sample import Floats, HumanError, Sample
from analysis.stats.association import spearman_interval
from analysis.stats.results import Estimate, undefined

FEWEST_ITEMS = 5
METHODS = ("spearman",)
NAME = "Spearman's rho"


@dataclass(frozen=True)
class Association:
    """One association; `group` is the value of the field `by`, or None for all items."""

    human: str
    automatic: str
    by: str | None
    group: str | None
    found: Estimate
    request: Request

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        names = {"human": self.human, "automatic": self.automatic, "by": self.by}
        return (
            names | {"group": self.group, "items": self.found.n} | self.found.as_dict()
        ) | self.request.labels()


@dataclass(frozen=True)
class Scored:
    """Items with a human mean and an automatic score; or why there are none."""

    items: pd.Index
    human: Floats
    score: Floats
    reason: str | None = None


def triangulation_of(sample: Sample, request: Request) -> list[Association]:
    """Return the associations of one entry: one over all items, or one a group of `by`."""
    if request["method"] not in METHODS:
        raise HumanError(
            f"The plan asks for the triangulation method {request['method']!r}; known is spearman."
        )
    human, automatic, by = request["human"], request["automatic"], request["by"]
    scored = item_scores(sample, human, automatic, request["task"])
    if by is None:
        return [Association(human, automatic, None, None, associated(scored, request), request)]
    groups = _groups(sample, by, scored)
    return [
        Association(human, automatic, by, group, associated(part, request), request)
        for group, part in groups.items()
    ]


def item_scores(sample: Sample, human: str, automatic: str, task: str | None) -> Scored:
    """Pair the mean of a human dimension with an automatic score, item by item."""
    nothing = np.empty(0)
    scale = sample.scale(human, task)
    if scale is None:
        return Scored(pd.Index([]), nothing, nothing, f"there is no dimension {human}")
    if not scale.ordered:
        reason = f"{human} is {scale.kind}: its labels have no order, so there is no item mean"
        return Scored(pd.Index([]), nothing, nothing, reason)
    numbers = sample.item_scores(automatic, scale)
    if numbers is None:
        return Scored(pd.Index([]), nothing, nothing, f"the items have no field {automatic}")
    means = sample.item_means(scale)
    scores = numbers.reindex(means.index.astype(object))
    both = scores.notna().to_numpy()
    if len(means) and not both.any():
        reason = f"{automatic} is not a number on any rated item"
        return Scored(pd.Index([]), nothing, nothing, reason)
    kept = means.to_numpy(np.float64)[both], scores.to_numpy(np.float64)[both]
    return Scored(pd.Index(means.index[both].astype(object)), *kept)


def associated(scored: Scored, request: Request) -> Estimate:
    """Return Spearman's rho with an interval by resampling items; never of fewer than five."""
    n = len(scored.items)
    if scored.reason is not None:
        return undefined(scored.reason, method=NAME, n=n)
    if n < FEWEST_ITEMS:
        items = "item has" if n == 1 else "items have"
        reason = f"{n} {items} both a rating and a score; at least {FEWEST_ITEMS} are needed"
        return undefined(reason, method=NAME, n=n)
    return spearman_interval(
        scored.human,
        scored.score,
        np.random.default_rng(request["seed"]),
        resamples=request["bootstrap"],
        confidence=request["confidence"],
    )


def _groups(sample: Sample, by: str, scored: Scored) -> dict[str, Scored]:
    field = sample.item_field(by)
    if field is None:
        return {}
    values = field.reindex(scored.items).fillna("").astype(str).to_numpy()
    return {
        group: Scored(
            scored.items[values == group],
            scored.human[values == group],
            scored.score[values == group],
        )
        for group in sorted(set(values) - {""})
    }
