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

from functools import cache
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


def sharpen(M: Floats, *, p: float = POWER) -> Floats:
    """Return the power-law weights of each row; a row without mass stays zero.

    Parameters
    ----------
    M : (n, m) float64
        Step similarities in [0, 1].
    p : float
        Above 0; larger is sharper.

    Returns
    -------
    (n, m) float64
        Rows sum to 1 or are all zero.

    Examples
    --------
    >>> sharpen(np.array([[1.0, 0.5], [0.0, 0.0]])).round(6).tolist()
    [[0.888889, 0.111111], [0.0, 0.0]]
    """
    top = M.max(axis=1, keepdims=True)
    scaled = M / (top + (top == 0.0))
    W = scaled * scaled * scaled if p == POWER else scaled**p
    # The largest weight of a row with mass is 1 before the division, so its sum is at least 1.
    return np.asarray(W / np.maximum(W.sum(axis=1, keepdims=True), 1.0))


def soften(M: Floats, *, temperature: float) -> Floats:
    """Return softmax weights of each row, the alternative to the power law in the ablation.

    Parameters
    ----------
    M : (n, m) float64
    temperature : float
        Above 0; smaller is sharper.

    Returns
    -------
    (n, m) float64
        Rows sum to 1, except rows of zeros, which stay zero.

    Examples
    --------
    >>> soften(np.array([[0.5, 0.5]]), temperature=0.1).tolist()
    [[0.5, 0.5]]
    """
    raised = np.exp((M - M.max(axis=1, keepdims=True)) / temperature)
    weights = raised / raised.sum(axis=1, keepdims=True)
    return np.asarray(np.where(M.max(axis=1, keepdims=True) > 0.0, weights, 0.0))


def directed(W: Floats) -> tuple[float, float]:
    """Return the sums over i < k of C - D and of C + D.

    Parameters
    ----------
    W : (n, m) float64
        Row weights.

    Returns
    -------
    tuple of float

    Notes
    -----
    For row k, the weights of all rows above it meet what lies after each column minus what lies
    before it. Both are products with a small triangular matrix, which is kept.

    Examples
    --------
    >>> directed(np.eye(3))
    (3.0, 3.0)
    """
    above = _below_diagonal(W.shape[0]) @ W
    balance = np.vdot(above, W @ _signs(W.shape[1]))
    mass = W.sum(axis=1, keepdims=True)
    return float(balance), float(np.vdot(above, mass - W))


@cache
def _below_diagonal(size: int) -> Floats:
    """Return ones below the diagonal, zeros elsewhere."""
    return np.tri(size, k=-1)


@cache
def _signs(size: int) -> Floats:
    """Return 1 where the row lies after the column, -1 before it, 0 on the diagonal."""
    return np.tri(size, k=-1) - np.tri(size, k=-1).T


def order_from_weights(forward: Floats, backward: Floats) -> Order:
    """Return tau and gamma from the weights of both directions.

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
    n, m = forward.shape
    if min(n, m) < 2:  # noqa: PLR2004  an order needs two
        return Order(tau=None, reason=TOO_FEW_STEPS)
    if not forward.any():
        return Order(tau=None, reason=NO_CORRESPONDENCE)
    balance_ab, untied_ab = directed(forward)
    balance_ba, untied_ba = directed(backward)
    tau_ab = balance_ab / (n * (n - 1) / 2)
    tau_ba = balance_ba / (m * (m - 1) / 2)
    gamma = (
        0.5 * (balance_ab / untied_ab + balance_ba / untied_ba)
        if untied_ab > 0.0 and untied_ba > 0.0
        else None
    )
    return Order(0.5 * (tau_ab + tau_ba), tau_ab, tau_ba, gamma)


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


def order_by_softmax(M: Floats, *, temperature: float) -> Order:
    """Return the order consistency under softmax weights.

    Parameters
    ----------
    M : (n, m) float64
    temperature : float

    Returns
    -------
    Order

    Examples
    --------
    >>> round(order_by_softmax(np.eye(2), temperature=0.1).tau, 4)
    0.9999
    """
    return order_from_weights(
        soften(M, temperature=temperature), soften(M.T, temperature=temperature)
    )
