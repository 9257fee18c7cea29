"""The fit with a guessing floor: the plain one at zero, an independent optimum, and recovery."""

import numpy as np
import pytest
from scipy.optimize import minimize

from analysis.stats.rasch import fit_complete
from analysis.stats.rasch_floor import fit_with_floor
from tests.analysis.stats.test_rasch import extreme, simulated


def everything(responses):
    return np.ones(responses.shape, dtype=bool)


def guessed(persons, items, floor, seed):
    rng = np.random.default_rng(seed)
    ability, difficulty = rng.normal(1.0, 0.8, persons), rng.normal(0, 1, items)
    chance = floor + (1 - floor) / (1 + np.exp(difficulty - ability[:, None]))
    return (rng.random(chance.shape) < chance).astype(np.uint8), ability


def test_without_a_floor_it_is_the_plain_fit():
    responses = simulated(60, 80, 1)
    with_floor, plain = (
        fit_with_floor(responses, everything(responses), 0.0),
        fit_complete(responses),
    )
    assert np.allclose(with_floor.ability, plain.ability, atol=1e-5)
    assert np.allclose(with_floor.information, plain.information, rtol=1e-4)


def test_no_other_parameters_are_likelier():
    responses, _ = guessed(40, 60, 0.25, 2)
    responses = responses[:, ~extreme(responses)]
    fit = fit_with_floor(responses, everything(responses), 0.25)
    assert np.isfinite(fit.ability).all()
    assert np.isfinite(fit.difficulty).all()

    def loss(parameters):
        logits = parameters[:40, None] - parameters[40:]
        chance = 0.25 + 0.75 / (1 + np.exp(-logits))
        return -np.where(responses, np.log(chance), np.log(1 - chance)).sum()

    found = np.concatenate([fit.ability, fit.difficulty])
    better = minimize(loss, found, method="L-BFGS-B", options={"maxiter": 200})
    assert loss(found) - better.fun < 1e-4


def test_it_recovers_abilities_that_the_plain_fit_compresses():
    responses, ability = guessed(80, 800, 0.25, 3)
    centred = ability - ability.mean()

    def slope(fit):
        return (fit.ability - fit.ability.mean()) @ centred / (centred @ centred)

    assert slope(fit_with_floor(responses, everything(responses), 0.25)) == pytest.approx(
        1, abs=0.04
    )
    assert slope(fit_complete(responses)) < 0.9


def test_a_person_below_chance_has_no_finite_ability():
    responses, _ = guessed(30, 200, 0.25, 4)
    responses[0] = np.arange(200) % 10 == 0
    assert fit_with_floor(responses, everything(responses), 0.25).ability[0] == -np.inf


@pytest.mark.parametrize("floor", [-0.1, 1.0])
def test_an_impossible_floor_is_refused(floor):
    with pytest.raises(ValueError, match="guessing floor must lie in"):
        fit_with_floor(np.eye(3), np.ones((3, 3), dtype=bool), floor)
