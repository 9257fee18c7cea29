"""What must hold for every pair of traces, and the limits that must be told to readers."""

import numpy as np
import pytest
from hypothesis import given as draw_cases
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analysis.stats.trace_order import (
    NO_CORRESPONDENCE,
    TOO_FEW_STEPS,
    order,
    order_from_weights,
    orders,
    orders_by_softmax,
    sharpen,
)
from analysis.stats.trace_scores import (
    Calibration,
    CalibrationError,
    Calibrations,
    ceiling_of,
    coverages,
    floor_of,
    holistic,
    self_similarities,
    step_similarities,
    step_similarity,
    structural,
)


def given(*strategies, cases=300):
    """Three hundred cases each; a busy machine is no failure."""
    return lambda test: settings(max_examples=cases, deadline=None)(draw_cases(*strategies)(test))


unit_interval = st.floats(0, 1, allow_subnormal=False).map(lambda x: round(x, 6))
sides = st.integers(1, 7)
matrices = st.tuples(sides, sides).flatmap(
    lambda shape: arrays(np.float64, shape, elements=unit_interval)
)
ordered_matrices = st.tuples(st.integers(2, 7), st.integers(2, 7)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=unit_interval)
)


def near(value, tolerance=1e-12):
    return pytest.approx(value, abs=tolerance, rel=0)


