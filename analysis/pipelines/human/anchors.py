"""Two groups of people who share nothing but the anchors, and whether they use a scale alike."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.frames import Ratings
from analysis.pipelines.human.plan import Request
from analysis.pipelines.human.sample import Sample, Scale
from analysis.stats.permutation import permutation_test
from analysis.stats.results import Estimate, undefined

# What the field of an item holds that stands on every form.
MARKS = ("1", "true")
GROUPS = 2


@dataclass(frozen=True)
class Group:
    """People of one group and the mean that they gave the anchors."""

    name: str
    people: int
    mean: float


@dataclass(frozen=True)
class SharedAnchors:
    """The groups on the items that all of them judged; who belongs to none is only counted."""

    items: int
    groups: tuple[Group, ...]
    apart: int
    difference: Estimate

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "items": self.items,
            "groups": [vars(group) for group in self.groups],
            "people_in_no_group": self.apart,
            "difference": self.difference,
        }


def shared_anchors(sample: Sample, scale: Scale, request: Request) -> SharedAnchors | None:
    """Compare the groups on the anchors; None where the plan names no field of groups.

    A person's group is the value of the field `groups` in all items that they judged beside the
    anchors; whoever met several values, or judged anchors only, belongs to none. A rating counts as
    its distance from the mean of its anchor, so that a rating that was left out shifts nobody; a
    person counts once, with the mean of theirs, since people are what was dealt into groups.
    """
    if request["groups"] is None:
        return None
    marks, values = (sample.item_field(request[name]) for name in ("anchors", "groups"))
    if marks is None or values is None:
        missing = request["anchors" if marks is None else "groups"]
        return SharedAnchors(0, (), 0, undefined(f"the items have no field {missing}"))
    return _compared(_rated(sample, scale, marks, values), request)


def _rated(sample: Sample, scale: Scale, marks: pd.Series, values: pd.Series) -> pd.DataFrame:
    """Return item, person and value of each rating, whether it is of an anchor, and its group."""
    item = sample.ratings[Ratings.ITEM].astype(object)
    frame = pd.DataFrame(
        {
            "item": item,
            "person": sample.ratings[Ratings.ANNOTATOR].astype(object),
            "value": sample.values(scale),
            "anchor": item.map(marks.str.lower()).isin(MARKS),
            "group": item.map(values),
        }
    )
    return frame.dropna(subset="value")


def _compared(rated: pd.DataFrame, request: Request) -> SharedAnchors:
    group = _group_of(rated[~rated["anchor"]])
    shared = rated[rated["anchor"]]
    grouped = shared[shared["person"].isin(group.index)]
    anchor_means = grouped.groupby("item")["value"].mean()
    distance = grouped["value"] - grouped["item"].map(anchor_means)
    people = distance.groupby(grouped["person"]).mean()
    by_group = people.groupby(group.reindex(people.index))
    groups = tuple(
        Group(str(name), len(some), float(anchor_means.mean() + some.mean()))
        for name, some in by_group
    )
    apart = shared["person"].nunique() - len(people)
    if len(groups) != GROUPS:
        word = "group" if len(groups) == 1 else "groups"
        reason = f"{len(groups)} {word} of people judged anchors, and two are compared"
        none = undefined(reason, n=len(people))
        return SharedAnchors(len(anchor_means), groups, apart, none)
    one, two = (some.to_numpy(np.float64) for _, some in by_group)
    found = permutation_test(one, two, resamples=request["bootstrap"], seed=request["seed"])
    return SharedAnchors(len(anchor_means), groups, apart, found)


def _group_of(beside: pd.DataFrame) -> pd.Series:
    """Return the group of each person who judged items of one group only."""
    each = beside[["person", "group"]].drop_duplicates()
    alone = each[~each["person"].duplicated(keep=False)].set_index("person")["group"]
    return alone[(alone != "") & alone.notna()]
