r"""The Rasch model with a fixed guessing floor: even without knowledge, a right answer has chance c.

:math:`P = c + (1 - c)\,\sigma(\theta - b)`. The margins are no longer sufficient, so the fit alternates
Fisher scoring steps over all cells, with score :math:`\sum (y - P)\,\sigma / P` and information
:math:`(1 - c) \sum \sigma^2 (1 - \sigma) / P`. A person at or below chance, and an item that everyone
got right, has no finite estimate; what reaches the bound is reported as infinite.

Source: Birnbaum (1968), in Lord and Novick, with the lower asymptote fixed as in Barton and Lord (1981).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.stats.rasch import LEAST_GROUPS, RaschFit
from analysis.stats.rasch_masked import trimmed
from analysis.stats.rasch_solver import STEP_LIMIT, Floats, Mixing

BOUND = 12.0
MAX_SWEEPS = 200
TOLERANCE = 1e-7
PIECE_CELLS = 60_000


def fit_with_floor(responses: NDArray[Any], seen: NDArray[np.bool_], floor: float) -> RaschFit:
    """Fit a block with a fixed guessing floor.

    Parameters
    ----------
    responses : ndarray, shape (P, n)
        0 and 1; what stands in a cell not seen is ignored.
    seen : ndarray of bool, shape (P, n)
        Which cells were observed.
    floor : float
        Chance of a right answer without any knowledge, in [0, 1).

    Returns
    -------
    RaschFit
        `residual` is the largest score (first derivative of the log-likelihood) left.
    """
    if not 0 <= floor < 1:
        raise ValueError(f"the guessing floor must lie in [0, 1), not {floor:g}")
    answers = np.where(seen, responses, 0).astype(np.float64)
    persons, items, ability, difficulty = trimmed(answers, seen)
    information = np.zeros(ability.size)
    if min(persons.sum(), items.sum()) < LEAST_GROUPS:
        words = "fewer than two models or two items are left once extreme scores are set aside"
        return RaschFit(ability, difficulty, information, 0.0, 0, words)
    cells = np.ix_(persons, items)
    alpha, beta, inner, residual, sweeps = _alternate(answers[cells], seen[cells], floor)
    beyond_a, beyond_b = np.abs(alpha) >= BOUND, np.abs(beta) >= BOUND
    origin = beta[~beyond_b].mean() if (~beyond_b).any() else 0.0
    ability[persons] = np.where(beyond_a, np.copysign(np.inf, alpha), alpha - origin)
    difficulty[items] = np.where(beyond_b, np.copysign(np.inf, beta), beta - origin)
    information[persons] = np.where(beyond_a, 0.0, inner)
    return RaschFit(ability, difficulty, information, residual, sweeps)


def _alternate(
    answers: Floats, seen: NDArray[np.bool_], floor: float
) -> tuple[Floats, Floats, Floats, float, int]:
    alpha, beta = np.zeros(answers.shape[0]), np.zeros(answers.shape[1])
    mixing = Mixing(seen.sum(axis=0).astype(np.float64))
    residual, information = np.inf, alpha
    for sweep in range(MAX_SWEEPS):
        rows, columns, information, _ = _scores(alpha, beta, answers, seen, floor)
        free_a, free_b = np.abs(alpha) < BOUND, np.abs(beta) < BOUND
        residual = float(max(np.abs(rows * free_a).max(), np.abs(columns * free_b).max()))
        if residual < TOLERANCE * max(answers.shape):
            return alpha, beta, information, residual, sweep
        alpha = np.clip(alpha + _step(rows, information), -BOUND, BOUND)
        _, columns, _, inner = _scores(alpha, beta, answers, seen, floor)
        new_beta = np.clip(beta - _step(columns, inner), -BOUND, BOUND)
        alpha, beta = mixing.mixed(beta, alpha, new_beta, residual)
        alpha, beta = np.clip(alpha, -BOUND, BOUND), np.clip(beta, -BOUND, BOUND)
    return alpha, beta, information, residual, MAX_SWEEPS


def _step(score: Floats, information: Floats) -> Floats:
    return np.clip(score / np.maximum(information, 1e-9), -STEP_LIMIT, STEP_LIMIT)


def _scores(
    alpha: Floats, beta: Floats, answers: Floats, seen: NDArray[np.bool_], floor: float
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return row and column scores (for ability upwards) and their informations."""
    rows, row_information = np.empty(alpha.size), np.empty(alpha.size)
    columns, column_information = np.zeros(beta.size), np.zeros(beta.size)
    # At the bound nothing is known and the chance is the floor itself; left finite, such parameters
    # would drag the origin along for hundreds of sweeps.
    ease = np.where(alpha > -BOUND, np.exp(-alpha), np.inf)[:, None]
    hardness = np.where(beta < BOUND, np.exp(beta), np.inf)
    height = max(1, PIECE_CELLS // beta.size)
    for first in range(0, alpha.size, height):
        piece = slice(first, first + height)
        sigma = 1 / (1 + ease[piece] * hardness)
        chance = floor + (1 - floor) * sigma
        share = seen[piece] * sigma / chance
        score = (answers[piece] - chance) * share
        spread = (1 - floor) * share * sigma * (1 - sigma)
        rows[piece], row_information[piece] = score.sum(axis=1), spread.sum(axis=1)
        columns += score.sum(axis=0)
        column_information += spread.sum(axis=0)
    return rows, columns, row_information, column_information
