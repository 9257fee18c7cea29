from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal

from analysis.stats import mixed
from analysis.stats.crossed import Crossing
from analysis.stats.fixed_part import Basis, Grouped
from analysis.stats.mixed import crossed_linear
from analysis.stats.optimise import Optimum
from tests.oracles.read import HERE, oracle

FITTED = {
    "l1_lmm_2000": "l1_lmm_2000.csv",
    "l2_lmm_215671": "l2_lmm_215671.csv.gz",
    "l3_lmm_singular_1200": "l3_lmm_singular_1200.csv",
    "l4_lmm_unbalanced_500": "l4_lmm_unbalanced_500.csv",
}


def table(name):
    return pd.read_csv(HERE / "data" / FITTED[name])


def fit(data, **options):
    design = np.column_stack([np.ones(len(data)), data["x"]])
    options = {"names": ["intercept", "x"], "factors": ("article", "model")} | options
    return crossed_linear(data["score"], design, data["article"], data["model"], **options)


@pytest.mark.parametrize("name", FITTED)
def test_equals_tightly_converged_lme4(name):
    expected = oracle(f"lmm_{name}")["tight"]
    found = fit(table(name))
    assert found.converged
    assert [c.value for c in found.coefficients] == pytest.approx(expected["beta"], abs=1e-6)
    assert found.standard_errors == pytest.approx(expected["se"], rel=1e-4)
    assert found.covariance[0][1] == pytest.approx(expected["cov"], rel=1e-4)
    assert found.variance_first == pytest.approx(expected["var_article"], rel=1e-4)
    assert found.variance_second == pytest.approx(expected["var_model"], rel=1e-4, abs=1e-12)
    assert found.variance_residual == pytest.approx(expected["sigma2"], rel=1e-6)
    assert found.criterion == pytest.approx(expected["REMLcrit"], abs=1e-6)
    assert found.singular is (expected["var_model"] == 0)
    for coefficient, limits in zip(found.coefficients, expected["ci95"], strict=True):
        assert (coefficient.low, coefficient.high) == pytest.approx(limits, abs=1e-5)


def test_a_variance_at_zero_is_a_result():
    found = fit(table("l3_lmm_singular_1200"))
    assert (found.variance_second, found.singular) == (0.0, True)
    assert found.notes == ("singular: the model variance is estimated as 0",)
    assert found.as_dict()["singular"] is True


def small(seed: int = 5) -> Any:
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 7, 40), rng.integers(0, 4, 40)
    x = rng.standard_normal(40)
    y = x + rng.standard_normal(7)[first] + rng.standard_normal(4)[second]
    return y + 0.5 * rng.standard_normal(40), x, first, second


def test_the_criterion_is_the_restricted_likelihood_of_the_full_matrix():
    y, x, first, second = small()
    X = np.column_stack([np.ones(40), x])
    crossing = Crossing.fold((first, 7), (second, 4))
    products = Basis.of(y, X).products(crossing, Grouped(np.ones(len(y))))
    for deviations in ([0.6, 1.3], [0.0, 0.4], [2.0, 0.0]):
        value, gradient = products(np.array(deviations))
        kernel = np.eye(40)
        for labels, deviation in zip((first, second), deviations, strict=True):
            kernel += deviation**2 * (labels[:, None] == labels)
        # Contrasts orthogonal to X carry the restricted likelihood.
        contrasts = np.linalg.qr(X, mode="complete")[0][:, 2:]
        z, inner = contrasts.T @ y, contrasts.T @ kernel @ contrasts
        sigma2 = z @ np.linalg.solve(inner, z) / 38
        direct = -2 * multivariate_normal(cov=sigma2 * inner).logpdf(z)
        assert value == pytest.approx(direct + np.linalg.slogdet(X.T @ X)[1], abs=1e-8)
        for i, h in enumerate(1e-5 * np.eye(2)):
            slope = (products(deviations + h)[0] - products(deviations - h)[0]) / 2e-5
            assert gradient[i] == pytest.approx(slope, abs=1e-5)


def test_units_and_shifts_carry_through():
    y, x, first, second = small()
    X = np.column_stack([np.ones(40), x])
    plain = crossed_linear(y, X, first, second)
    moved = crossed_linear(1000 + 10 * y, X * [1, 0.001], second, first)
    assert moved.coefficients[0].value == pytest.approx(
        1000 + 10 * plain.coefficients[0].value, rel=1e-8
    )
    assert moved.coefficients[1].value == pytest.approx(1e4 * plain.coefficients[1].value, rel=1e-6)
    assert moved.variance_second == pytest.approx(100 * plain.variance_first, rel=1e-5)
    assert moved.variance_first == pytest.approx(100 * plain.variance_second, rel=1e-5)


def undefined_cases() -> dict[str, Any]:
    y, x, first, second = small()
    X = np.column_stack([np.ones(40), x])
    missing = np.where(np.arange(40) == 3, np.nan, y)
    dummies = (first[:, None] == np.arange(7)).astype(float)
    return {
        "there are no rows": ([], np.empty((0, 1)), [], []),
        "1 of 40 rows hold a value that is missing": (missing, X, first, second),
        "2 rows cannot carry 2 coefficients": (y[:2], X[:2], first[:2], second[:2]),
        "only one document": (y, X, np.zeros(40), second),
        "only one model": (y, X, first, np.zeros(40)),
        "every document has one row": (y, X, np.arange(40), second),
        "the response is constant": (np.full(40, 2.5), X, first, second),
        "column x2 is a combination": (y, np.column_stack([X, 2 - 3 * x]), first, second),
        "column x1 is a combination": (y, X * [1, 0], first, second),
        "the fixed part explains the response exactly": (2 + x, X, first, second),
        "separates every document": (y, dummies, first, second),
        "document and model divide the rows alike": (y, X, first, first % 7 + 10),
        "the two factors explain the response exactly": (
            first**2 + 0.5 * (second == 1),
            X[:, :1],
            first,
            second,
        ),
    }


