"""The same numbers without some answers, to see whether the conclusions hang on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.frames import Ratings
from analysis.pipelines.human.agreement import DimensionAgreement, agreement_of
from analysis.pipelines.human.plan import Request
from analysis.pipelines.human.sample import HumanError, Sample
from analysis.pipelines.human.triangulation import Association, triangulation_of
from analysis.pipelines.human.where import found_where
from analysis.stats.proportions import Proportion, clopper_pearson

UNITS = ("judgments", "items")
# The two of the first paper: the best adequacy beside a missing key fact.
BEST_BUT_INCOMPLETE = (
    {"dimension": "adequacy", "maximum": True},
    {"dimension": "keypoint_recall", "below": 1},
)


@dataclass(frozen=True)
class SampleNumbers:
    """The numbers of one sample that stand side by side."""

    name: str
    judgments: int
    items: int
    annotators: int
    means: Mapping[str, float]
    agreement: tuple[DimensionAgreement, ...]
    triangulation: tuple[Association, ...]

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "judgments": self.judgments,
            "items": self.items,
            "annotators": self.annotators,
            "means": dict(self.means),
            "agreement": {a.scale.column: a.alpha for a in self.agreement},
            "triangulation": [
                {"human": a.human, "automatic": a.automatic} | a.found.as_dict()
                for a in self.triangulation
            ],
        }


@dataclass(frozen=True)
class Sensitivity:
    """One further sample with what it leaves out; the preference does not change with it."""

    numbers: SampleNumbers
    judgments_affected: Proportion
    items_affected: Proportion
    request: Request

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        affected = {"judgments": self.judgments_affected, "items": self.items_affected}
        return self.numbers.as_dict() | {"affected": affected} | self.request.labels()


def suggested(sample: Sample) -> list[dict[str, Any]]:
    """Return the two samples of the first paper, where the study asks what they need."""
    if any(sample.scale(str(c["dimension"])) is None for c in BEST_BUT_INCOMPLETE):
        return []
    where = [dict(condition) for condition in BEST_BUT_INCOMPLETE]
    return [
        {"name": "without judgments best but incomplete", "drop": "judgments", "where": where},
        {"name": "without items ever best but incomplete", "drop": "items", "where": where},
    ]


def sensitivity_of(
    sample: Sample, request: Request, agreements: Sequence[Request], scores: Sequence[Request]
) -> Sensitivity:
    """Return the numbers of the sample that the request describes."""
    if request["drop"] not in UNITS:
        raise HumanError(f"A sensitivity sample drops {request['drop']!r}; it may drop {UNITS}.")
    found = found_where(sample, request["where"], request["task"])
    items = np.asarray(sample.ratings[Ratings.ITEM].cat.codes)
    affected = np.unique(items[found.met])
    dropped = found.met if request["drop"] == "judgments" else np.isin(items, affected)
    rest = sample.of_rows(~dropped, str(request["name"]))
    return Sensitivity(
        numbers_of(rest, agreements, scores),
        clopper_pearson(int(found.met.sum()), int(found.eligible.sum())),
        clopper_pearson(len(affected), len(np.unique(items[found.eligible]))),
        request,
    )


def numbers_of(
    sample: Sample, agreements: Sequence[Request], scores: Sequence[Request]
) -> SampleNumbers:
    """Return what is compared between samples."""
    ordered = [scale for scale in sample.scales.values() if scale.ordered]
    means = {scale.column: sample.values(scale) for scale in ordered}
    ids = sample.ratings
    return SampleNumbers(
        name=sample.name or "primary",
        judgments=len(ids),
        items=int(ids[Ratings.ITEM].nunique()),
        annotators=int(ids[Ratings.ANNOTATOR].nunique()),
        means={k: float(np.nanmean(v)) for k, v in means.items() if not pd.isna(v).all()},
        agreement=tuple(a for request in agreements for a in agreement_of(sample, request)),
        triangulation=tuple(t for request in scores for t in triangulation_of(sample, request)),
    )
