"""Agreement against values from other programs; tolerances as stated in tests/oracles/README.md."""

import krippendorff
import numpy as np
import pytest

from analysis.stats.alpha import krippendorff_alpha
from analysis.stats.coincidence import LEVELS
from analysis.stats.gwet import WEIGHTS, gwet_ac
from analysis.stats.kappa import cohen_kappa, fleiss_kappa
from tests.oracles.read import cases

KAPPA_WEIGHTS = {"unweighted": "identity", "linear": "linear", "quadratic": "quadratic"}


def by_id(case):
    return case["id"]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("case", cases("krippendorff_alpha"), ids=by_id)
def test_alpha_equals_the_brute_force_value(case, level):
    found = krippendorff_alpha(case["reliability_data"], level)
    expected = case["expected"][level]
    if expected["undefined_reason"] is None:
        assert found.value == pytest.approx(expected["alpha"], abs=1e-12)
        assert found.reason is None
        return
    assert found.value is None
    word = "no variation" if "no variation" in expected["undefined_reason"] else "two raters"
    assert word in found.reason


@pytest.mark.parametrize("case", cases("krippendorff_alpha")[:2], ids=by_id)
def test_alpha_equals_the_published_value(case):
    for level, printed in case["published"].items():
        found = krippendorff_alpha(case["reliability_data"], level)
        assert round(found.value, 3) == printed


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_by_terms_equals_the_package_where_the_package_is_bypassed(level, monkeypatch):
    case = next(c for c in cases("krippendorff_alpha") if c["id"] == "alpha_sim_177x665_paperlike")
    matrix = np.array(case["reliability_data"], dtype=float)
    monkeypatch.setattr("analysis.stats.alpha.PACKAGE_ENTRIES", 0)
    theirs = krippendorff.alpha(matrix, level_of_measurement=level)
    assert krippendorff_alpha(matrix, level).value == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("name", KAPPA_WEIGHTS)
@pytest.mark.parametrize("case", cases("cohen_kappa"), ids=by_id)
def test_cohen_kappa_and_its_standard_errors(case, name):
    table = np.array(case["table"], dtype=int)
    rows, columns = np.indices(table.shape)
    first, second = (
        np.repeat(rows.ravel(), table.ravel()),
        np.repeat(columns.ravel(), table.ravel()),
    )
    labels = list(range(len(table)))
    found = cohen_kappa(first, second, labels=labels, weights=KAPPA_WEIGHTS[name])
    expected = case["expected"][name]
    assert found.n == table.sum()
    if expected["kappa"] is None:
        assert found.value is None
        assert "no variation" in found.reason
        assert found.observed == 1.0
        return
    assert found.value == pytest.approx(expected["kappa"], abs=1e-12)
    assert found.observed == pytest.approx(expected["observed"], abs=1e-12)
    assert found.expected == pytest.approx(expected["expected"], abs=1e-12)
    assert found.se0 == pytest.approx(expected["se0"], abs=1e-12)
    if expected["se"] == 0:
        assert (found.se, found.low, found.high) == (None, None, None)
        assert "standard error from this table is 0" in found.reason
    else:
        assert found.se == pytest.approx(expected["se"], abs=1e-12)
        assert [found.low, found.high] == pytest.approx(expected["ci95"], abs=1e-6)


@pytest.mark.parametrize("case", cases("fleiss_kappa"), ids=by_id)
def test_fleiss_kappa(case):
    counts = np.array(case["counts"])
    by_item = [np.repeat(np.arange(len(row)), row) for row in counts]
    found = fleiss_kappa(np.transpose(by_item))
    expected = case["expected"]
    assert found.observed == pytest.approx(expected["Pbar"], abs=1e-12)
    if expected["kappa"] is None:
        assert found.value is None
        assert "no variation" in found.reason
        return
    assert found.value == pytest.approx(expected["kappa"], abs=1e-12)
    assert found.expected == pytest.approx(expected["Pe"], abs=1e-12)
    assert found.se0 == pytest.approx(expected["se0_fleiss_nee_landis_1979"], abs=1e-12)
    assert found.value / found.se0 == pytest.approx(expected["z"], abs=1e-9)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("case", cases("gwet_ac"), ids=by_id)
def test_gwet_coefficients_equal_irrcac(case, weights):
    found = gwet_ac(case["ratings"], weights, labels=case["labels"])
    expected = case["expected"][weights]
    for member in ("value", "observed", "expected", "se"):
        assert getattr(found, member) == pytest.approx(expected[member], abs=2e-12), member
    assert [found.low, found.high] == pytest.approx(expected["ci"], abs=1e-9)


def test_gwet_ac1_equals_the_value_published_for_the_r_package():
    """Values printed for irrCAC's cac.raw4raters: 0.77544 with standard error 0.14295."""
    found = gwet_ac(cases("krippendorff_alpha")[0]["reliability_data"])
    assert round(found.value, 5) == 0.77544
    assert round(found.se, 5) == 0.14295
