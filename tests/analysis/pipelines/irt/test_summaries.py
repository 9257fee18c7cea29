"""Summaries of a gap grid: worked by hand, and the same functional of every replicate."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.pipelines.irt import summaries
from analysis.pipelines.irt.gap_grid import GapGrid, estimate, grid_of_table
from analysis.pipelines.irt.summaries import Region

MODELS, LOCALES = ("a", "b", "c"), ("X", "Y")


def grid(replicates=None):
    base = np.array([[-0.5, -1.0], [-0.3, -0.8], [-0.1, -0.6]])
    local = np.array([[0.4, -0.2], [0.2, 0.0], [0.0, 0.2]])
    points = np.stack([base, local, local - base])
    return GapGrid(MODELS, LOCALES, points, replicates, seed=7)


def drawn(count=200, spread=0.1):
    noise = np.random.default_rng(1).normal(0, spread, (count, 3, 3, 2))
    return grid(grid().points + noise)


def values(contrast):
    return contrast.inside.value, contrast.outside.value, contrast.difference.value


def test_a_table_becomes_a_grid_and_a_missing_cell_stays_undefined():
    rows = [("a", "X", 1.0, 2.0, 1.0), ("a", "Y", 3.0, 5.0, 2.0), ("b", "X", 0.5, 1.0, 0.5)]
    made = grid_of_table(
        pd.DataFrame(rows, columns=["model", "locale", "global", "local", "knowledge"])
    )
    assert made.models == ("a", "b")
    assert made.points[1].tolist()[0] == [2.0, 5.0]
    assert np.isnan(made.points[:, 1, 1]).all()
    assert summaries.overall_means(made)["global"].value == pytest.approx(1.5)
    assert summaries.overall_means(made)["global"].n == 3


def test_means_by_level_locale_and_model():
    levels = summaries.level_means(grid(), {"X": 4, "Y": 1})
    assert list(levels) == [1, 4]
    assert levels[4]["global"].value == pytest.approx(-0.3)
    assert levels[1]["knowledge"].value == pytest.approx(0.8)
    assert summaries.locale_means(grid())["Y"]["global"].value == pytest.approx(-0.8)
    assert summaries.model_means(grid())["c"]["local"].value == pytest.approx(0.1)


def test_home_advantage_compares_on_the_home_locales_only():
    table = summaries.home_advantage(grid(), {"R": Region(("a",), ("X",))})
    assert values(table["R"]["local"]) == pytest.approx((0.4, 0.1, 0.3))
    assert values(table["R"]["knowledge"]) == pytest.approx((0.9, 0.3, 0.6))


def test_an_adapted_model_is_compared_with_the_baseline_on_its_locale():
    table = summaries.adaptation_effects(grid(), {"c": "Y"}, ["a", "b"])
    assert values(table["c"]["global"]) == pytest.approx((-0.6, -0.9, 0.3))
    mean = summaries.mean_adaptation(grid(), {"c": "Y"}, ["a", "b"])
    assert values(mean["global"]) == pytest.approx((-0.6, -0.9, 0.3))


def test_the_mean_over_adapted_models_is_taken_within_each_replicate():
    whole = drawn(400)
    both = {"c": "Y", "b": "X"}
    mean = summaries.mean_adaptation(whole, both, ["a"])["local"]
    rows = summaries.adaptation_effects(whole, both, ["a"])
    each = [values(rows[model]["local"]) for model in both]
    assert values(mean) == pytest.approx(tuple(np.mean(each, axis=0)))
    k, a = whole.replicates[:, 1], whole.models.index("a")
    differences = np.mean(
        [k[:, whole.models.index(m), whole.locales.index(x)] - k[:, a, whole.locales.index(x)]
         for m, x in both.items()], axis=0,
    )  # fmt: skip
    assert (mean.difference.low, mean.difference.high) == pytest.approx(
        tuple(np.quantile(differences, [0.025, 0.975]))
    )


def test_without_a_defined_row_there_is_no_mean_of_the_adapted():
    table = summaries.adaptation_effects(grid(), {"c": "Z"}, ["a", "b"])
    assert table["c"]["global"].inside.value is None
    assert "no cell of it is defined" in table["c"]["global"].inside.reason
    mean = summaries.mean_adaptation(grid(), {"c": "Z"}, ["a", "b"])["global"]
    assert mean.difference.reason == "one of the models has no defined cell"
    assert summaries.mean_adaptation(grid(), {}, ["a"]) == {}


def test_a_zero_is_not_positive():
    assert summaries.share_positive(grid(), "local").value == pytest.approx(3 / 6)


def test_the_share_above_zero_has_no_interval_since_replicates_lie_beside_it():
    small = replace(drawn(spread=0.5), points=np.full((3, 3, 2), 0.2))
    small = replace(small, replicates=small.points + drawn(spread=0.5).replicates - grid().points)
    found = summaries.share_positive(small, "knowledge")
    shares = (small.replicates[:, 2] > 0).mean(axis=(1, 2))
    assert found.value == 1
    assert np.quantile(shares, 0.975) <= found.value
    assert shares.mean() < 0.8
    assert (found.low, found.high) == (None, None)
    assert found.reason.startswith("no interval: replicates carry the error twice")


def test_the_slope_on_size_is_least_squares():
    sizes = {"a": 1.0, "b": 10.0, "c": 100.0}
    assert summaries.size_trend(grid(), sizes, "global").value == pytest.approx(0.2)
    lacking = summaries.size_trend(grid(), {"a": 1.0}, "global")
    assert lacking.value is None
    assert "fewer than three models" in lacking.reason


def test_the_correlation_with_level_needs_three_locales():
    found = summaries.level_correlations(grid(), {"X": 4, "Y": 1})["global"]
    assert "needs three locales" in found.reason


def test_the_interval_is_that_of_the_same_functional_of_each_replicate():
    made = drawn()
    found = summaries.level_means(made, {"X": 4, "Y": 1})[4]["local"]
    by_hand = made.replicates[:, 1, :, 0].mean(axis=1)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(by_hand, [0.025, 0.975])))
    contrast = summaries.home_advantage(made, {"R": Region(("a",), ("X",))})["R"]["local"]
    inside, outside = made.replicates[:, 1, 0, 0], made.replicates[:, 1, 1:, 0].mean(axis=1)
    expected = np.quantile(inside - outside, [0.025, 0.975])
    assert (contrast.difference.low, contrast.difference.high) == pytest.approx(tuple(expected))
    assert found.seed == 7


def test_a_subset_of_models_keeps_its_replicates():
    made = drawn().of_models(["c", "a"])
    assert made.replicates.shape == (200, 3, 2, 2)
    assert np.array_equal(made.points[:, 1], grid().points[:, 0])


def test_undefined_replicates_are_counted_and_too_many_leave_no_interval():
    made = drawn()
    few, many = made.replicates.copy(), made.replicates.copy()
    few[:4], many[:40] = np.nan, np.nan
    kept = summaries.overall_means(replace(made, replicates=few))["local"]
    assert kept.low is not None
    assert kept.notes == ("4 replicates were undefined and left out",)
    lost = summaries.overall_means(replace(made, replicates=many))["local"]
    assert lost.low is None
    assert lost.reason == "no interval: undefined in 40 of 200 replicates"


def test_an_undefined_point_has_its_reason():
    found = estimate(float("nan"), None, n=0, what="mean", reason="nobody answered")
    assert (found.value, found.reason) == (None, "nobody answered")
