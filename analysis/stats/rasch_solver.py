"""The alternating solver behind `analysis.stats.rasch`: from grouped margins to the optimum."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

STEP_LIMIT = 2.0
MAX_SWEEPS = 500
SUSPECT_SWEEPS = 25
SUSPECT_DISTANCE = 15.0
MIXING_LIMIT = 0.5
PIECE_ROWS = 64


@dataclass(frozen=True)
class Groups:
    """Unique margins with their multiplicities, and the group of each member."""

    values: Floats
    counts: Floats
    member: NDArray[np.intp]


@dataclass(frozen=True)
class Solution:
    """Abilities and difficulties of the groups, and how well they meet the margins."""

    alpha: Floats
    beta: Floats
    information: Floats
    residual: float
    sweeps: int


class Mixing:
    """Anderson mixing of depth one: two sweeps tell the slow direction, which is then jumped.

    The sweeps alone shrink the error tenfold each; so mixed, a hundredfold. Only while the residual
    falls, so that a jump that did harm is followed by plain sweeps.
    """

    def __init__(self, weights: Floats) -> None:
        self._weights = weights
        self._last: tuple[Floats, Floats, Floats] | None = None
        self._residual = np.inf

    def mixed(
        self, before: Floats, alpha: Floats, beta: Floats, residual: float
    ) -> tuple[Floats, Floats]:
        """Return the point to go on from, given the sweep `before` to (`alpha`, `beta`)."""
        change, last = beta - before, self._last
        falls, self._residual = residual < self._residual, residual
        self._last = (change, alpha, beta)
        if last is None or not falls:
            return alpha, beta
        turn = change - last[0]
        size = float((self._weights * turn) @ turn)
        share = float((self._weights * change) @ turn) / size if size > 0 else 0.0
        share = min(max(share, -MIXING_LIMIT), MIXING_LIMIT)
        return alpha - share * (alpha - last[1]), beta - share * (beta - last[2])


def alternate(
    rows: Groups, columns: Groups, alpha: Floats, beta: Floats, tolerance: float
) -> Solution | None:
    """Return the optimum, or None where there is none."""
    length = columns.counts.sum()
    limit = tolerance * max(rows.counts.sum(), length)
    mixing = Mixing(columns.counts)
    for sweep in range(MAX_SWEEPS):
        sums = _row_sums(alpha, beta, rows.counts, columns.counts)
        row_residual = rows.values - sums.rows
        residual = max(_largest(row_residual), _largest(columns.values - sums.columns))
        met = residual < limit
        suspect = sweep == SUSPECT_SWEEPS or (met and _far_apart(alpha, beta))
        if suspect and separated(rows.values, rows.counts, columns.values, columns.counts):
            return None
        if met:
            return Solution(alpha, beta, sums.information, residual, sweep)
        alpha = alpha + np.clip(row_residual / sums.information, -STEP_LIMIT, STEP_LIMIT)
        down = _column_sums(alpha, beta, rows.counts)
        step = (columns.values - down.columns) / down.information
        new_beta = beta - np.clip(step, -STEP_LIMIT, STEP_LIMIT)
        shift = columns.counts @ new_beta / length
        alpha, beta = mixing.mixed(beta, alpha - shift, new_beta - shift, residual)
    return None


@dataclass(frozen=True)
class _Rows:
    """Fitted margins, and the informations of the rows."""

    rows: Floats
    columns: Floats
    information: Floats


@dataclass(frozen=True)
class _Columns:
    """Fitted column margins and their informations."""

    columns: Floats
    information: Floats


def _row_sums(alpha: Floats, beta: Floats, row_counts: Floats, column_counts: Floats) -> _Rows:
    """Sum sigma(alpha - beta) along both sides, and what a step of the rows needs."""
    rows, squares = np.empty(alpha.size), np.empty(alpha.size)
    columns = np.zeros(beta.size)
    for piece, p in _pieces(alpha, beta):
        rows[piece] = p @ column_counts
        columns += row_counts[piece] @ p
        np.square(p, out=p)
        squares[piece] = p @ column_counts
    return _Rows(rows, columns, rows - squares)


def _column_sums(alpha: Floats, beta: Floats, row_counts: Floats) -> _Columns:
    """Sum sigma(alpha - beta) down the columns, and what a step of the columns needs."""
    columns, squares = np.zeros(beta.size), np.zeros(beta.size)
    for piece, p in _pieces(alpha, beta):
        columns += row_counts[piece] @ p
        np.square(p, out=p)
        squares += row_counts[piece] @ p
    return _Columns(columns, columns - squares)


def _pieces(alpha: Floats, beta: Floats) -> Iterator[tuple[slice, Floats]]:
    """Yield sigma(alpha - beta) in pieces that fit the cache, all in one buffer.

    One exponential a row and a column. That `1 + ease x hardness` is a product of two columns and
    two rows, and the inverse a quotient, halves the time against the same in elementwise steps.
    """
    ease, hardness = np.ones((alpha.size, 2)), np.ones((2, beta.size))
    np.exp(-alpha, out=ease[:, 0])
    np.exp(beta, out=hardness[0])
    buffer = np.empty((min(PIECE_ROWS, alpha.size), beta.size))
    for first in range(0, alpha.size, PIECE_ROWS):
        piece = slice(first, min(first + PIECE_ROWS, alpha.size))
        p = buffer[: piece.stop - first]
        np.dot(ease[piece], hardness, out=p)
        np.divide(1.0, p, out=p)
        yield piece, p


def _far_apart(alpha: Floats, beta: Floats) -> bool:
    highest, lowest = max(alpha.max(), beta.max()), min(alpha.min(), beta.min())
    return bool(highest - lowest > SUSPECT_DISTANCE)


def _largest(values: Floats) -> float:
    return float(np.abs(values).max())


def separated(scores: Floats, score_counts: Floats, totals: Floats, total_counts: Floats) -> bool:
    """Return whether the margins lie on a face of the Gale-Ryser polytope.

    The k best persons can have at most k m right answers on the m easiest items, plus what the other
    items' totals allow. Where that bound is met for some k and m, those persons are right on all of
    the m easiest and the others wrong on all the rest, and no finite optimum exists. Only the
    boundaries between groups of equal margins need a look, since the slack is linear within them.

    Parameters
    ----------
    scores, score_counts : ndarray, shape (A,)
        Unique row scores and how many persons have each.
    totals, total_counts : ndarray, shape (C,)
        Unique item totals and how many items have each.
    """
    by_score, by_total = np.argsort(-scores), np.argsort(-totals)
    people = np.concatenate([[0.0], np.cumsum(score_counts[by_score])])
    right = np.concatenate([[0.0], np.cumsum((score_counts * scores)[by_score])])
    items = np.concatenate([[0.0], np.cumsum(total_counts[by_total])])
    answers = np.concatenate([[0.0], np.cumsum((total_counts * totals)[by_total])])
    rest = answers[-1] - answers
    slack = np.outer(people, items) + rest - right[:, None]
    slack[0, -1] = slack[-1, 0] = np.inf
    return bool(slack.min() < 1e-9 * max(answers[-1], 1.0))