@pytest.mark.parametrize("words", undefined_cases())
def test_says_why_it_is_undefined(words):
    found = crossed_linear(*undefined_cases()[words])
    assert words in found.reason
    assert not found.converged
    assert found.variance_residual is None
    assert all(c.value is None and c.reason == found.reason for c in found.coefficients)


def test_too_many_levels_are_refused(monkeypatch):
    y, _, first, second = small()
    monkeypatch.setattr(mixed, "DENSE_LEVELS", 3)
    found = crossed_linear(y, np.ones((40, 1)), first, second)
    assert "more than 3 levels" in found.reason


@pytest.mark.parametrize("seed", range(12))
def test_random_small_designs_have_a_value_or_a_reason(seed):
    # Small designs are where a variance, or both, is 0 and where a search can rest on a saddle.
    rng = np.random.default_rng(seed)
    for _ in range(10):
        levels_a, levels_b, n = rng.integers(1, 12), rng.integers(1, 12), rng.integers(1, 60)
        first, second = rng.integers(0, levels_a, n), rng.integers(0, levels_b, n)
        y = rng.choice([0, 5]) * rng.standard_normal(levels_a)[first]
        y += rng.choice([0, 5]) * rng.standard_normal(levels_b)[second]
        y += rng.choice([0, 0.01, 1]) * rng.standard_normal(n) + rng.choice([0, 1e4])
        found = crossed_linear(y, np.ones((n, 1)), first, second)
        assert "converge" not in (found.reason or "")
        coefficient = found.coefficients[0]
        if found.reason is None:
            assert coefficient.low < coefficient.value < coefficient.high
            assert np.isfinite([found.criterion, found.variance_first]).all()
        else:
            assert coefficient.value is None


def test_both_variances_can_be_zero():
    first, second = np.repeat(range(4), 3), np.tile(range(3), 4)
    y = np.array([1, -1, 0, -1, 1, 0, 1, -1, 0, -1, 1, 0.0])
    found = crossed_linear(y, np.ones((12, 1)), first, second)
    assert (found.variance_first, found.variance_second) == (0.0, 0.0)
    assert found.variance_residual == pytest.approx(y.var(ddof=1), rel=1e-9)
    assert len(found.notes) == 2


def test_no_convergence_is_said(monkeypatch):
    y, x, first, second = small()

    def lost(objective, start, even):
        return Optimum(start, 0.0, np.eye(2), converged=False, evaluations=1)

    monkeypatch.setattr(mixed, "minimise_even", lost)
    found = crossed_linear(y, np.column_stack([np.ones(40), x]), first, second)
    assert "did not converge" in found.reason
    assert not found.converged


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"y": [1.0]}, "y must be"),
        ({"X": np.ones(40)}, "X"),
        ({"first": ["a"]}, "both factors"),
        ({"names": ["one"]}, "2 columns and there are 1 names"),
        ({"confidence": 0}, "between 0 and 1"),
        ({"second": [None] * 40}, "model has 40 missing labels"),
    ],
)
def test_wrong_use_is_an_error_in_a_sentence(change, words):
    y, x, first, second = small()
    given = {"y": y, "X": np.column_stack([np.ones(40), x]), "first": first, "second": second}
    with pytest.raises(ValueError, match=words):
        crossed_linear(**(given | change))


def grouped_from(y, X, first, second):
    """Fold rows that share X and both levels into their means."""
    key = np.column_stack([first, second, X])
    entries, place = np.unique(key, axis=0, return_inverse=True)
    count = np.bincount(place.ravel()).astype(float)
    mean = np.bincount(place.ravel(), y) / count
    within = float(np.square(y - mean[place.ravel()]).sum())
    return mean, entries[:, 2:], entries[:, 0], entries[:, 1], Grouped(count, within)


def test_entries_that_stand_for_several_rows_give_the_fit_of_the_rows():
    rng = np.random.default_rng(5)
    first, second = rng.integers(0, 20, 3000), rng.integers(0, 5, 3000)
    english = rng.integers(0, 2, 3000).astype(float)
    y = 0.4 + 0.1 * english + rng.normal(0, 0.2, 20)[first] + rng.normal(0, 0.1, 5)[second]
    y += rng.normal(0, 0.3, 3000)
    X = np.column_stack([np.ones(3000), english])
    rows = crossed_linear(y, X, first, second)
    mean, design, one, two, grouped = grouped_from(y, X, first, second)
    found = crossed_linear(mean, design, one, two, grouped=grouped)
    assert len(mean) < 250
    assert (found.n, found.converged) == (3000, True)
    assert found.criterion == pytest.approx(rows.criterion, rel=1e-10)
    assert found.standard_errors == pytest.approx(rows.standard_errors, rel=1e-6)
    for a, b in zip(found.coefficients, rows.coefficients, strict=True):
        assert a.value == pytest.approx(b.value, rel=1e-8)
    for name in ("variance_first", "variance_second", "variance_residual"):
        assert getattr(found, name) == pytest.approx(getattr(rows, name), rel=1e-5)


def test_entries_that_stand_for_nothing_are_refused():
    with pytest.raises(ValueError, match="at least one row"):
        Grouped(np.array([1.0, 0.0]))
    with pytest.raises(ValueError, match="2 numbers of rows for 3 entries"):
        crossed_linear(
            [1, 2, 3], np.ones((3, 1)), [0, 0, 1], [0, 1, 1], grouped=Grouped(np.ones(2))
        )
