"""Krippendorff's alpha: interval, drivers, undefined cases, wrong use."""

import warnings
from dataclasses import replace
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
import pytest

from analysis.stats.alpha import alpha_replicates, krippendorff_alpha
from analysis.stats.coincidence import LEVELS, item_terms
from analysis.stats.disagreement import alpha_without_each_rater, disagreement_shares
from analysis.stats.ratings import Ratings

NAN = float("nan")
MISSPELT: Any = "ordinall"
MIXED: Any = [[1, "a"], [1, 2]]
INFINITE: Any = [[1, float("inf")], [1, 2]]


def ratings(seed=0, raters=6, items=40, labels=5, missing=0.4):
    """Return a raters-by-items table with noise around a truth and missing cells."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, labels + 1, items)
    table = np.clip(truth + rng.integers(-1, 2, (raters, items)), 1, labels).astype(float)
    table[rng.random(table.shape) < missing] = NAN
    return table


def package(table, level):
    """Return the package's alpha, NaN where it has none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return krippendorff.alpha(table, level_of_measurement=level)
        except ValueError:
            return NAN


def terms_of(table, level):
    """Return the terms that the bootstrap sums."""
    data = Ratings.from_matrix(table).pairable()
    numeric = level in ("interval", "ratio")
    values = data.numeric_labels() if numeric else np.arange(len(data.labels), dtype=float)
    return item_terms(data.cells(), level, values)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("labels", [2, 5, 40])
