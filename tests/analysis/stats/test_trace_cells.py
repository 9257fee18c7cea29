"""The weighted bootstrap equals explicit resampling, and undefined cells say why."""

import doctest

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.stats import (
    trace_cells,
    trace_order,
    trace_position,
    trace_review,
    trace_scores,
)


def cell(seed, pairs, problems):
    rng = np.random.default_rng(seed)
    chosen = np.sort(rng.choice(problems, size=pairs, replace=False))
    # Rounded, so that thresholds meet ties.
    return trace_cells.Cell(
        rng.uniform(size=pairs).round(1), rng.uniform(size=pairs).round(1), chosen
    )


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(5, 25))
def test_weights_equal_explicit_resampling(seed, pairs):
    one = cell(seed, pairs, 30)
    weights = trace_cells.problem_weights(30, 4, np.random.default_rng(seed))
    counts = trace_cells.top_counts(one, weights)
    for draw, row in enumerate(weights):
        times = row[one.problem].astype(int)
        if not times.sum():
            continue
        H, S = np.repeat(one.H, times), np.repeat(one.S, times)
        top = np.quantile(H, 0.75) <= H
        assert counts.top[draw] == top.sum()
        assert counts.not_top[draw] == (top & (np.quantile(S, 0.75) > S)).sum()
        assert counts.bottom[draw] == (top & (np.quantile(S, 0.25) >= S)).sum()


def test_a_resample_without_the_cell_counts_nothing():
    one = trace_cells.Cell(np.array([0.1, 0.2]), np.array([0.3, 0.4]), np.array([0, 1]))
    counts = trace_cells.top_counts(one, np.array([[0.0, 0.0, 2.0]]))
    assert [column.tolist() for column in counts] == [[0.0], [0.0], [0.0]]


def test_perfect_agreement_and_independence():
    rng = np.random.default_rng(2)
    same = rng.uniform(size=4000)
    everyone = np.arange(4000)
    assert trace_cells.dissociation([trace_cells.Cell(same, same, everyone)]).not_top.value == 0.0
    other = trace_cells.Cell(same, rng.uniform(size=4000), everyone)
    assert trace_cells.dissociation([other]).not_top.value == pytest.approx(0.75, abs=0.04)


def test_cells_are_pooled_by_counts_and_the_interval_covers_the_value():
    cells = [cell(seed, 40, 60) for seed in range(5)]
    weights = trace_cells.problem_weights(60, 500, np.random.default_rng(1))
    whole = trace_cells.dissociation(cells, weights)
    counts = [trace_cells.top_counts(one, np.ones((1, 60))) for one in cells]
    top = sum(c.top[0] for c in counts)
    assert whole.not_top.value == sum(c.not_top[0] for c in counts) / top
    assert whole.not_top.low < whole.not_top.value < whole.not_top.high
    assert whole.bottom.value == sum(c.bottom[0] for c in counts) / top
    assert whole.bottom.value < whole.not_top.value


def test_small_cells_are_left_out():
    assert "at least 20" in trace_cells.dissociation([cell(1, 19, 30)]).bottom.reason


@pytest.mark.parametrize(
    "module", [trace_cells, trace_order, trace_position, trace_review, trace_scores]
)
def test_the_examples_in_the_docstrings_hold(module):
    result = doctest.testmod(module)
    assert result.attempted > 3
    assert result.failed == 0


def test_undefined_reviews_say_why():
    score = np.array([0.1, 0.2, 0.3, 0.4])
    nothing = np.zeros(4, dtype=bool)
    some = np.array([True, False, False, False])
    assert "shares a wrong answer" in trace_review.review_lift(score, nothing).reason
    assert "smaller than one pair" in trace_review.review_lift(score, some, budget=0.1).reason
    apart = trace_review.matched_contrast(score, some, np.array([0, 1, 1, 1]))
    assert "holds both" in apart.reason


def test_a_trace_of_one_step_has_no_positions():
    assert trace_position.branch(np.array([0.1]), threshold=0.5) == (1, None)
    assert trace_position.last_minus_middle(np.array([0.1, 0.2])) is None
    with pytest.raises(ValueError, match="no quintiles"):
        trace_position.quintile(1)


@settings(deadline=None)
@given(st.lists(st.integers(0, 40), min_size=1, max_size=9), st.integers(0, 200))
def test_an_allocation_is_complete_and_possible(sizes, total):
    shares = trace_review.allocate(sizes, total)
    assert sum(shares) == min(total, sum(sizes))
    assert all(0 <= share <= size for share, size in zip(shares, sizes, strict=True))
