import numpy as np
import pytest

from analysis.stats.bradley_terry import bradley_terry
from tests.oracles.read import cases

CASES = {case["id"]: case for case in cases("bradley_terry")}


def fit(rows, cluster=None, seed=1, **options):
    first, second, outcome = zip(*rows, strict=True) if rows else ((), (), ())
    clusters = range(len(rows)) if cluster is None else cluster
    return bradley_terry(first, second, outcome, clusters, np.random.default_rng(seed), **options)


@pytest.mark.parametrize("name", CASES)
def test_equals_a_general_optimiser(name):
    expected, found = CASES[name]["expected"], fit(CASES[name]["rows"])
    assert list(found.players) == expected["players"]
    values = [s.value for s in found.strengths]
    assert values == pytest.approx(expected["strengths"], abs=1e-6)
    assert sum(values) == pytest.approx(0, abs=1e-9)
    assert found.tie.value == pytest.approx(expected["nu"], abs=1e-6)


def test_equals_the_printed_strengths():
    found, printed = fit(CASES["baseball"]["rows"]), CASES["baseball"]["printed"]
    values = {n: s.value for n, s in zip(found.players, found.strengths, strict=True)}
    for team, strength in printed.items():
        assert values[team] - values["Baltimore"] == pytest.approx(strength, abs=5e-5)


def test_the_sandwich_of_independent_judgments_is_near_the_inverse_information():
    # Two players: the log odds of a share have the variance 1/wins + 1/losses.
    rows = [("a", "b", 1)] * 300 + [("a", "b", 0)] * 200
    found = fit(rows)
    error = np.sqrt(1 / 300 + 1 / 200)
    covariance = np.array(found.covariance)
    difference = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert np.sqrt(difference) == pytest.approx(error * np.sqrt(500 / 499), rel=1e-9)
    preferred = found.preferred("a", "b")
    assert preferred.value == pytest.approx(0.6, abs=1e-9)
    logits = np.log(1.5) + np.array([-1, 1]) * 1.959964 * error * np.sqrt(500 / 499)
    limits = 1 / (1 + np.exp(-logits))
    assert (preferred.low, preferred.high) == pytest.approx(limits.tolist(), abs=1e-7)


