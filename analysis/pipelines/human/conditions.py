"""The mean rating under each condition."""

from dataclasses import dataclass

import numpy as np

from analysis.frames import Ratings
from analysis.pipelines.human.grouped import group_means, row_groups
from analysis.pipelines.human.plan import Request
from analysis.pipelines.human.sample import Sample, Scale
from analysis.stats.results import Estimate, undefined

MOST_GROUPS = 40


@dataclass(frozen=True)
class ConditionMean:
    """The mean of one dimension under one condition."""

    dimension: str
    by: str
    group: str | None
    items: int
    found: Estimate
    request: Request

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        names = {"dimension": self.dimension, "by": self.by, "group": self.group}
        return names | {"items": self.items} | self.found.as_dict() | self.request.labels()


def conditions_of(sample: Sample, request: Request) -> list[ConditionMean]:
    """Return the means of an ordered dimension by a field of the items."""
    dimension, by = request["dimension"], request["by"]
    scale = sample.scale(dimension, request["task"])
    reason = _unusable(sample, scale, dimension, by)
    if scale is None or reason is not None:
        found = undefined(reason or "", method="mean")
        return [ConditionMean(dimension, by, None, 0, found, request)]
    values = sample.values(scale)
    codes, groups = row_groups(sample, by)
    given = ~np.isnan(values) & (codes >= 0)
    items = np.asarray(sample.ratings[Ratings.ITEM].cat.codes, dtype=np.intp)[given]
    means = group_means(values[given], items, codes[given], len(groups), request)
    rated = np.zeros((len(groups), int(items.max(initial=0)) + 1), dtype=np.bool_)
    rated[codes[given], items] = True
    counts = rated.sum(axis=1).tolist()
    return [
        ConditionMean(scale.key, by, group, count, mean, request)
        for group, count, mean in zip(groups, counts, means, strict=True)
        if mean.n
    ]


def _unusable(sample: Sample, scale: Scale | None, dimension: str, by: str) -> str | None:
    if scale is None:
        return f"there is no dimension {dimension}"
    if not scale.ordered:
        return f"{dimension} is {scale.kind}: a mean of labels without an order says nothing"
    field = sample.item_field(by)
    if field is None:
        return f"the items have no field {by}"
    if field.nunique() > MOST_GROUPS:
        return f"{by} has {field.nunique()} values; more than {MOST_GROUPS} are no conditions"
    return None
