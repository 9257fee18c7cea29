"""Adam as published: gradients that agree, an optimum that is the exact one, noise in batches."""

import numpy as np
import pytest

from analysis.stats.rasch import fit_complete
from analysis.stats.rasch_adam import (
    adam,
    batch_gradient,
    dense_gradient,
    listed,
    listed_gradient,
)
from tests.analysis.stats.test_rasch import extreme, loss, simulated


@pytest.fixture
def responses():
    made = simulated(60, 80, 1, spread=0.8)
    return made[:, ~extreme(made)]


def test_dense_and_listed_gradients_are_that_of_the_loss(responses):
    rng = np.random.default_rng(2)
    persons, items = responses.shape
    ability, difficulty = rng.normal(size=persons), rng.normal(size=items)
    _, expected = loss(np.concatenate([ability, difficulty]), responses)
    for gradient in (
        dense_gradient(responses),
        listed_gradient(listed(responses), persons, items),
    ):
        found = np.concatenate(gradient(ability, difficulty))
        assert np.allclose(found, expected, atol=1e-3)


def test_the_full_batch_comes_to_the_exact_optimum(responses):
    persons, items = responses.shape
    ability, difficulty = adam(dense_gradient(responses), persons, items, steps=1500)
    exact = fit_complete(responses)
    assert np.abs(ability - exact.ability).max() < 0.01
    assert abs(difficulty.mean()) < 1e-12


def test_mini_batches_keep_noise(responses):
    persons, items = responses.shape
    rng = np.random.default_rng(3)
    gradient = batch_gradient(listed(responses), persons, items, 256, rng)
    ability, _ = adam(gradient, persons, items, steps=1500)
    deviation = ability - fit_complete(responses).ability
    assert 0.02 < np.sqrt(np.mean(deviation**2)) < 1


def test_a_batch_larger_than_the_data_is_the_full_batch(responses):
    persons, items = responses.shape
    data, rng = listed(responses), np.random.default_rng(4)
    point = np.zeros(persons), np.zeros(items)
    batch = batch_gradient(data, persons, items, 10**6, rng)(*point)
    full = listed_gradient(data, persons, items)(*point)
    assert np.allclose(np.concatenate(batch), np.concatenate(full))
