"""Translation studies: the share of faulty translations by language, and the items to keep."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.frames import JudgedItems, Ratings
from analysis.pipelines.human.grouped import group_means, mean_by_items, row_groups
from analysis.pipelines.human.plan import Request
from analysis.pipelines.human.sample import HumanError, Sample
from analysis.pipelines.human.where import found_where
from analysis.stats.proportions import clopper_pearson
from analysis.stats.results import Estimate, undefined

# Which parameter of an entry holds the labels that are counted, by measure.
COUNTED = {"error_rate": "error", "share": "of"}
MEASURES = (*COUNTED, "keep")


@dataclass(frozen=True)
class Measured:
    """The share of ratings with certain labels, over all and by group."""

    dimension: str
    measure: str
    every: Estimate
    groups: Mapping[str, Estimate]
    request: Request

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        names = {"dimension": self.dimension, "measure": self.measure, "by": self.request["by"]}
        return names | {
            "all": self.every,
            "groups": dict(self.groups),
            **self.request.labels(),
        }


@dataclass(frozen=True)
class Kept:
    """The items that most annotators would keep; `table` has a row an item that was rated."""

    share: Estimate
    groups: Mapping[str, Estimate]
    table: pd.DataFrame
    request: Request

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        kept = self.table.loc[self.table["keep"] == 1, "item"]
        return {
            "measure": "keep",
            "by": self.request["by"],
            "all": self.share,
            "groups": dict(self.groups),
            "items": kept.tolist(),
            **self.request.labels(),
        }


def translation_of(sample: Sample, request: Request) -> Measured | Kept:
    """Return one measure of the plan."""
    measure = request["measure"]
    if measure not in MEASURES:
        raise HumanError(f"The measure {measure!r} is unknown; use one of {', '.join(MEASURES)}.")
    return _kept(sample, request) if measure == "keep" else _measured(sample, request)


def suggested(entries: list[Mapping[str, Any]], sample: Sample) -> list[dict[str, Any]]:
    """Return the second paper's rule, best quality and local culture, from the measures of the plan."""
    where: list[dict[str, Any]] = []
    for entry in entries:
        scale = sample.scale(entry.get("dimension", ""), entry.get("task"))
        if scale is None or entry["measure"] not in COUNTED:
            continue
        best = entry["measure"] == "error_rate" and scale.labels
        wanted = scale.labels[-1] if best else entry.get("of")
        if wanted is not None:
            where.append({"dimension": scale.key, "is": wanted})
    if not where:
        return []
    first = entries[0]
    return [
        {"measure": "keep", "task": first.get("task"), "by": first.get("by"), "where": where}
    ]  # fmt: skip


def _measured(sample: Sample, request: Request) -> Measured:
    measure, key = request["measure"], request["dimension"] or ""
    labels = request[COUNTED[measure]]
    scale = sample.scale(key, request["task"])
    if scale is None or labels is None:
        what = f"no dimension {key}" if scale is None else f"no `{COUNTED[measure]}` in the entry"
        return Measured(key, measure, undefined(f"there is {what}"), {}, request)
    found = found_where(sample, [{"dimension": key, "is": labels}], request["task"])
    hit = found.met[found.eligible].astype(np.float64)
    items = np.asarray(sample.ratings[Ratings.ITEM].cat.codes, dtype=np.intp)[found.eligible]
    every = mean_by_items(hit, items, request)
    return Measured(scale.key, measure, every, _by(sample, found.eligible, hit, request), request)


def _by(sample: Sample, rows: np.ndarray, hit: np.ndarray, request: Request) -> dict[str, Estimate]:
    if request["by"] is None or sample.item_field(request["by"]) is None or not len(hit):
        return {}
    every, groups = row_groups(sample, request["by"])
    codes = every[rows]
    items = np.asarray(sample.ratings[Ratings.ITEM].cat.codes, dtype=np.intp)[rows]
    known = codes >= 0
    means = group_means(hit[known], items[known], codes[known], len(groups), request)
    return {group: mean for group, mean in zip(groups, means, strict=True) if mean.n}


def _kept(sample: Sample, request: Request) -> Kept:
    """Keep an item where more than the majority share of its ratings meets every condition alone."""
    conditions = request["where"] or []
    votes = []
    items = sample.ratings[Ratings.ITEM]
    for condition in conditions:
        found = found_where(sample, [condition], request["task"])
        hit = pd.Series(found.met[found.eligible].astype(np.float64))
        votes.append(hit.groupby(items[found.eligible].astype(object).to_numpy()).mean())
    table = pd.DataFrame(dict(enumerate(votes))).dropna()
    keep = (table > request["majority"]).all(axis=1)
    field = sample.item_field(JudgedItems.LOCALE)
    if field is None and request["by"] is not None:
        field = sample.item_field(request["by"])
    locale = keep.index.map(lambda item: "" if field is None else str(field.get(item, "")))
    rows = pd.DataFrame({"item": keep.index, "locale": locale, "keep": keep.astype(int).to_numpy()})
    groups = {
        str(name): clopper_pearson(int(part.sum()), len(part), confidence=request["confidence"])
        for name, part in rows.groupby("locale")["keep"]
        if name
    }
    share = clopper_pearson(int(keep.sum()), len(keep), confidence=request["confidence"])
    return Kept(share, groups, rows, request)
