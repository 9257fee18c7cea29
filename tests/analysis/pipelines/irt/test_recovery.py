"""At the published size (79 models, 13 locales, 3.2 million answers), with known truth."""

import numpy as np
import pytest
from scipy.optimize import minimize

from analysis.pipelines.irt.bootstrap import with_replicates
from analysis.pipelines.irt.fits import fit_all
from analysis.pipelines.irt.gaps import gaps_of
from tests.analysis.pipelines.irt.studies import paper_sized, published_truth
from tests.analysis.stats.test_rasch import loss

# One worker makes the data sets, once.
pytestmark = pytest.mark.xdist_group("irt published size")
RUNS, BOOTSTRAPPED, REPLICATES = 8, 3, 200


@pytest.fixture(scope="module")
def first():
    """One data set and its fit."""
    answers = paper_sized(0)
    return answers, fit_all(answers)


@pytest.fixture(scope="module")
def runs():
    """Estimates and closed-form errors of several data sets, each (3, models, locales)."""
    made = [gaps_of(fit_all(paper_sized(seed))) for seed in range(RUNS)]
    return np.stack([g.grid.points for g in made]), np.stack([g.errors for g in made])


@pytest.fixture(scope="module")
def spreads():
    """Standard deviations over the replicates of some of them, each (3, models, locales)."""
    made = []
    for seed in range(BOOTSTRAPPED):
        fits = fit_all(paper_sized(seed))
        drawn = with_replicates(gaps_of(fits), fits, REPLICATES, 7).grid.replicates
        made.append(np.nanstd(drawn, axis=0))
    return np.stack(made)


def test_the_size_is_the_published_one(first):
    answers, _ = first
    assert answers.given == 3_238_842
    assert sum(len(block.items) for block in answers.blocks) == 8_151
    assert (len(answers.models), len(answers.specific)) == (79, 13)


def test_estimates_lie_at_their_standard_error_from_the_truth(runs):
    points, errors = runs
    deviation = points - published_truth().points
    ratio = np.sqrt(
        np.nanmean(deviation**2, axis=(0, 2, 3)) / np.nanmean(errors**2, axis=(0, 2, 3))
    )
    assert np.abs(ratio - 1).max() < 0.05
    assert np.isfinite(points).mean() > 0.999


def test_joint_estimates_are_stretched_by_less_than_two_percent(runs):
    points, truth = runs[0], published_truth().points
    for gap in range(2):
        known = np.isfinite(points[:, gap])
        wanted = np.broadcast_to(truth[gap], points[:, gap].shape)[known]
        slope = (points[:, gap][known] @ wanted) / (wanted @ wanted)
        assert abs(slope - 1) < 0.02


def test_closed_intervals_cover_nineteen_in_twenty(runs):
    points, errors = runs
    inside = np.abs(points - published_truth().points) < 1.959964 * errors
    for gap in range(3):
        coverage = inside[:, gap][np.isfinite(points[:, gap])].mean()
        assert 0.94 < coverage < 0.96


def test_the_margins_are_met(first):
    assert first[1].residual < 1e-8


def test_the_largest_block_is_at_an_independent_optimum(first):
    """Plain likelihood of 1,106 x 2,058 answers, started nearby: quasi-Newton must not move it."""
    fit = first[1].agnostic["FR"]
    flat, _ = fit.block.flat()
    used = np.isfinite(fit.fit.difficulty)
    answers = flat[:, used].astype(float)
    # In units of a parameter's own error, as its share of right answers has it, a step fits all.
    shares = np.concatenate([answers.mean(axis=1), answers.mean(axis=0)])
    counts = np.repeat(answers.shape[::-1], answers.shape)
    units = 1 / np.sqrt(counts * shares * (1 - shares))
    rng = np.random.default_rng(1)
    start = np.concatenate([fit.fit.ability, fit.fit.difficulty[used]])
    start = start + rng.normal(0, 0.05, start.size)

    def scaled(parameters):
        value, slope = loss(parameters * units, answers)
        return value, slope * units

    options = {"maxiter": 400, "maxfun": 600, "ftol": 1e-16, "gtol": 1e-8, "maxcor": 40}
    found = minimize(scaled, start / units, method="L-BFGS-B", jac=True, options=options)
    ability, difficulty = np.split(found.x * units, [answers.shape[0]])
    assert np.abs(start[: ability.size] - fit.fit.ability).max() > 0.1
    assert np.abs(ability - difficulty.mean() - fit.fit.ability).max() < 2e-6


@pytest.mark.slow
def test_bootstrap_errors_are_those_of_the_information_where_the_model_holds(runs, spreads):
    ratio = spreads[0] / runs[1][0]
    for gap in range(3):
        assert abs(np.nanmean(ratio[gap]) - 1) < 0.03


@pytest.mark.slow
def test_bootstrap_intervals_cover_nineteen_in_twenty(runs, spreads):
    deviation = np.abs(runs[0][:BOOTSTRAPPED] - published_truth().points)
    coverage = (deviation < 1.959964 * spreads).mean(axis=(0, 2, 3))
    assert ((coverage > 0.94) & (coverage < 0.96)).all()
