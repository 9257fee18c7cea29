"""At the published size (79 models, 13 locales, 3.2 million answers), with known truth."""

import time

import numpy as np
import pytest
from scipy.optimize import minimize

from analysis.pipelines.irt.bootstrap import with_replicates
from analysis.pipelines.irt.fits import fit_all
from analysis.pipelines.irt.gaps import gaps_of
from tests.analysis.pipelines.irt.studies import paper_sized, published_truth
from tests.analysis.stats.test_rasch import loss

RUNS = 8


@pytest.fixture(scope="module")
def runs():
    """Estimates and closed-form errors of several data sets, each (3, models, locales)."""
    made = [gaps_of(fit_all(paper_sized(seed))) for seed in range(RUNS)]
    return np.stack([g.grid.points for g in made]), np.stack([g.errors for g in made])


def test_the_size_is_the_published_one():
    answers = paper_sized(0)
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


def test_the_margins_are_met_and_the_fit_takes_less_than_a_tenth_of_a_second():
    answers = paper_sized(0)
    fit_all(answers)
    spent = []
    for _ in range(3):
        before = time.process_time()
        fits = fit_all(answers)
        spent.append(time.process_time() - before)
    assert fits.residual < 1e-8
    assert min(spent) < 0.1


@pytest.mark.slow
def test_the_largest_block_is_at_an_independent_optimum():
    """Plain likelihood of 1,106 x 2,058 answers, started nearby: quasi-Newton must not move it."""
    answers = paper_sized(0)
    fit = fit_all(answers).agnostic["FR"]
    flat, _ = fit.block.flat()
    used = np.isfinite(fit.fit.difficulty)
    rng = np.random.default_rng(1)
    start = np.concatenate([fit.fit.ability, fit.fit.difficulty[used]])
    start = start + rng.normal(0, 0.05, start.size)
    options = {"maxiter": 400, "maxfun": 600, "ftol": 1e-16, "gtol": 1e-8, "maxcor": 40}
    found = minimize(
        loss, start, (flat[:, used].astype(float),), "L-BFGS-B", jac=True, options=options
    )
    ability = found.x[: flat.shape[0]] - found.x[flat.shape[0] :].mean()
    assert np.abs(ability - fit.fit.ability).max() < 2e-6


@pytest.mark.slow
def test_bootstrap_errors_are_those_of_the_information_where_the_model_holds():
    fits = fit_all(paper_sized(0))
    gaps = with_replicates(gaps_of(fits), fits, 200, 7)
    ratio = np.nanstd(gaps.grid.replicates, axis=0) / gaps.errors
    for gap in range(3):
        assert abs(np.nanmean(ratio[gap]) - 1) < 0.03


@pytest.mark.slow
def test_bootstrap_intervals_cover_nineteen_in_twenty():
    inside = []
    for seed in range(3):
        fits = fit_all(paper_sized(seed))
        grid = with_replicates(gaps_of(fits), fits, 200, 7).grid
        spread = np.nanstd(grid.replicates, axis=0)
        inside.append(np.abs(grid.points - published_truth().points) < 1.959964 * spread)
    coverage = np.stack(inside).mean(axis=(0, 2, 3))
    assert ((coverage > 0.94) & (coverage < 0.96)).all()
