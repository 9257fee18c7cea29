"""Whether holistic and structural similarity pick out the same pairs of traces.

A cell is one (dataset, model, language pair). In it, with type-7 quantiles and inclusive thresholds,

    dissociation = #{H >= q75(H) and S < q75(S)} / #{H >= q75(H)}.

Independence of H and S gives 0.75, perfect agreement 0. An evaluation pools the counts of its cells.

The bootstrap draws problems, and a drawn problem brings all its language pairs: weights (resamples,
problems), multinomial, and every statistic is recomputed with them. That equals explicit resampling
exactly, quantiles included.

References
----------
Sun et al. (2026), arXiv 2610.29092, sections 4 and D.4. The 0.75 threshold being inclusive and the
pooling by counts are this program's choice.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.stats.results import Estimate, undefined
from analysis.stats.trace_scores import Floats

TOP = 0.75
BOTTOM = 0.25
SMALLEST_CELL = 20


class Cell(NamedTuple):
    """The scored pairs of one cell.

    Attributes
    ----------
    H, S : (n,) float64
    problem : (n,) intp
        Column of the weights that belongs to each pair.
    """

    H: Floats
    S: Floats
    problem: NDArray[np.intp]


class Counts(NamedTuple):
    """Pairs at the top of H, and those among them that are not at the top, or at the bottom, of S."""

    top: Floats
    not_top: Floats
    bottom: Floats


def quantiles_under(values: Floats, weights: Floats, qs: Sequence[float]) -> Floats:
    """Return type-7 quantiles of each resample, without building the resample.

    Parameters
    ----------
    values : (n,) float64
    weights : (resamples, n) float64
        How often each value was drawn; every row sums to at least 1.
    qs : sequence of float

    Returns
    -------
    (quantiles, resamples) float64

    Notes
    -----
    The running sum over all rows rises throughout, so one binary search finds a place in every row.
    Sums of counts are whole numbers, and exact.

    Examples
    --------
    >>> weights = np.array([[1.0, 1.0, 1.0], [0.0, 3.0, 0.0]])
    >>> quantiles_under(np.array([1.0, 5.0, 3.0]), weights, [0.75])
    array([[4., 5.]])
    """
    ranked = np.argsort(values, kind="stable")
    ordered = values[ranked]
    resamples, n = weights.shape
    running = np.cumsum(np.take(weights, ranked, axis=1))
    ends = running[n - 1 :: n]
    before = np.concatenate(([0.0], ends[:-1]))
    total, first = ends - before, np.arange(resamples) * n

    def at(place: Floats) -> Floats:
        found: Floats = ordered[np.searchsorted(running, before + place, side="right") - first]
        return found

    rank = np.outer(qs, total - 1.0)
    whole = np.floor(rank)
    low, high = at(whole), at(np.minimum(whole + 1.0, total - 1.0))
    return np.asarray(low + (rank - whole) * (high - low))


def top_counts(cell: Cell, weights: Floats) -> Counts:
    """Count the top of H, and what of it misses the top of S, in each resample.

    Parameters
    ----------
    cell : Cell
    weights : (resamples, problems) float64

    Returns
    -------
    Counts of (resamples,) float64

    Examples
    --------
    >>> H = np.array([0.91, 0.85, 0.88, 0.8, 0.79, 0.83, 0.86, 0.77])
    >>> S = np.array([0.4, 0.7, 0.66, 0.52, 0.61, 0.35, 0.58, 0.3])
    >>> [count.tolist() for count in top_counts(Cell(H, S, np.arange(8)), np.ones((1, 8)))]
    [[2.0], [1.0], [0.0]]
    """
    drawn = np.take(weights, cell.problem, axis=1)
    (top_of_h,) = quantiles_under(cell.H, drawn, [TOP])
    top_of_s, bottom_of_s = quantiles_under(cell.S, drawn, [TOP, BOTTOM])
    # What is below every threshold is at the top of no resample.
    ever = np.flatnonzero(np.greater_equal(cell.H, top_of_h.min()))
    H, S = cell.H[ever], cell.S[ever]
    weighted = np.take(drawn, ever, axis=1) * np.greater_equal(H, top_of_h[:, None])
    return Counts(
        weighted.sum(axis=1),
        (weighted * np.less(S, top_of_s[:, None])).sum(axis=1),
        (weighted * np.less_equal(S, bottom_of_s[:, None])).sum(axis=1),
    )


def problem_weights(problems: int, resamples: int, rng: np.random.Generator) -> Floats:
    """Draw how often each problem enters each resample.

    Parameters
    ----------
    problems, resamples : int
    rng : numpy Generator

    Returns
    -------
    (resamples, problems) float64
        Rows sum to `problems`.

    Examples
    --------
    >>> problem_weights(4, 2, np.random.default_rng(1)).sum(axis=1).tolist()
    [4.0, 4.0]
    """
    share = np.full(problems, 1.0 / problems)
    return rng.multinomial(problems, share, size=resamples).astype(np.float64)


def pooled_means(sums: Floats, counts: Floats, weights: Floats) -> Floats:
    """Return the pair-weighted mean of each resample, for one score or for several at once.

    Parameters
    ----------
    sums, counts : (problems,) or (problems, scores) float64
        Sum and number of the scores that each problem brings.
    weights : (resamples, problems) float64

    Returns
    -------
    (resamples,) or (resamples, scores) float64
        NaN for a resample that drew no score.

    Examples
    --------
    >>> weights = np.array([[1.0, 1.0], [2.0, 0.0]])
    >>> pooled_means(np.array([1.0, 0.2]), np.array([2.0, 1.0]), weights).round(6).tolist()
    [0.4, 0.5]
    """
    drawn = weights @ counts
    return np.asarray((weights @ sums) / np.where(drawn > 0.0, drawn, np.nan))


def percentile_interval(draws: Floats) -> tuple[float, float]:
    """Return the limits of the 95% percentile interval.

    Parameters
    ----------
    draws : (resamples,) float64
        NaN is left out.

    Returns
    -------
    tuple of float

    Examples
    --------
    >>> percentile_interval(np.arange(41.0))
    (1.0, 39.0)
    """
    low, high = np.percentile(draws[~np.isnan(draws)], [2.5, 97.5])
    return float(low), float(high)


class Dissociation(NamedTuple):
    """The share of the top quarter by H that misses that of S, and that is in the bottom of S."""

    not_top: Estimate
    bottom: Estimate


def dissociation(
    cells: Sequence[Cell], weights: Floats | None = None, *, n_min: int = SMALLEST_CELL
) -> Dissociation:
    """Return the shares of the top quarter by H that S does not confirm.

    Parameters
    ----------
    cells : sequence of Cell
        Pooled by counts; those with fewer than `n_min` pairs are left out.
    weights : (resamples, problems) float64, optional
        For the intervals.
    n_min : int

    Returns
    -------
    Dissociation of Estimate
        Undefined where no cell is large enough. n counts the pairs at the top of H.

    Examples
    --------
    >>> dissociation([]).not_top.reason
    'no language pair has at least 20 scored pairs'
    """
    kept = [cell for cell in cells if cell.H.size >= n_min]
    if not kept:
        nothing = undefined(f"no language pair has at least {n_min} scored pairs", n=0)
        return Dissociation(nothing, nothing)
    problems = 1 + max(int(cell.problem.max()) for cell in kept)
    point = _pooled(kept, np.ones((1, problems)))
    drawn = None if weights is None else _pooled(kept, weights)
    return Dissociation(
        _share(point, drawn, "not_top", ("independence of H and S gives 0.75, agreement 0",)),
        _share(point, drawn, "bottom", ()),
    )


def _pooled(cells: Sequence[Cell], weights: Floats) -> Counts:
    counts = [top_counts(cell, weights) for cell in cells]
    return Counts(*(np.sum(column, axis=0) for column in zip(*counts, strict=True)))


def _share(point: Counts, drawn: Counts | None, of: str, notes: tuple[str, ...]) -> Estimate:
    low = high = None
    if drawn is not None:
        some = drawn.top > 0
        low, high = percentile_interval(getattr(drawn, of)[some] / drawn.top[some])
    return Estimate(
        value=float(getattr(point, of)[0] / point.top[0]), low=low, high=high,
        n=int(point.top[0]), notes=notes,
        method="pooled top-quartile counts, percentile bootstrap over problems",
    )  # fmt: skip
