"""Quadratic kappa of every two people who judged enough in common, where people are few."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from analysis.pipelines.human.sample import Sample, Scale
from analysis.stats.kappa import Kappa, cohen_kappa

FEWEST_COMMON = 10
# With more, a list of all pairs tells nothing that alpha does not.
MOST_PEOPLE = 40
NOT_RATED = -1


@dataclass(frozen=True)
class PairKappa:
    """Two people, numbered within the study, and their kappa."""

    first: int
    second: int
    kappa: Kappa

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"people": [self.first, self.second], "kappa": self.kappa}


def pair_kappas(sample: Sample, scale: Scale) -> tuple[PairKappa, ...]:
    """Return kappa with quadratic weights of every two people with ten items in common."""
    rated = sample.rated(scale)
    if not scale.labels or rated.n_raters > MOST_PEOPLE:
        return ()
    table = np.full((rated.n_raters, rated.n_items), NOT_RATED)
    table[rated.rater, rated.item] = rated.code
    found = []
    for one, two in combinations(range(rated.n_raters), 2):
        both = (table[one] != NOT_RATED) & (table[two] != NOT_RATED)
        if both.sum() >= FEWEST_COMMON:
            places = list(range(len(scale.labels)))
            kappa = cohen_kappa(
                table[one][both], table[two][both], labels=places, weights="quadratic"
            )
            found.append(PairKappa(one + 1, two + 1, kappa))
    return tuple(found)
