"""The exact Rasch fit: an independent optimum, margins, anchoring, and what has no optimum."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from analysis.stats.rasch import Margins, Start, fit_complete, fit_margins, margins_of


def simulated(persons, items, seed, *, spread=1.45):
    rng = np.random.default_rng(seed)
    ability, difficulty = rng.normal(0.5, 0.8, persons), rng.normal(0, spread, items)
    chance = 1 / (1 + np.exp(difficulty - ability[:, None]))
    return (rng.random((persons, items)) < chance).astype(np.uint8)


def loss(parameters, responses):
    """The plain negative log-likelihood and its gradient, written without margins."""
    persons = responses.shape[0]
    logits = parameters[:persons, None] - parameters[persons:]
    residual = responses - 1 / (1 + np.exp(-logits))
    value = (np.logaddexp(0, logits) - responses * logits).sum()
    return value, -np.concatenate([residual.sum(axis=1), -residual.sum(axis=0)])


def independent_optimum(responses):
    start = np.zeros(sum(responses.shape))
    options = {"maxiter": 20_000, "maxfun": 40_000, "ftol": 1e-16, "gtol": 1e-10, "maxcor": 50}
    found = minimize(loss, start, (responses,), "L-BFGS-B", jac=True, options=options)
    ability, difficulty = np.split(found.x, [responses.shape[0]])
    return ability - difficulty.mean(), difficulty - difficulty.mean()


def fitted_margins(fit):
    p = 1 / (1 + np.exp(fit.difficulty - fit.ability[:, None]))
    return p.sum(axis=1), p.sum(axis=0)


@pytest.mark.parametrize(("persons", "items", "seed"), [(60, 73, 1), (158, 139, 2), (40, 300, 3)])
def test_it_is_the_optimum_of_the_plain_likelihood(persons, items, seed):
    responses = simulated(persons, items, seed)
    fit = fit_complete(responses)
    used = np.isfinite(fit.difficulty)
    ability, difficulty = independent_optimum(responses[:, used].astype(float))
    assert np.abs(fit.ability - ability).max() < 2e-6
    assert np.abs(fit.difficulty[used] - difficulty).max() < 2e-5


def test_the_margins_are_met():
    responses = simulated(300, 500, 4)
    fit = fit_complete(responses[:, ~extreme(responses)])
    scores, totals = fitted_margins(fit)
    kept = responses[:, ~extreme(responses)]
    assert fit.residual < 1e-8
    assert np.abs(scores - kept.sum(axis=1)).max() < 1e-8
    assert np.abs(totals - kept.sum(axis=0)).max() < 1e-8


def extreme(responses):
    totals = responses.sum(axis=0)
    return (totals == 0) | (totals == responses.shape[0])


def test_any_start_leads_to_the_same_optimum():
    margins = margins_of(simulated(158, 342, 5))
    rng = np.random.default_rng(6)
    first = fit_margins(margins)
    for _ in range(5):
        start = Start(rng.normal(0, 2, 158), rng.normal(0, 2, 342))
        again = fit_margins(margins, start=start)
        assert np.abs(again.ability - first.ability).max() < 1e-10


def test_difficulties_have_mean_zero_and_a_shift_changes_no_contrast():
    fit = fit_complete(simulated(100, 80, 7))
    used = np.isfinite(fit.difficulty)
    assert abs(fit.difficulty[used].mean()) < 1e-12
    shifted = fit.ability + 1.7
    contrast = fit.ability[0] - fit.ability[1:]
    assert np.abs((shifted[0] - shifted[1:]) - contrast).max() < 1e-12


def test_the_order_of_persons_and_items_does_not_matter():
    responses = simulated(50, 60, 8)
    rng = np.random.default_rng(9)
    people, items = rng.permutation(50), rng.permutation(60)
    fit, moved = fit_complete(responses), fit_complete(responses[np.ix_(people, items)])
    assert np.allclose(fit.ability[people], moved.ability, atol=1e-10)
    assert np.allclose(fit.difficulty[items], moved.difficulty, atol=1e-10)


def test_turning_every_answer_round_turns_the_sign():
    responses = simulated(50, 60, 10)
    fit, turned = fit_complete(responses), fit_complete(1 - responses)
    assert np.allclose(fit.ability, -turned.ability, atol=1e-10)


def test_information_is_that_of_the_model():
    fit = fit_complete(simulated(50, 60, 11))
    used = np.isfinite(fit.difficulty)
    p = 1 / (1 + np.exp(fit.difficulty[used] - fit.ability[:, None]))
    assert np.allclose(fit.information, (p * (1 - p)).sum(axis=1), rtol=1e-9)


def test_probabilities_are_fitted_like_answers():
    rng = np.random.default_rng(12)
    ability, difficulty = rng.normal(0, 1, 40), rng.normal(0, 1, 30)
    difficulty -= difficulty.mean()
    chance = 1 / (1 + np.exp(difficulty - ability[:, None]))
    fit = fit_complete(chance)
    assert np.abs(fit.ability - ability).max() < 1e-9
    assert np.abs(fit.difficulty - difficulty).max() < 1e-9


def test_extreme_items_and_persons_are_infinite_and_change_nothing_else():
    inner = simulated(60, 50, 13, spread=0.7)
    assert not extreme(inner).any()
    everyone = np.ones((60, 1), dtype=np.uint8)
    wide = np.hstack([inner, everyone, 1 - everyone])
    perfect = np.ones((1, 52), dtype=np.uint8)
    perfect[0, 51] = 0
    fit, plain = fit_complete(np.vstack([wide, perfect])), fit_complete(inner)
    assert fit.difficulty[50] == -np.inf
    assert fit.difficulty[51] == np.inf
    assert fit.ability[60] == np.inf
    assert (fit.extreme_items, fit.extreme_persons) == (2, 1)
    assert np.allclose(fit.ability[:60], plain.ability, atol=1e-10)
    assert fit.information[60] == 0


def test_an_item_counted_twice_is_two_items():
    responses = simulated(60, 40, 14)
    weights = np.ones(40)
    weights[[3, 7]] = 2, 0
    columns = np.repeat(np.arange(40), weights.astype(int))
    totals = responses.sum(axis=0, dtype=float)
    weighted = fit_margins(Margins(responses @ weights, totals, weights))
    doubled = fit_complete(responses[:, columns])
    assert np.allclose(weighted.ability, doubled.ability, atol=1e-9)
    assert np.isnan(weighted.difficulty[7])


@pytest.mark.parametrize("shape", [(1, 5), (5, 1)])
def test_one_person_or_one_item_has_no_fit_and_says_why(shape):
    responses = np.arange(5).reshape(shape) % 2
    assert "fewer than two models or two items" in fit_complete(responses).reason


def strongly_connected(responses):
    persons, items = responses.shape
    arrows = np.zeros((persons + items, persons + items), dtype=np.int8)
    arrows[:persons, persons:] = 1 - responses
    arrows[persons:, :persons] = responses.T
    return connected_components(csr_array(arrows), directed=True, connection="strong")[0] == 1


def in_two_groups(responses):
    """Make the first persons right on the first items and the last wrong on the last ones."""
    person, item = responses.shape[0] // 2, responses.shape[1] // 2
    responses[:person, :item], responses[person:, item:] = 1, 0
    return responses


def test_there_is_a_fit_exactly_where_the_graph_of_answers_is_strongly_connected():
    rng = np.random.default_rng(15)
    found = {True: 0, False: 0}
    for turn in range(1_200):
        responses = rng.integers(0, 2, rng.integers(4, 9, 2))
        responses = in_two_groups(responses) if turn % 2 else responses
        fit = fit_complete(responses)
        if not np.isinf(fit.ability).any() and not np.isinf(fit.difficulty).any():
            assert (fit.reason is None) == strongly_connected(responses)
            found[fit.reason is None] += 1
    assert min(found.values()) > 20


def conditional_loss(difficulty, totals, score_counts):
    """Negative conditional log-likelihood through elementary symmetric functions, and gradient."""
    ease, n = np.exp(-difficulty), difficulty.size
    without = np.zeros((n, n + 1))
    without[:, 0] = 1.0
    for item in range(n):
        others = np.arange(n) != item
        without[others, 1:] += ease[item] * without[others, :-1]
    gamma = without[0].copy()
    gamma[1:] += ease[0] * without[0, :-1]
    scores = np.arange(n + 1)
    inside = (scores > 0) & (score_counts > 0)
    expected = ease * (without[:, scores[inside] - 1] / gamma[inside] @ score_counts[inside])
    value = totals @ difficulty + score_counts[inside] @ np.log(gamma[inside])
    return value, totals - expected


def test_difficulties_are_conditional_ones_stretched_by_n_over_n_less_one():
    responses = simulated(79, 120, 16)
    responses = responses[:, ~extreme(responses)]
    n = responses.shape[1]
    assert n >= 100
    counts = np.bincount(responses.sum(axis=1), minlength=n + 1).astype(float)
    given = (responses.sum(axis=0).astype(float), counts)
    options = {"maxiter": 5_000, "ftol": 1e-15, "gtol": 1e-8}
    found = minimize(conditional_loss, np.zeros(n), given, "L-BFGS-B", jac=True, options=options)
    conditional = found.x - found.x.mean()
    joint = fit_complete(responses).difficulty
    assert np.abs(joint * (n - 1) / n - conditional).max() < 0.01


def test_two_items_are_stretched_by_two():
    """Two items: joint estimates are twice the conditional log odds (Andersen 1980)."""
    responses = np.repeat([[1, 0], [0, 1]], [30, 10], axis=0)
    fit = fit_complete(responses)
    assert fit.difficulty[1] - fit.difficulty[0] == pytest.approx(2 * np.log(3), abs=1e-9)
