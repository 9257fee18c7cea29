"""Trace studies: whether perceived equivalence follows one score more than another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from analysis.pipelines.human.anchors import SharedAnchors, shared_anchors
from analysis.pipelines.human.ceiling import thirds
from analysis.pipelines.human.pair_kappas import PairKappa, pair_kappas
from analysis.pipelines.human.plan import Request
from analysis.pipelines.human.sample import Floats, HumanError, Sample, Scale
from analysis.pipelines.human.triangulation import FEWEST_ITEMS, Scored, associated
from analysis.stats.association import spearman
from analysis.stats.auc import AucDifference, compare_aucs
from analysis.stats.correlated import CorrelationDifference, steiger_z, williams_t
from analysis.stats.results import Estimate, undefined
from analysis.stats.trends import GroupTest, jonckheere, kruskal

METHODS = ("williams",)
RANKS = "of rank correlations, for which the test is an approximation"
BINS = 3


@dataclass(frozen=True)
class Versus:
    """Two scores compared in how they follow people, over the items that have both."""

    first: str
    second: str
    williams: CorrelationDifference
    steiger: CorrelationDifference
    aucs: AucDifference

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "first": self.first,
            "second": self.second,
            "williams": self.williams,
            "steiger": self.steiger,
            "auc_difference": self.aucs,
            "auc": {self.first: self.aucs.first, self.second: self.aucs.second},
        }


@dataclass(frozen=True)
class Terciles:
    """Mean equivalence of the items in each third of a score, with tests of difference and trend."""

    score: str
    means: tuple[float | None, ...]
    items: tuple[int, ...]
    kruskal: GroupTest
    jonckheere: GroupTest

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"means": self.means, "items": self.items} | {
            "kruskal": self.kruskal,
            "jonckheere": self.jonckheere,
        }


@dataclass(frozen=True)
class TraceStudy:
    """All that is asked of one human dimension and its scores."""

    human: str
    rho: Mapping[str, Estimate]
    versus: tuple[Versus, ...]
    terciles: tuple[Terciles, ...]
    positive: int
    negative: int
    kappas: tuple[PairKappa, ...]
    anchors: SharedAnchors | None
    request: Request

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "human": self.human,
            "rho": dict(self.rho),
            "comparisons": [one.as_dict() for one in self.versus],
            "terciles": {one.score: one.as_dict() for one in self.terciles},
            "positive_items": self.positive,
            "negative_items": self.negative,
            "kappas": [one.as_dict() for one in self.kappas],
            "anchors": None if self.anchors is None else self.anchors.as_dict(),
            **self.request.labels(),
        }


def trace_of(sample: Sample, request: Request) -> TraceStudy:
    """Return how the item mean of a dimension follows each score."""
    if request["method"] not in METHODS:
        raise HumanError(f"The trace method {request['method']!r} is unknown; use williams.")
    names = [request["automatic"]] if isinstance(request["automatic"], str) else None
    names = names or list(request["automatic"])
    scale = sample.scale(request["human"], request["task"])
    within = request["within"]
    if scale is None or not scale.ordered:
        return _nothing(names, request, f"there is no ordered dimension {request['human']}")
    if within is not None and sample.item_field(within) is None:
        return _nothing(names, request, f"the items have no field {within} to rank within")
    human = sample.item_means(scale)
    items, means = human.index, human.to_numpy(np.float64)
    groups = _groups(sample, within, items)
    columns = {name: _within(_score(sample, name, scale, items), groups) for name in names}
    ranks = _within(means, groups)
    positive = means >= positive_bound(scale, request["positive_from"])
    return TraceStudy(
        human=scale.key,
        rho={name: _rho(items, ranks, score, name, request) for name, score in columns.items()},
        versus=tuple(_versus(ranks, positive, columns, a, b) for a, b in combinations(names, 2)),
        terciles=tuple(_terciles(name, means, score) for name, score in columns.items()),
        positive=int(positive.sum()),
        negative=int((~positive).sum()),
        kappas=pair_kappas(sample, scale),
        anchors=shared_anchors(sample, scale, request),
        request=request,
    )


def _nothing(names: Sequence[str], request: Request, reason: str) -> TraceStudy:
    rhos = dict.fromkeys(names, undefined(reason))
    return TraceStudy(request["human"], rhos, (), (), 0, 0, (), None, request)


def positive_bound(scale: Scale, share: float) -> float:
    """Return the item mean from which an item counts as positive: a share of the way up the scale.

    Examples
    --------
    A mean of 1.5 on a scale of 0, 1, 2:

    >>> positive_bound(Scale("equivalence", "ordinal", ("0", "1", "2")), 0.75)
    1.5
    """
    values = scale.label_values() if scale.labels else np.array(scale.grid or (0.0, 1.0))
    return float(values.min() + share * (values.max() - values.min()))


def _score(sample: Sample, name: str, scale: Scale, items: pd.Index) -> Floats:
    numbers = sample.item_scores(name, scale)
    if numbers is None:
        return np.full(len(items), np.nan)
    return numbers.reindex(items.astype(object)).to_numpy(np.float64)


def _groups(sample: Sample, name: str | None, items: pd.Index) -> pd.Series | None:
    """Return the value of a field by item; None where no field is named."""
    field = None if name is None else sample.item_field(name)
    if field is None:
        return None
    return field.reindex(items.astype(object)).fillna("").reset_index(drop=True)


def _within(values: Floats, groups: pd.Series | None) -> Floats:
    """Return values as ranks within their group, from 0 to 1; as they are where there is no group.

    The level of a score belongs to its pair of languages: only its ranks can be put together.
    """
    if groups is None:
        return values
    each = pd.Series(values).groupby(groups)
    return ((each.rank() - 0.5) / each.transform("count")).to_numpy(np.float64)


def _rho(items: pd.Index, means: Floats, score: Floats, name: str, request: Request) -> Estimate:
    known = ~np.isnan(score)
    reason = None if known.any() or not len(items) else f"no rated item has a number in {name}"
    return associated(Scored(items[known], means[known], score[known], reason), request)


def _versus(
    means: Floats, positive: np.ndarray, columns: Mapping[str, Floats], a: str, b: str
) -> Versus:
    both = ~np.isnan(columns[a]) & ~np.isnan(columns[b])
    y, one, two = means[both], columns[a][both], columns[b][both]
    aucs = compare_aucs(positive[both], one, two)
    rhos = [spearman(*pair) for pair in ((y, one), (y, two), (one, two))]
    broken = next((rho for rho in rhos if rho.value is None), None)
    if len(y) < FEWEST_ITEMS or broken is not None:
        few = f"{len(y)} items have both scores; at least {FEWEST_ITEMS} are needed"
        reason = few if len(y) < FEWEST_ITEMS or broken is None else broken.reason
        none = CorrelationDifference(None, n=len(y), reason=reason)
        return Versus(a, b, none, none, aucs)
    r12, r13, r23 = (float(rho.value or 0.0) for rho in rhos)
    return Versus(
        a, b, williams_t(r12, r13, r23, len(y)), steiger_z(r12, r13, r23, len(y)), aucs
    )  # fmt: skip


def _terciles(name: str, means: Floats, score: Floats) -> Terciles:
    place = thirds(pd.Series(score))
    groups = [means[place == third] for third in range(BINS)]
    return Terciles(
        name,
        tuple(float(group.mean()) if len(group) else None for group in groups),
        tuple(len(group) for group in groups),
        kruskal(groups),
        jonckheere(groups),
    )
