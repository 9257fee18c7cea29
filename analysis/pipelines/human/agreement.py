"""Do people agree: alpha with its interval, and what must stand beside it, a dimension a row."""

from dataclasses import dataclass, replace

import numpy as np

from analysis.pipelines.human.plan import Request
from analysis.pipelines.human.sample import Sample, Scale
from analysis.stats.alpha import Agreement, krippendorff_alpha
from analysis.stats.gwet import Weights, gwet_ac
from analysis.stats.ratings import Ratings, how_many
from analysis.stats.results import Estimate, undefined

NO_GRID = (
    "AC2 counts the labels of the scale, and this one is a number without declared steps: declare "
    "its minimum, maximum and step"
)
NONE_RATED = "nobody rated this dimension"


@dataclass(frozen=True)
class DimensionAgreement:
    """Agreement on one dimension; `reaches` says whether alpha reaches the threshold."""

    scale: Scale
    alpha: Agreement
    ac: Estimate
    request: Request
    ratings: int
    items_rated: int

    @property
    def reaches(self) -> bool | None:
        """Whether alpha reaches the declared threshold; None without alpha."""
        return None if self.alpha.value is None else self.alpha.value >= self.request["threshold"]

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        found = self.alpha.as_dict()
        return found | {
            "dimension": self.scale.key,
            "task": self.scale.task or None,
            "level": self.scale.kind,
            "items": self.alpha.n_items,
            "raters": self.alpha.n_raters,
            "ratings": self.ratings,
            "items_rated": self.items_rated,
            "percent": self.alpha.percent_agreement,
            "ac2": self.ac,
            "threshold": self.request["threshold"],
            "reaches_threshold": self.reaches,
            **self.request.labels(),
        }


def agreement_of(sample: Sample, request: Request) -> list[DimensionAgreement]:
    """Return agreement on each dimension that the request concerns, in the sample's order."""
    wanted = request["dimension"]
    chosen = [s for s in sample.scales.values() if wanted is None or wanted in (s.key, s.column)]
    return [_of_dimension(sample, scale, request) for scale in chosen]


def _of_dimension(sample: Sample, scale: Scale, request: Request) -> DimensionAgreement:
    rated = sample.rated(scale)
    alpha = krippendorff_alpha(
        rated,
        scale.level,
        rng=np.random.default_rng(request["seed"]),
        resamples=request["bootstrap"],
        confidence=request["confidence"],
    )
    if rated.n == 0:
        alpha = replace(alpha, reason=NONE_RATED)
    return DimensionAgreement(
        scale=scale,
        alpha=alpha,
        ac=_ac(rated, scale, request["confidence"]),
        request=request,
        ratings=rated.n,
        items_rated=how_many(rated.item),
    )


def _ac(rated: Ratings, scale: Scale, confidence: float) -> Estimate:
    """Return AC1 of a nominal dimension, AC2 with quadratic weights of one with an order."""
    if rated.n == 0:
        return undefined(NONE_RATED, method="Gwet's AC")
    weights: Weights = "quadratic" if scale.ordered else "identity"
    if scale.kind != "interval":
        return gwet_ac(rated, weights, confidence=confidence)
    if not scale.grid:
        return undefined(NO_GRID, method="Gwet's AC2")
    grid = np.array(scale.grid)
    place = np.abs(rated.numeric_labels()[:, None] - grid).argmin(axis=1)
    return gwet_ac(replace(rated, code=place[rated.code], labels=grid), weights)
