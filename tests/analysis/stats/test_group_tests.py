"""Areas, trends, proportions, multiplicity, equivalence: other programs' values and edges."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from analysis.stats.auc import auc, compare_aucs
from analysis.stats.equivalence import (
    tost_bootstrap,
    tost_one_sample,
    tost_paired,
    tost_two_samples,
)
from analysis.stats.multiplicity import benjamini_hochberg
from analysis.stats.proportions import binomial_test, clopper_pearson, wilson
from analysis.stats.trends import jonckheere, kruskal
from tests.oracles.read import cases, oracle

NAN = float("nan")


def by_id(case):
    return case["id"]


@pytest.mark.parametrize("case", cases("delong"), ids=by_id)
def test_delong_equals_proc(case):
    given, expected = case["input"], case["expected"]
    found = compare_aucs(given["y"], given["s1"], given["s2"])
    one, two = found.first, found.second
    assert [one.value, two.value] == pytest.approx([expected["auc1"], expected["auc2"]], abs=1e-12)
    assert one.variance == pytest.approx(expected["var1"], abs=1e-12)
    assert two.variance == pytest.approx(expected["var2"], abs=1e-12)
    assert found.covariance == pytest.approx(expected["cov"], abs=1e-12)
    assert found.z == pytest.approx(expected["z"], abs=1e-10)
    assert found.p == pytest.approx(expected["p"], abs=1e-12)
    for area, limits in ((one, expected["ci1"]), (two, expected["ci2"])):
        if area.variance == 0:
            assert area.low is None
            assert "separate fully" in area.reason
        else:
            assert [area.low, area.high] == pytest.approx([limits[0], limits[2]], abs=1e-12)


def test_delong_of_scores_that_order_alike_says_that_p_is_a_convention():
    case = next(c for c in cases("delong") if c["id"] == "delong_identical")
    found = compare_aucs(case["input"]["y"], case["input"]["s1"], case["input"]["s2"])
    assert (found.value, found.z, found.p) == (0.0, 0.0, 1.0)
    assert "order the cases alike" in found.notes[0]
    assert found.low is None


def test_area_without_variance_in_the_difference():
    found = compare_aucs([0, 0, 1, 1], [1, 2, 3, 4], [4, 3, 2, 1])
    assert found.value == 1.0
    assert found.p is None
    assert "no variance" in found.reason


@pytest.mark.parametrize(
    ("labels", "scores", "reason"),
    [
        ([1, 1, 1], [1, 2, 3], "3 positive and 0 negative"),
        ([0, 0], [1, 2], "0 positive and 2 negative"),
        ([0, 1], [NAN, NAN], "0 positive and 0 negative"),
    ],
)
def test_area_needs_both_classes(labels, scores, reason):
    found = auc(labels, scores)
    assert found.value is None
    assert reason in found.reason
    assert compare_aucs(labels, scores, scores).value is None


def test_area_of_one_positive_has_no_interval():
    found = auc([1, 0, 0], [2, 1, 3])
    assert found.value == 0.5
    assert "two of each" in found.reason
    both = compare_aucs([1, 0, 0], [2, 1, 3], [3, 1, 2])
    assert both.value == -0.5
    assert both.p is None
    assert both.as_dict()["first"]["n_positive"] == 1


def test_areas_wrong_use():
    with pytest.raises(ValueError, match=r"2\.0 stands among them"):
        auc([0, 1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="must match"):
        auc([0, 1], [1, 2, 3])


@pytest.mark.parametrize("case", cases("jonckheere_exact"), ids=by_id)
def test_jonckheere_moments_equal_full_enumeration(case):
    found = jonckheere(case["groups"])
    assert found.value == float(Fraction(case["J"]))
    assert found.mean == pytest.approx(float(Fraction(case["mean"])), abs=1e-12)
    assert found.variance == pytest.approx(float(Fraction(case["variance"])), abs=1e-12)
    exact = float(Fraction(case["p_increasing_exact"]))
    assert found.p_increasing == pytest.approx(exact, abs=0.06)
    assert found.p_increasing + found.p_decreasing == pytest.approx(1.0)


def test_jonckheere_of_two_groups_is_mann_whitney():
    one, two = [1, 3, 3, 5], [2, 3, 6, 6, 7]
    u = stats.mannwhitneyu(
        two, one, alternative="two-sided", method="asymptotic", use_continuity=False
    )
    found = jonckheere([one, two])
    assert found.value == u.statistic
    assert found.p == pytest.approx(u.pvalue, abs=1e-12)


def test_jonckheere_reverses_with_the_order():
    groups = [[1, 2, 4], [2, 5, 6], [6, 7, 7]]
    up, down = jonckheere(groups), jonckheere(groups[::-1])
    assert up.statistic == pytest.approx(-down.statistic)
    assert up.p_increasing == pytest.approx(down.p_decreasing)


def test_kruskal_equals_scipy():
    groups = [[1, 2, 2, 5], [3, 3, 6], [4, 7, 8, NAN]]
    found = kruskal(groups)
    h, p = stats.kruskal(groups[0], groups[1], groups[2][:3])
    assert (found.statistic, found.p, found.df) == (h, p, 2)
    assert found.n == 10
    assert found.value == pytest.approx(h / 9)


@pytest.mark.parametrize("test", [kruskal, jonckheere])
@pytest.mark.parametrize(
    ("groups", "reason"),
    [
        ([[1, 2]], "1 groups"),
        ([], "0 groups"),
        ([[1, 2], [NAN]], "no values in group 2"),
        ([[3, 3], [3, 3, 3]], "no variation"),
    ],
)
def test_groups_that_cannot_be_compared(test, groups, reason):
    found = test(groups)
    assert found.value is None
    assert found.p is None
    assert reason in found.reason
    assert found.as_dict()["value"] is None


@pytest.mark.parametrize("case", cases("binomial_exact"), ids=lambda c: str(c["input"]))
def test_exact_binomial_equals_r(case):
    given, expected = case["input"], case["expected"]
    k, n, p0 = given["k"], given["n"], given["p0"]
    both = clopper_pearson(k, n)
    assert [both.low, both.high] == pytest.approx(expected["cp95"], rel=1e-11, abs=1e-14)
    lower = clopper_pearson(k, n, side="lower")
    assert lower.low == pytest.approx(expected["lower_one_sided95"], rel=1e-11, abs=1e-14)
    assert lower.high == 1.0
    for name, alternative in (("p_greater", "greater"), ("p_less", "less"), ("p_two", "two-sided")):
        found = binomial_test(k, n, p0, alternative=alternative)
        assert found.p == pytest.approx(expected[name], rel=1e-11)


def test_upper_limit_mirrors_the_lower_one():
    upper = clopper_pearson(3, 20, side="upper")
    lower = clopper_pearson(17, 20, side="lower")
    assert (upper.low, lower.high) == (0.0, 1.0)
    assert upper.high == pytest.approx(1 - lower.low)


@pytest.mark.parametrize("count", [0, 1, 7, 20])
def test_wilson_limits_solve_the_score_equation(count):
    found = wilson(count, 20)
    for limit in (found.low, found.high):
        z = abs(count / 20 - limit)
        assert z == pytest.approx(1.959963984540054 * np.sqrt(limit * (1 - limit) / 20), abs=1e-12)


@pytest.mark.parametrize("interval", [clopper_pearson, wilson, binomial_test])
def test_no_trials_and_wrong_counts(interval):
    found = interval(0, 0)
    assert found.value is None
    assert "no trials" in found.reason
    assert found.as_dict()["count"] == 0
    for count, n in ((5, 3), (-1, 3), (1.5, 3)):
        with pytest.raises(ValueError, match="no count out of"):
            interval(count, n)


def test_proportions_wrong_use():
    with pytest.raises(ValueError, match="95 does not"):
        clopper_pearson(1, 2, confidence=95)
    with pytest.raises(ValueError, match="'left' is unknown"):
        clopper_pearson(1, 2, side="left")
    with pytest.raises(ValueError, match="'more' is unknown"):
        binomial_test(1, 2, alternative="more")
    with pytest.raises(ValueError, match=r"1\.5 does not"):
        binomial_test(1, 2, 1.5)


@pytest.mark.parametrize("case", cases("benjamini_hochberg"), ids=by_id)
def test_benjamini_hochberg_equals_r(case):
    found = benjamini_hochberg(case["p"])
    expected = case["expected"]
    adjusted = expected["adjusted"] if isinstance(expected["adjusted"], list) else [0.04]
    for ours, theirs in zip(found.adjusted, adjusted, strict=True):
        assert ours == (None if theirs is None else pytest.approx(theirs, abs=1e-12))
    if isinstance(expected["reject_05"], list):
        assert list(found.rejected) == expected["reject_05"]


def test_benjamini_hochberg_of_nothing_and_wrong_use():
    assert benjamini_hochberg([]).family == 0
    empty = benjamini_hochberg([None, NAN], ["a", "b"])
    assert (empty.adjusted, empty.family, empty.left_out) == ((None, None), 0, ("a", "b"))
    with pytest.raises(ValueError, match=r"1\.2 of '1' does not"):
        benjamini_hochberg([1.2])
    with pytest.raises(ValueError, match="1 names for 2"):
        benjamini_hochberg([0.1, 0.2], ["a"])


TOST = oracle("tost")
TOST_CALLS = {
    "ind_welch": lambda d, m: tost_two_samples(d["ind"]["x"], d["ind"]["y"], m),
    "ind_pooled": lambda d, m: tost_two_samples(
        d["ind"]["x"], d["ind"]["y"], m, equal_variances=True
    ),
    "paired": lambda d, m: tost_paired(d["paired"]["x"], d["paired"]["y"], m),
    "one": lambda d, m: tost_one_sample(d["one"]["x"], m),
}


@pytest.mark.parametrize("name", TOST_CALLS)
def test_tost_equals_two_t_tests_of_r(name):
    found = TOST_CALLS[name](TOST["input"], (-0.05, 0.05))
    expected = TOST["expected"][name]
    for member in ("p_lower", "p_upper", "t_lower", "t_upper", "df"):
        assert getattr(found, member) == pytest.approx(expected[member], rel=1e-11), member
    assert found.p == pytest.approx(expected["p_tost"], rel=1e-11)
    assert [found.low, found.high] == pytest.approx(expected["ci90"], rel=1e-10)
    assert found.equivalent == (expected["p_tost"] <= 0.05)
    assert found.equivalent == (found.low > -0.05 and found.high < 0.05)


def test_tost_on_a_bootstrap_distribution():
    drawn = np.random.default_rng(3).normal(0.01, 0.02, 1999)
    found = tost_bootstrap(0.01, drawn, 0.05)
    assert found.p_lower == (1 + (drawn <= -0.05).sum()) / 2000
    assert found.p_upper == (1 + (drawn >= 0.05).sum()) / 2000
    assert found.p == max(found.p_lower, found.p_upper)
    assert [found.low, found.high] == np.quantile(drawn, [0.05, 0.95]).tolist()
    assert found.p > 0
    outside = tost_bootstrap(0.01, drawn, (-0.001, 0.001))
    assert outside.equivalent is False


def test_tost_bootstrap_leaves_out_what_has_no_value():
    found = tost_bootstrap(0.0, [0.0, NAN, 0.01], 0.1)
    assert found.n == 2
    assert "1 of 3 replicates" in found.notes[0]
    assert "no distribution" in tost_bootstrap(0.0, [NAN], 0.1).reason


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda: tost_paired([1.0], [2.0], 1), "1 values"),
        (lambda: tost_paired([1.1, 2.1], [1.0, 2.0], 1), "no variation"),
        (lambda: tost_one_sample([], 1), "0 values"),
        (lambda: tost_one_sample([2.0, 2.0, NAN], 1), "no variation"),
        (lambda: tost_two_samples([1.0], [1.0, 2.0], 1), "samples of 1 and 2"),
        (lambda: tost_two_samples([1.0, 1.0], [2.0, 2.0], 1), "no variation"),
    ],
)
def test_tost_says_why_it_is_undefined(call, reason):
    found = call()
    assert found.p is None
    assert found.equivalent is None
    assert reason in found.reason
    assert found.as_dict()["margin"] == [-1.0, 1.0]


def test_tost_needs_a_margin_that_encloses_something():
    with pytest.raises(ValueError, match="encloses nothing"):
        tost_paired([1, 2], [2, 1], 0)
    with pytest.raises(ValueError, match="encloses nothing"):
        tost_bootstrap(0.0, [0.1], (0.2, 0.1))
