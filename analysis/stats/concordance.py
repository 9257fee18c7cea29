"""Concordance of several rankings: Kendall's W."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from analysis.stats.results import Estimate

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Concordance(Estimate):
    """Kendall's W with its chi-square statistic.

    Parameters
    ----------
    chi_square : float or None
        m (n - 1) W.
    df : int or None
        n - 1.
    raters : int
        Rows, m.
    """

    chi_square: float | None = None
    df: int | None = None
    raters: int = 0

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        parts = {"chi_square": self.chi_square, "df": self.df, "raters": self.raters}
        return super().as_dict() | parts


def kendall_w(ratings: ArrayLike) -> Concordance:
    """Kendall's coefficient of concordance, corrected for ties.

    Parameters
    ----------
    ratings : array_like, shape (raters, items)
        Values in any units, ranked within each rater; an item with a missing value is left out.

    Returns
    -------
    Concordance
        Between 0 and 1; `n` counts the complete items; `p` from chi-square with n - 1 degrees of
        freedom. Undefined with fewer than two raters or items, and where every rater gives all
        items the same value. A rater who does lowers W and is counted.

    Notes
    -----
    W = 12 S / (m^2 (n^3 - n) - m T), S the sum of squares of the rank sums about their mean, T the
    sum over raters and groups of t tied ranks of t^3 - t. Equal to Friedman's statistic over
    m (n - 1).

    References
    ----------
    M. G. Kendall and B. Babington Smith, Annals of Mathematical Statistics 10 (1939) 275.

    Examples
    --------
    >>> kendall_w([[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 4, 3]]).value
    0.9111111111111111
    """
    table = np.asarray(ratings, dtype=float)
    if table.ndim != len(("raters", "items")):
        raise ValueError(
            f"Kendall's W needs two dimensions, raters by items; this array has {table.shape}."
        )
    table = table[:, ~np.isnan(table).any(axis=0)]
    m, n = table.shape
    bare = Concordance(None, n=n, method="Kendall's W, corrected for ties", raters=m)
    if min(m, n) < len(("one", "another")):
        return replace(bare, reason=f"{m} raters on {n} complete items; two of each are needed")
    ranks = np.apply_along_axis(stats.rankdata, 1, table)
    sums = ranks.sum(axis=0)
    spread = float(((sums - sums.mean()) ** 2).sum())
    most = m**2 * (n**3 - n) - m * sum(_ties(row) for row in ranks)
    if most <= 0:
        return replace(bare, reason="no variation: every rater gives all items the same value")
    value = 12 * spread / most
    chi_square = m * (n - 1) * value
    p = float(stats.chi2.sf(chi_square, n - 1))
    return replace(bare, value=value, chi_square=chi_square, df=n - 1, p=p)


def concordance_from_spearman(mean_rho: float, raters: int) -> float:
    """Kendall's W of m raters whose mean pairwise Spearman correlation is known.

    Parameters
    ----------
    mean_rho : float
        Mean over the m (m - 1) / 2 pairs. The identity is exact without ties.
    raters : int
        m, at least 2.

    Notes
    -----
    W = (mean_rho (m - 1) + 1) / m.

    Examples
    --------
    Three repetitions with correlations .900, .800 and .900, printed as W = .911:

    >>> round(concordance_from_spearman((0.9 + 0.8 + 0.9) / 3, 3), 3)
    0.911
    """
    if raters < len(("one", "another")):
        raise ValueError(f"Concordance is between at least two raters; there are {raters}.")
    return (mean_rho * (raters - 1) + 1) / raters


def _ties(ranks: Floats) -> float:
    """Return the sum of t^3 - t over groups of tied ranks."""
    _, count = np.unique(ranks, return_counts=True)
    return float((count**3 - count).sum())
