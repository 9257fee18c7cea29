"""How often the intervals cover the truth, by simulation.

    python -m tests.analysis.stats.coverage 2000

prints the table of `docs/explanation/mixed-models.md`; the test runs the same designs less often.
"""

import sys
from collections import Counter
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from analysis.stats.crossed_logistic import crossed_logistic
from analysis.stats.laplace import averaged_probability
from analysis.stats.resample import cluster_bootstrap, cluster_totals
from analysis.stats.results import Estimate

INTERCEPT = 0.4


@dataclass(frozen=True)
class Design:
    """Judgments of annotators on pairs, and the standard deviations of their effects."""

    annotators: int
    pairs: int
    judgments: int
    sd_annotator: float
    sd_pair: float


CROSSED = {
    "60 annotators, 40 pairs, 600 judgments": Design(60, 40, 600, 0.6, 0.6),
    "110 annotators, 66 pairs, 138 judgments": Design(110, 66, 138, 0.6, 0.6),
    "the same, no variation between them": Design(110, 66, 138, 0.0, 0.0),
    "60 annotators, 6 pairs, 600 judgments": Design(60, 6, 600, 0.6, 0.6),
}
CLUSTERS = {"150 clusters": 150, "60 clusters": 60, "20 clusters": 20, "8 clusters": 8}


def crossed_coverage(design: Design, runs: int, seed: int = 20) -> Counter[str]:
    """Count the intervals that cover, those that are refused and the singular fits."""
    rng, found = np.random.default_rng(seed), Counter[str]()
    deviations = np.array([design.sd_annotator, design.sd_pair])
    averaged = averaged_probability(INTERCEPT, deviations)[0]
    for _ in range(runs):
        who = rng.integers(0, design.annotators, design.judgments)
        what = rng.integers(0, design.pairs, design.judgments)
        eta = INTERCEPT + design.sd_annotator * rng.standard_normal(design.annotators)[who]
        eta += design.sd_pair * rng.standard_normal(design.pairs)[what]
        fit = crossed_logistic(rng.random(design.judgments) < expit(eta), who, what)
        found["fitted"] += fit.reason is None
        found["singular"] += fit.singular
        found["at zero"] += covers(fit.at_zero, float(expit(INTERCEPT)))
        found["averaged"] += covers(fit.averaged, averaged)
    return found


def bootstrap_coverage(clusters: int, runs: int, seed: int = 21) -> Counter[str]:
    """Count the intervals of a difference of two means that cover; clusters differ in size."""
    rng, found = np.random.default_rng(seed), Counter[str]()
    for _ in range(runs):
        cluster = np.repeat(range(clusters), rng.integers(10, 30, clusters))
        cell = rng.integers(0, 2, len(cluster))
        gap = 0.1 + 0.1 * rng.standard_normal(clusters)[cluster]
        score = gap * cell + 0.2 * rng.standard_normal(clusters)[cluster]
        totals = cluster_totals(score + rng.normal(0, 0.3, len(cluster)), cluster, cell)
        interval = cluster_bootstrap(totals, lambda m: m[:, 1] - m[:, 0], rng, resamples=1000)
        found["fitted"] += interval.low is not None
        found["difference"] += covers(interval, 0.1)
    return found


def covers(estimate: Estimate, truth: float) -> bool:
    """Whether there is an interval and the truth lies in it."""
    if estimate.low is None or estimate.high is None:
        return False
    return estimate.low <= truth <= estimate.high


def main(runs: int) -> None:
    """Print one line a design."""
    for name, design in CROSSED.items():
        sys.stdout.write(f"{name}: {dict(crossed_coverage(design, runs))}\n")
    for name, clusters in CLUSTERS.items():
        sys.stdout.write(f"{name}: {dict(bootstrap_coverage(clusters, runs))}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
