"""The fit with missing cells: equal to the complete one where nothing is missing, and exact else."""

import numpy as np
import pytest

from analysis.stats.rasch import fit_complete
from analysis.stats.rasch_masked import fit_observed
from tests.analysis.stats.test_rasch import simulated


def test_without_gaps_it_is_the_complete_fit():
    responses = simulated(120, 200, 1)
    masked = fit_observed(responses, np.ones(responses.shape, dtype=bool))
    complete = fit_complete(responses)
    assert np.allclose(masked.ability, complete.ability, atol=1e-9)
    assert np.allclose(masked.information, complete.information, rtol=1e-9)
    assert np.array_equal(np.isinf(masked.difficulty), np.isinf(complete.difficulty))


def test_the_observed_margins_are_met():
    responses = simulated(120, 200, 2)
    seen = np.random.default_rng(3).random(responses.shape) < 0.7
    fit = fit_observed(responses, seen)
    used = np.isfinite(fit.difficulty)
    p = np.where(seen, 1 / (1 + np.exp(fit.difficulty - fit.ability[:, None])), 0)
    assert np.abs((p - responses * seen)[:, used].sum(axis=1)).max() < 1e-8
    assert np.abs((p - responses * seen).sum(axis=0)[used]).max() < 1e-8


def test_what_stands_in_a_missing_cell_is_ignored():
    responses = simulated(60, 80, 4).astype(float)
    seen = np.random.default_rng(5).random(responses.shape) < 0.8
    blank = np.where(seen, responses, np.nan)
    assert np.array_equal(fit_observed(responses, seen).ability, fit_observed(blank, seen).ability)


def test_a_person_who_answered_nothing_is_nan_and_moves_nothing():
    responses = simulated(60, 80, 6)
    seen = np.ones(responses.shape, dtype=bool)
    seen[17] = False
    fit = fit_observed(responses, seen)
    rest = fit_complete(np.delete(responses, 17, axis=0))
    assert np.isnan(fit.ability[17])
    assert np.allclose(np.delete(fit.ability, 17), rest.ability, atol=1e-9)


def test_parts_that_share_nothing_are_not_compared():
    responses = simulated(60, 80, 7)
    seen = np.zeros(responses.shape, dtype=bool)
    seen[:30, :40] = seen[30:, 40:] = True
    fit = fit_observed(responses, seen)
    assert "fall apart in parts" in fit.reason
    assert np.isnan(fit.ability[np.isfinite(fit.information)]).all()


def test_a_perfect_order_of_groups_is_told():
    easy, hard = simulated(20, 15, 8), simulated(20, 15, 9)
    top = np.hstack([np.ones((20, 15)), hard])
    bottom = np.hstack([easy, np.zeros((20, 15))])
    responses = np.vstack([top, bottom])
    seen = np.ones(responses.shape, dtype=bool)
    assert "perfect order" in fit_complete(responses).reason
    assert "perfect order" in fit_observed(responses, seen).reason


@pytest.mark.parametrize("seed", [10, 11])
def test_extremes_are_told_by_what_was_seen(seed):
    responses = simulated(50, 60, seed)
    seen = np.random.default_rng(seed).random(responses.shape) < 0.8
    responses[4] = seen[4]
    fit = fit_observed(responses, seen)
    assert fit.ability[4] == np.inf
    assert fit.information[4] == 0
