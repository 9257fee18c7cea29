r"""The Rasch model of a complete block, by exact joint maximum likelihood on its margins.

Model: person p answers item i correctly with probability :math:`\sigma(\theta_p - b_i)`. In a
complete block of P persons and n items the likelihood depends on the responses only through the row
scores :math:`r_p` and the item totals :math:`t_i`, so persons with one score share one ability and
items with one total share one difficulty. The solver works on the unique scores (u, with
multiplicities N) and unique totals (v, M) and alternates Newton steps,

.. math::
    \alpha_a \mathrel{+}= \frac{u_a - \sum_c M_c p_{ac}}{\sum_c M_c p_{ac}(1 - p_{ac})}, \qquad
    \beta_c \mathrel{-}= \frac{v_c - \sum_a N_a p_{ac}}{\sum_a N_a p_{ac}(1 - p_{ac})},

each cut at 2 logits, until both margins are met, with Anderson mixing between sweeps. The origin is
free: difficulties are anchored at mean zero over the items that entered the fit.

An item that all or none answered, and a person with all or none correct, have no finite estimate;
they are set aside, again and again until none is left, and get plus or minus infinity. The optimum
can fail to exist also without them, when the margins lie on another face of the Gale-Ryser
polytope (a group of persons right on all easy and a group wrong on all hard items); then the block
is *separated* and every estimate in it is NaN.

Sources: Rasch (1960); Fischer (1981), *Psychometrika* 46, 59-77, for existence; Wright and Stone
(1979), *Best Test Design*, for the start (PROX).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.stats.rasch_solver import Floats, Groups, Solution, alternate

TOLERANCE = 1e-12
PROX_FACTOR = 2.9
LEAST_GROUPS = 2


@dataclass(frozen=True)
class RaschFit:
    """The fit of one block.

    Parameters
    ----------
    ability : ndarray, shape (P,)
        Logits. Plus or minus infinity for all or none correct; NaN where the block is separated.
    difficulty : ndarray, shape (n,)
        Logits, mean zero over the items that entered. Minus infinity: everyone was right.
    information : ndarray, shape (P,)
        Fisher information of each ability given the difficulties; 0 where the ability is not finite.
    residual : float
        Largest absolute difference between an observed and a fitted margin, in responses.
    sweeps : int
        Sweeps the solver took.
    reason : str or None
        Why there is no finite estimate at all, in words.
    """

    ability: Floats
    difficulty: Floats
    information: Floats
    residual: float
    sweeps: int
    reason: str | None = None

    @property
    def extreme_items(self) -> int:
        """How many items carry no information on ability."""
        return int(np.isinf(self.difficulty).sum())

    @property
    def extreme_persons(self) -> int:
        """How many persons have all or none correct."""
        return int(np.isinf(self.ability).sum())


@dataclass(frozen=True)
class Margins:
    """Row scores, item totals, and how often each item counts (bootstrap multiplicities)."""

    scores: Floats
    totals: Floats
    weights: Floats


@dataclass(frozen=True)
class Start:
    """Estimates of an earlier fit to start from; values that are not finite count as unknown."""

    ability: Floats
    difficulty: Floats


def margins_of(responses: NDArray[Any]) -> Margins:
    """Return the margins of a complete block.

    Parameters
    ----------
    responses : ndarray, shape (P, n)
        0 and 1, or probabilities between them (continuous responses).
    """
    scores = responses.sum(axis=1, dtype=np.float64)
    totals = responses.sum(axis=0, dtype=np.float64)
    return Margins(scores, totals, np.ones(totals.size))


def fit_complete(responses: NDArray[Any], *, tolerance: float = TOLERANCE) -> RaschFit:
    """Fit a complete block of responses, shape (persons, items).

    Examples
    --------
    >>> import numpy as np
    >>> fit = fit_complete(np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 1, 1]]))
    >>> np.round(fit.ability, 3).tolist()
    [-0.874, -0.874, 0.874, 0.874]
    >>> (np.round(fit.difficulty, 3) + 0.0).tolist()
    [0.0, -1.292, 1.292]
    """
    return fit_margins(margins_of(responses), tolerance=tolerance)


def fit_margins(
    margins: Margins, *, start: Start | None = None, tolerance: float = TOLERANCE
) -> RaschFit:
    """Fit a complete block from its margins.

    Parameters
    ----------
    margins : Margins
        Scores (P,), totals (n,), weights (n,); `scores` counts an item as often as its weight.
    start : Start, optional
        A nearby solution, as in a bootstrap replicate.
    tolerance : float
        Largest margin residual allowed, as a share of the larger dimension.
    """
    kept = _trimmed(margins)
    if min(kept.persons.sum(), kept.items.sum()) < LEAST_GROUPS:
        words = "fewer than two models or two items are left once extreme scores are set aside"
        return _without_fit(kept, words)
    rows = _grouped(kept.scores[kept.persons], np.ones(int(kept.persons.sum())))
    columns = _grouped(kept.totals[kept.items], margins.weights[kept.items])
    alpha, beta = _start(rows, columns, kept, start)
    solution = alternate(rows, columns, alpha, beta, tolerance)
    if solution is None:
        words = "the answers split models and items into groups in perfect order (separation)"
        return _without_fit(kept, words)
    return _expanded(kept, rows, columns, solution)


@dataclass(frozen=True)
class _Kept:
    """Which persons and items stay, the margins among them, and the values of those set aside."""

    persons: NDArray[np.bool_]
    items: NDArray[np.bool_]
    scores: Floats
    totals: Floats
    ability: Floats
    difficulty: Floats


def _trimmed(margins: Margins) -> _Kept:
    scores, totals = margins.scores.copy(), margins.totals.copy()
    weights = margins.weights
    persons, items = np.ones(scores.size, dtype=bool), weights > 0
    ability, difficulty = np.full(scores.size, np.nan), np.full(totals.size, np.nan)
    while True:
        size = float(persons.sum())
        never, always = items & (totals <= 0), items & (totals >= size)
        difficulty[never], difficulty[always] = np.inf, -np.inf
        scores -= weights[always].sum()
        items = items & ~never & ~always
        length = float(weights[items].sum())
        none, all_ = persons & (scores <= 0), persons & (scores >= length)
        ability[none], ability[all_] = -np.inf, np.inf
        totals -= float(all_.sum())
        persons = persons & ~none & ~all_
        if not (never.any() or always.any() or none.any() or all_.any()):
            return _Kept(persons, items, scores, totals, ability, difficulty)


def _grouped(values: Floats, counts: Floats) -> Groups:
    unique, member = np.unique(values, return_inverse=True)
    size = np.bincount(member, weights=counts, minlength=unique.size).astype(np.float64)
    return Groups(unique, size, member)


def _start(
    rows: Groups, columns: Groups, kept: _Kept, start: Start | None
) -> tuple[Floats, Floats]:
    size, length = rows.counts.sum(), columns.counts.sum()
    alpha = np.log(rows.values / (length - rows.values))
    beta = np.log((size - columns.values) / columns.values)
    beta -= columns.counts @ beta / length
    spread_a = np.average(
        (alpha - np.average(alpha, weights=rows.counts)) ** 2, weights=rows.counts
    )
    spread_b = columns.counts @ beta**2 / length
    alpha = alpha * np.sqrt(1 + spread_b / PROX_FACTOR)
    beta = beta * np.sqrt(1 + spread_a / PROX_FACTOR)
    if start is not None:
        alpha = _carried(alpha, rows, start.ability[kept.persons])
        beta = _carried(beta, columns, start.difficulty[kept.items])
    return alpha, beta


def _carried(fallback: Floats, groups: Groups, earlier: Floats) -> Floats:
    """Return the mean of the earlier values in each group, or the fallback where there is none."""
    known = np.isfinite(earlier)
    total = np.bincount(groups.member[known], weights=earlier[known], minlength=fallback.size)
    count = np.bincount(groups.member[known], minlength=fallback.size)
    return np.where(count > 0, total / np.maximum(count, 1), fallback)


def _without_fit(kept: _Kept, reason: str) -> RaschFit:
    nothing = np.zeros(kept.ability.size)
    return RaschFit(kept.ability, kept.difficulty, nothing, 0.0, 0, reason)


def _expanded(kept: _Kept, rows: Groups, columns: Groups, solution: Solution) -> RaschFit:
    ability, difficulty = kept.ability.copy(), kept.difficulty.copy()
    information = np.zeros(ability.size)
    ability[kept.persons] = solution.alpha[rows.member]
    difficulty[kept.items] = solution.beta[columns.member]
    information[kept.persons] = solution.information[rows.member]
    return RaschFit(ability, difficulty, information, solution.residual, solution.sweeps)
