import pandas as pd
import pytest

from analysis.stats.variational import variational_logistic
from tests.oracles.read import HERE, oracle

NAMES = ["g1_paperlike_138", "g1b_paperlike_138", "g8_onezero_400"]


@pytest.mark.parametrize("name", NAMES)
def test_equals_statsmodels_and_says_that_its_errors_are_too_small(name):
    stored = oracle(f"glmm_{name}")
    data = pd.read_csv(HERE / "data" / f"{name}.csv")
    found = variational_logistic(data["y"], data["annotator"], data["pair"])
    expected = stored["statsmodels"]["results"]["fit_vb_vcp1"]
    assert found.intercept == pytest.approx(expected["beta"], abs=2e-3)
    assert found.standard_error == pytest.approx(expected["se"], abs=2e-3)
    assert found.standard_error < stored["expected"]["se"]
    assert "too small" in found.at_zero.method
    assert "too small" in found.at_zero.notes[0]
    assert found.at_zero.low < found.at_zero.value < found.at_zero.high


def test_refuses_what_the_laplace_fit_refuses():
    data = pd.read_csv(HERE / "data" / "g4_pair_unanimous_80.csv")
    found = variational_logistic(data["y"], data["annotator"], data["pair"])
    assert found.at_zero.value is None
    assert "unanimous" in found.at_zero.reason
    assert found.intercept is None
    with pytest.raises(ValueError, match="holds 3"):
        variational_logistic([3], [1], [1])
