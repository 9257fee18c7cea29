"""Agreement so far, a dimension at a time, and what each annotator does to it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.pipelines.monitor.observed import Gathered
from analysis.stats.alpha import Agreement, krippendorff_alpha
from analysis.stats.disagreement import values_without_each_rater

# Enough for a glance; the report resamples as often as the plan says.
RESAMPLES = 500
# Beyond it the terms of all annotators would not fit into memory at once.
TERMS_AT_MOST = 50_000_000


@dataclass(frozen=True)
class SoFar:
    """Agreement on one dimension, with alpha without each of its raters (NaN where undefined)."""

    gathered: Gathered
    agreement: Agreement
    raters: NDArray[np.int64]
    without: NDArray[np.float64]

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        found = self.agreement.as_dict()
        del found["distribution"]
        names = {
            "task": self.gathered.task,
            "dimension": self.gathered.dimension,
            "threshold": self.gathered.threshold,
        }
        return names | found


def agreement_so_far(dimensions: Sequence[Gathered], seed: int) -> list[SoFar]:
    """Return Krippendorff's alpha of each dimension, with the interval of resampled items."""
    return [_of(gathered, seed) for gathered in dimensions]


def _of(gathered: Gathered, seed: int) -> SoFar:
    ratings = gathered.ratings()
    found = krippendorff_alpha(
        ratings, gathered.level, rng=np.random.default_rng(seed), resamples=RESAMPLES
    )
    without = np.full(ratings.n_raters, np.nan)
    if found.defined and ratings.n_raters * len(ratings.labels) <= TERMS_AT_MOST:
        without = values_without_each_rater(ratings, gathered.level)
    return SoFar(gathered, found, gathered.raters(), without)
