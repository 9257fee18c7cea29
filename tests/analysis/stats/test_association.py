"""Rank association and dependent correlations, against other programs and at their edges."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from analysis.stats.association import (
    correlation_of,
    correlation_p,
    partial_spearman,
    spearman,
    spearman_interval,
    weighted_spearman,
)
from analysis.stats.concordance import concordance_from_spearman, kendall_w
from analysis.stats.correlated import meng_z, steiger_z, williams_power, williams_t
from tests.oracles.read import cases, oracle

NAN = float("nan")
BOOTSTRAP = oracle("spearman")["cluster_bootstrap"]


def by_id(case):
    return case["id"]


@pytest.mark.parametrize("case", cases("spearman"), ids=by_id)
def test_spearman_equals_r(case):
    found = spearman(case["input"]["x"], case["input"]["y"])
    expected = case["expected"]
    assert found.n == len(case["input"]["x"])
    if expected["rho"] is None:
        assert found.value is None
        assert found.reason.startswith("constant input")
        return
    assert found.value == pytest.approx(expected["rho"], abs=1e-12)
    assert found.p == pytest.approx(expected["p_t"], rel=1e-10)


def draws_as_weights(draws, group):
    """Return the multiplicity of each row under each list of drawn clusters."""
    counts = np.stack([np.bincount(d, minlength=max(group) + 1) for d in np.asarray(draws)])
    return counts[:, group]


def test_weighted_spearman_equals_the_row_bootstrap_of_r_on_the_same_draws():
    given = BOOTSTRAP["input"]
    item = np.array(given["item"])
    drawn = weighted_spearman(given["x"], given["y"], draws_as_weights(given["draws"], item))
    assert drawn == pytest.approx(BOOTSTRAP["all_replicates"], abs=1e-12)
    assert drawn[:5] == pytest.approx(BOOTSTRAP["expected"]["boot_rows_first5"], abs=1e-12)
    limits = np.quantile(drawn, [0.025, 0.975])
    assert limits == pytest.approx(BOOTSTRAP["expected"]["ci_rows"], abs=1e-12)
    whole = spearman(given["x"], given["y"]).value
    assert whole == pytest.approx(BOOTSTRAP["expected"]["rho_rows"], abs=1e-12)


def test_weighted_spearman_of_item_means_equals_r():
    given, expected = BOOTSTRAP["input"], BOOTSTRAP["expected"]
    item = np.array(given["item"])
    size = np.bincount(item)
    x, y = (np.bincount(item, weights=given[k]) / size for k in "xy")
    assert spearman(x, y).value == pytest.approx(expected["rho_item_means"], abs=1e-12)
    drawn = weighted_spearman(x, y, draws_as_weights(given["draws"], np.arange(len(size))))
    assert drawn[:5] == pytest.approx(expected["boot_items_first5"], abs=1e-12)
    assert np.quantile(drawn, [0.025, 0.975]) == pytest.approx(expected["ci_items"], abs=1e-12)


def test_interval_draws_clusters_by_the_documented_call():
    given = BOOTSTRAP["input"]
    item = np.array(given["item"])
    clusters = item.max() + 1
    rng = np.random.default_rng(5)
    draws = [rng.integers(0, clusters, size=clusters) for _ in range(300)]
    drawn = weighted_spearman(given["x"], given["y"], draws_as_weights(draws, item))
    found = spearman_interval(
        given["x"], given["y"], np.random.default_rng(5), cluster=item, resamples=300
    )
    assert [found.low, found.high] == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=1e-12)
    assert found.seed == 5
    assert found.p is None


def test_interval_needs_two_clusters_and_leaves_undefined_input_undefined():
    rng = np.random.default_rng(0)
    assert "one cluster" in spearman_interval([1, 2, 3], [1, 3, 2], rng, cluster=[0, 0, 0]).reason
    assert spearman_interval([1, 1, 1], [1, 3, 2], rng).reason.startswith("constant input")
    few = spearman_interval([1, 1, 2], [1, 2, 2], rng, resamples=100)
    assert few.defined
    assert "have no variation" in few.reason
    with pytest.raises(ValueError, match="at least one resample"):
        spearman_interval([1, 2, 3], [1, 3, 2], rng, resamples=0)
    with pytest.raises(ValueError, match="2 clusters' names for 3 pairs"):
        spearman_interval([1, 2, 3], [1, 3, 2], rng, cluster=[0, 1])


@pytest.mark.parametrize("case", cases("partial_spearman"), ids=by_id)
def test_partial_spearman_under_both_conventions(case):
    x, y, z = case["input"]["x"], case["input"]["y"], np.transpose(case["input"]["z"])
    expected = case["expected"]
    pearson = partial_spearman(x, y, z)
    assert pearson.value == pytest.approx(expected["r_pearson_of_rank_residuals"], abs=1e-12)
    assert pearson.p == pytest.approx(expected["p_df_n_minus_2_minus_k"], abs=1e-12)
    printed = partial_spearman(x, y, z, df="n-2")
    assert printed.p == pytest.approx(expected["p_df_n_minus_2"], abs=1e-12)
    assert "n-2 df" in printed.method
    again = partial_spearman(x, y, z, residuals="spearman", df="n-2")
    if case["id"] in TIES_BROKEN_BY_R:
        assert again.value == pytest.approx(exact_spearman_of_residuals(x, y, z[:, 0]), abs=1e-12)
        return
    assert again.value == pytest.approx(expected["r_spearman_of_rank_residuals"], abs=1e-12)
    assert again.p == pytest.approx(expected["p_spearman_of_residuals_n_minus_2"], abs=1e-12)


# Three pairs of residuals are equal in exact arithmetic; R's rounding tells one of them apart.
TIES_BROKEN_BY_R = {"partial_one_cov_40"}


def exact_spearman_of_residuals(x, y, z):
    """Return Spearman's rho of rank residuals after one control, in exact fractions."""
    one, two, control = (exact_ranks(values) for values in (x, y, z))
    left = [exact_ranks(residuals(ranks, control)) for ranks in (one, two)]
    a, b = (residuals(ranks, [Fraction(0)] * len(x)) for ranks in left)
    cross = sum(p * q for p, q in zip(a, b, strict=True))
    return float(cross) / float(sum(p * p for p in a) * sum(q * q for q in b)) ** 0.5


