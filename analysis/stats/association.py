"""Rank association: Spearman with ties, its interval, partial Spearman."""

from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from analysis.stats.draws import multiplicities
from analysis.stats.percentile import checked_resamples, with_percentile_interval
from analysis.stats.results import Estimate, undefined

Floats = NDArray[np.float64]
Residuals = Literal["pearson", "spearman"]
DegreesOfFreedom = Literal["n-2-k", "n-2"]

FEWEST_PAIRS = 3
ENTRIES_AT_ONCE = 1 << 16  # of one block of weights, which stays in the processor's cache
TIED_DECIMALS = 8
CONSTANT = "constant input: all values of one variable are equal, so its ranks do not vary"


def correlation_p(r: float, df: int) -> float | None:
    """Two-sided p of a correlation by Student's t; None at |r| = 1 or without degrees of freedom.

    Parameters
    ----------
    r : float
        Correlation between -1 and 1.
    df : int
        Degrees of freedom: n - 2 for n pairs, n - 2 - k after k controls.

    Notes
    -----
    t = r sqrt(df / (1 - r^2)). At |r| = 1 the statistic is infinite, whatever n is.

    Examples
    --------
    A rank correlation of -0.594 over 16 languages, printed with p = .015:

    >>> round(correlation_p(-0.594, 14), 3)
    0.015
    """
    if not -1 <= r <= 1:
        raise ValueError(f"A correlation lies between -1 and 1; {r} does not.")
    if df < 1 or 1 - abs(r) < np.finfo(float).eps:
        return None
    return float(2 * stats.t.sf(abs(r) * np.sqrt(df / (1 - r * r)), df))


def correlation_of(p: float, df: int) -> float | None:
    """Size of the correlation whose two-sided p this is: the inverse of `correlation_p`.

    Parameters
    ----------
    p : float
        Between 0 and 1.
    df : int
        Degrees of freedom, as in `correlation_p`; None below 1.

    Examples
    --------
    The critical value of tables for 16 pairs at .05:

    >>> round(correlation_of(0.05, 14), 3)
    0.497
    """
    if not 0 < p <= 1:
        raise ValueError(f"A p lies between 0 and 1; {p} does not.")
    if df < 1:
        return None
    t = stats.t.isf(p / 2, df)
    return float(t / np.sqrt(df + t * t))


def spearman(x: ArrayLike, y: ArrayLike) -> Estimate:
    """Spearman's rank correlation with midranks for ties.

    Parameters
    ----------
    x, y : array_like, shape (n,)
        Paired values in any units; a pair with NaN or None in either is left out.

    Returns
    -------
    Estimate
        Between -1 and 1; `n` counts the complete pairs; `p` is two-sided by Student's t with n - 2
        degrees of freedom (R's ``cor.test(exact = FALSE)``), None where |rho| = 1. Undefined with
        fewer than three complete pairs and where either variable is constant.

    Notes
    -----
    Pearson's correlation of the midranks. The shortcut from squared rank differences is wrong with
    ties and is not used.

    References
    ----------
    M. G. Kendall, Rank Correlation Methods, 4th ed. (1970), chapter 3.

    Examples
    --------
    With ties the shortcut would give 0.8392857:

    >>> round(spearman([1, 2, 2, 3, 5, 5, 4], [2, 2, 1, 3, 4, 5, 5]).value, 10)
    0.8333333333
    """
    method = "Spearman's rho, midranks; p by t with n - 2 df"
    one, two = complete_pairs(x, y)
    n = len(one)
    if n < FEWEST_PAIRS:
        reason = f"{n} complete pairs; a rank correlation needs at least {FEWEST_PAIRS}"
        return undefined(reason, method=method, n=n)
    if _constant(one) or _constant(two):
        return undefined(CONSTANT, method=method, n=n)
    rho = _pearson(stats.rankdata(one), stats.rankdata(two))
    found = Estimate(rho, p=correlation_p(rho, n - 2), n=n, method=method)
    return found if found.p is not None else replace(found, notes=(PERFECT,))


PERFECT = "the ranks agree or reverse exactly; the t approximation has no p there"