def test_doubling_every_cluster_does_not_narrow_the_interval():
    rows = CASES["ties"]["rows"]
    once = fit(rows, cluster=np.arange(240) // 4)
    twice = fit(rows + rows, cluster=np.tile(np.arange(240) // 4, 2))
    assert np.array(twice.covariance) == pytest.approx(np.array(once.covariance), abs=1e-9)


def test_bootstrap_and_sandwich_agree_on_many_clusters():
    rows = CASES["ties"]["rows"]
    sandwich, bootstrap = fit(rows), fit(rows, interval="bootstrap")
    for one, two in zip(sandwich.strengths, bootstrap.strengths, strict=True):
        assert (one.low, one.high) == pytest.approx((two.low, two.high), abs=0.12)
        assert one.value == two.value
    assert bootstrap.tie.low < bootstrap.tie.value < bootstrap.tie.high
    assert sandwich.tie.low == pytest.approx(bootstrap.tie.low, abs=0.03)
    assert bootstrap.strengths[0].seed == 1


def test_bootstrap_replicates_are_fits_to_the_drawn_clusters():
    rows, cluster = CASES["ties"]["rows"], np.arange(240) // 8
    found = fit(rows, cluster, interval="bootstrap", resamples=3)
    draws = np.random.default_rng(1).integers(0, 30, size=(3, 30))
    refits = []
    for draw in draws:
        again = [rows[i] for k in draw for i in np.flatnonzero(cluster == k)]
        refits.append([s.value for s in fit(again).strengths])
    limits = np.quantile(refits, [0.025, 0.975], axis=0)
    assert [s.low for s in found.strengths] == pytest.approx(limits[0].tolist(), abs=1e-8)
    assert [s.high for s in found.strengths] == pytest.approx(limits[1].tolist(), abs=1e-8)


def test_ranks_have_limits_and_the_shares_of_the_best_add_up():
    found = fit(CASES["ties"]["rows"], interval="bootstrap")
    assert [rank.value for rank in found.ranks] == [1, 2, 3, 4, 5]
    assert all(r.low <= r.value <= r.high for r in found.ranks)
    assert sum(found.best) == pytest.approx(1)
    assert max(found.best) == found.best[0]
    assert found.as_dict()["ranks"][0]["value"] == 1


def test_order_of_a_pair_and_of_the_rows_does_not_matter():
    rows = CASES["ties"]["rows"]
    turned = [(b, a, 1 - outcome) for a, b, outcome in reversed(rows)]
    plain, other = fit(rows), fit(turned)
    assert [s.value for s in other.strengths] == pytest.approx(
        [s.value for s in plain.strengths], abs=1e-9
    )
    assert np.array(other.covariance) == pytest.approx(np.array(plain.covariance), abs=1e-9)


CHAIN = [("a", "b", 1), ("b", "a", 1), ("c", "d", 1), ("d", "c", 1)]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "there are no judgments"),
        ([("a", "b", float("nan"))], "1 of 1 outcomes are missing"),
        (CHAIN, "a, b | c, d were never compared"),
        ([*CHAIN, ("a", "c", 1)], "none of c, d was ever preferred to any of a, b"),
        ([("a", "b", 1), ("b", "c", 1), ("c", "b", 1)], "no other player was ever preferred to a"),
        ([("a", "b", 1), ("b", "a", 1), ("a", "c", 1)], "c was never preferred to another player"),
        ([("a", "b", 0.5), ("b", "c", 0.5)], "every judgment is a tie"),
        # Ties do not save a player without a win: the tie's ν grows along with the distance.
        ([("a", "b", 1), ("a", "b", 0.5)], "b was never preferred to another player"),
    ],
)
def test_refuses_and_explains_where_no_finite_strengths_exist(rows, words):
    found = fit(rows)
    assert words in found.reason
    assert all(s.value is None and s.reason == found.reason for s in found.strengths)
    assert found.tie.value is None


def test_one_cluster_has_strengths_without_intervals():
    found = fit(CASES["ties"]["rows"], cluster=["a"] * 240)
    assert found.strengths[0].value > 0
    assert found.strengths[0].low is None
    assert "one cluster" in found.strengths[0].reason
    preferred = found.preferred("s0", "s4")
    assert preferred.value > 0.5
    assert "one cluster" in preferred.reason


def test_too_many_replicates_without_strengths_give_no_interval():
    rows = [("a", "b", 1), ("b", "a", 1), ("b", "c", 1), ("c", "b", 1), ("a", "b", 1)]
    found = fit(rows, interval="bootstrap")
    assert found.strengths[0].value is not None
    assert found.strengths[0].low is None
    assert "no interval" in found.strengths[0].reason


def test_without_ties_nu_is_zero_and_says_so():
    found = fit(CASES["baseball"]["rows"])
    assert found.tie.value == 0
    assert "there are no ties" in found.tie.reason
    assert found.preferred("Boston", "Boston").reason == "a player is not compared with itself"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"first": ["a"]}, "must have the 2 rows"),
        ({"outcome": [1, 0.7]}, "it holds 0.7"),
        ({"second": ["a", "b"]}, "row 0 compares a with itself"),
        ({"confidence": 95}, "between 0 and 1"),
        ({"interval": "profile"}, "sandwich or bootstrap"),
    ],
)
def test_wrong_use_is_an_error_in_a_sentence(change, words):
    given = {
        "first": ["a", "b"],
        "second": ["b", "a"],
        "outcome": [1, 1],
        "cluster": [1, 2],
        "rng": np.random.default_rng(1),
    }
    with pytest.raises(ValueError, match=words):
        bradley_terry(**(given | change))
