import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.stats import draws
from analysis.stats.draws import draws_kept, multiplicities
from analysis.stats.resample import (
    ClusterTotals,
    bootstrap_p,
    cluster_bootstrap,
    cluster_totals,
    replicate_means,
    resample_units,
)
from tests.oracles.read import HERE, oracle

EXPECTED = oracle("cluster_bootstrap")["expected"]


def difference(means):
    return means[:, 1] - means[:, 0]


@pytest.fixture(scope="module")
def totals():
    data = pd.read_csv(HERE / "data" / "l2_lmm_215671.csv.gz")
    return cluster_totals(data["score"], data["article"], data["x"])


def test_totals_equal_the_reference(totals):
    sums = oracle("cluster_bootstrap")["cluster_sums"]
    assert list(totals.clusters) == sums["articles"]
    assert totals.counts[:, 1].tolist() == sums["english_n"]
    assert totals.sums[:, 1] == pytest.approx(sums["english_sum"], abs=1e-9)
    assert totals.sums[:, 0] == pytest.approx(sums["target_sum"], abs=1e-9)
    assert totals.n == EXPECTED["n"]


def test_replicates_equal_resampled_rows(totals):
    replicates = difference(replicate_means(totals, np.random.default_rng(42), 2000))
    assert replicates == pytest.approx(EXPECTED["replicates"], abs=1e-13)
    assert replicates.std(ddof=1) == pytest.approx(EXPECTED["boot_se"], rel=1e-9)


def test_interval_and_p_equal_the_reference(totals):
    found = cluster_bootstrap(
        totals, difference, np.random.default_rng(42), alternative="greater", units="articles"
    )
    assert found.value == pytest.approx(EXPECTED["difference"], abs=1e-13)
    assert (found.low, found.high) == pytest.approx(EXPECTED["ci95_percentile"], abs=1e-13)
    assert found.p == EXPECTED["p_one_sided_plus1"]
    assert (found.n, found.seed, found.reason) == (EXPECTED["n"], 42, None)
    assert "articles" in found.method
    assert "Generator.integers" in found.method


def test_blocks_take_the_same_numbers_from_the_generator(totals, monkeypatch):
    whole = replicate_means(totals, np.random.default_rng(7), 50)
    monkeypatch.setattr(draws, "BLOCK", 1000)
    assert np.array_equal(replicate_means(totals, np.random.default_rng(7), 50), whole)


def test_each_replicate_draws_as_many_clusters_as_there_are():
    (block,) = multiplicities(9, 40, np.random.default_rng(0))
    drawn = np.random.default_rng(0).integers(0, 9, size=(40, 9))
    assert block.shape == (40, 9)
    assert (block.sum(axis=1) == 9).all()
    assert block[3].tolist() == np.bincount(drawn[3], minlength=9).tolist()


@settings(max_examples=40, deadline=None)
@given(
    rows=st.lists(
        st.tuples(st.floats(-5, 5), st.integers(0, 4), st.integers(0, 2)), min_size=1, max_size=30
    ),
    seed=st.integers(0, 1000),
)
def test_a_replicate_is_the_mean_over_the_rows_of_the_drawn_clusters(rows, seed):
    values, clusters, cells = (np.array(x) for x in zip(*rows, strict=True))
    totals = cluster_totals(values, clusters, cells, n_cells=3)
    found = replicate_means(totals, np.random.default_rng(seed), 5)
    draws = np.random.default_rng(seed).integers(0, len(totals.clusters), (5, len(totals.clusters)))
    for replicate, draw in zip(found, draws, strict=True):
        for cell in range(3):
            drawn = [
                values[(clusters == totals.clusters[k]) & (cells == cell)] for k in draw.tolist()
            ]
            joined = np.concatenate(drawn)
            if len(joined) == 0:
                assert np.isnan(replicate[cell])
            else:
                assert replicate[cell] == pytest.approx(joined.mean(), abs=1e-12)


def test_contrasts_inside_a_replicate_keep_their_covariance():
    # Two cells with equal values in every cluster: their difference never varies.
    totals = cluster_totals([1.0, 1.0, 3.0, 3.0, 8.0, 8.0], [1, 1, 2, 2, 3, 3], [0, 1] * 3)
    found = cluster_bootstrap(totals, difference, np.random.default_rng(1))
    assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)


def test_p_is_never_zero():
    sure = np.full(999, 0.5)
    assert bootstrap_p(sure) == 1 / 1000
    assert bootstrap_p(sure, "less") == 1.0
    assert bootstrap_p(sure, "two-sided") == 2 / 1000
    assert bootstrap_p(np.zeros(10), "two-sided") == 1.0


@pytest.mark.parametrize(
    ("totals", "words", "has_value"),
    [
        (cluster_totals([], []), "there are no rows", False),
        (cluster_totals([1.0, 2.0], [1, 1], [0, 1]), "one cluster", True),
        (cluster_totals([1.0, 2.0], [1, 2], [0, 0], 2), "has no rows", False),
        # Half of the draws of two clusters miss one of them, and with it a cell.
        (cluster_totals([1.0, 2.0], [1, 2], [0, 1]), "no interval: ", True),
    ],
)
def test_says_why_it_is_undefined(totals, words, has_value):
    found = cluster_bootstrap(totals, lambda m: m[:, -1] - m[:, 0], np.random.default_rng(1))
    if totals.sums.shape[1] == 1:
        assert found.value is None
    assert words in found.reason
    assert found.defined is has_value
    assert (found.low, found.high) == (None, None)


