"""Item bootstrap of a complete Rasch block: every person of an item is drawn together."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.stats.rasch import Margins, RaschFit, Start, fit_margins
from analysis.stats.rasch_masked import fit_observed
from analysis.stats.rasch_solver import Floats

TOLERANCE = 1e-6


def item_draws(items: int, replicates: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return how often each item was drawn, shape (replicates, items).

    One call of `integers` a replicate, in order, so that the first replicates stay the same when
    more are asked for.
    """
    draws = (rng.integers(0, items, size=items) for _ in range(replicates))
    return np.array([np.bincount(draw, minlength=items) for draw in draws], dtype=np.int64)


def bootstrap_abilities(responses: NDArray[Any], draws: NDArray[np.int64], fit: RaschFit) -> Floats:
    """Return the abilities of each replicate, shape (replicates, P); the origin is the replicate's own.

    Only contrasts within the block are comparable between replicates. A replicate needs only
    weighted row scores, since an item's total does not change when the item is drawn twice; it is
    started from the fit of the whole.

    Parameters
    ----------
    responses : ndarray, shape (P, n)
        A complete block.
    draws : ndarray, shape (B, n)
        How often each item counts in each replicate (`item_draws`).
    fit : RaschFit
        The fit of the whole block.
    """
    scores = draws.astype(np.float64) @ responses.T.astype(np.float64)
    totals = responses.sum(axis=0, dtype=np.float64)
    start = Start(fit.ability, fit.difficulty)
    fits = (
        fit_margins(
            Margins(score, totals, draw.astype(np.float64)), start=start, tolerance=TOLERANCE
        )
        for score, draw in zip(scores, draws, strict=True)
    )
    return np.array([replicate.ability for replicate in fits]).reshape(len(draws), -1)


def bootstrap_observed(
    responses: NDArray[Any], seen: NDArray[np.bool_], draws: NDArray[np.int64]
) -> Floats:
    """Return the same for an incomplete block: slower, since a replicate visits every cell."""
    found = []
    for draw in draws:
        drawn = np.repeat(np.arange(draw.size), draw)
        found.append(fit_observed(responses[:, drawn], seen[:, drawn], tolerance=TOLERANCE).ability)
    return np.array(found).reshape(len(draws), -1)