def exact_ranks(values):
    """Return midranks as fractions."""
    values = list(values)
    return [
        sum(w < v for w in values) + Fraction(sum(w == v for w in values) + 1, 2) for v in values
    ]


def residuals(values, control):
    """Return the residuals of least squares on one control, which may be constant, exactly."""
    n = len(values)
    middle, centre = sum(values) / n, sum(control) / n
    spread = sum((c - centre) ** 2 for c in control)
    cross = sum((v - middle) * (c - centre) for v, c in zip(values, control, strict=True))
    slope = cross / spread if spread else 0
    return [v - middle - slope * (c - centre) for v, c in zip(values, control, strict=True)]


@pytest.mark.parametrize(
    ("x", "controls", "reason"),
    [
        ([1, 2, 3], [1, 2, 2], "3 complete rows"),
        ([1, 2, 3, 4, 5], [[1, 2]] * 5, "collinear or constant"),
        ([1, 2, 3, 4, 5], [2, 4, 6, 8, 10], "explain the ranks fully"),
        ([2, 2, 2, 2, 2], [1, 2, 3, 5, 4], "constant input"),
        ([1, 2, NAN, NAN, 5], [1, 2, 3, 5, 4], "3 complete rows"),
    ],
)
def test_partial_spearman_says_why_it_is_undefined(x, controls, reason):
    found = partial_spearman(x, [5, 1, 4, 2, 3][: len(x)], controls)
    assert found.value is None
    assert reason in found.reason


@pytest.mark.parametrize("case", cases("kendall_w"), ids=by_id)
def test_kendall_w_with_ties(case):
    found = kendall_w(case["ratings_raters_x_items"])
    expected = case["expected"]
    assert found.value == pytest.approx(expected["W"], abs=1e-12)
    assert found.chi_square == pytest.approx(expected["chisq"], abs=1e-10)
    assert found.df == expected["df"]
    assert found.p == pytest.approx(expected["p_chisq"], abs=1e-12)


def test_kendall_w_is_friedman_over_its_maximum():
    table = np.random.default_rng(2).integers(1, 5, (4, 9))
    friedman = stats.friedmanchisquare(*table.T).statistic
    assert kendall_w(table).value == pytest.approx(friedman / (4 * 8), abs=1e-12)


def test_kendall_w_from_mean_spearman_without_ties():
    table = np.array([[1, 2, 3, 4], [2, 1, 4, 3], [1, 3, 2, 4]])
    rhos = [spearman(table[a], table[b]).value for a, b in ((0, 1), (0, 2), (1, 2))]
    assert concordance_from_spearman(np.mean(rhos), 3) == pytest.approx(kendall_w(table).value)
    with pytest.raises(ValueError, match="there are 1"):
        concordance_from_spearman(0.5, 1)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[1, 2, 3]], "1 raters on 3 complete items"),
        ([[1, NAN], [2, 1]], "2 raters on 1 complete items"),
        ([[3, 3, 3], [1, 1, 1]], "no variation"),
    ],
)
def test_kendall_w_says_why_it_is_undefined(table, reason):
    found = kendall_w(table)
    assert found.value is None
    assert reason in found.reason


