"""Kappa and AC: labels, missing ratings, wrong use."""

import pytest

from analysis.stats.gwet import gwet_ac, scale_weights
from analysis.stats.kappa import cohen_kappa

NAN = float("nan")


def test_linear_weights_go_by_the_declared_scale():
    """Labels 1, 2, 5 of a five-point scale: positions among the used ones would give 0.625."""
    first, second = [1, 2, 5, 1, 2, 5], [1, 2, 5, 2, 5, 5]
    whole = cohen_kappa(first, second, labels=[1, 2, 3, 4, 5], weights="linear")
    used = cohen_kappa(first, second, labels=[1, 2, 5], weights="linear")
    assert whole.value != pytest.approx(used.value, abs=0.01)


def test_an_item_that_one_of_two_missed_is_left_out():
    found = cohen_kappa([1, 2, 1, NAN, 2], [1, 2, 2, 1, None], labels=[1, 2])
    assert found.n == 3
    assert found.value == pytest.approx(cohen_kappa([1, 2, 1], [1, 2, 2], labels=[1, 2]).value)


def test_no_common_item():
    found = cohen_kappa([1, NAN], [NAN, 1], labels=[1, 2])
    assert found.value is None
    assert found.n == 0


def test_one_constant_rater_has_a_kappa_of_zero_but_no_test():
    found = cohen_kappa([1, 1, 1, 1], [1, 2, 1, 2], labels=[1, 2])
    assert found.value == pytest.approx(0.0)
    assert (found.p, found.se0) == (None, None)
    assert "standard error from this table is 0" in found.reason


def test_words_and_their_order():
    found = cohen_kappa(
        ["low", "mid", "high"],
        ["low", "high", "high"],
        labels=["low", "mid", "high"],
        weights="quadratic",
    )
    assert found.value == pytest.approx(
        cohen_kappa([0, 1, 2], [0, 2, 2], labels=[0, 1, 2], weights="quadratic").value
    )
    assert set(found.as_dict()) >= {"value", "observed", "expected", "se", "se0"}


def test_ac_of_a_single_item_has_no_interval():
    found = gwet_ac([[1], [2]], labels=[1, 2])
    assert found.value == pytest.approx(-1.0)
    assert "two items" in found.reason


def test_ac_where_every_item_agrees_alike_has_no_interval():
    found = gwet_ac([[1, 2], [1, 2]])
    assert found.value == 1.0
    assert found.low is None
    assert "variance is 0" in found.reason


def test_wrong_use():
    with pytest.raises(ValueError, match="'cubic' are unknown"):
        scale_weights(3, "cubic")
    with pytest.raises(ValueError, match=r"shapes \(2,\) and \(3,\)"):
        cohen_kappa([1, 2], [1, 2, 3], labels=[1, 2, 3])
    with pytest.raises(ValueError, match=r"7.0 is not among the labels \[1.0, 2.0\]"):
        cohen_kappa([1, 7], [1, 2], labels=[1, 2])