@st.composite
def vector_traces(draw):
    """A trace as unit vectors with the starts of its steps."""
    counts = draw(st.lists(st.integers(1, 3), min_size=1, max_size=6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    vectors = rng.normal(size=(sum(counts), 12))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors, np.cumsum([0, *counts[:-1]])


def similarity(a, b, calibrate=Calibration(0.05, 0.9)):  # noqa: B008  an immutable default
    return step_similarity(calibrate(a[0] @ b[0].T), a[1], b[1])


def looped_similarity(calibrated, starts_a, starts_b):
    """The definition of M, word for word."""
    ends_a = [*starts_a[1:], calibrated.shape[0]]
    ends_b = [*starts_b[1:], calibrated.shape[1]]
    M = np.zeros((len(starts_a), len(starts_b)))
    for i, (first, last) in enumerate(zip(starts_a, ends_a, strict=True)):
        for j, (left, right) in enumerate(zip(starts_b, ends_b, strict=True)):
            block = calibrated[first:last, left:right]
            M[i, j] = 0.5 * (block.max(axis=1).mean() + block.max(axis=0).mean())
    return M


def looped_tau(M, p=3):
    """The definition of tau, word for word."""

    def forward(matrix):
        weights = matrix**p
        total = weights.sum(axis=1, keepdims=True)
        weights = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
        n, m = matrix.shape
        found = sum(
            weights[i, j] * weights[k, other] * np.sign(other - j)
            for i in range(n)
            for k in range(i + 1, n)
            for j in range(m)
            for other in range(m)
        )
        return found / (n * (n - 1) / 2)

    return 0.5 * (forward(M) + forward(M.T))


@given(matrices)
def test_similarity_is_symmetric(M):
    assert structural(M).similarity == near(structural(M.T).similarity)


@given(ordered_matrices)
def test_order_is_symmetric(M):
    assert order(M).tau == (None if order(M.T).tau is None else near(order(M.T).tau))


@given(vector_traces(), vector_traces())
def test_the_fast_matrix_is_the_defined_one(a, b):
    calibrated = Calibration(0.05, 0.9)(a[0] @ b[0].T)
    fast = step_similarity(calibrated, a[1], b[1])
    assert np.abs(fast - looped_similarity(calibrated, a[1], b[1])).max() < 1e-12


@given(ordered_matrices)
def test_the_fast_order_is_the_defined_one(M):
    if M.max() > 1e-3:
        # A cube of a number near zero underflows in the definition and not in the scaled form.
        M = np.where(M < 1e-3, 0.0, M)
        assert order(M).tau == near(looped_tau(M), 1e-11)


@given(st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=4), sides, sides, cases=60)
def test_many_pairs_at_once_score_what_each_scores_alone(seeds, n, m):
    drawn = [np.random.default_rng(seed).uniform(-0.5, 1.0, size=(n, m)) for seed in seeds]
    M = np.stack([*np.maximum(drawn, 0.0), np.zeros((n, m))])
    together, softly = orders(M), orders_by_softmax(M, temperature=0.1)
    covered = np.stack(coverages(M))
    for place, one in enumerate(M):
        alone, soft = order(one), orders_by_softmax(one, temperature=0.1)
        for name in ("tau", "forward", "backward", "gamma"):
            value = getattr(alone, name)
            found = getattr(together, name)[place]
            assert np.isnan(found) if value is None else found == near(value)
        assert softly.tau[place] == pytest.approx(float(soft.tau), abs=1e-12, rel=0, nan_ok=True)
        assert covered[:, place] == near(np.array(structural(one)[1:]))


@given(vector_traces(), vector_traces(), cases=60)
def test_many_calibrations_at_once_give_what_each_gives_alone(a, b):
    some = [Calibration(0.05, 0.9), Calibration(-0.2, 0.4), Calibration(0.3, 0.5)]
    every = Calibrations([*some, None])
    for M, x, y in (
        (step_similarities(a[0] @ b[0].T, a[1], b[1], every), a, b),
        (self_similarities(a[0] @ a[0].T, a[1], every), a, a),
    ):
        for found, calibrate in zip(M, some, strict=False):
            assert found == near(similarity(x, y, calibrate))
        assert np.isnan(M[-1]).all()


@given(vector_traces())
def test_a_trace_is_like_itself(a):
    assert structural(similarity(a, a)).similarity == near(1.0)


@given(st.integers(2, 9))
def test_identity_and_reversal(n):
    assert order(np.eye(n)).tau == near(1.0)
    assert order(np.eye(n)[:, ::-1]).tau == near(-1.0)


@given(ordered_matrices)
def test_reversing_one_side_negates_the_order_and_leaves_similarity(M):
    reverse = order(M[:, ::-1])
    if order(M).tau is None:
        assert reverse.reason == NO_CORRESPONDENCE
    else:
        assert reverse.tau == near(-order(M).tau)
    assert structural(M[:, ::-1]).similarity == near(structural(M).similarity)


@given(matrices, st.randoms(use_true_random=False))
def test_similarity_ignores_the_order_of_steps(M, random):
    rows, columns = list(range(M.shape[0])), list(range(M.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    assert structural(M[np.ix_(rows, columns)]).similarity == near(structural(M).similarity)


@given(vector_traces(), vector_traces(), st.randoms(use_true_random=False))
def test_similarity_ignores_the_order_of_sentences_in_a_step(a, b, random):
    ends = [*a[1][1:], len(a[0])]
    index = []
    for first, last in zip(a[1], ends, strict=True):
        block = list(range(first, last))
        random.shuffle(block)
        index += block
    shuffled = (a[0][index], a[1])
    assert structural(similarity(shuffled, b)).similarity == near(
        structural(similarity(a, b)).similarity
    )


@given(st.integers(2, 7), st.data())
def test_a_step_dropped_from_a_copy_costs_what_the_formula_says(n, data):
    half = data.draw(arrays(np.float64, (n, n), elements=unit_interval))
    M = np.maximum(half, half.T)
    np.fill_diagonal(M, 1.0)
    k = data.draw(st.integers(0, n - 1))
    elsewhere = np.delete(M[k], k).max()
    assert structural(np.delete(M, k, axis=1)).similarity == near(1 - (1 - elsewhere) / (2 * n))


@given(matrices, st.floats(0.1, 5), st.floats(-1, 1))
def test_similarity_follows_an_affine_map(M, scale, shift):
    assert structural(scale * M + shift).similarity == near(
        scale * structural(M).similarity + shift, 1e-11
    )


@given(ordered_matrices, st.floats(0.01, 1))
def test_order_ignores_a_positive_factor(M, factor):
    before, after = order(M).tau, order(factor * M).tau
    assert after == (None if before is None else near(before, 1e-9))


@given(matrices)
def test_scores_stay_in_range(M):
    assert 0 <= structural(M).similarity <= 1
    tau = order(M).tau
    assert tau is None or -1 - 1e-12 <= tau <= 1 + 1e-12


@given(vector_traces(), vector_traces())
def test_the_cosine_of_responses_stays_in_range(a, b):
    rows = min(len(a[0]), len(b[0]))
    H = holistic(a[0][:rows], b[0][:rows])
    assert (np.abs(H) <= 1).all()


@given(ordered_matrices, st.integers(0, 6), st.data())
def test_a_doubled_step(M, j, data):
    """S changes unless the column maximum equals the column mean; here by exactly that."""
    j %= M.shape[1]
    doubled = np.insert(M, j, M[:, j], axis=1)
    columns = M.max(axis=0)
    moved = (columns[j] - columns.mean()) / (2 * (M.shape[1] + 1))
    assert structural(doubled).similarity - structural(M).similarity == near(moved)


def test_a_doubled_step_is_a_tie():
    doubled = np.insert(np.eye(3), 1, np.eye(3)[:, 1], axis=1)
    assert structural(doubled).similarity == near(1.0)
    assert order(doubled).backward == near(5 / 6)


@given(st.integers(2, 6), st.integers(1, 3))
def test_unmatched_steps_lower_the_order(n, extra):
    lonely = np.vstack([np.eye(n), np.zeros((extra, n))])
    assert order(lonely).tau < order(np.eye(n)).tau


@given(ordered_matrices)
def test_weights_are_shares(M):
    rows = sharpen(M).sum(axis=1)
    assert np.allclose(rows[M.max(axis=1) > 0], 1.0)
    assert (rows[M.max(axis=1) == 0] == 0).all()


def test_softmax_of_a_clear_order_approaches_one():
    assert orders_by_softmax(np.eye(4), temperature=0.05).tau == pytest.approx(1, abs=1e-6)
    assert np.isnan(orders_by_softmax(np.zeros((2, 2)), temperature=0.1).tau)


def test_one_step_has_no_order():
    assert order(np.array([[0.8, 0.5]])).reason == TOO_FEW_STEPS
    assert order_from_weights(np.ones((1, 1)), np.ones((1, 1))).tau is None


def test_gamma_is_undefined_where_all_is_tied():
    result = order(np.array([[1.0, 0.0], [1.0, 0.0]]))
    assert result.tau == near(0.0)
    assert result.gamma is None


# The limits: what the scores must not be sold as.


def test_order_depends_on_the_floor():
    raw = np.array([[0.93, 0.82, 0.80], [0.82, 0.92, 0.83], [0.80, 0.83, 0.93]])
    taus = [order(Calibration(floor, 1.0)(raw)).tau for floor in (0.0, 0.5, 0.75)]
    assert taus[0] < 0.3 < taus[1] + 0.1 < taus[2]
    assert taus[2] > 0.8


@pytest.mark.parametrize(
    ("background", "tau"), [(0.1, 0.9901), (0.2, 0.9252), (0.3, 0.7812), (0.5, 0.4044)]
)
def test_order_with_itself_falls_when_its_steps_are_alike(background, tau):
    M = np.full((8, 8), background)
    np.fill_diagonal(M, 1.0)
    assert order(M).tau == pytest.approx(tau, abs=5e-5)
    assert structural(M).similarity == 1.0


def test_dropping_an_unmatched_step_raises_similarity():
    with_stray = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
    assert structural(with_stray).similarity == near(5 / 6)
    assert structural(np.delete(with_stray, 1, axis=0)).similarity == near(1.0)


def test_ranks_survive_an_affine_map_and_not_a_cubic_one():
    rng = np.random.default_rng(5)
    pairs = [rng.uniform(size=(4, 5)) for _ in range(200)]
    plain = np.argsort([structural(M).similarity for M in pairs])
    affine = np.argsort([structural(0.3 * M + 0.1).similarity for M in pairs])
    cubic = np.argsort([structural(M**3).similarity for M in pairs])
    assert (plain == affine).all()
    assert (plain != cubic).any()


def test_a_narrow_range_is_refused():
    with pytest.raises(CalibrationError, match="hardly tells translations from unrelated"):
        Calibration(0.80, 0.84)


def test_calibration_without_sentences_is_refused():
    with pytest.raises(CalibrationError, match="At least two problems"):
        floor_of(np.array([]))
    with pytest.raises(CalibrationError, match="Give parallel sentences"):
        ceiling_of(np.array([]))
