"""Cohen's kappa of two raters, plain and weighted, and Fleiss' kappa of many."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike
from statsmodels.stats.inter_rater import cohens_kappa

from analysis.stats.alpha import NO_PAIR, NO_VARIATION
from analysis.stats.coincidence import Floats
from analysis.stats.gwet import TINY, ChanceCorrected, Weights, label_counts, scale_weights
from analysis.stats.ratings import PAIR, Ratings, as_ratings


@dataclass(frozen=True)
class Kappa(ChanceCorrected):
    """Kappa with its standard errors.

    Parameters
    ----------
    se : float or None
        Standard error, for the interval. None for Fleiss' kappa.
    se0 : float or None
        Standard error under chance agreement, for the test of kappa = 0 behind `p`.
    """

    se0: float | None = None

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return super().as_dict() | {"se0": self.se0}


def cohen_kappa(
    first: ArrayLike,
    second: ArrayLike,
    *,
    labels: Sequence[object],
    weights: Weights = "identity",
    confidence: float = 0.95,
) -> Kappa:
    """Cohen's kappa between two named raters.

    Parameters
    ----------
    first, second : array_like, shape (items,)
        The two raters' labels; an item where either is NaN or None is left out.
    labels : sequence
        The scale in its order, used and unused labels. It is required: weights go by the position
        on the scale, and with the labels 1, 2, 5 of a five-point scale positions are wrong.
    weights : {"identity", "linear", "quadratic"}
        Plain kappa, or weights 1 - d / (K - 1) or 1 - d^2 / (K - 1)^2 at d steps apart.

    Returns
    -------
    Kappa
        Unitless, at most 1; `n` counts the items that both rated; Wald interval from `se`; `p` is
        the two-sided test of chance agreement from `se0`. Undefined without a common item and where
        chance agreement is 1, that is where both always gave one and the same label. At perfect
        agreement or disagreement the standard error is 0 and there is no interval.

    Notes
    -----
    kappa = (p_o - p_e) / (1 - p_e) with weighted observed agreement p_o and p_e from the product of
    the marginals. Standard errors: Fleiss, Cohen and Everitt (1969), by the package statsmodels.

    References
    ----------
    J. Cohen, Psychological Bulletin 70 (1968) 213; J. L. Fleiss, J. Cohen, B. S. Everitt,
    Psychological Bulletin 72 (1969) 323.

    Examples
    --------
    The example of Fleiss, Cohen and Everitt, printed there as 0.429:

    >>> table = [[106, 10, 4], [22, 28, 10], [2, 12, 6]]
    >>> a, b = zip(*[(i, j) for i in range(3) for j in range(3) for _ in range(table[i][j])])
    >>> round(cohen_kappa(a, b, labels=[0, 1, 2]).value, 3)
    0.429
    """
    one, two = np.asarray(first, dtype=object), np.asarray(second, dtype=object)
    if one.ndim != 1 or one.shape != two.shape:
        raise ValueError(
            "Cohen's kappa compares two raters on the same items; their ratings have shapes "
            f"{one.shape} and {two.shape}."
        )
    return kappa_of_pair(Ratings.from_matrix(np.stack([one, two]), labels), weights, confidence)


def kappa_of_pair(data: Ratings, weights: Weights = "identity", confidence: float = 0.95) -> Kappa:
    """Cohen's kappa of `Ratings` by exactly two raters; see `cohen_kappa`."""
    if data.n_raters != PAIR:
        reason = f"Cohen's kappa compares two raters, and these are {data.n_raters}"
        return Kappa(None, n=data.n, method=_cohen(weights), reason=reason)
    return kappa_of_table(_table(data), weights, confidence)


def kappa_of_table(table: Floats, weights: Weights = "identity", confidence: float = 0.95) -> Kappa:
    """Cohen's kappa of how often each label of the first rater met each of the second; see `cohen_kappa`.

    Parameters
    ----------
    table : ndarray of float, shape (K, K)
        Items by the first rater's label and the second's, in the order of the scale.

    Examples
    --------
    >>> round(kappa_of_table(np.array([[20.0, 5.0], [10.0, 15.0]])).value, 3)
    0.4
    """
    method, matrix = _cohen(weights), scale_weights(len(table), weights)
    n = int(table.sum())
    if n == 0:
        return Kappa(None, n=0, method=method, reason=NO_PAIR)
    joint = table / n
    observed = float((joint * matrix).sum())
    expected = float((np.outer(joint.sum(axis=1), joint.sum(axis=0)) * matrix).sum())
    bare = Kappa(None, n=n, method=method, observed=observed, expected=expected)
    if 1 - expected < TINY:
        return replace(bare, reason=NO_VARIATION)
    return _with_errors(bare, table, weights, confidence)


