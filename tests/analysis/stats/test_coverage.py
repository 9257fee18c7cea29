"""95 % intervals hold the truth in 93 to 97 % of simulated studies, where theory says so."""

import pytest

from tests.analysis.stats.coverage import (
    CLUSTERS,
    CROSSED,
    bootstrap_coverage,
    crossed_coverage,
)

pytestmark = pytest.mark.slow


def test_the_crossed_models_probabilities_are_covered():
    found = crossed_coverage(CROSSED["60 annotators, 40 pairs, 600 judgments"], 400)
    assert found["fitted"] == 400
    assert 0.93 <= found["at zero"] / 400 <= 0.97
    assert 0.93 <= found["averaged"] / 400 <= 0.97


def test_few_pairs_give_intervals_that_are_too_narrow():
    found = crossed_coverage(CROSSED["60 annotators, 6 pairs, 600 judgments"], 200)
    assert 0.80 <= found["at zero"] / found["fitted"] <= 0.92


def test_most_fits_to_sparse_designs_are_singular_and_still_cover():
    found = crossed_coverage(CROSSED["110 annotators, 66 pairs, 138 judgments"], 300)
    assert found["singular"] > 150
    assert 0.92 <= found["averaged"] / found["fitted"] <= 0.98


def test_the_cluster_bootstrap_covers_with_many_clusters():
    found = bootstrap_coverage(CLUSTERS["150 clusters"], 800)
    assert 0.93 <= found["difference"] / 800 <= 0.97


def test_the_cluster_bootstrap_is_too_narrow_with_few():
    found = bootstrap_coverage(CLUSTERS["8 clusters"], 400)
    assert 0.80 <= found["difference"] / found["fitted"] <= 0.92
