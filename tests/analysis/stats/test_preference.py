import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from analysis.stats.crossed_logistic import Wald, crossed_logistic
from analysis.stats.preference import (
    position_share,
    preference,
    raw_share,
    share_by_cluster,
    weighted_share,
)
from tests.oracles.read import HERE, oracle

PAPER = oracle("paper_paired_arm")
NAN = float("nan")


def judgments():
    data = pd.read_csv(HERE / "data" / "g1_paperlike_138.csv")
    undecided = pd.DataFrame({"annotator": [500, 501], "pair": [0, 1], "y": [NAN, NAN]})
    return pd.concat([data, undecided], ignore_index=True)


def test_the_printed_share_interval_and_p_recompute():
    found, recomputed = raw_share([1] * 85 + [0] * 53), PAPER["recomputed"]
    assert found.value == pytest.approx(recomputed["raw"], abs=1e-12)
    assert (found.low, found.high) == pytest.approx(recomputed["exact_ci"], abs=1e-12)
    assert found.p == pytest.approx(recomputed["exact_p1"], abs=1e-12)
    assert raw_share([1] * 85 + [0] * 53, alternative="two-sided").p == pytest.approx(
        recomputed["exact_p2"], abs=1e-12
    )
    assert [round(found.low, 3), round(found.high, 3)] == PAPER["published"]["exact_ci"]


def test_the_printed_wald_interval_agrees_with_itself():
    # As arithmetic: which estimator the paper used is not known.
    published, recomputed = PAPER["published"], PAPER["recomputed"]
    low, high = np.log(published["OR_ci"])
    error = (high - low) / (2 * 1.959963984540054)
    found = Wald(0.95, "greater", 138, None).estimate(np.log(published["OR"]), error, "log odds")
    assert error == pytest.approx(recomputed["se_logit"], abs=1e-6)
    assert found.p == pytest.approx(recomputed["p1"], abs=1e-6)
    assert expit(found.value) == pytest.approx(recomputed["prob_from_or"], abs=1e-9)
    assert [round(float(expit(x)), 3) for x in (found.low, found.high)] == published["ci"]
    assert round(float(expit(found.value)), 3) == published["prob"]


def test_undecided_judgments_are_counted_and_enter_nothing_else():
    data = judgments()
    found = preference(data["y"], data["annotator"], data["pair"], np.random.default_rng(42))
    assert (found.undecided.count, found.undecided.n) == (2, 140)
    assert found.raw.n == found.by_annotator.n == found.mixed.n == 138
    expected = oracle("glmm_g1_paperlike_138")["expected"]
    assert found.mixed.intercept.value == pytest.approx(expected["beta"], abs=1e-4)
    assert found.by_annotator.value == pytest.approx(85 / 138, abs=1e-12)
    assert found.by_annotator.low < 85 / 138 < found.by_annotator.high
    assert found.by_annotator.seed == 42
    assert "first was not recorded" in found.position.reason
    assert found.weighted.reason == "no certainty was recorded"
    assert set(found.as_dict()) == {
        "raw",
        "mixed",
        "of_pairs",
        "by_annotator",
        "undecided",
        "position",
        "weighted",
    }


def test_where_nobody_decided_twice_the_model_of_pairs_stands_beside_the_refused_one():
    data = judgments().dropna()
    once = preference(data["y"], np.arange(len(data)), data["pair"], np.random.default_rng(42))
    assert once.mixed.reason.startswith("no annotator has two judgments")
    alone = crossed_logistic(data["y"], None, data["pair"])
    assert once.of_pairs == alone
    twice = preference(data["y"], data["annotator"], data["pair"], np.random.default_rng(42))
    assert twice.of_pairs is None


def test_everything_that_was_recorded_is_reported():
    data = judgments()
    rng = np.random.default_rng(3)
    first, certainty = rng.integers(0, 2, len(data)), rng.integers(1, 5, len(data))
    found = preference(
        data["y"], data["annotator"], data["pair"], rng, shown_first=first, certainty=certainty
    )
    decisive = data["y"].notna().to_numpy()
    chosen = data["y"].to_numpy()[decisive]
    assert found.position.count == int((chosen == first[decisive]).sum())
    weights = certainty[decisive]
    assert found.weighted.value == pytest.approx(np.average(chosen, weights=weights), abs=1e-12)
    assert found.weighted.n == 138


def test_the_cluster_interval_is_wider_where_annotators_agree_with_themselves():
    chosen = np.repeat([1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1], 10)
    annotator = np.repeat(range(12), 10)
    by_annotator = share_by_cluster(chosen, annotator, np.random.default_rng(1))
    by_row = share_by_cluster(chosen, np.arange(120), np.random.default_rng(1), units="judgments")
    assert by_annotator.high - by_annotator.low > 2 * (by_row.high - by_row.low)
    assert by_annotator.p > by_row.p


def test_p_of_the_cluster_bootstrap_tests_a_half():
    draws = np.random.default_rng(9).integers(0, 6, size=(2000, 6))
    shares = np.array([1, 1, 0, 1, 1, 0])[draws].mean(axis=1)
    found = share_by_cluster([1, 1, 0, 1, 1, 0], range(6), np.random.default_rng(9))
    assert found.p == pytest.approx((1 + (shares <= 0.5 + 1e-12).sum()) / 2001, abs=1e-12)
    assert (found.low, found.high) == pytest.approx(np.quantile(shares, [0.025, 0.975]).tolist())


def test_position_share_counts_the_side_shown_first():
    found = position_share([1, 1, 0, 0, 1], [1, 0, 0, 1, 1])
    assert (found.count, found.n) == (3, 5)
    assert found.p == pytest.approx(1.0)


@pytest.mark.parametrize("choice", [[], [NAN, NAN]])
def test_without_a_decision_all_is_undefined_in_words(choice):
    labels = list(range(len(choice)))
    found = preference(
        choice, labels, labels, np.random.default_rng(1), shown_first=labels, certainty=labels
    )
    for part in (found.raw, found.by_annotator, found.mixed.at_zero, found.position):
        assert part.value is None
        assert part.reason
    assert (found.undecided.value, found.undecided.n) == ((1.0, 2) if choice else (None, 0))


def test_one_annotator_has_no_cluster_interval():
    found = preference([1, 0, 1], ["a"] * 3, [1, 2, 3], np.random.default_rng(1))
    assert found.by_annotator.value == pytest.approx(2 / 3)
    assert "one cluster" in found.by_annotator.reason
    assert "only one annotator" in found.mixed.reason


@pytest.mark.parametrize(
    ("weights", "words"), [([1, NAN], "1 of 2 decisions"), ([0, 0], "every certainty is 0")]
)
def test_weights_say_why_they_are_of_no_use(weights, words):
    found = weighted_share([1, 0], weights, ["a", "b"], np.random.default_rng(1))
    assert found.value is None
    assert words in found.reason


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda rng: preference([2], [1], [1], rng), "it holds 2"),
        (lambda rng: preference([[1]], [1], [1], rng), r"shape is \(1, 1\)"),
        (lambda rng: preference([1], [1, 2], [1], rng), "1 rows of choice"),
        (lambda _: position_share([1], [NAN]), "0 and 1 only"),
        (lambda rng: weighted_share([1], [-1], [1], rng), "at least 0; one is -1"),
    ],
)
def test_wrong_use_is_an_error_in_a_sentence(call, words):
    with pytest.raises(ValueError, match=words):
        call(np.random.default_rng(1))
