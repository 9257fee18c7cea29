"""One proportion: exact and Wilson intervals, exact binomial p."""

from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Literal, get_args

import numpy as np
from scipy import stats

from analysis.stats.results import Estimate

Side = Literal["two-sided", "lower", "upper"]
Alternative = Literal["two-sided", "greater", "less"]


@dataclass(frozen=True)
class Proportion(Estimate):
    """A share with the count behind it.

    Parameters
    ----------
    count : int
        Successes; `n` counts the trials.
    """

    count: int = 0

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return super().as_dict() | {"count": self.count}


def clopper_pearson(
    count: int, n: int, *, confidence: float = 0.95, side: Side = "two-sided"
) -> Proportion:
    """Share with the exact interval of Clopper and Pearson.

    Parameters
    ----------
    count, n : int
        Successes and trials.
    side : {"two-sided", "lower", "upper"}
        "lower" puts the whole error below: the limit at the top is 1; "upper" the reverse.

    Returns
    -------
    Proportion
        Between 0 and 1; covers at least `confidence` for any true share. Limits of exactly 0 or 1
        occur where `count` is 0 or n, and are right. Undefined without trials.

    Notes
    -----
    The shares at which an exact binomial test of `count` just does not reject: quantiles of
    Beta(count, n - count + 1) and Beta(count + 1, n - count).

    References
    ----------
    C. J. Clopper, E. S. Pearson, Biometrika 26 (1934) 404.

    Examples
    --------
    85 of 138 decisive judgments, printed as .616 [.529, .697]:

    >>> found = clopper_pearson(85, 138)
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.616, 0.529, 0.697)
    """
    if side not in get_args(Side):
        raise ValueError(f"The side {side!r} is unknown; use one of {get_args(Side)}.")
    bare = _share(count, n, f"exact interval of Clopper and Pearson, {side}")
    if not bare.defined:
        return bare
    tail = (1 - _checked(confidence)) / (2 if side == "two-sided" else 1)
    low, high = 0.0, 1.0
    if count > 0 and side != "upper":
        low = float(stats.beta.ppf(tail, count, n - count + 1))
    if count < n and side != "lower":
        high = float(stats.beta.isf(tail, count + 1, n - count))
    return replace(bare, low=low, high=high)


def wilson(count: int, n: int, *, confidence: float = 0.95) -> Proportion:
    """Share with Wilson's score interval.

    Parameters
    ----------
    count, n : int
        Successes and trials.

    Returns
    -------
    Proportion
        Shorter than the exact interval; covers `confidence` on average over true shares, not for
        each. Undefined without trials.

    References
    ----------
    E. B. Wilson, Journal of the American Statistical Association 22 (1927) 209.

    Examples
    --------
    Newcombe's (1998) example, 81 of 263, printed as [0.2553, 0.3662]:

    >>> found = wilson(81, 263)
    >>> round(found.low, 4), round(found.high, 4)
    (0.2553, 0.3662)
    """
    bare = _share(count, n, "Wilson's score interval")
    if bare.value is None:
        return bare
    z2 = NormalDist().inv_cdf((1 + _checked(confidence)) / 2) ** 2
    centre = (count + z2 / 2) / (n + z2)
    reach = float(np.sqrt(z2 * (count * (n - count) / n + z2 / 4))) / (n + z2)
    # At the ends of the range the limit is the end itself, which rounding misses by a last digit.
    low = 0.0 if count == 0 else centre - reach
    high = 1.0 if count == n else centre + reach
    return replace(bare, low=low, high=high)


def binomial_test(
    count: int, n: int, share: float = 0.5, *, alternative: Alternative = "two-sided"
) -> Proportion:
    """Exact binomial test of a share.

    Parameters
    ----------
    count, n : int
        Successes and trials.
    share : float
        Share under the null hypothesis.
    alternative : {"two-sided", "greater", "less"}
        The two-sided p adds all outcomes that are no more likely than the observed one.

    Returns
    -------
    Proportion
        The observed share with `p`. Undefined without trials.

    Examples
    --------
    >>> round(binomial_test(85, 138, alternative="greater").p, 3)
    0.004
    """
    if alternative not in get_args(Alternative):
        known = get_args(Alternative)
        raise ValueError(f"The alternative {alternative!r} is unknown; use one of {known}.")
    if not 0 <= share <= 1:
        raise ValueError(f"A share lies between 0 and 1; {share} does not.")
    bare = _share(count, n, f"exact binomial test against {share:g}, {alternative}")
    if not bare.defined:
        return bare
    return replace(bare, p=float(stats.binomtest(count, n, share, alternative=alternative).pvalue))


def _share(count: int, n: int, method: str) -> Proportion:
    """Return the share, or the reason why there is none, or say what cannot be counted."""
    if count != int(count) or n != int(n) or not 0 <= count <= n:
        raise ValueError(f"{count} successes of {n} trials is no count out of a number of trials.")
    bare = Proportion(None, n=int(n), method=method, count=int(count))
    if n == 0:
        return replace(bare, reason="no trials, so there is no share")
    return replace(bare, value=count / n)


def _checked(confidence: float) -> float:
    """Return the confidence, or say that it is none."""
    if not 0 < confidence < 1:
        raise ValueError(f"A confidence lies between 0 and 1; {confidence} does not.")
    return confidence
