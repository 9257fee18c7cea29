"""Differences and trends over ordered groups: Kruskal and Wallis, Jonckheere and Terpstra."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from analysis.stats.results import Estimate

Floats = NDArray[np.float64]
FEWEST_GROUPS = 2


@dataclass(frozen=True)
class GroupTest(Estimate):
    """A test over groups.

    Parameters
    ----------
    statistic : float or None
        H or z.
    df : int or None
        Degrees of freedom of H.
    p_increasing, p_decreasing : float or None
        One-sided p of a trend.
    mean, variance : float or None
        Moments of J where the groups do not differ.
    """

    statistic: float | None = None
    df: int | None = None
    p_increasing: float | None = None
    p_decreasing: float | None = None
    mean: float | None = None
    variance: float | None = None

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form, without the members that the test does not have."""
        members = ("statistic", "df", "p_increasing", "p_decreasing", "mean", "variance")
        own = {name: getattr(self, name) for name in members}
        return super().as_dict() | {key: value for key, value in own.items() if value is not None}


def kruskal(groups: Sequence[ArrayLike]) -> GroupTest:
    """Kruskal and Wallis' H, whether groups differ in location, in any order.

    Parameters
    ----------
    groups : sequence of array_like
        Values of each group in any one unit; NaN is left out.

    Returns
    -------
    GroupTest
        `value` is epsilon squared, H / (n - 1), between 0 and 1; `statistic` is H with its
        correction for ties; `p` by chi-square. Undefined with fewer than two groups or an empty
        one, and where all values are equal.

    References
    ----------
    W. H. Kruskal, W. A. Wallis, Journal of the American Statistical Association 47 (1952) 583.

    Examples
    --------
    >>> found = kruskal([[1, 3, 5, 7, 9], [2, 4, 6, 8, 10]])
    >>> round(found.statistic, 4), round(found.p, 4)
    (0.2727, 0.6015)
    """
    parts, bare = _checked(groups, "Kruskal-Wallis H")
    if bare.reason is not None:
        return bare
    h, p = stats.kruskal(*parts)
    n = sum(len(part) for part in parts)
    return replace(
        bare, value=float(h) / (n - 1), statistic=float(h), df=len(parts) - 1, p=float(p)
    )


def jonckheere(groups: Sequence[ArrayLike]) -> GroupTest:
    """Jonckheere and Terpstra's J, whether values rise or fall along the order of the groups.

    Parameters
    ----------
    groups : sequence of array_like
        Values of each group, groups in their order; NaN is left out.

    Returns
    -------
    GroupTest
        `value` is J, the number of pairs from two groups in which the later group's value is larger
        (ties count one half); `statistic` is z by the normal approximation with the variance for
        ties and without continuity correction; `p` two-sided, `p_increasing` and `p_decreasing`
        one-sided. Undefined as `kruskal`.

    Notes
    -----
    Mean (n^2 - sum n_i^2) / 4; the variance with ties is given in section 6.2 of the reference.

    References
    ----------
    M. Hollander, D. A. Wolfe, E. Chicken, Nonparametric Statistical Methods, 3rd ed. (2014), 6.2.

    Examples
    --------
    Example 6.2 of the reference, output of 18 workers, printed there as J = 79:

    >>> found = jonckheere([
    ...     [40, 35, 38, 43, 44, 41], [38, 40, 47, 44, 40, 42], [48, 40, 45, 43, 46, 44]])
    >>> found.value, round(found.statistic, 3)
    (79.0, 2.039)
    """
    parts, bare = _checked(groups, "Jonckheere-Terpstra J, normal approximation")
    if bare.reason is not None:
        return bare
    j = sum(
        _larger(parts[a], parts[b]) for a in range(len(parts)) for b in range(a + 1, len(parts))
    )
    sizes = np.array([len(part) for part in parts], dtype=float)
    _, ties = np.unique(np.concatenate(parts), return_counts=True)
    mean = float(sizes.sum() ** 2 - (sizes**2).sum()) / 4
    variance = _variance(sizes, ties.astype(float))
    z = (j - mean) / float(np.sqrt(variance))
    below, above = NormalDist().cdf(z), NormalDist().cdf(-z)
    return replace(
        bare,
        value=j,
        statistic=z,
        p=2 * min(below, above),
        p_increasing=above,
        p_decreasing=below,
        mean=mean,
        variance=variance,
    )


def _checked(groups: Sequence[ArrayLike], method: str) -> tuple[list[Floats], GroupTest]:
    """Return the groups without missing values, and the result before its statistic."""
    parts = [np.asarray(group, dtype=float).ravel() for group in groups]
    parts = [part[~np.isnan(part)] for part in parts]
    bare = GroupTest(None, n=sum(len(part) for part in parts), method=method)
    if len(parts) < FEWEST_GROUPS:
        return parts, replace(bare, reason=f"{len(parts)} groups; a comparison needs two")
    empty = [str(number) for number, part in enumerate(parts, start=1) if len(part) == 0]
    if empty:
        return parts, replace(bare, reason=f"no values in group {', '.join(empty)}")
    if len(np.unique(np.concatenate(parts))) == 1:
        return parts, replace(bare, reason="no variation: all values are equal")
    return parts, bare


def _larger(one: Floats, two: Floats) -> float:
    """Count the pairs in which the value of `two` is larger, ties one half."""
    ordered = np.sort(one)
    below = np.searchsorted(ordered, two, side="left")
    not_above = np.searchsorted(ordered, two, side="right")
    return float((below + not_above).sum()) / 2


def _variance(sizes: Floats, ties: Floats) -> float:
    """Return the variance of J over all arrangements, given group sizes and tie sizes."""
    n = float(sizes.sum())
    total = float(_cubic(np.array(n)) - _cubic(sizes).sum() - _cubic(ties).sum()) / 72
    if n > 2:  # noqa: PLR2004 - a term of triples
        triples = float((sizes * (sizes - 1) * (sizes - 2)).sum())
        total += (
            triples * float((ties * (ties - 1) * (ties - 2)).sum()) / (36 * n * (n - 1) * (n - 2))
        )
    pairs = float((sizes * (sizes - 1)).sum()) * float((ties * (ties - 1)).sum())
    return total + pairs / (8 * n * (n - 1))


def _cubic(size: Floats) -> Floats:
    """Return size (size - 1) (2 size + 5)."""
    return np.asarray(size * (size - 1) * (2 * size + 5))