@pytest.mark.parametrize(
    "case", cases("dependent_correlations"), ids=lambda c: str(c["input"]["r12"])
)
def test_dependent_correlations(case):
    given = [case["input"][key] for key in ("r12", "r13", "r23", "n")]
    expected = case["expected"]
    t = williams_t(*given)
    assert t.statistic == pytest.approx(expected["williams_t"], abs=1e-12)
    assert t.statistic == pytest.approx(expected["psych"]["paired_r"]["t"], abs=1e-12)
    assert t.p == pytest.approx(expected["williams_p_two"], abs=1e-12)
    assert t.df == expected["df"]
    z = steiger_z(*given)
    assert z.statistic == pytest.approx(expected["steiger1980_z"], abs=1e-12)
    assert z.p == pytest.approx(expected["steiger1980_p"], abs=1e-12)
    meng = meng_z(*given)
    assert meng.statistic == pytest.approx(expected["meng1992_z"], abs=1e-12)
    assert meng.p == pytest.approx(expected["meng1992_p"], abs=1e-12)


@pytest.mark.parametrize("case", cases("steiger_delta"), ids=lambda c: str(c["input"]["r12"]))
def test_steiger_equals_the_numerical_delta_method(case):
    found = steiger_z(**case["input"])
    assert found.statistic == pytest.approx(case["z"], abs=1e-7)


@pytest.mark.parametrize("test", [williams_t, steiger_z, meng_z])
def test_dependent_correlations_at_their_edges(test):
    assert "3 observations" in test(0.4, 0.1, 0.2, 3).reason
    assert "leave no variation" in test(1.0, 0.5, 0.5, 20).reason
    assert test(0.4, 0.1, 0.2, 3).value == pytest.approx(0.3)
    with pytest.raises(ValueError, match=r"1\.2 does not"):
        test(1.2, 0.1, 0.2, 20)
    with pytest.raises(ValueError, match="No data have the correlations"):
        test(0.9, -0.9, 0.9, 20)


@pytest.mark.parametrize(
    # Critical values of the correlation at .05 and .01, two-sided, from printed tables (Fisher, 1925).
    ("p", "df", "printed"),
    [(0.05, 1, 0.997), (0.05, 10, 0.576), (0.05, 14, 0.497), (0.05, 15, 0.482), (0.01, 14, 0.623)],
)
def test_the_correlation_of_a_p_is_that_of_printed_tables(p, df, printed):
    found = correlation_of(p, df)
    assert found == pytest.approx(printed, abs=5e-4)
    assert correlation_p(found, df) == pytest.approx(p)
    assert correlation_of(p, 0) is None
    with pytest.raises(ValueError, match="A p lies between 0 and 1"):
        correlation_of(0.0, df)


def test_p_of_a_correlation():
    assert correlation_p(1.0, 10) is None
    assert correlation_p(0.3, 0) is None
    assert correlation_p(0.0, 10) == 1.0
    with pytest.raises(ValueError, match="-2 does not"):
        correlation_p(-2, 10)


def test_pairs_of_different_length_are_refused():
    with pytest.raises(ValueError, match=r"\(2,\) and \(3,\)"):
        spearman([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="3, 3, 2 rows"):
        partial_spearman([1, 2, 3], [1, 2, 3], [1, 2])
    with pytest.raises(ValueError, match="two dimensions"):
        kendall_w([1, 2, 3])


def test_json_forms_have_no_nan():
    forms = [
        spearman([1, 2, 3], [1, 2, 3]).as_dict(),
        kendall_w([[1, 2, 3], [1, 3, 2]]).as_dict(),
        williams_t(0.4, 0.1, 0.2, 30).as_dict(),
    ]
    assert forms[0]["value"] == 1.0
    assert "p" not in forms[0]
    assert "no p" in forms[0]["notes"][0]
    assert {"statistic", "df"} <= set(forms[2])
    assert {"chi_square", "raters"} <= set(forms[1])


@pytest.mark.parametrize("case", cases("williams_power"), ids=lambda case: case["id"])
def test_the_power_of_williams_is_that_of_simulated_samples(case):
    assert williams_power(*case["input"]).value == pytest.approx(case["power"], abs=0.03)


def test_no_power_without_a_test():
    assert williams_power(0.3, 0.0, 0.2, 3).reason.startswith("no test: 3 observations")