def spearman_interval(
    x: ArrayLike,
    y: ArrayLike,
    rng: np.random.Generator,
    *,
    cluster: ArrayLike | None = None,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> Estimate:
    """Spearman's rho with a percentile interval by resampling items.

    Parameters
    ----------
    x, y : array_like, shape (n,)
        Paired values; incomplete pairs are left out.
    rng : numpy.random.Generator
        Each replicate draws clusters by ``rng.integers(0, C, size=C)``, replicates in order.
    cluster : array_like, shape (n,), optional
        Cluster of each row, for rows that repeat an item; drawn whole, in sorted order. Without it
        each row is its own cluster.

    Returns
    -------
    Estimate
        As `spearman`, with limits in the same unit. No interval with fewer than two clusters, or
        where more than 5 % of the replicates are constant. With clusters the t approximation
        counts rows as independent, so `p` is None.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> found = spearman_interval([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5], rng, resamples=200)
    >>> found.low < found.value < found.high
    True
    """
    found = spearman(x, y)
    if not found.defined:
        return found
    one, two, group = _clustered(x, y, cluster)
    clusters = int(group.max()) + 1
    if cluster is not None:
        found = replace(found, p=None)
    if clusters < 2:  # noqa: PLR2004 - resampling one cluster gives it back
        return replace(found, reason="no interval: all pairs belong to one cluster")
    ranked = _Places(one), _Places(two)
    whole = cluster is None and np.array_equal(group, np.arange(len(one)))
    at_once = max(1, ENTRIES_AT_ONCE // len(one))
    drawn = [
        _of_weights(*ranked, some if whole else some[:, group])
        for counts in multiplicities(clusters, checked_resamples(resamples), rng)
        for some in (counts[n : n + at_once] for n in range(0, len(counts), at_once))
    ]
    units = "pairs" if cluster is None else "clusters"
    return with_percentile_interval(
        found, np.concatenate(drawn), confidence=confidence, units=units, rng=rng
    )


def weighted_spearman(x: ArrayLike, y: ArrayLike, weights: ArrayLike) -> Floats:
    """Spearman's rho of samples in which row i appears weights[r, i] times.

    Parameters
    ----------
    x, y : array_like, shape (n,)
        Complete pairs.
    weights : array_like of int or float, shape (R, n)
        Multiplicities.

    Returns
    -------
    ndarray, shape (R,)
        NaN where a sample is constant. Equal to `spearman` on the repeated rows.

    Notes
    -----
    The midrank of a value is the weight below it plus half its own weight, so the rows are sorted
    once for all samples.

    Examples
    --------
    >>> weighted_spearman([1, 2, 3], [1, 3, 2], [[1, 1, 1], [2, 1, 0]]).tolist()
    [0.5, 1.0]
    """
    ranked = _Places(np.asarray(x, dtype=float)), _Places(np.asarray(y, dtype=float))
    return _of_weights(*ranked, np.asarray(weights, dtype=float))


def partial_spearman(
    x: ArrayLike,
    y: ArrayLike,
    controls: ArrayLike,
    *,
    residuals: Residuals = "pearson",
    df: DegreesOfFreedom = "n-2-k",
) -> Estimate:
    """Rank correlation of x and y after the ranks of k controls.

    Parameters
    ----------
    x, y : array_like, shape (n,)
    controls : array_like, shape (n,) or (n, k)
        Rows with a missing value anywhere are left out.
    residuals : {"pearson", "spearman"}
        How the residuals are correlated. "pearson" is the usual partial rank correlation;
        "spearman" ranks the residuals again, and is a different number.
    df : {"n-2-k", "n-2"}
        Degrees of freedom of `p`. Each control costs one; "n-2" ignores that, gives a p that is too
        small, and is here because papers have printed it.

    Returns
    -------
    Estimate
        Between -1 and 1, two-sided `p`. Undefined with fewer than k + 3 complete rows, with
        collinear controls, and where the controls explain the ranks of x or y fully.

    Notes
    -----
    Midranks of every variable; residuals of ordinary least squares of the ranks of x and of y on
    the ranks of the controls with an intercept.

    Examples
    --------
    >>> found = partial_spearman([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5], [1, 1, 2, 2, 3, 3])
    >>> round(found.value, 6), found.n
    (-1.0, 6)
    """
    method = f"partial Spearman, {residuals.capitalize()} of rank residuals; p by t with {df} df"
    columns = _complete_rows(x, y, controls)
    n, k = columns.shape[0], columns.shape[1] - 2
    if n < k + FEWEST_PAIRS:
        reason = f"{n} complete rows; with {k} controls at least {k + FEWEST_PAIRS} are needed"
        return undefined(reason, method=method, n=n)
    left = _rank_residuals(columns)
    if isinstance(left, str):
        return undefined(left, method=method, n=n)
    if residuals == "spearman":
        # Residuals that are equal in exact arithmetic differ by rounding; they must stay tied.
        left = np.apply_along_axis(stats.rankdata, 0, np.round(left, TIED_DECIMALS))
    value = _pearson(left[:, 0], left[:, 1])
    freedom = n - 2 - (k if df == "n-2-k" else 0)
    return Estimate(value, p=correlation_p(value, freedom), n=n, method=method)


def complete_pairs(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    """Return the pairs without a missing value, or say that the lengths differ."""
    one, two = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if one.ndim != 1 or one.shape != two.shape:
        raise ValueError(
            f"Paired values need one entry each; these arrays have shapes {one.shape} and "
            f"{two.shape}."
        )
    whole = ~(np.isnan(one) | np.isnan(two))
    return one[whole], two[whole]


def _clustered(
    x: ArrayLike, y: ArrayLike, cluster: ArrayLike | None
) -> tuple[Floats, Floats, NDArray[np.intp]]:
    """Return the complete pairs with the number of their cluster."""
    one, two = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    names = np.arange(len(one)) if cluster is None else np.asarray(cluster)
    if len(names) != len(one):
        raise ValueError(f"There are {len(names)} clusters' names for {len(one)} pairs.")
    whole = ~(np.isnan(one) | np.isnan(two))
    _, group = np.unique(names[whole], return_inverse=True)
    return one[whole], two[whole], group


def _complete_rows(x: ArrayLike, y: ArrayLike, controls: ArrayLike) -> Floats:
    """Return x, y and the controls as columns, without incomplete rows."""
    parts = [np.asarray(part, dtype=float) for part in (x, y, controls)]
    if len({len(part) for part in parts}) > 1:
        raise ValueError(
            "x, y and the controls need one row each; they have "
            f"{', '.join(str(len(part)) for part in parts)} rows."
        )
    columns = np.column_stack(parts)
    return np.asarray(columns[~np.isnan(columns).any(axis=1)])


def _rank_residuals(columns: Floats) -> Floats | str:
    """Return the residuals of the ranks of x and y on those of the controls, or why not."""
    ranks = np.apply_along_axis(stats.rankdata, 0, columns)
    design = np.column_stack([np.ones(len(ranks)), ranks[:, 2:]])
    coefficients, _, rank, _ = np.linalg.lstsq(design, ranks[:, :2], rcond=None)
    if rank < design.shape[1]:
        return "the controls are collinear or constant, so they cannot be told apart"
    left = ranks[:, :2] - design @ coefficients
    whole = ((ranks[:, :2] - ranks[:, :2].mean(axis=0)) ** 2).sum(axis=0)
    if (whole == 0).any():
        return CONSTANT
    if ((left**2).sum(axis=0) <= 1e-18 * whole * len(ranks)).any():
        return "the controls explain the ranks fully, so no residual is left to correlate"
    return np.asarray(left)


class _Places:
    """The place of each value among the distinct ones, found once for all samples."""

    def __init__(self, values: Floats) -> None:
        distinct, self.place = np.unique(values, return_inverse=True)
        self.count = len(distinct)

    def midranks(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return, a row a sample, the weight of each distinct value, and its midrank, centred."""
        samples = len(weights)
        cell = self.place + np.arange(samples)[:, np.newaxis] * self.count
        flat = np.bincount(cell.ravel(), weights.ravel(), samples * self.count)
        own = flat.reshape(samples, self.count).astype(np.float64, copy=False)
        below = np.cumsum(own, axis=1)
        return own, below - own / 2 - below[:, -1:] / 2


def _of_weights(x: _Places, y: _Places, weights: Floats) -> Floats:
    """Return rho of samples of weighted rows, a row each; NaN where a variable is constant."""
    (of_x, one), (of_y, two) = x.midranks(weights), y.midranks(weights)
    scale = np.einsum("rk,rk,rk->r", of_x, one, one) * np.einsum("rk,rk,rk->r", of_y, two, two)
    product = np.take(one, x.place, axis=1)
    product *= np.take(two, y.place, axis=1)
    shared = np.einsum("rn,rn->r", weights, product)
    varied = scale > 0
    root = np.sqrt(scale, where=varied, out=np.ones_like(scale))
    return np.where(varied, shared / root, np.nan)


def _pearson(one: Floats, two: Floats) -> float:
    """Return the correlation, kept within -1 and 1 against rounding."""
    a, b = one - one.mean(), two - two.mean()
    value = float(a @ b / np.sqrt((a @ a) * (b @ b)))
    return min(1.0, max(-1.0, value))


def _constant(values: Floats) -> bool:
    return bool(values.min() == values.max())
