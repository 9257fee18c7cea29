"""People against automatic judges, on single rows: no majority of people is made up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.frames import JudgedItems, Ratings
from analysis.pipelines.human.grouped import mean_by_items
from analysis.pipelines.human.plan import Parameters, Request
from analysis.pipelines.human.sample import Sample, Scale
from analysis.stats.kappa import cohen_kappa
from analysis.stats.proportions import clopper_pearson
from analysis.stats.results import Estimate, undefined

ROWS_REPEAT = "rows repeat items, and this interval takes them as independent"
SHARE_OF_LABELS = 0.8  # of an item field's values among a dimension's labels: it looks like a judge
FEWEST_LABELS = 2


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
    mapping = {str(k): str(v) for k, v in (request["map"] or {}).items()}
    human = _mapped(sample.texts(scale), mapping).to_numpy()
    labels = {name: _mapped(sample.row_field(name), mapping).to_numpy() for name in names}
    items = np.asarray(sample.ratings[Ratings.ITEM].cat.codes, dtype=np.intp)
    frame = pd.DataFrame({"human": human, "item": items} | labels)
    frame = frame[frame["human"].notna() & (frame["human"] != "")]
    return Judged(
        scale.key,
        tuple(_against(frame, name, scale, mapping, request) for name in names),
        _agreeing(frame, names),
        _confirmed(frame, names, request),
        request,
    )


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


def _mapped(labels: pd.Series, mapping: Mapping[str, str]) -> pd.Series:
    return labels.map(lambda label: mapping.get(label, label)) if mapping else labels


def _against(
    frame: pd.DataFrame, judge: str, scale: Scale, mapping: Mapping[str, str], request: Request
) -> Against:
    rows = frame[frame[judge] != ""]
    if rows.empty:
        none = undefined(f"no rated item has a label by {judge}", n=0)
        return Against(judge, none, none)
    same = (rows["human"] == rows[judge]).to_numpy().astype(np.float64)
    exact = mean_by_items(same, rows["item"].to_numpy(), request)
    known = [mapping.get(label, label) for label in scale.labels]
    labels = list(dict.fromkeys([*known, *sorted(set(rows[judge]))]))
    kappa = cohen_kappa(
        rows["human"].to_numpy(object),
        rows[judge].to_numpy(object),
        labels=labels,
        confidence=request["confidence"],
    )
    return Against(judge, exact, replace(kappa, notes=(*kappa.notes, ROWS_REPEAT)))


def _unanimous(frame: pd.DataFrame, names: Sequence[str]) -> "pd.Series[bool]":
    """Return where all judges give one label."""
    return frame[list(names)].eq(frame[names[0]], axis=0).all(axis=1)


def _agreeing(frame: pd.DataFrame, names: Sequence[str]) -> Estimate:
    """Return the share of judged items on which all judges give the same label."""
    if len(names) < FEWEST_LABELS:
        return undefined("one judge has nobody to agree with")
    items = frame.drop_duplicates("item")
    items = items[(items[list(names)] != "").all(axis=1)]
    if items.empty:
        return undefined("no rated item has a label by every judge", n=0)
    same = int(_unanimous(items, names).sum())
    return clopper_pearson(same, len(items))


def _confirmed(frame: pd.DataFrame, names: Sequence[str], request: Request) -> Estimate:
    """Return the share of rows that confirm the label on which the judges agree."""
    if len(names) < FEWEST_LABELS:
        return undefined("there is no consensus of one judge")
    agreed = frame[(frame[list(names)] != "").all(axis=1) & _unanimous(frame, names)]
    if agreed.empty:
        return undefined("the judges never agree on a rated item", n=0)
    same = (agreed["human"] == agreed[names[0]]).to_numpy().astype(np.float64)
    return mean_by_items(same, agreed["item"].to_numpy(), request)
