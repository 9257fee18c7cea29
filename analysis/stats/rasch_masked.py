r"""The Rasch model where cells are missing: the same alternating Newton steps, over observed cells.

With gaps in the block the margins no longer suffice for collapsing, so each sweep visits every cell,
a piece of rows at a time. Used for incomplete data, for cross-validation folds, and nowhere else.

A missing cell is one not asked; it is never an error of the model. If the observed cells fall apart
in parts that share neither person nor item, abilities of different parts have no common origin, and
the fit says so instead of comparing them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from analysis.stats.rasch import LEAST_GROUPS, RaschFit
from analysis.stats.rasch_solver import STEP_LIMIT, Floats, Mixing

Bools = NDArray[np.bool_]

TOLERANCE = 1e-12
MAX_SWEEPS = 200
SUSPECT_SWEEPS = 40
SUSPECT_DISTANCE = 20.0
PIECE_CELLS = 60_000


@dataclass(frozen=True)
class _Observed:
    """The cells that enter: answers (0 where not observed), which were observed, and margins."""

    answers: NDArray[Any]
    seen: Bools
    scores: Floats
    totals: Floats


def fit_observed(responses: NDArray[Any], seen: Bools, *, tolerance: float = TOLERANCE) -> RaschFit:
    """Fit an incomplete block.

    Parameters
    ----------
    responses : ndarray, shape (P, n)
        0 and 1, or probabilities; what stands in a cell not seen is ignored.
    seen : ndarray of bool, shape (P, n)
        Which cells were observed.
    tolerance : float
        Largest margin residual allowed, as a share of the larger dimension.

    Returns
    -------
    RaschFit
        Ability NaN for a person with no observed cell.

    Examples
    --------
    >>> import numpy as np
    >>> y = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 1, 1]])
    >>> fit = fit_observed(y, np.ones(y.shape, dtype=bool))
    >>> np.round(fit.ability, 3).tolist()
    [-0.874, -0.874, 0.874, 0.874]
    """
    answers = np.where(seen, responses, 0)
    persons, items, ability, difficulty = trimmed(answers, seen)
    information = np.zeros(ability.size)
    if min(persons.sum(), items.sum()) < LEAST_GROUPS:
        words = "fewer than two models or two items are left once extreme scores are set aside"
        return RaschFit(ability, difficulty, information, 0.0, 0, words)
    data = _cut(answers, seen, persons, items)
    if not _connected(data.seen):
        words = "the observed cells fall apart in parts that share neither model nor item"
        return RaschFit(ability, difficulty, information, 0.0, 0, words)
    found = _alternate(data, tolerance)
    if found is None:
        words = "the answers split models and items into groups in perfect order (separation)"
        return RaschFit(ability, difficulty, information, 0.0, 0, words)
    alpha, beta, inner, residual, sweeps = found
    ability[persons], difficulty[items], information[persons] = alpha, beta, inner
    return RaschFit(ability, difficulty, information, residual, sweeps)


def trimmed(answers: NDArray[Any], seen: Bools) -> tuple[Bools, Bools, Floats, Floats]:
    """Set extreme persons and items aside until none is left; those never seen stay NaN."""
    persons, items = seen.any(axis=1), seen.any(axis=0)
    ability, difficulty = np.full(persons.size, np.nan), np.full(items.size, np.nan)
    while True:
        rows, columns = persons.astype(np.float64), items.astype(np.float64)
        score, length = answers @ columns, seen @ columns
        total, size = rows @ answers, rows @ seen
        none, all_ = persons & (score <= 0), persons & (score >= length)
        never, always = items & (total <= 0), items & (total >= size)
        empty, unseen = persons & (length == 0), items & (size == 0)
        ability[none], ability[all_], ability[empty] = -np.inf, np.inf, np.nan
        difficulty[never], difficulty[always], difficulty[unseen] = np.inf, -np.inf, np.nan
        persons = persons & ~none & ~all_
        items = items & ~never & ~always
        if not (none.any() or all_.any() or never.any() or always.any()):
            return persons, items, ability, difficulty


def _cut(answers: NDArray[Any], seen: Bools, persons: Bools, items: Bools) -> _Observed:
    if not (persons.all() and items.all()):
        answers, seen = answers[np.ix_(persons, items)], seen[np.ix_(persons, items)]
    scores = answers.sum(axis=1, dtype=np.float64)
    return _Observed(answers, seen, scores, answers.sum(axis=0, dtype=np.float64))


def _connected(seen: Bools) -> bool:
    """Return whether every person and item can be reached from the first person."""
    persons, items = np.zeros(seen.shape[0], dtype=bool), np.zeros(seen.shape[1], dtype=bool)
    persons[0] = True
    while True:
        reached = items | seen[persons].any(axis=0)
        more = persons | seen[:, reached].any(axis=1)
        if (reached == items).all() and (more == persons).all():
            return bool(persons.all() and items.all())
        items, persons = reached, more


def _separated(data: _Observed) -> bool:
    """Return whether no finite optimum exists (Fischer 1981).

    Draw an arrow from each item to each person who was right on it and from each person to each item
    failed; the optimum is finite exactly when all is one strongly connected component.
    """
    persons, items = data.seen.shape
    passed = np.nonzero(data.seen & (data.answers > 0))
    failed = np.nonzero(data.seen & (data.answers < 1))
    tails = np.concatenate([failed[0], passed[1] + persons])
    heads = np.concatenate([failed[1] + persons, passed[0]])
    size = (persons + items, persons + items)
    arrows = csr_array((np.ones(tails.size, dtype=np.int8), (tails, heads)), shape=size)
    parts, _ = connected_components(arrows, directed=True, connection="strong")
    return bool(parts > 1)


def _alternate(
    data: _Observed, tolerance: float
) -> tuple[Floats, Floats, Floats, float, int] | None:
    lengths, sizes = data.seen.sum(axis=1), data.seen.sum(axis=0)
    alpha = np.log(data.scores / (lengths - data.scores))
    beta = np.log((sizes - data.totals) / data.totals)
    beta -= beta.mean()
    mixing = Mixing(sizes.astype(np.float64))
    for sweep in range(MAX_SWEEPS):
        rows, columns, information, _ = _sums(alpha, beta, data.seen)
        residual = float(max(np.abs(data.scores - rows).max(), np.abs(data.totals - columns).max()))
        far = np.ptp(np.concatenate([alpha, beta])) > SUSPECT_DISTANCE
        done = residual < tolerance * max(data.seen.shape)
        if (sweep == SUSPECT_SWEEPS or (far and done)) and _separated(data):
            return None
        if done:
            return alpha, beta, information, residual, sweep
        alpha = alpha + np.clip((data.scores - rows) / information, -STEP_LIMIT, STEP_LIMIT)
        _, columns, _, inner = _sums(alpha, beta, data.seen)
        new_beta = beta - np.clip((data.totals - columns) / inner, -STEP_LIMIT, STEP_LIMIT)
        shift = new_beta.mean()
        alpha, beta = mixing.mixed(beta, alpha - shift, new_beta - shift, residual)
    return None


def _sums(alpha: Floats, beta: Floats, seen: Bools) -> tuple[Floats, Floats, Floats, Floats]:
    """Return fitted row and column margins over the observed cells, and their informations."""
    ease, hardness = np.exp(-alpha)[:, None], np.exp(beta)
    rows, row_squares = np.empty(alpha.size), np.empty(alpha.size)
    columns, column_squares = np.zeros(beta.size), np.zeros(beta.size)
    height = max(1, PIECE_CELLS // beta.size)
    buffer = np.empty((min(height, alpha.size), beta.size))
    for first in range(0, alpha.size, height):
        piece = slice(first, min(first + height, alpha.size))
        p = buffer[: piece.stop - first]
        np.multiply(ease[piece], hardness, out=p)
        p += 1.0
        np.divide(seen[piece], p, out=p)
        rows[piece] = p.sum(axis=1)
        columns += p.sum(axis=0)
        np.square(p, out=p)
        row_squares[piece] = p.sum(axis=1)
        column_squares += p.sum(axis=0)
    return rows, columns, rows - row_squares, columns - column_squares