def test_a_few_replicates_without_a_value_are_left_out_and_counted():
    values, clusters = np.arange(12.0), np.repeat(range(6), 2)
    cells = np.where(np.isin(clusters, (0, 1, 2)), np.arange(12) % 2, 0)
    totals = cluster_totals(values, clusters, cells)
    found = cluster_bootstrap(totals, difference, np.random.default_rng(3))
    assert "are left out" in found.notes[0]
    assert found.low is not None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([1.0], [1, 2]), "equal lengths"),
        (([np.nan], [1]), "1 of 1 values are missing"),
        (([1.0], [None]), "needs a cluster"),
        (([1.0], [1], [-1]), "needs a cluster and a cell"),
    ],
)
def test_wrong_rows_are_an_error_in_a_sentence(arguments, words):
    with pytest.raises(ValueError, match=words):
        cluster_totals(*arguments)


@pytest.mark.parametrize(
    ("sums", "counts", "labels", "words"),
    [
        (np.ones(2), np.ones(2), (1, 2), "must both be"),
        (np.ones((2, 1)), np.ones((2, 1)), (1,), "1 labels for 2 clusters"),
        (np.full((1, 1), np.nan), np.ones((1, 1)), (1,), "must be finite"),
    ],
)
def test_wrong_totals_are_an_error_in_a_sentence(sums, counts, labels, words):
    with pytest.raises(ValueError, match=words):
        ClusterTotals(sums, counts, labels)


def test_resampling_units_equals_naive_draws():
    values = np.array([[0.1, 1.0], [0.5, 2.0], [0.2, 4.0], [0.9, 3.0]])
    found = resample_units(values, lambda x: x[:, 0].mean(), np.random.default_rng(5))
    draws = np.random.default_rng(5).integers(0, 4, size=(2000, 4))
    means = values[draws, 0].mean(axis=1)
    assert (found.low, found.high) == pytest.approx(np.quantile(means, [0.025, 0.975]).tolist())
    assert (found.seed, found.n) == (5, 4)


@pytest.mark.parametrize(
    ("values", "words", "value"),
    [
        (np.empty((0, 1)), "there are no languages", None),
        (np.array([1.0, np.nan]), "have a missing value", None),
        (np.array([2.0]), "there is only one", 2.0),
        (np.array([-1.0, -2.0]), "the statistic is undefined", None),
    ],
)
def test_units_say_why_they_are_undefined(values, words, value):
    def statistic(rows):
        return float(rows.mean()) if rows.min() > 0 else float("nan")

    found = resample_units(values, statistic, np.random.default_rng(1), units="languages")
    assert words in found.reason
    assert found.value == value
    assert found.low is None


def blocks_of(clusters, resamples, rng):
    return np.concatenate(list(multiplicities(clusters, resamples, rng)))


def test_draws_that_are_kept_are_those_that_are_made_anew(monkeypatch):
    monkeypatch.setattr(draws, "BLOCK", 1000)
    anew = np.random.default_rng(8)
    whole, after = blocks_of(70, 50, anew), anew.random()
    with draws_kept():
        for _ in range(2):
            rng = np.random.default_rng(8)
            assert np.array_equal(blocks_of(70, 50, rng), whole)
            assert rng.random() == after


def test_draws_are_shared_by_generators_in_one_state_and_by_no_others(monkeypatch):
    made = []
    drawn = draws._drawn
    monkeypatch.setattr(draws, "_drawn", lambda *asked: made.append(1) or drawn(*asked))
    rng = np.random.default_rng(3)
    with draws_kept():
        first, second = blocks_of(9, 40, rng), blocks_of(9, 40, rng)
        again = blocks_of(9, 40, np.random.default_rng(3))
    assert not np.array_equal(first, second)
    assert np.array_equal(first, again)
    assert len(made) == 2
    blocks_of(9, 40, np.random.default_rng(3))
    assert len(made) == 3


def test_draws_beyond_what_may_be_held_are_let_go_or_not_kept_at_all(monkeypatch):
    monkeypatch.setattr(draws, "MOST_KEPT", 1100)
    made = []
    drawn = draws._drawn
    monkeypatch.setattr(draws, "_drawn", lambda *asked: made.append(asked[0]) or drawn(*asked))
    with draws_kept():
        for clusters in (12, 13, 12, 14, 12, 13, 30, 30):
            blocks_of(clusters, 40, np.random.default_rng(1))
    assert made == [12, 13, 14, 13, 30, 30]


def test_room_is_made_before_draws_are_made(monkeypatch):
    """Else the old and the new would be held at once, which is twice what may be."""
    monkeypatch.setattr(draws, "MOST_KEPT", 1100)
    drawn, held = draws._drawn, []
    monkeypatch.setattr(
        draws, "_drawn", lambda *asked: held.append(draws._kept.get().size) or drawn(*asked)
    )
    with draws_kept():
        for clusters in (20, 21, 6):
            blocks_of(clusters, 40, np.random.default_rng(1))
    assert held == [0, 0, 840]


@pytest.mark.parametrize("labels", [[4, 0, 4, 2], [4, -1, 4, 2], [4, 900, 4, 2], list("baad")])
def test_clusters_are_numbered_in_the_order_of_their_labels_whatever_these_are(labels):
    found = cluster_totals([1.0, 2.0, 3.0, 4.0], np.array(labels))
    assert found.clusters == tuple(sorted(set(labels)))
    rows = list(zip(labels, (1.0, 2.0, 3.0, 4.0), strict=True))
    sums = [sum(value for label, value in rows if label == name) for name in found.clusters]
    assert found.sums[:, 0].tolist() == sums
