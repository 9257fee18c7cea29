"""Each diagnostic finds the world it was made for, and its sentence says so."""

import numpy as np
import pytest

from analysis.pipelines.irt import diagnostics
from analysis.pipelines.irt.bootstrap import with_replicates
from analysis.pipelines.irt.fits import fit_all
from analysis.pipelines.irt.gap_grid import GapGrid
from analysis.pipelines.irt.gaps import gaps_of
from analysis.pipelines.irt.simulate import World, simulate
from tests.analysis.pipelines.irt.studies import small


def world(seed=3, models=40, items=500, knowledge=0.0, **features):
    """A study in which Local is Global plus `knowledge`, and nothing else happens but `features`."""
    rng = np.random.default_rng(seed)
    base = rng.normal(-0.8, 0.3, (models, 1))
    points = np.stack([base, base + knowledge, np.full_like(base, knowledge)])
    truth = GapGrid(tuple(f"m{i}" for i in range(models)), ("ZH",), points)
    answers = simulate(truth, items, {"ZH": items}, rng, World(least=-9, **features))
    fits = fit_all(answers)
    return fits, gaps_of(fits)


def mean_knowledge(gaps):
    return float(np.nanmean(gaps.grid.points[2]))


def test_the_slope_is_least_squares_with_the_interval_of_the_replicates():
    fits = fit_all(small())
    gaps = with_replicates(gaps_of(fits), fits, 50, 1)
    found = diagnostics.slope_of_local(gaps.grid)
    x, y = (gaps.grid.points[i].ravel() for i in range(2))
    slope, intercept = np.polyfit(x, y, 1)
    assert found.numbers["slope"].value == pytest.approx(slope)
    assert found.numbers["intercept"].value == pytest.approx(intercept)
    by_hand = [np.polyfit(r[0].ravel(), r[1].ravel(), 1)[0] for r in gaps.grid.replicates]
    low, high = np.quantile(by_hand, [0.025, 0.975])
    assert (found.numbers["slope"].low, found.numbers["slope"].high) == pytest.approx((low, high))
    assert "credits Knowledge" in found.sentence or "takes from Knowledge" in found.sentence


def test_a_slope_of_one_is_said_to_be_harmless():
    base = np.linspace(-1.5, -0.2, 6).reshape(3, 2)
    grid = GapGrid(("a", "b", "c"), ("X", "Y"), np.stack([base, base + 0.8, np.full((3, 2), 0.8)]))
    assert "does not lean on that assumption" in diagnostics.slope_of_local(grid).sentence


def test_a_slope_needs_three_cells():
    grid = GapGrid(("a",), ("X", "Y"), np.array([[[0.1, 0.2]], [[0.3, 0.1]], [[0.2, -0.1]]]))
    found = diagnostics.slope_of_local(grid)
    assert found.numbers["slope"].value is None
    assert "not defined here" in found.sentence


def test_independent_answers_have_uncorrelated_residuals():
    found = diagnostics.residual_correlation(world()[0])
    assert abs(found.numbers["CA"].value) < 0.05
    assert "close to independent" in found.sentence


def test_strengths_of_a_model_on_single_items_show_as_correlation():
    found = diagnostics.residual_correlation(world(interaction=1.0)[0])
    assert found.numbers["CA"].value > 0.1
    assert found.numbers["CS_ZH"].value > 0.1
    assert "shrunk" in found.sentence


def test_a_correlation_below_zero_in_a_tiny_study_is_not_called_independence():
    found = diagnostics.residual_correlation(world(models=4, items=12)[0])
    assert min(n.value for n in found.numbers.values()) < -0.05
    assert "few models or few items make by themselves" in found.sentence
    assert "close to independent" not in found.sentence


def test_weaker_specific_items_make_knowledge_out_of_nothing_and_the_diagnostic_undoes_it():
    fits, gaps = world(discrimination=0.7, items=1500)
    assert mean_knowledge(gaps) > 0.15
    found = diagnostics.unequal_discrimination(fits, gaps.grid)
    assert abs(found.numbers["knowledge_if_0.7"].value) < 0.06
    assert found.numbers["knowledge_is_zero_at"].value == pytest.approx(0.7, abs=0.06)
    assert "the mean Knowledge would be zero" in found.sentence


def test_the_spread_of_abilities_shows_the_discrimination_when_the_worlds_agree():
    fits, _ = world(discrimination=0.5, models=150)
    halved = diagnostics.spread_ratio(fits).value
    plain = diagnostics.spread_ratio(world(models=150)[0]).value
    assert halved / plain == pytest.approx(0.5, abs=0.06)


def test_a_positive_local_gap_cannot_be_made_by_discrimination_alone():
    fits, gaps = world(knowledge=1.2)
    found = diagnostics.unequal_discrimination(fits, gaps.grid)
    assert "knowledge_is_zero_at" not in found.numbers
    assert "alone could not produce" in found.sentence


def test_guessing_is_undone_by_the_floor():
    fits, gaps = world(floor=0.25, knowledge=0.8, items=1000, models=60)
    found = diagnostics.guessing_floor(fits, gaps.grid, 0.25)
    with_floor, plain = found.numbers["knowledge"], found.numbers["knowledge_without_floor"]
    assert abs(with_floor.value - 0.8) < abs(plain.value - 0.8)
    assert with_floor.value == pytest.approx(0.8, abs=0.08)
    assert "instead of" in found.sentence


def test_all_four_are_made():
    fits, gaps = world(models=12, items=80)
    keys = [d.key for d in diagnostics.diagnose(fits, gaps, 0.2)]
    assert keys == ["slope", "residual_correlation", "discrimination", "floor"]
