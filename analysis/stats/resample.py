"""Cluster bootstrap by per-cluster sums and counts: no replicate touches a row again."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.stats.draws import multiplicities
from analysis.stats.percentile import checked_resamples, with_percentile_interval
from analysis.stats.results import Estimate, undefined

FloatArray = npt.NDArray[np.float64]
Alternative = Literal["greater", "less", "two-sided"]

RESAMPLES = 2000
METHOD = "cluster bootstrap"
CALL = "Generator.integers, one row a replicate, clusters in sorted order"


@dataclass(frozen=True)
class ClusterTotals:
    """Sums and counts of the values of each cluster in each cell.

    Parameters
    ----------
    sums, counts : (clusters, cells) float
        A cell is a condition, such as one language; a cluster has rows in any number of them.
    clusters : tuple
        Labels in sorted order, which the draws refer to.
    """

    sums: FloatArray
    counts: FloatArray
    clusters: tuple[object, ...]

    def __post_init__(self) -> None:
        """Refuse arrays that do not belong together, and sums that are not finite."""
        if self.sums.ndim != 2 or self.sums.shape != self.counts.shape:  # noqa: PLR2004  an array has 2 axes
            message = (
                "sums and counts must both be (clusters, cells); "
                f"they are {self.sums.shape} and {self.counts.shape}."
            )
            raise ValueError(message)
        if len(self.clusters) != len(self.sums):
            message = f"{len(self.clusters)} labels for {len(self.sums)} clusters; give one each."
            raise ValueError(message)
        if not np.isfinite(self.sums).all() or not np.isfinite(self.counts).all():
            message = "sums and counts must be finite; leave missing values out before summing."
            raise ValueError(message)

    @property
    def n(self) -> int:
        """Rows."""
        return int(self.counts.sum())


def cluster_totals(
    values: npt.ArrayLike,
    clusters: npt.ArrayLike,
    cells: npt.ArrayLike | None = None,
    n_cells: int | None = None,
) -> ClusterTotals:
    """Sum rows by cluster and cell.

    Parameters
    ----------
    values : (n,) float
        Without missing values: whether a missing value counts is the caller's rule.
    clusters : (n,) labels
        What is resampled: a document, an item, an annotator.
    cells : (n,) int, optional
        The condition of each row, from 0; one cell for all otherwise.
    n_cells : int, optional
        How many cells there are; one more than the largest otherwise.

    Raises
    ------
    ValueError
        For arrays of different lengths, missing values, missing labels, negative cells.

    Examples
    --------
    >>> totals = cluster_totals([1.0, 0.0, 0.5], ["b", "a", "b"], [0, 0, 1])
    >>> totals.clusters, totals.sums.tolist(), totals.counts.tolist()
    (('a', 'b'), [[0.0, 0.0], [1.0, 0.5]], [[1.0, 0.0], [1.0, 1.0]])
    """
    x = np.asarray(values, dtype=np.float64)
    columns = np.zeros(len(x), dtype=np.int64) if cells is None else np.asarray(cells, np.int64)
    if not len(x) == len(columns) == np.size(clusters):
        message = f"{len(x)} values, {np.size(clusters)} clusters, {len(columns)} cells; equal lengths are needed."
        raise ValueError(message)
    if missing := int((~np.isfinite(x)).sum()):
        message = (
            f"{missing} of {len(x)} values are missing or infinite; leave them out and say so."
        )
        raise ValueError(message)
    codes, labels = _numbered(np.asarray(clusters))
    if (codes < 0).any() or (columns < 0).any():
        message = "every row needs a cluster and a cell from 0; some are missing or negative."
        raise ValueError(message)
    width = n_cells or int(columns.max(initial=0)) + 1
    place, size = codes * width + columns, len(labels) * width
    sums = np.bincount(place, x, minlength=size).reshape(-1, width).astype(np.float64)
    counts = np.bincount(place, minlength=size).reshape(-1, width).astype(np.float64)
    return ClusterTotals(sums, counts, tuple(labels.tolist()))


def _numbered(
    labels: npt.NDArray[np.generic],
) -> tuple[npt.NDArray[np.integer], npt.NDArray[np.generic]]:
    """Return the place of each label among those that occur, in their order; and these.

    Numbers that are places of something already, as of items, are counted and not looked up.
    """
    if labels.dtype.kind not in "iu" or not len(labels) or labels.min() < 0:
        return pd.factorize(labels, sort=True)
    if int(labels.max()) > len(labels):
        return pd.factorize(labels, sort=True)
    present = np.flatnonzero(np.bincount(labels))
    place = np.zeros(int(labels.max()) + 1, dtype=np.int32)
    place[present] = np.arange(len(present))
    return place[labels], present


def replicate_means(
    totals: ClusterTotals, rng: np.random.Generator, resamples: int = RESAMPLES
) -> FloatArray:
    """Return (replicates, cells): the mean of each cell over resampled clusters.

    All cells of a replicate share its draw, so that contrasts taken inside a replicate keep their
    covariance. A cell without a row in a replicate has no mean there: NaN,
    which `with_percentile_interval` counts.

    Examples
    --------
    >>> totals = cluster_totals([1.0, 2.0, 4.0], [1, 2, 3])
    >>> replicate_means(totals, np.random.default_rng(1), 2).ravel().round(4).tolist()
    [2.6667, 2.0]
    """
    both = np.hstack([totals.sums, totals.counts])
    width = totals.sums.shape[1]
    out = []
    for block in multiplicities(len(totals.clusters), resamples, rng):
        drawn = block @ both
        counts = drawn[:, width:]
        empty = np.full(counts.shape, np.nan)
        out.append(np.divide(drawn[:, :width], counts, out=empty, where=counts > 0))
    return np.concatenate(out)


def bootstrap_p(replicates: FloatArray, alternative: Alternative = "greater") -> float:
    """Return the bootstrap p-value of a difference of 0; it can never be 0.

    Notes
    -----
    One-sided: (1 + number of replicates on the wrong side of 0, or at it) / (B + 1). Two-sided: twice
    the smaller one, at most 1. Source: Davison and Hinkley (1997), Bootstrap Methods, section 4.2.

    Examples
    --------
    >>> bootstrap_p(np.array([0.1, 0.2, -0.1, 0.3]))
    0.4
    """
    upper = (1 + int((replicates <= 0).sum())) / (len(replicates) + 1)
    lower = (1 + int((replicates >= 0).sum())) / (len(replicates) + 1)
    p = {"greater": upper, "less": lower, "two-sided": min(1.0, 2 * min(upper, lower))}
    return p[alternative]


Statistic = Callable[[FloatArray], FloatArray]


def cluster_bootstrap(
    totals: ClusterTotals,
    statistic: Statistic,
    rng: np.random.Generator,
    *,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
    alternative: Alternative | None = None,
    units: str = "clusters",
) -> Estimate:
    """Return a function of the cell means with its cluster-bootstrap interval.

    Parameters
    ----------
    totals : ClusterTotals
        Resampled by cluster with all its rows, with multiplicity.
    statistic : callable
        Takes (k, cells) means and returns (k,) values; a contrast is one line:
        ``lambda means: means[:, 0] - means[:, 1]``.
    rng : numpy.random.Generator
        Its seed is recorded where it was made from an integer.
    alternative : {"greater", "less", "two-sided"}, optional
        With it the bootstrap p-value of 0 is given.
    units : str
        What a cluster is, for the method.

    Returns
    -------
    Estimate
        Without a value where there are no rows or a needed cell is empty; with a value and without
        an interval where there is one cluster, or more than 5 % of the replicates have no value.

    Notes
    -----
    A replicate is a row of (B x clusters) · (clusters x cells); percentiles are of type 7. With few
    clusters the interval is too narrow: see the coverage in `docs/explanation/mixed-models.md`.

    Examples
    --------
    >>> totals = cluster_totals([1, 1, 0, 1, 0, 0], [1, 1, 2, 2, 3, 3], [0, 1, 0, 1, 0, 1])
    >>> found = cluster_bootstrap(totals, lambda m: m[:, 1] - m[:, 0], np.random.default_rng(42))
    >>> round(found.value, 4), found.low, found.high, found.seed
    (0.3333, 0.0, 1.0, 42)
    """
    checked_resamples(resamples)
    if (n := totals.n) == 0:
        return undefined("there are no rows", method=METHOD)
    sums, counts = totals.sums.sum(axis=0), totals.counts.sum(axis=0)
    empty = np.full(len(counts), np.nan)
    means = np.divide(sums, counts, out=empty, where=counts > 0)
    value = float(statistic(means[None, :])[0])
    if np.isnan(value):
        return undefined("a cell that the statistic needs has no rows", method=METHOD, n=n)
    found = Estimate(value=value, n=n, method=f"{METHOD} ({CALL})")
    if len(totals.clusters) == 1:
        return replace(found, reason="no interval: there is one cluster, and nothing to resample")
    drawn = statistic(replicate_means(totals, rng, resamples))
    found = with_percentile_interval(found, drawn, confidence=confidence, units=units, rng=rng)
    if alternative is None or found.low is None:
        return found
    return replace(found, p=bootstrap_p(drawn[~np.isnan(drawn)], alternative))


def resample_units(
    values: npt.ArrayLike,
    statistic: Callable[[FloatArray], float],
    rng: np.random.Generator,
    *,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
    units: str = "items",
) -> Estimate:
    """Return a statistic of a few units, such as items or languages, with a bootstrap interval.

    Parameters
    ----------
    values : (units, k) float
        One row a unit, all its columns drawn together. The order is the caller's and fixed.
    statistic : callable
        Takes (units, k) rows and returns a number, NaN where undefined (a constant column, say).
    units : str
        What the rows are, for the method and the reasons.

    Returns
    -------
    Estimate
        Without a value where there are no units, one is missing or the statistic is undefined; with
        a value and without an interval where there is one unit.

    Examples
    --------
    >>> gaps = np.array([[0.1], [0.2], [0.4]])
    >>> rng = np.random.default_rng(42)
    >>> found = resample_units(gaps, lambda x: x.mean(), rng, units="languages")
    >>> round(found.value, 4), round(found.low, 4), round(found.high, 4)
    (0.2333, 0.1, 0.4)
    """
    checked_resamples(resamples)
    rows = np.asarray(values, dtype=np.float64)
    rows = rows[:, None] if rows.ndim == 1 else rows
    method, n = f"bootstrap over {units} (Generator.integers, one row a replicate)", len(rows)
    if n == 0 or np.isnan(rows).any():
        reason = f"there are no {units}" if n == 0 else f"some {units} have a missing value (NaN)"
        return undefined(reason, method=method, n=n)
    value = float(statistic(rows))
    if np.isnan(value):
        return undefined(f"the statistic is undefined for these {units}", method=method, n=n)
    found = Estimate(value=value, n=n, method=method)
    if n == 1:
        return replace(found, reason=f"no interval: {units} are resampled, and there is only one")
    draws = rng.integers(0, n, size=(resamples, n))
    drawn = np.array([statistic(rows[draw]) for draw in draws], dtype=np.float64)
    return with_percentile_interval(found, drawn, confidence=confidence, units=units, rng=rng)
