"""Equivalence by two one-sided tests: on a bootstrap distribution, and by Student's t.

A difference is equivalent to none when it is shown to lie within a margin that was chosen before.
Not rejecting a difference shows nothing of the kind. The margin is therefore always an argument.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from analysis.stats.association import complete_pairs
from analysis.stats.results import Estimate

Floats = NDArray[np.float64]
Margin = float | tuple[float, float]
FEWEST = 2


@dataclass(frozen=True)
class Equivalence(Estimate):
    """A difference with its two one-sided tests; `p` is the larger of the two.

    Parameters
    ----------
    margin : tuple of float
        Lower and upper bound of what counts as equivalent, in the unit of the difference.
    p_lower, p_upper : float or None
        p of "the difference is at or below the lower bound" and "at or above the upper bound".
    t_lower, t_upper, df : float or None
        Their statistics, for the t versions.
    equivalent : bool or None
        Whether both are rejected at `level`.
    level : float
        Level of each test; `low` and `high` have confidence 1 - 2 level, and lie within the margin
        exactly when both t tests reject.
    """

    margin: tuple[float, float] = (0.0, 0.0)
    p_lower: float | None = None
    p_upper: float | None = None
    t_lower: float | None = None
    t_upper: float | None = None
    df: float | None = None
    equivalent: bool | None = None
    level: float = 0.05

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        members = ("p_lower", "p_upper", "t_lower", "t_upper", "df", "equivalent", "level")
        own = {name: getattr(self, name) for name in members}
        kept = {key: value for key, value in own.items() if value is not None}
        return super().as_dict() | {"margin": list(self.margin)} | kept


def tost_bootstrap(
    estimate: float, replicates: ArrayLike | Sequence[float], margin: Margin, *, level: float = 0.05
) -> Equivalence:
    """Two one-sided tests on a bootstrap distribution of a difference.

    Parameters
    ----------
    estimate : float
        The difference in the whole sample.
    replicates : array_like, shape (B,)
        The difference in each resample; NaN is left out and counted in the notes.
    margin : float or (float, float)
        Bounds in the unit of the difference; one number m means (-m, m).

    Returns
    -------
    Equivalence
        Interval between the `level` and 1 - `level` quantiles. Undefined without replicates. A p
        can never be 0: it is (1 + replicates on the wrong side) / (B + 1).

    Notes
    -----
    p_lower counts replicates at or below the lower bound, p_upper those at or above the upper one.

    Examples
    --------
    >>> found = tost_bootstrap(0.0, [-0.02, -0.01, 0.0, 0.01, 0.02] * 20, 0.05)
    >>> round(found.p, 4), found.equivalent
    (0.0099, True)
    """
    low, high = _bounds(margin)
    drawn = np.asarray(replicates, dtype=float).ravel()
    kept = drawn[~np.isnan(drawn)]
    bare = Equivalence(
        None, method="two one-sided tests, bootstrap", margin=(low, high), level=level
    )
    if len(kept) == 0:
        return replace(bare, reason="no replicate has a value, so there is no distribution")
    below = (1 + int((kept <= low).sum())) / (len(kept) + 1)
    above = (1 + int((kept >= high).sum())) / (len(kept) + 1)
    limits = np.quantile(kept, [level, 1 - level]).tolist()
    missing = len(drawn) - len(kept)
    note = (f"{missing} of {len(drawn)} replicates have no value and are left out",)
    return replace(
        bare,
        value=float(estimate),
        low=limits[0],
        high=limits[1],
        n=len(kept),
        p=max(below, above),
        p_lower=below,
        p_upper=above,
        equivalent=max(below, above) <= level,
        notes=note if missing else (),
    )


def tost_paired(x: ArrayLike, y: ArrayLike, margin: Margin, *, level: float = 0.05) -> Equivalence:
    """Paired t version, whether the mean of x - y is within the margin.

    Parameters
    ----------
    x, y : array_like, shape (n,)
        Paired values; a pair with a missing value is left out.
    margin : float or (float, float)
        Bounds in the unit of the values.

    Returns
    -------
    Equivalence
        Undefined with fewer than two pairs and where all differences are equal.

    References
    ----------
    D. J. Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15 (1987) 657.

    Examples
    --------
    >>> found = tost_paired([1.0, 2.1, 3.0, 4.2], [1.1, 2.0, 3.1, 4.1], 0.5)
    >>> round(found.p, 4), found.equivalent
    (0.0016, True)
    """
    one, two = complete_pairs(x, y)
    scale = float(np.abs(np.concatenate([one, two])).max(initial=0.0))
    return _one_sample(one - two, scale, margin, level, "two one-sided tests, paired t")


def tost_one_sample(x: ArrayLike, margin: Margin, *, level: float = 0.05) -> Equivalence:
    """One-sample t version, whether the mean of x is within the margin.

    Parameters
    ----------
    x : array_like, shape (n,)
        Values; NaN is left out.
    margin : float or (float, float)
        Bounds in the unit of the values.

    Returns
    -------
    Equivalence
        Undefined with fewer than two values and where all are equal.

    Examples
    --------
    >>> tost_one_sample([0.1, 0.1], 0.5).reason
    'no variation: all values are equal, so the t statistic is not defined'
    """
    values = np.asarray(x, dtype=float).ravel()
    values = values[~np.isnan(values)]
    scale = float(np.abs(values).max(initial=0.0))
    return _one_sample(values, scale, margin, level, "two one-sided tests, one-sample t")


def tost_two_samples(
    x: ArrayLike,
    y: ArrayLike,
    margin: Margin,
    *,
    equal_variances: bool = False,
    level: float = 0.05,
) -> Equivalence:
    """Two-sample t version, whether mean x - mean y is within the margin.

    Parameters
    ----------
    x, y : array_like, shapes (n,) and (m,)
        Values of two independent samples; NaN is left out.
    margin : float or (float, float)
        Bounds in the unit of the values.
    equal_variances : bool
        False: Welch's degrees of freedom. True: the pooled variance.

    Returns
    -------
    Equivalence
        Undefined with fewer than two values in a sample and where neither sample varies.

    Examples
    --------
    >>> found = tost_two_samples([1, 2, 3, 4], [1, 2, 3, 5], 4.0)
    >>> found.value, found.equivalent
    (-0.25, True)
    """
    one, two = (np.asarray(part, dtype=float).ravel() for part in (x, y))
    one, two = one[~np.isnan(one)], two[~np.isnan(two)]
    n, m = len(one), len(two)
    kind = "pooled" if equal_variances else "Welch"
    bare = Equivalence(
        None,
        n=n + m,
        method=f"two one-sided tests, {kind} t",
        margin=_bounds(margin),
        level=level,
    )
    if min(n, m) < FEWEST:
        return replace(bare, reason=f"samples of {n} and {m} values; a t test needs two in each")
    difference = float(one.mean() - two.mean())
    scale = float(np.abs(np.concatenate([one, two])).max())
    if _flat(one, scale) and _flat(two, scale):
        return replace(bare, value=difference, reason=FLAT)
    first, second = float(one.var(ddof=1)), float(two.var(ddof=1))
    if equal_variances:
        df = float(n + m - 2)
        pooled = ((n - 1) * first + (m - 1) * second) / df
        return _by_t(bare, difference, float(np.sqrt(pooled * (1 / n + 1 / m))), df)
    a, b = first / n, second / m
    df = (a + b) ** 2 / (a**2 / (n - 1) + b**2 / (m - 1))
    return _by_t(bare, difference, float(np.sqrt(a + b)), df)


FLAT = "no variation: all values are equal, so the t statistic is not defined"


def _one_sample(
    values: Floats, scale: float, margin: Margin, level: float, method: str
) -> Equivalence:
    """Test the mean of values that were computed from numbers of the size `scale`."""
    n = len(values)
    bare = Equivalence(None, n=n, method=method, margin=_bounds(margin), level=level)
    if n < FEWEST:
        return replace(bare, reason=f"{n} values; a t test needs two")
    if _flat(values, scale):
        return replace(bare, value=float(values.mean()), reason=FLAT)
    se = float(values.std(ddof=1) / np.sqrt(n))
    return _by_t(bare, float(values.mean()), se, n - 1)


def _by_t(bare: Equivalence, difference: float, se: float, df: float) -> Equivalence:
    """Add both t tests and the interval of confidence 1 - 2 level."""
    low, high = bare.margin
    t_lower, t_upper = (difference - low) / se, (difference - high) / se
    p_lower, p_upper = float(stats.t.sf(t_lower, df)), float(stats.t.cdf(t_upper, df))
    reach = float(stats.t.isf(bare.level, df)) * se
    return replace(
        bare,
        value=difference,
        low=difference - reach,
        high=difference + reach,
        p=max(p_lower, p_upper),
        p_lower=p_lower,
        p_upper=p_upper,
        t_lower=t_lower,
        t_upper=t_upper,
        df=df,
        equivalent=max(p_lower, p_upper) <= bare.level,
    )


def _bounds(margin: Margin) -> tuple[float, float]:
    """Return both bounds, or say why they enclose nothing."""
    low, high = margin if isinstance(margin, tuple) else (-margin, margin)
    if not low < high:
        raise ValueError(f"The margin ({low}, {high}) encloses nothing; its bounds must ascend.")
    return float(low), float(high)


def _flat(values: Floats, scale: float) -> bool:
    """Return whether values differ by no more than the rounding of numbers of the size `scale`."""
    return bool(np.ptp(values) <= 8 * np.finfo(float).eps * scale)