def fleiss_kappa(ratings: Ratings | ArrayLike, *, labels: Sequence[object] | None = None) -> Kappa:
    """Fleiss' kappa, for items that all have the same number of ratings.

    Parameters
    ----------
    ratings : Ratings or array_like, shape (raters, items)
        NaN or None is a missing rating; items without a rating are left out.

    Returns
    -------
    Kappa
        Unitless, at most 1; `n` counts the items; `se0` and the two-sided `p` of chance agreement
        are those of Fleiss, Nee and Landis (1979). Undefined where items have different numbers of
        ratings (use alpha), where they have fewer than two, and where all ratings are equal.

    Notes
    -----
    (P - P_e) / (1 - P_e), P the mean share of equal pairs on an item, P_e the sum of the squared
    shares of the labels.

    References
    ----------
    J. L. Fleiss, Psychological Bulletin 76 (1971) 378; J. L. Fleiss, J. C. M. Nee, J. R. Landis,
    Psychological Bulletin 86 (1979) 974.

    Examples
    --------
    Fourteen raters, ten items, five labels; a widely printed example, 0.210:

    >>> table = np.array([
    ...     [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    ...     [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]])
    >>> by_item = [np.repeat(np.arange(5), counts) for counts in table]
    >>> round(fleiss_kappa(np.transpose(by_item)).value, 3)
    0.21
    """
    data = as_ratings(ratings, labels)
    count = label_counts(data)
    bare = Kappa(None, n=len(count), method="Fleiss' kappa")
    size = count.sum(axis=1)
    if not (size >= PAIR).any():
        return replace(bare, reason=NO_PAIR)
    if size.min() != size.max():
        reason = (
            f"items have between {size.min():.0f} and {size.max():.0f} ratings, and Fleiss' kappa "
            "needs the same number on each; Krippendorff's alpha does not"
        )
        return replace(bare, reason=reason)
    raters = float(size[0])
    share = count.sum(axis=0) / count.sum()
    observed = float(((count * (count - 1)).sum(axis=1) / (raters * (raters - 1))).mean())
    expected = float((share**2).sum())
    bare = replace(bare, observed=observed, expected=expected)
    if 1 - expected < TINY:
        return replace(bare, reason=NO_VARIATION)
    value = (observed - expected) / (1 - expected)
    se0 = _fleiss_se0(share, len(count), raters)
    return replace(bare, value=value, se0=se0, p=_two_sided(value / se0))


def _cohen(weights: Weights) -> str:
    """Name the coefficient with its weights."""
    return "Cohen's kappa" if weights == "identity" else f"Cohen's kappa ({weights} weights)"


def _table(data: Ratings) -> Floats:
    """Cross the two raters' labels, over the items that both rated, shape (K, K)."""
    grid = np.full((data.n_items, data.n_raters), -1)
    grid[data.item, data.rater] = data.code
    both = grid[(grid >= 0).all(axis=1)]
    table = np.zeros((len(data.labels), len(data.labels)))
    np.add.at(table, (both[:, 0], both[:, 1]), 1)
    return table


def _with_errors(bare: Kappa, table: Floats, weights: Weights, confidence: float) -> Kappa:
    """Add the value, its standard errors, the interval and the test of chance agreement."""
    kind = None if weights == "identity" else weights
    with np.errstate(divide="ignore", invalid="ignore"):
        result = cohens_kappa(table, wt=kind)
    value, se, se0 = float(result.kappa), float(result.std_kappa), float(result.std_kappa0)
    # Without error under chance (one rater used one label), statsmodels gives NaN or 0.
    tested = se0 if np.isfinite(se0) and se0 > TINY else None
    p = _two_sided(value / tested) if tested else None
    found = replace(bare, value=value, se0=tested, p=p)
    if not np.isfinite(se) or se < TINY:
        return replace(found, reason="no interval: the standard error from this table is 0")
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * se
    return replace(found, se=se, low=value - reach, high=value + reach)


def _fleiss_se0(share: Floats, items: int, raters: float) -> float:
    """Return the standard error under chance of Fleiss, Nee and Landis (1979)."""
    other = share * (1 - share)
    inner = other.sum() ** 2 - (other * (1 - 2 * share)).sum()
    return float(np.sqrt(2 * inner / (items * raters * (raters - 1))) / other.sum())


def _two_sided(z: float) -> float:
    """Return the two-sided normal p, accurate in the tail."""
    return 2 * NormalDist().cdf(-abs(z))
