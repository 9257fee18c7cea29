r"""Warm's weighted likelihood estimate of ability, finite also where the maximum is not."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.stats.rasch_solver import Floats

REACH = 12.0
HALVINGS = 60


def warm_abilities(scores: NDArray[Any], difficulty: Floats, weights: Floats) -> Floats:
    r"""Return the weighted likelihood estimate of each person, given the difficulties.

    Solves :math:`r - \sum_i p_i + \tfrac12 \sum_i p_i q_i (1 - 2 p_i) / \sum_i p_i q_i = 0`. Unlike
    the maximum likelihood estimate it is finite for none and for all correct, and its bias is of
    smaller order.

    Parameters
    ----------
    scores : ndarray, shape (P,)
        Correct answers on the items given.
    difficulty : ndarray, shape (n,)
        Finite difficulties, logits.
    weights : ndarray, shape (P, n) or (n,)
        1 where the person saw the item; or how often an item counts, for all persons alike.

    Returns
    -------
    ndarray, shape (P,)
        Logits. NaN where a person saw no item.

    References
    ----------
    Warm (1989), *Psychometrika* 54, 427-450, formula 15 with the Rasch model put in.

    Examples
    --------
    Two items of difficulty zero: one right is ability zero, and two right is log 5, since
    2 - 2p + (1 - 2p)/2 = 0 at p = 5/6.

    >>> import numpy as np
    >>> abs(np.round(warm_abilities(np.array([1, 2]), np.zeros(2), np.ones(2)), 4)).tolist()
    [0.0, 1.6094]
    """
    weights = np.broadcast_to(weights, (scores.size, difficulty.size))
    low = np.full(scores.size, difficulty.min(initial=0.0) - REACH)
    high = np.full(scores.size, difficulty.max(initial=0.0) + REACH)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        above = _slope(middle, scores, difficulty, weights) > 0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.where(weights.sum(axis=1) > 0, (low + high) / 2, np.nan)


def _slope(
    ability: Floats, scores: NDArray[Any], difficulty: Floats, weights: NDArray[Any]
) -> Floats:
    """Return the weighted score function times the information, which is positive."""
    p = 1 / (1 + np.exp(difficulty - ability[:, None]))
    spread = p * (1 - p) * weights
    skew = (spread * (1 - 2 * p)).sum(axis=1)
    lacking = scores - (p * weights).sum(axis=1)
    slope: Floats = lacking * spread.sum(axis=1) + skew / 2
    return slope
