"""People against automatic judges, on single rows: no majority of people is made up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import JudgedItems, Ratings
from analysis.pipelines.human.grouped import mean_by_items
from analysis.pipelines.human.plan import Parameters, Request
from analysis.pipelines.human.sample import Floats, Sample, Scale
from analysis.stats.kappa import kappa_of_table
from analysis.stats.proportions import clopper_pearson
from analysis.stats.results import Estimate, undefined

ROWS_REPEAT = "rows repeat items, and this interval takes them as independent"
SHARE_OF_LABELS = 0.8  # of an item field's values among a dimension's labels: it looks like a judge
FEWEST_LABELS = 2
MISSING = -1
Codes = NDArray[np.int32]


@dataclass(frozen=True)
class Against:
    """People beside one judge."""

    judge: str
    exact: Estimate
    kappa: Estimate


@dataclass(frozen=True)
class Judged:
    """People beside every judge, and where the judges agree with each other."""

    human: str
    each: tuple[Against, ...]
    judges_agree: Estimate
    confirmed: Estimate
    request: Request
    reason: str | None = None

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "human": self.human,
            "judges": [
                {"judge": a.judge, "rows": a.exact.n, "exact": a.exact, "kappa": a.kappa}
                for a in self.each
            ],
            "judges_agree": self.judges_agree,
            "confirmed_consensus": self.confirmed,
            "reason": self.reason,
            **self.request.labels(),
        }


def judges_of(sample: Sample, request: Request) -> Judged:
    """Compare each annotator's label of an item with each judge's label of it."""
    names = request["automatic"]
    names = [names] if isinstance(names, str) else list(names)
    scale = sample.scale(request["human"], request["task"])
    missing = [name for name in names if sample.item_field(name) is None]
    if scale is None or missing:
        what = f"dimension {request['human']}" if scale is None else f"item field {missing[0]}"
        none = undefined(f"there is no {what}")
        return Judged(request["human"], (), none, none, request, none.reason)
    frame, labels = _coded(sample, scale, names, request["map"] or {})
    return Judged(
        scale.key,
        tuple(_against(frame, name, labels, request) for name in names),
        _agreeing(frame, names),
        _confirmed(frame, names, request),
        request,
    )


def _coded(
    sample: Sample, scale: Scale, names: Sequence[str], mapping: Mapping[str, str]
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the rated rows as places of labels, -1 where a judge has none, and the labels.

    Labels are mapped by name before they are compared; those that only judges use come last.
    """
    item = sample.ratings[Ratings.ITEM]
    fields = {name: sample.items[name].reindex(item.cat.categories).fillna("") for name in names}
    known = [str(mapping.get(label, label)) for label in scale.labels]
    further = {str(mapping.get(label, label)) for f in fields.values() for label in f.unique()}
    labels = tuple(dict.fromkeys([*known, *sorted(further - {""})]))
    place = {label: n for n, label in enumerate(labels)}
    own = np.array([*(place[label] for label in known), MISSING], dtype=np.int32)
    columns = {"human": own[np.asarray(sample.ratings[scale.column].cat.codes)]}
    codes = item.cat.codes.to_numpy()
    for name, field in fields.items():
        by_item = field.map(lambda label: place.get(str(mapping.get(label, label)), MISSING))
        columns[name] = by_item.to_numpy(dtype=np.int32)[codes]
    frame = pd.DataFrame(columns | {"item": codes})
    return frame[frame["human"] != MISSING], labels


def suggested(sample: Sample) -> list[Parameters]:
    """Return entries for item fields that hold mostly labels of a nominal dimension."""
    found: list[Parameters] = []
    for scale in sample.scales.values():
        if scale.kind != "nominal" or len(scale.labels) < FEWEST_LABELS:
            continue
        fields = [n for n in sample.items.columns if _looks_like_judge(sample.items[n], scale)]
        if fields:
            found.append({"human": scale.key, "automatic": fields, "task": scale.task or None})
    return found


def _looks_like_judge(field: pd.Series, scale: Scale) -> bool:
    values = field[field != ""]
    if (
        str(field.name).startswith((JudgedItems.TASK, JudgedItems.PLANTED))
        or values.nunique() < FEWEST_LABELS
    ):
        return False
    return bool(values.isin(scale.labels).mean() >= SHARE_OF_LABELS)


def _against(frame: pd.DataFrame, judge: str, labels: tuple[str, ...], request: Request) -> Against:
    rows = frame[frame[judge] != MISSING]
    if rows.empty:
        none = undefined(f"no rated item has a label by {judge}", n=0)
        return Against(judge, none, none)
    human, automatic = rows["human"].to_numpy(), rows[judge].to_numpy()
    exact = mean_by_items((human == automatic).astype(np.float64), rows["item"].to_numpy(), request)
    kappa = kappa_of_table(
        _crossed(human, automatic, len(labels)), confidence=request["confidence"]
    )
    return Against(judge, exact, replace(kappa, notes=(*kappa.notes, ROWS_REPEAT)))


def _crossed(human: Codes, automatic: Codes, width: int) -> Floats:
    """Return how many rows have each label of a person beside each of the judge."""
    count = np.bincount(human * width + automatic, minlength=width * width)
    return count.reshape(width, width).astype(np.float64)


def _unanimous(frame: pd.DataFrame, names: Sequence[str]) -> "pd.Series[bool]":
    """Return where all judges give one label."""
    return frame[list(names)].eq(frame[names[0]], axis=0).all(axis=1)


def _agreeing(frame: pd.DataFrame, names: Sequence[str]) -> Estimate:
    """Return the share of judged items on which all judges give the same label."""
    if len(names) < FEWEST_LABELS:
        return undefined("one judge has nobody to agree with")
    items = frame.drop_duplicates("item")
    items = items[(items[list(names)] != MISSING).all(axis=1)]
    if items.empty:
        return undefined("no rated item has a label by every judge", n=0)
    same = int(_unanimous(items, names).sum())
    return clopper_pearson(same, len(items))


def _confirmed(frame: pd.DataFrame, names: Sequence[str], request: Request) -> Estimate:
    """Return the share of rows that confirm the label on which the judges agree."""
    if len(names) < FEWEST_LABELS:
        return undefined("there is no consensus of one judge")
    agreed = frame[(frame[list(names)] != MISSING).all(axis=1) & _unanimous(frame, names)]
    if agreed.empty:
        return undefined("the judges never agree on a rated item", n=0)
    same = (agreed["human"] == agreed[names[0]]).to_numpy().astype(np.float64)
    return mean_by_items(same, agreed["item"].to_numpy(), request)
