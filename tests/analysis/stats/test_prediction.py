"""Prediction scores against their definitions, pair by pair."""

import numpy as np
import pytest

from analysis.stats.prediction import prediction_scores


def by_pairs(outcomes, probabilities):
    positives, negatives = probabilities[outcomes == 1], probabilities[outcomes == 0]
    difference = positives[:, None] - negatives
    return ((difference > 0) + 0.5 * (difference == 0)).mean()


@pytest.mark.parametrize("digits", [1, 2, 12])
def test_the_area_is_the_share_of_ordered_pairs_with_ties_at_half(digits):
    rng = np.random.default_rng(digits)
    probabilities = np.clip(np.round(rng.random(400), digits), 0.05, 0.95)
    outcomes = (rng.random(400) < probabilities).astype(int)
    scores = prediction_scores(outcomes, probabilities)
    assert scores.auc == pytest.approx(by_pairs(outcomes, probabilities), abs=1e-12)


def test_the_losses_are_means_over_the_outcomes():
    outcomes, p = np.array([1, 0, 1]), np.array([0.9, 0.2, 0.4])
    scores = prediction_scores(outcomes, p)
    assert scores.bce == pytest.approx(-(np.log(0.9) + np.log(0.8) + np.log(0.4)) / 3, abs=1e-12)
    assert scores.brier == pytest.approx((0.01 + 0.04 + 0.36) / 3, abs=1e-12)
    assert scores.accuracy == pytest.approx(2 / 3)
    assert scores.n == 3


def test_one_outcome_only_has_no_area():
    assert prediction_scores(np.ones(3), np.array([0.2, 0.3, 0.4])).auc is None


@pytest.mark.parametrize("bad", [0.0, 1.0, np.nan, 1.5])
def test_a_certain_prediction_is_refused(bad):
    with pytest.raises(ValueError, match="strictly between 0 and 1"):
        prediction_scores(np.array([1, 0]), np.array([0.5, bad]))


def test_nothing_to_score_is_refused():
    with pytest.raises(ValueError, match="no outcome to score"):
        prediction_scores(np.empty(0), np.empty(0))