def test_point_value_of_the_bootstrap_is_the_packages(level, labels):
    table = ratings(labels=labels)
    terms = terms_of(table, level)
    own = terms.alpha(terms.weighted(np.ones((1, terms.rows.shape[0]))))[0]
    assert own == pytest.approx(package(table, level), abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("labels", [3, 40])
def test_each_replicate_is_alpha_of_the_drawn_items(level, labels):
    """The naive way: draw columns of the table, call the package."""
    table = ratings(seed=1, items=25, labels=labels)
    pairable = table[:, (~np.isnan(table)).sum(axis=0) >= 2]
    rng = np.random.default_rng(7)
    naive = [
        package(pairable[:, rng.integers(0, pairable.shape[1], size=pairable.shape[1])], level)
        for _ in range(20)
    ]
    ours = alpha_replicates(terms_of(table, level), np.random.default_rng(7), 20)
    assert ours == pytest.approx(naive, abs=1e-12)


def test_replicates_do_not_depend_on_how_many_are_computed_at_once(monkeypatch):
    terms = terms_of(ratings(), "ordinal")
    whole = alpha_replicates(terms, np.random.default_rng(3), 50)
    monkeypatch.setattr("analysis.stats.alpha.ENTRIES_AT_ONCE", 7 * 40)
    monkeypatch.setattr("analysis.stats.draws.BLOCK", 13 * 40)
    assert alpha_replicates(terms, np.random.default_rng(3), 50).tolist() == whole.tolist()


def test_interval_runs_between_the_quantiles_and_names_its_seed():
    table = ratings()
    found = krippendorff_alpha(table, "ordinal", rng=np.random.default_rng(11), resamples=300)
    drawn = alpha_replicates(terms_of(table, "ordinal"), np.random.default_rng(11), 300)
    assert [found.low, found.high] == np.quantile(drawn, [0.025, 0.975]).tolist()
    assert found.low < found.value < found.high
    assert found.seed == 11
    assert "300 resamples of items" in found.method


def test_interval_needs_two_items():
    found = krippendorff_alpha([[1, 1], [2, NAN]], "nominal", rng=np.random.default_rng(0))
    assert found.value == 0.0
    assert (found.low, found.high) == (None, None)
    assert "two pairable items" in found.reason


def test_interval_is_refused_where_many_resamples_do_not_vary():
    table = [[1, 1, 1, 1], [1, 1, 1, 2]]
    found = krippendorff_alpha(table, "nominal", rng=np.random.default_rng(0), resamples=200)
    assert found.value == 0.0
    assert found.low is None
    assert "resamples of items have no variation" in found.reason


def test_a_few_resamples_without_variation_are_counted_in_the_notes():
    table = np.ones((2, 12))
    table[0, :4] = 2
    found = krippendorff_alpha(table, "nominal", rng=np.random.default_rng(0), resamples=2000)
    assert found.low is not None
    assert any("are left out" in note for note in found.notes)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("labels", [3, 40])
def test_alpha_without_a_rater_equals_alpha_of_the_table_without_the_row(level, labels):
    table = ratings(seed=2, labels=labels)
    found = alpha_without_each_rater(table, level)
    assert len(found) == len(table)
    for row, estimate in enumerate(found):
        rest = krippendorff_alpha(np.delete(table, row, axis=0), level)
        assert estimate.value == pytest.approx(rest.value, abs=1e-12)
        assert estimate.n == rest.n


def test_alpha_without_one_of_two_raters_says_why_not():
    found = alpha_without_each_rater([[1, 2, 3], [1, 2, 1]], "interval")
    assert [each.value for each in found] == [None, None]
    assert all("two raters" in each.reason for each in found)


def test_alpha_without_the_only_rater_who_differs_is_undefined():
    found = alpha_without_each_rater([[1, 1, 1], [1, 1, 1], [1, 2, 1]], "interval")
    assert found[2].value is None
    assert "no variation" in found[2].reason
    assert found[0].defined


def test_alpha_without_each_rater_of_no_ratings():
    found = alpha_without_each_rater([[NAN, NAN], [NAN, NAN]], "ordinal")
    assert [each.value for each in found] == [None, None]
    assert found[0].reason == "no rating at all"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("labels", [3, 40])
def test_shares_are_the_items_parts_of_observed_disagreement(level, labels):
    """Without one item, observed disagreement shrinks by its share (distances held fixed)."""
    table = ratings(seed=4, labels=labels)
    shares = disagreement_shares(table, level).shares
    assert shares.sum() == pytest.approx(1.0)
    alone = (~np.isnan(table)).sum(axis=0) < 2
    assert (shares[alone] == 0).all()
    agreed = [len(set(col[~np.isnan(col)])) <= 1 for col in table.T]
    assert (shares[agreed] == 0).all()
    if level in ("nominal", "interval"):
        assert shares == pytest.approx(_shares_by_hand(table, level), abs=1e-12)


def _shares_by_hand(table, level):
    parts = []
    for column in table.T:
        seen = column[~np.isnan(column)]
        pairs = [(a, b) for i, a in enumerate(seen) for j, b in enumerate(seen) if i != j]
        distances = [float(a != b) if level == "nominal" else (a - b) ** 2 for a, b in pairs]
        parts.append(sum(distances) / (len(seen) - 1) if len(seen) > 1 else 0.0)
    return np.array(parts) / sum(parts)


def test_shares_of_nothing_have_a_reason():
    assert "no disagreement" in disagreement_shares([[1, 2], [1, 2]], "nominal").reason
    assert "two raters" in disagreement_shares([[1, 2]], "nominal").reason


def test_words_on_an_ordinal_scale_need_their_order():
    scale = ["low", "mid", "high"]
    table = [["low", "mid", "high", None], ["low", "high", "high", "mid"]]
    ordered = krippendorff_alpha(table, "ordinal", labels=scale)
    numbers = krippendorff_alpha([[0, 1, 2, NAN], [0, 2, 2, 1]], "ordinal")
    assert ordered.value == pytest.approx(numbers.value, abs=1e-12)
    assert ordered.distribution == (("low", 2), ("mid", 1), ("high", 3))


def test_json_form_carries_the_counts_and_no_nan():
    found = krippendorff_alpha([[2, 2], [2, 2]], "nominal").as_dict()
    assert found["value"] is None
    assert found["percent_agreement"] == 1.0
    assert found["n_items"] == 2
    assert "no variation" in found["reason"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: krippendorff_alpha([[1, 2]], MISSPELT), "'ordinall' is unknown"),
        (lambda: krippendorff_alpha([1, 2], "nominal"), "two dimensions"),
        (lambda: krippendorff_alpha([["a", "b"], ["a", "b"]], "interval"), "not a number"),
        (lambda: krippendorff_alpha([[-1, 2], [1, 2]], "ratio"), "no negative values"),
        (
            lambda: krippendorff_alpha([[1, 9], [1, 2]], "nominal", labels=[1, 2]),
            "9.0 is not among",
        ),
        (lambda: krippendorff_alpha([[1, 2], [1, 2]], "nominal", labels=[1, 2, 2]), "twice"),
        (lambda: krippendorff_alpha([[1, 2]], "ordinal", labels=["low", "high"]), "labels are not"),
        (lambda: krippendorff_alpha(MIXED, "nominal"), "mix numbers and words"),
        (lambda: krippendorff_alpha(INFINITE, "nominal"), "infinite"),
        (lambda: Ratings.from_long(["i", "i"], ["r", "r"], [1, 2]), "'r' rated item 'i' more"),
        (lambda: Ratings.from_long(["i"], ["r", "r"], [1, 2]), "1, 2 and 2 entries"),
        (
            lambda: krippendorff_alpha(
                [[1, 2], [1, 2]], "nominal", rng=np.random.default_rng(0), confidence=95
            ),
            "95 does not",
        ),
        (
            lambda: krippendorff_alpha(
                [[1, 2], [1, 2]], "nominal", rng=np.random.default_rng(0), resamples=0
            ),
            "at least one resample",
        ),
    ],
)
def test_wrong_use_is_answered_by_a_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_constant_values_that_are_no_round_numbers_do_not_pass_for_variation():
    table = np.full((3, 50), 0.1)
    table[0, 0] = 0.7
    found = alpha_without_each_rater(table, "interval")
    assert found[0].value is None
    assert "no variation" in found[0].reason


def test_missing_values_may_be_none_nan_or_pandas_na():
    table = [[1, 2, pd.NA], [1, None, NAN], [1, 2, 2]]
    found = krippendorff_alpha(table, "nominal")
    assert (found.n, found.n_items) == (5, 2)
    column = pd.Series([1, 2, pd.NA, 1], dtype="Int64")
    long = Ratings.from_long(["a", "b", "b", "a"], ["x", "x", "y", "y"], column)
    assert (long.n, long.n_items, long.n_raters) == (3, 2, 2)


def test_words_beside_a_scale_of_words_that_nobody_used():
    none = krippendorff_alpha([[None, None]], "ordinal", labels=["low", "high"])
    assert none.distribution == (("low", 0), ("high", 0))


def test_numbers_in_few_bytes_give_the_same_as_in_many():
    """An item's number times the labels of the scale needs more bytes than the number itself."""
    whole = Ratings.from_matrix(ratings(items=120), labels=range(1, 300))
    few = replace(whole, item=whole.item.astype(np.int8), rater=whole.rater.astype(np.int8))
    for level in LEVELS:
        assert krippendorff_alpha(few, level) == krippendorff_alpha(whole, level)
        assert alpha_without_each_rater(few, level) == alpha_without_each_rater(whole, level)
