"""The item bootstrap: the same as fitting the drawn items anew, and of the right width."""

import numpy as np

from analysis.stats.rasch import fit_complete
from analysis.stats.rasch_bootstrap import bootstrap_abilities, bootstrap_observed, item_draws
from tests.analysis.stats.test_rasch import simulated


def contrasts(abilities):
    return abilities[..., 1:] - abilities[..., :1]


def test_draws_count_each_replicate_once_over_and_more_replicates_keep_the_first():
    draws = item_draws(30, 5, np.random.default_rng(1))
    assert (draws.sum(axis=1) == 30).all()
    assert np.array_equal(item_draws(30, 9, np.random.default_rng(1))[:5], draws)


def test_a_replicate_is_the_fit_of_the_items_drawn():
    responses = simulated(40, 120, 2)
    draws = item_draws(120, 4, np.random.default_rng(3))
    abilities = bootstrap_abilities(responses, draws, fit_complete(responses))
    seen = np.ones(responses.shape, dtype=bool)
    slow = bootstrap_observed(responses, seen, draws)
    for draw, ability, other in zip(draws, abilities, slow, strict=True):
        anew = fit_complete(responses[:, np.repeat(np.arange(120), draw)]).ability
        assert np.abs(contrasts(ability) - contrasts(anew)).max() < 1e-4
        assert np.abs(contrasts(other) - contrasts(anew)).max() < 1e-4


def test_the_spread_of_a_contrast_is_that_of_the_information():
    responses = simulated(60, 600, 4)
    fit = fit_complete(responses)
    draws = item_draws(600, 400, np.random.default_rng(5))
    spread = contrasts(bootstrap_abilities(responses, draws, fit)).std(axis=0)
    expected = np.sqrt(1 / fit.information[1:] + 1 / fit.information[0])
    assert 0.97 < (spread / expected).mean() < 1.03
