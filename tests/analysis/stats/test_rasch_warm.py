"""Warm's estimate: its equation, its limits, its place beside the maximum."""

import numpy as np
import pytest

from analysis.stats.rasch import fit_complete
from analysis.stats.rasch_warm import warm_abilities
from tests.analysis.stats.test_rasch import simulated


def test_perfect_and_empty_scores_are_finite_and_mirror_each_other():
    low, high = warm_abilities(np.array([0, 73]), np.zeros(73), np.ones(73))
    assert high == pytest.approx(np.log(147), abs=1e-9)
    assert low == pytest.approx(-high, abs=1e-9)


def test_it_solves_warms_equation():
    difficulty = np.random.default_rng(1).normal(0, 1.45, 73)
    score = np.arange(74)
    ability = warm_abilities(score, difficulty, np.ones(73))
    p = 1 / (1 + np.exp(difficulty - ability[:, None]))
    spread = p * (1 - p)
    correction = (spread * (1 - 2 * p)).sum(axis=1) / spread.sum(axis=1) / 2
    assert np.abs(score - p.sum(axis=1) + correction).max() < 1e-9
    assert (np.diff(ability) > 0).all()


def test_it_lies_nearer_to_the_middle_than_the_maximum():
    responses = simulated(60, 73, 2)
    fit = fit_complete(responses)
    used = np.isfinite(fit.difficulty)
    warm = warm_abilities(responses[:, used].sum(axis=1), fit.difficulty[used], np.ones(used.sum()))
    high = fit.ability > 1.5
    assert high.any()
    assert (warm[high] < fit.ability[high]).all()


def test_each_person_may_have_seen_other_items():
    weights = np.array([[1, 1, 0], [0, 0, 0], [1, 1, 1]])
    ability = warm_abilities(np.array([2, 0, 2]), np.zeros(3), weights)
    assert ability[0] == pytest.approx(np.log(5), abs=1e-9)
    assert np.isnan(ability[1])
    assert ability[2] == pytest.approx(np.log(5 / 3), abs=1e-9)
