from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import norm

from analysis.stats import crossed, crossed_logistic
from analysis.stats.crossed_logistic import CrossedLogistic
from analysis.stats.laplace import averaged_probability
from analysis.stats.optimise import Optimum
from tests.oracles.read import HERE, cases, oracle

FITTED = [
    "g1_paperlike_138",
    "g1b_paperlike_138",
    "g2_singular_60",
    "g5_strong_1000",
    "g6_5000",
    "g7_50000",
    "g8_onezero_400",
]
STRESS = oracle("glmm_stress80")["results"]


def fit(data: pd.DataFrame, **options: Any) -> CrossedLogistic:
    return crossed_logistic.crossed_logistic(data["y"], data["annotator"], data["pair"], **options)


def table(name: str) -> pd.DataFrame:
    return pd.read_csv(HERE / "data" / f"{name}.csv")


@pytest.fixture(scope="module")
def stress() -> pd.DataFrame:
    return table("glmm_stress80")


@pytest.mark.parametrize("name", FITTED)
def test_equals_lme4_and_glmmtmb(name):
    values = oracle(f"glmm_{name}")
    expected, wald = values["expected"], values["expected"]["wald"]
    found = fit(table(name))
    assert found.intercept.value == pytest.approx(expected["beta"], abs=1e-4)
    assert found.standard_error == pytest.approx(expected["se"], abs=1e-4)
    assert found.sd_annotator == pytest.approx(expected["sd_annotator"], abs=5e-4)
    assert found.sd_pair == pytest.approx(expected["sd_pair"], abs=5e-4)
    assert found.deviance == pytest.approx(expected["minus2logL"], abs=1e-5)
    assert found.intercept.p == pytest.approx(wald["p_one_sided_greater"], abs=1e-4)
    assert (found.intercept.low, found.intercept.high) == pytest.approx(wald["ci_logit"], abs=3e-4)
    assert found.at_zero.value == pytest.approx(wald["prob"], abs=1e-4)
    assert (found.at_zero.low, found.at_zero.high) == pytest.approx(wald["ci_prob"], abs=1e-4)
    assert found.odds_ratio.value == pytest.approx(wald["odds_ratio"], rel=1e-4)
    assert found.singular is (0.0 in (expected["sd_annotator"], expected["sd_pair"]))


@pytest.mark.parametrize("case", cases("glmm_pairs"), ids=lambda case: case["data"])
def test_without_annotators_it_equals_lme4_with_pairs_alone(case):
    data = table(case["data"])
    found = crossed_logistic.crossed_logistic(data["y"], None, data["pair"])
    assert found.intercept.value == pytest.approx(case["beta"], abs=1e-5)
    assert found.standard_error == pytest.approx(case["se"], abs=1e-5)
    assert found.sd_pair == pytest.approx(case["sd_pair"], abs=1e-5)
    assert found.deviance == pytest.approx(case["minus2logL"], abs=1e-6)
    assert found.sd_annotator is None
    assert found.singular is (case["sd_pair"] == 0)
    assert found.at_zero.method.startswith(
        "probability at zero random effects; y ~ 1 + (1 | pair),"
    )


def test_pairs_alone_are_refused_for_their_own_reasons():
    found = crossed_logistic.crossed_logistic([1, 0, 1], None, [1, 2, 3])
    assert found.reason == "no pair has two judgments: its variance cannot be told from chance"
    assert found.at_zero.value is None
    assert "(1 | annotator)" not in found.at_zero.method


@pytest.mark.parametrize("name", FITTED)
def test_equals_the_packages_own_numbers(name):
    package = oracle(f"glmm_{name}")["glmmTMB"]
    found = fit(table(name))
    assert found.intercept.value == pytest.approx(package["beta"], abs=1e-4)
    assert found.standard_error == pytest.approx(package["se"], abs=1e-4)
    assert found.sd_annotator == pytest.approx(package["sd_annotator"], abs=5e-4)
    assert found.sd_pair == pytest.approx(package["sd_pair"], abs=5e-4)


