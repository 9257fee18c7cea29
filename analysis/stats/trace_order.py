"""Whether two traces take their steps in the same order: the tie-aware order consistency tau.

W_ij = M_ij^p / sum_j M_ij^p spreads step i over the steps that it resembles. For i < k, C_ik is the
probability that i lands before k, D_ik that it lands after, and the rest is a tie:

    tau_forward = sum_{i<k} (C_ik - D_ik) / (n choose 2),    tau = (tau_forward(M) + tau_forward(M')) / 2

Ties stay in the denominator, so that sending several steps to one costs. gamma leaves them out.

What tau is not: it depends on the floor of the calibration, since a background similarity spreads
the weights; and tau of a trace with itself is below 1 when its own steps resemble each other. It is
therefore read beside tau(A, A) and tau(B, B), and as a rank within one language pair.

References
----------
Sun et al. (2026), arXiv 2610.29092, for the power law with p = 3 and the tie-aware average. That a
row without any mass counts as 0 in the denominator is this program's choice.
"""

from typing import NamedTuple

import numpy as np

from analysis.stats.trace_scores import Floats

POWER = 3.0
TOO_FEW_STEPS = "order needs at least two steps on each side"
NO_CORRESPONDENCE = "no step of one trace resembles any step of the other"


class Order(NamedTuple):
    """Order consistency in both directions, or why it is undefined.

    Attributes
    ----------
    tau, forward, backward : float or None
        In [-1, 1]; 1 is the same order, -1 the reverse.
    gamma : float or None
        Mean over the directions of sum(C - D) / sum(C + D); None where all is tied.
    reason : str or None
        Why tau is undefined.
    """

    tau: float | None
    forward: float | None = None
    backward: float | None = None
    gamma: float | None = None
    reason: str | None = None


class Orders(NamedTuple):
    """Order consistency of many pairs; NaN is undefined.

    Attributes
    ----------
    tau, forward, backward, gamma : (...) float64
    """

    tau: Floats
    forward: Floats
    backward: Floats
    gamma: Floats


def sharpen(M: Floats, *, p: float = POWER) -> Floats:
    """Return the power-law weights of each row; a row without mass stays zero.

    Parameters
    ----------
    M : (..., n, m) float64
        Step similarities in [0, 1].
    p : float
        Above 0; larger is sharper.

    Returns
    -------
    (..., n, m) float64
        Rows sum to 1 or are all zero.

    Examples
    --------
    >>> sharpen(np.array([[1.0, 0.5], [0.0, 0.0]])).round(6).tolist()
    [[0.888889, 0.111111], [0.0, 0.0]]
    """
    top = M.max(axis=-1, keepdims=True)
    scaled = M / (top + (top == 0.0))
    W = scaled * scaled * scaled if p == POWER else scaled**p
    # The largest weight of a row with mass is 1 before the division, so its sum is at least 1.
    return np.asarray(W / np.maximum(W.sum(axis=-1, keepdims=True), 1.0))


def soften(M: Floats, *, temperature: float) -> Floats:
    """Return softmax weights of each row, the alternative to the power law in the ablation.

    Parameters
    ----------
    M : (..., n, m) float64
    temperature : float
        Above 0; smaller is sharper.

    Returns
    -------
    (..., n, m) float64
        Rows sum to 1, except rows of zeros, which stay zero.

    Examples
    --------
    >>> soften(np.array([[0.5, 0.5]]), temperature=0.1).tolist()
    [[0.5, 0.5]]
    """
    top = M.max(axis=-1, keepdims=True)
    raised = np.exp((M - top) / temperature)
    weights = raised / raised.sum(axis=-1, keepdims=True)
    return np.asarray(np.where(top > 0.0, weights, 0.0))


def directed(W: Floats) -> tuple[Floats, Floats]:
    """Return the sums over i < k of C - D and of C + D.

    Parameters
    ----------
    W : (..., n, m) float64
        Row weights.

    Returns
    -------
    tuple of (...) float64

    Notes
    -----
    For row k, the weights of all rows above it meet what lies after each column minus what lies
    before it. Running sums give both, and the same bits whatever else is in the batch.

    Examples
    --------
    >>> [float(part) for part in directed(np.eye(3))]
    [3.0, 3.0]
    """
    above = np.zeros_like(W)
    np.cumsum(W[..., :-1, :], axis=-2, out=above[..., 1:, :])
    before = np.zeros_like(W)
    np.cumsum(W[..., :-1], axis=-1, out=before[..., 1:])
    elsewhere = W.sum(axis=-1, keepdims=True) - W
    return _total(above * (elsewhere - 2.0 * before)), _total(above * elsewhere)


