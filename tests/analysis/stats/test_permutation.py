"""Two group means against every dealing of their members: exact fractions, and scipy."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from analysis.stats.permutation import permutation_test
from tests.oracles.read import cases


@pytest.mark.parametrize("case", cases("permutation"), ids=lambda case: case["id"])
def test_it_is_the_enumeration_in_exact_fractions(case):
    groups = [[float(Fraction(value)) for value in group] for group in case["groups"]]
    found = permutation_test(*groups)
    assert found.value == pytest.approx(float(Fraction(case["difference"])), abs=1e-12)
    assert found.p == pytest.approx(float(Fraction(case["p"])), abs=1e-15)
    assert f"all {case['dealings']:,} dealings" in found.method


def test_random_dealings_are_close_to_the_enumeration_of_scipy(monkeypatch):
    monkeypatch.setattr("analysis.stats.permutation.MOST_LISTED", 0)
    rng = np.random.default_rng(5)
    one, two = rng.normal(size=7), rng.normal(0.9, size=7)
    drawn = permutation_test(one, two, resamples=4_000, seed=1)
    peer = stats.permutation_test(
        (one, two),
        lambda a, b, axis: np.abs(a.mean(axis=axis) - b.mean(axis=axis)),
        alternative="greater", n_resamples=10_000, vectorized=True,
    )  # fmt: skip
    assert drawn.seed == 1
    assert drawn.p == pytest.approx(peer.pvalue, abs=4 * np.sqrt(peer.pvalue / 4_000))


def test_groups_too_small_for_a_small_p_say_so():
    assert permutation_test([1, 2], [3, 4]).notes == ("groups this small allow no p below 0.33",)
    assert permutation_test([1, 2, 3, 4], [5, 6, 7, 8]).notes == ()


def test_missing_values_are_left_out_and_an_empty_group_has_no_difference():
    assert permutation_test([1, np.nan, 2], [3, 4]).n == 4
    nothing = permutation_test([np.nan], [1, 2])
    assert (nothing.value, nothing.reason) == (None, "a group has no member")


def test_the_order_of_the_members_changes_nothing():
    rng = np.random.default_rng(7)
    one, two = rng.integers(0, 5, 14) / 4, rng.integers(1, 6, 13) / 4
    found = permutation_test(one, two, resamples=500)
    assert "random" in found.method
    assert permutation_test(one[::-1], np.roll(two, 3), resamples=500) == found