@pytest.mark.parametrize("row", STRESS, ids=lambda row: str(row["s"]))
def test_equals_glmmtmb_on_random_data(row, stress):
    found = fit(stress[stress["s"] == row["s"]])
    if row["status"] == "diverging_fixed":
        assert found.intercept.value is None
        assert "diverges" in str(found.reason)
        return
    assert found.intercept.value == pytest.approx(row["tmb_beta"], abs=1e-4)
    assert found.standard_error == pytest.approx(row["tmb_se_drop"], abs=1e-4)
    assert found.sd_annotator == pytest.approx(row["tmb_sa"], abs=5e-4)
    assert found.sd_pair == pytest.approx(row["tmb_sp"], abs=5e-4)
    assert found.singular is (row["status"] == "singular")
    assert found.deviance == pytest.approx(row["dev"], abs=1e-5)


@pytest.mark.parametrize(
    ("name", "words"), [("g3_allsuccess_40", "are equal"), ("g4_pair_unanimous_80", "unanimous")]
)
def test_refuses_where_no_finite_estimate_exists(name, words):
    found = fit(table(name))
    assert words in str(found.reason)
    for part in (found.intercept, found.odds_ratio, found.at_zero, found.averaged):
        assert (part.value, part.low, part.high, part.p) == (None, None, None, None)
        assert part.reason == found.reason


@pytest.mark.parametrize(
    ("y", "annotator", "pair", "words"),
    [
        ([], [], [], "no judgments"),
        ([1, np.nan, 0], [1, 1, 2], [1, 2, 2], "1 of 3 judgments are missing"),
        ([0, 0, 0], [1, 1, 2], [1, 2, 2], "all 3 answers are equal"),
        ([1, 0, 1], [1, 1, 1], [1, 2, 2], "only one annotator"),
        ([1, 0, 1], [1, 2, 2], [5, 5, 5], "only one pair"),
        ([1, 0, 1, 0], [1, 2, 3, 4], [1, 1, 2, 2], "no annotator has two judgments"),
        ([1, 0, 1, 0], [1, 1, 2, 2], [1, 2, 3, 4], "no pair has two judgments"),
        ([1, 1, 0, 0], [1, 1, 2, 2], [1, 2, 1, 2], "every annotator is unanimous"),
        ([1, 0, 1, 0], [1, 1, 2, 2], ["a", "a", "b", "b"], "cannot be told apart"),
    ],
)
def test_says_why_it_is_undefined(y, annotator, pair, words):
    found = crossed_logistic.crossed_logistic(y, annotator, pair)
    assert words in str(found.reason)
    assert found.at_zero.value is None
    assert found.as_dict()["reason"] == found.reason


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (([1, 0], [1], [1, 2]), {}, "equally long"),
        (([1, 2], [1, 1], [1, 2]), {}, "holds 2"),
        (([1, 0], ["a", None], [1, 2]), {}, "annotator has 1 missing labels"),
        (([1, 0], [1, 1], [1, 2]), {"confidence": 95}, "between 0 and 1"),
        (([1, 0], [1, 1], [1, 2]), {"alternative": "more"}, "greater, less or two-sided"),
    ],
)
def test_wrong_use_is_an_error_in_a_sentence(arguments, options, words):
    with pytest.raises(ValueError, match=words):
        crossed_logistic.crossed_logistic(*arguments, **options)