def _total(matrices: Floats) -> Floats:
    """Sum each matrix, in an order that hangs on its shape alone."""
    return np.asarray(matrices.reshape(*matrices.shape[:-2], -1).sum(axis=-1))


def orders_from_weights(forward: Floats, backward: Floats) -> Orders:
    """Return tau and gamma of pairs of one shape, from the weights of both directions.

    Parameters
    ----------
    forward : (..., n, m) float64
        Weights of the steps of a over those of b.
    backward : (..., m, n) float64
        Weights of the steps of b over those of a.

    Returns
    -------
    Orders of (...) float64
        NaN with fewer than two steps on a side, and where there is no mass.

    Examples
    --------
    >>> orders_from_weights(np.zeros((1, 2, 2)), np.zeros((1, 2, 2))).tau
    array([nan])
    """
    n, m = forward.shape[-2:]
    if min(n, m) < 2:  # noqa: PLR2004  an order needs two
        return Orders(*(np.full(forward.shape[:-2], np.nan) for _ in Orders._fields))
    known = forward.any(axis=(-2, -1))
    balance_ab, untied_ab = directed(forward)
    balance_ba, untied_ba = directed(backward)
    tau_ab = np.where(known, balance_ab / (n * (n - 1) / 2), np.nan)
    tau_ba = np.where(known, balance_ba / (m * (m - 1) / 2), np.nan)
    gamma = 0.5 * (_ratio(balance_ab, untied_ab) + _ratio(balance_ba, untied_ba))
    return Orders(0.5 * (tau_ab + tau_ba), tau_ab, tau_ba, gamma)


def _ratio(balance: Floats, untied: Floats) -> Floats:
    untied = np.where(untied > 0.0, untied, np.nan)
    return np.asarray(balance / untied)


def why_undefined(steps_a: int, steps_b: int) -> str:
    """Return why pairs of traces with so many steps have no tau, if they have none."""
    return TOO_FEW_STEPS if min(steps_a, steps_b) < 2 else NO_CORRESPONDENCE  # noqa: PLR2004  an order


def order_from_weights(forward: Floats, backward: Floats) -> Order:
    """Return tau and gamma of one pair from the weights of both directions.

    Parameters
    ----------
    forward : (n, m) float64
        Weights of the steps of a over those of b.
    backward : (m, n) float64
        Weights of the steps of b over those of a.

    Returns
    -------
    Order

    Examples
    --------
    >>> order_from_weights(np.eye(2), np.eye(2)).tau
    1.0
    """
    found = orders_from_weights(forward, backward)
    tau, tau_ab, tau_ba, gamma = (None if np.isnan(part) else float(part) for part in found)
    reason = why_undefined(*forward.shape) if tau is None else None
    return Order(tau, tau_ab, tau_ba, gamma, reason)


def orders(M: Floats, *, p: float = POWER) -> Orders:
    """Return the tie-aware order consistency of pairs of one shape.

    Parameters
    ----------
    M : (..., n, m) float64
        Step similarities in [0, 1].
    p : float
        Exponent of the power law.

    Returns
    -------
    Orders of (...) float64

    Examples
    --------
    >>> orders(np.stack([np.eye(2), np.eye(2)[::-1]])).tau.tolist()
    [1.0, -1.0]
    """
    return orders_from_weights(sharpen(M, p=p), sharpen(np.swapaxes(M, -1, -2), p=p))


def orders_by_softmax(M: Floats, *, temperature: float) -> Orders:
    """Return the order consistency of pairs of one shape under softmax weights.

    Parameters
    ----------
    M : (..., n, m) float64
    temperature : float

    Returns
    -------
    Orders of (...) float64

    Examples
    --------
    >>> orders_by_softmax(np.eye(2)[None], temperature=0.1).tau.round(4).tolist()
    [0.9999]
    """
    backward = soften(np.swapaxes(M, -1, -2), temperature=temperature)
    return orders_from_weights(soften(M, temperature=temperature), backward)


def order(M: Floats, *, p: float = POWER) -> Order:
    """Return the tie-aware order consistency of two traces.

    Parameters
    ----------
    M : (n, m) float64
        Step similarities in [0, 1].
    p : float
        Exponent of the power law.

    Returns
    -------
    Order
        Undefined with fewer than two steps on a side, and where M is all zero.

    Examples
    --------
    >>> round(order(np.array([[1.0, 0.5], [0.5, 1.0]])).tau, 6)
    0.777778
    >>> order(np.zeros((2, 2))).reason
    'no step of one trace resembles any step of the other'
    """
    return order_from_weights(sharpen(M, p=p), sharpen(M.T, p=p))
