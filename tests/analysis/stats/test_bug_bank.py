"""Faults that other programs have had, by their number in the bug bank."""

import json

import pytest

from analysis.stats.agreement import COEFFICIENTS
from analysis.stats.alpha import krippendorff_alpha
from analysis.stats.association import spearman
from analysis.stats.disagreement import alpha_without_each_rater
from analysis.stats.kappa import cohen_kappa, fleiss_kappa
from analysis.stats.multiplicity import benjamini_hochberg
from analysis.stats.ratings import Ratings

NAN = float("nan")


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_o22_alpha_of_one_label_is_undefined_and_shows_its_observed_agreement(level):
    found = krippendorff_alpha([[2, 2, 2, 2]] * 3, level)
    assert found.value is None
    assert "no variation" in found.reason
    assert found.percent_agreement == 1.0
    assert (found.n, found.n_items, found.n_raters) == (12, 4, 3)
    assert json.loads(json.dumps(found.as_dict(), allow_nan=False))["value"] is None


def test_o22_kappas_of_one_label_are_undefined_and_show_their_observed_agreement():
    cohen = cohen_kappa([1, 1, 1], [1, 1, 1], labels=[1, 2])
    fleiss = fleiss_kappa([[1, 1]] * 7)
    for found, n in ((cohen, 3), (fleiss, 2)):
        assert found.value is None
        assert "no variation" in found.reason
        assert (found.observed, found.n) == (1.0, n)
        json.dumps(found.as_dict(), allow_nan=False)


@pytest.mark.parametrize("rows", [(0, 1, 2), (0, 2)])
def test_o23_one_deviation_gives_an_alpha_of_zero_and_the_page_can_show_why(rows):
    table = [[3, 3, 3, 3, 3], [3, 3, 3, 3, 3], [3, 3, 3, 1, 3]]
    found = krippendorff_alpha([table[row] for row in rows], "nominal")
    assert found.value == pytest.approx(0.0, abs=1e-12)
    disagreement = 2 / 15 if len(rows) == 3 else 0.2
    assert found.percent_agreement == pytest.approx(1 - disagreement)
    assert found.distribution == ((1.0, 1), (3.0, 5 * len(rows) - 1))
    assert any("same label" in note for note in found.notes)


def test_o23_alpha_without_the_one_who_deviates_is_undefined_not_one():
    found = alpha_without_each_rater([[3, 3, 3, 3, 3], [3, 3, 3, 3, 3], [3, 3, 3, 1, 3]], "nominal")
    assert found[0].value == pytest.approx(0.0, abs=1e-12)
    assert found[2].value is None


@pytest.mark.parametrize(
    ("x", "y", "rho", "n"),
    [
        ([1, 2, 2, 3, 5, 5, 4], [2, 2, 1, 3, 4, 5, 5], 0.8333333333, 7),
        ([2, 1, 1, 1, 1], [1, 2, 2, 2, 2], -1.0, 5),
        ([1, 2, NAN, 2, 4, 5], [2, 1, 3, NAN, 4, 4], 0.7378647874, 4),
    ],
)
def test_o24_spearman_with_ties_and_missing_values(x, y, rho, n):
    found = spearman(x, y)
    assert found.value == pytest.approx(rho, abs=1e-10)
    assert found.n == n


def test_o24_spearman_of_a_constant_is_undefined():
    found = spearman([3, 3, 3, 3], [1, 2, 3, 4])
    assert found.value is None
    assert found.reason.startswith("constant input")


def test_o25_benjamini_hochberg_with_an_undefined_p():
    found = benjamini_hochberg([0.01, 0.04, NAN, 0.03], ["h1", "h2", "h3", "h4"])
    assert found.adjusted == (pytest.approx(0.03), pytest.approx(0.04), None, pytest.approx(0.04))
    assert found.family == 3
    assert found.names == ("h1", "h2", "h3", "h4")
    assert found.left_out == ("h3",)
    assert found.rejected == (True, True, None, True)


def test_o22_no_coefficient_is_silent_about_one_label():
    for each in COEFFICIENTS.values():
        found = each.compute(Ratings.from_matrix([[2, 2], [2, 2]]))
        assert found.value is None or each.label == "percent agreement"
