"""How often alpha's 95 % interval covers the alpha of the population that items come from."""

import numpy as np
import pytest

from analysis.stats.alpha import krippendorff_alpha

# A five-point scale: how often each truth occurs, and what a rater says given the truth.
TRUTH = np.array([0.15, 0.2, 0.3, 0.2, 0.15])
SAID = np.array(
    [
        [0.70, 0.20, 0.06, 0.03, 0.01],
        [0.15, 0.60, 0.20, 0.04, 0.01],
        [0.03, 0.17, 0.60, 0.17, 0.03],
        [0.01, 0.04, 0.20, 0.60, 0.15],
        [0.01, 0.03, 0.06, 0.20, 0.70],
    ]
)
RATERS = 3
SAMPLES = 1000
RESAMPLES = 400


def population_alpha(level):
    """Return alpha of infinitely many items, from the joint distribution of two ratings."""
    joint = SAID.T @ (TRUTH[:, np.newaxis] * SAID)
    share = joint.sum(axis=0)
    scale = np.cumsum(share) - share / 2 if level == "ordinal" else np.arange(5.0)
    distance = (scale[:, np.newaxis] - scale) ** 2
    if level == "nominal":
        distance = 1 - np.eye(5)
    return 1 - (joint * distance).sum() / (np.outer(share, share) * distance).sum()


def sample(items, rng):
    """Return a raters-by-items table of so many items."""
    truth = rng.choice(5, size=items, p=TRUTH)
    threshold = np.cumsum(SAID, axis=1)[truth]
    return (rng.random((RATERS, items, 1)) > threshold).sum(axis=2)


def coverage(level, items, samples=SAMPLES, resamples=RESAMPLES):
    """Return the share of samples whose interval covers, with fixed seeds."""
    target = population_alpha(level)
    rng = np.random.default_rng([items, 2024])
    covered = 0
    for _ in range(samples):
        found = krippendorff_alpha(sample(items, rng), level, rng=rng, resamples=resamples)
        covered += found.low is not None and found.low <= target <= found.high
    return covered / samples


def test_population_alpha_is_what_many_items_give():
    table = sample(200_000, np.random.default_rng(1))
    for level in ("nominal", "ordinal", "interval"):
        found = krippendorff_alpha(table, level).value
        assert found == pytest.approx(population_alpha(level), abs=0.004)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["nominal", "ordinal"])
@pytest.mark.parametrize("items", [100, 200])
def test_interval_covers_with_a_hundred_items_and_more(level, items):
    assert 0.93 <= coverage(level, items) <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("level", ["nominal", "interval"])
def test_interval_covers_too_rarely_with_ten_items(level):
    """The documentation says so; were it otherwise, the documentation would be wrong."""
    assert 0.80 <= coverage(level, 10) < 0.93