def test_a_variance_at_zero_is_a_result():
    found = fit(table("g2_singular_60"))
    assert (found.sd_annotator, found.sd_pair, found.singular) == (0.0, 0.0, True)
    assert found.notes == (
        "singular: the annotator variance is estimated as 0",
        "singular: the pair variance is estimated as 0",
    )
    # Without random effects both probabilities are the plain share.
    assert found.at_zero.value == pytest.approx(found.successes / found.n, abs=1e-9)
    assert found.averaged.value == pytest.approx(found.at_zero.value, abs=1e-12)
    assert found.averaged.low == pytest.approx(found.at_zero.low, abs=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_random_small_designs_have_a_value_or_a_reason(seed):
    rng = np.random.default_rng(seed)
    for _ in range(8):
        n = rng.integers(1, 60)
        who, what = (rng.integers(0, rng.integers(1, 15), n) for _ in range(2))
        found = crossed_logistic.crossed_logistic(rng.integers(0, 2, n), who, what)
        for part in (found.intercept, found.odds_ratio, found.at_zero, found.averaged):
            if found.reason is None:
                assert part.low < part.value < part.high
                assert 0 <= part.p <= 1
            else:
                assert (part.value, part.low, part.p) == (None, None, None)


def test_no_convergence_is_said(monkeypatch):
    def lost(objective, start, even):
        return Optimum(start, 0.0, np.eye(3), converged=False, evaluations=1)

    monkeypatch.setattr(crossed_logistic, "minimise_even", lost)
    assert "did not converge" in fit(table("g8_onezero_400")).reason


def test_averaged_probability_equals_numerical_integration():
    deviations = np.array([0.7, 1.9])
    total = float(np.hypot(*deviations))
    mean, slope = averaged_probability(0.8, deviations)
    reference = quad(lambda z: expit(0.8 + total * z) * norm.pdf(z), -12, 12)[0]
    assert mean == pytest.approx(reference, abs=1e-10)
    h = 1e-5
    for i, step in enumerate(h * np.eye(3)):
        up = averaged_probability(0.8 + step[0], deviations + step[1:])[0]
        down = averaged_probability(0.8 - step[0], deviations - step[1:])[0]
        assert slope[i] == pytest.approx((up - down) / (2 * h), abs=1e-8)


def test_the_averaged_probability_lies_nearer_to_a_half():
    found = fit(table("g5_strong_1000"))
    assert found.at_zero.value < found.averaged.value < 0.5
    assert found.averaged.low < found.averaged.value < found.averaged.high
    assert "averaged over the random effects" in found.averaged.method
    assert "zero random effects" in found.at_zero.method


def test_swapping_answers_or_factors_mirrors_the_result():
    data = table("g8_onezero_400")
    plain, other = fit(data), fit(data.assign(y=1 - data["y"]), alternative="less")
    assert other.intercept.value == pytest.approx(-plain.intercept.value, abs=1e-6)
    assert other.intercept.p == pytest.approx(plain.intercept.p, abs=1e-6)
    turned = fit(data.rename(columns={"annotator": "pair", "pair": "annotator"}))
    assert turned.sd_pair == pytest.approx(plain.sd_annotator, abs=1e-6)
    assert turned.standard_error == pytest.approx(plain.standard_error, abs=1e-6)


def test_order_of_rows_and_labels_do_not_matter():
    data = table("g8_onezero_400")
    mixed = data.sample(frac=1, random_state=3).assign(
        annotator=lambda d: "p" + d["annotator"].astype(str)
    )
    assert fit(mixed).intercept.value == pytest.approx(fit(data).intercept.value, abs=1e-7)


def test_two_sided_p_doubles_the_smaller_tail():
    data = table("g8_onezero_400")
    greater = fit(data).intercept.p
    assert greater is not None
    both = fit(data, alternative="two-sided").intercept.p
    assert both == pytest.approx(2 * min(greater, 1 - greater), rel=1e-9)


@pytest.mark.parametrize(("factor", "dense"), [(400, 1 << 16), (10, 1 << 16), (10, 0), (400, 0)])
def test_every_path_of_the_algebra_gives_the_same_fit(factor, dense, monkeypatch):
    data = table("g5_strong_1000")
    plain = fit(data)
    monkeypatch.setattr(crossed, "FACTOR_LEVELS", factor)
    monkeypatch.setattr(crossed, "DENSE_AREA", dense)
    monkeypatch.setattr(crossed, "GATHER", 50)
    found = fit(data)
    assert found.intercept.value == pytest.approx(plain.intercept.value, abs=1e-6)
    assert found.standard_error == pytest.approx(plain.standard_error, abs=1e-6)
    assert found.deviance == pytest.approx(plain.deviance, abs=1e-8)


def test_two_large_factors_are_fitted_without_a_dense_array(
    monkeypatch,
):
    data = table("g7_50000")
    expected = oracle("glmm_g7_50000")["expected"]
    monkeypatch.setattr(crossed, "DENSE_LEVELS", 500)
    found = fit(data, probe_seed=11)
    # The error of the probes is far below the standard error.
    assert found.intercept.value == pytest.approx(expected["beta"], abs=0.01 * expected["se"])
    assert found.standard_error == pytest.approx(expected["se"], rel=0.01)
    assert found.sd_annotator == pytest.approx(expected["sd_annotator"], rel=0.01)
    assert found.sd_pair == pytest.approx(expected["sd_pair"], rel=0.01)
    assert found.deviance == pytest.approx(expected["minus2logL"], rel=1e-3)
    assert found.at_zero.seed == 11
    assert "sign vectors (seed 11)" in found.notes[-1]
