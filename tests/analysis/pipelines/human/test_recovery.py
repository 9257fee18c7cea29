"""Parameter recovery: what a simulation put in is found within its intervals."""

import numpy as np
import pytest
from scipy.special import expit

from analysis.pipelines.human.contests import contests
from analysis.pipelines.human.plan import Overrides, Plan, read_plan, requests
from analysis.pipelines.human.preferences import preference_of
from analysis.pipelines.human.reading import sample_of
from analysis.pipelines.human.study import analyse
from tests.analysis.pipelines.human.tables import items, preferences, ratings

pytestmark = pytest.mark.slow
STUDIES = 60
# 95 % intervals miss more than 8 of 60 with a chance below 1 %.
MOST_MISSES = 8


def compared(seed: int, log_odds: float = 0.5):
    """Return judgments of 90 pairs by 60 annotators who differ, as do the pairs."""
    rng = np.random.default_rng(seed)
    who, what = np.divmod(np.arange(600), 10)
    pair = (7 * who + 11 * what) % 90
    effect = 0.5 * rng.standard_normal(60)[who] + 0.6 * rng.standard_normal(90)[pair]
    higher = rng.random(600) < expit(log_odds + effect)
    rows = [
        (f"p{p:02}", f"w{w:02}", "higher" if h else "lower")
        for p, w, h in zip(pair, who, higher, strict=True)
    ]
    return preferences(rows)


def test_the_planted_preference_lies_in_the_interval_of_the_crossed_model():
    truth, misses = float(expit(0.5)), 0
    (request,) = requests(Plan(), "preference", [{}], Overrides(bootstrap=50))
    for seed in range(STUDIES):
        found = preference_of(sample_of(None, preferences=compared(seed)), request)
        at_zero = found.primary.found.mixed.at_zero
        misses += not at_zero.low <= truth <= at_zero.high
    assert misses <= MOST_MISSES


def rated(seed: int, *, noise: float, leniency: float = 0.0, careless: float = 0.0):
    """Return four ratings of 300 items of known quality; the first half of the people are lenient."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(0, 1, 300)
    rows = []
    for item in range(300):
        for who in rng.choice(40, 4, replace=False):
            shift = leniency * (1 if who < 20 else -1)
            seen = quality[item] + shift + rng.normal(0, noise)
            guess = rng.random() < careless
            rows.append(
                (f"i{item:03}", f"w{who:02}", round(rng.normal(0, 1) if guess else seen, 3))
            )
    return ratings(rows, ["good"]), items({f"i{n:03}": {"f1": quality[n]} for n in range(300)})


def alpha_of(table):
    (one,) = analyse(sample_of(table), Plan(), Overrides(bootstrap=400)).agreement
    return one.alpha.value, one.alpha.low, one.alpha.high


def test_the_ability_put_in_is_the_alpha_that_comes_out():
    """For interval ratings alpha is the share of variance that is the items' own."""
    noise, misses = 0.8, 0
    truth = 1 / (1 + noise**2)
    for seed in range(STUDIES):
        _, low, high = alpha_of(rated(seed, noise=noise)[0])
        misses += not low <= truth <= high
    assert misses <= MOST_MISSES


def test_leniency_lowers_alpha_by_the_variance_it_adds():
    truth = 1 / (1 + 0.5**2 + 0.7**2)
    values = [alpha_of(rated(seed, noise=0.5, leniency=0.7)[0])[0] for seed in range(20)]
    assert np.mean(values) == pytest.approx(truth, abs=0.03)


def test_more_careless_people_mean_less_agreement():
    shares = (0.0, 0.2, 0.4)
    found = [alpha_of(rated(1, noise=0.5, careless=share)[0])[0] for share in shares]
    assert found == sorted(found, reverse=True)


def test_the_correlation_with_quality_is_that_of_a_mean_of_four():
    """The item mean of four ratings with noise correlates with quality as 1 / sqrt(1 + noise² / 4)."""
    plan = read_plan({"plan": {"triangulation": [{"human": "good", "automatic": "f1"}]}})
    table, known = rated(3, noise=1.0)
    (one,) = analyse(sample_of(table, items=known), plan, Overrides(bootstrap=400)).triangulation
    pearson = 1 / np.sqrt(1 + 1.0 / 4)
    truth = 6 / np.pi * np.arcsin(pearson / 2)
    assert one.found.low <= truth <= one.found.high


def test_the_simulation_has_the_preference_that_it_says():
    (contest,) = contests(sample_of(None, preferences=compared(0)))
    assert len(contest.choice) == 600
    assert 0.5 < contest.choice.mean() < 0.75
