"""Two dependent correlations that share a variable: Williams' t, Steiger's z, Meng's z.

All take r12 and r13, the two correlations to compare, r23, the correlation of the two variables that
are not shared, and n, the number of complete observations.
"""

from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from scipy import stats

from analysis.stats.results import Estimate

FEWEST = 4


@dataclass(frozen=True)
class CorrelationDifference(Estimate):
    """r12 - r13 with its test.

    Parameters
    ----------
    statistic : float or None
        t or z.
    df : int or None
        Degrees of freedom of t.
    """

    statistic: float | None = None
    df: int | None = None

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return super().as_dict() | {"statistic": self.statistic, "df": self.df}


def williams_t(r12: float, r13: float, r23: float, n: int) -> CorrelationDifference:
    """Williams' t for the difference of two correlations that share variable 1.

    Parameters
    ----------
    r12, r13, r23 : float
        Correlations between -1 and 1 that can stand in one matrix.
    n : int
        Complete observations.

    Returns
    -------
    CorrelationDifference
        `value` is r12 - r13, `p` two-sided with n - 3 degrees of freedom. Undefined with fewer than
        four observations and where the three correlations leave no variation (determinant 0).

    Notes
    -----
    t = (r12 - r13) sqrt((n - 1)(1 + r23) / (2 (n - 1)/(n - 3) D + m^2 (1 - r23)^3)),
    m = (r12 + r13) / 2, D the determinant of the correlation matrix. It assumes normal variables;
    for rank correlations it is an approximation.

    References
    ----------
    E. J. Williams, Journal of the Royal Statistical Society B 21 (1959) 396; J. H. Steiger,
    Psychological Bulletin 87 (1980) 245, formula 7.

    Examples
    --------
    >>> found = williams_t(0.40, -0.01, 0.25, 60)
    >>> round(found.statistic, 4), round(found.p, 4)
    (2.7653, 0.0077)
    """
    bare, spread = _start(r12, r13, r23, n, "Williams' t")
    if bare.reason is not None:
        return bare
    mean = (r12 + r13) / 2
    below = 2 * (n - 1) / (n - 3) * spread + mean**2 * (1 - r23) ** 3
    t = (r12 - r13) * float(np.sqrt((n - 1) * (1 + r23) / below))
    return replace(bare, statistic=t, df=n - 3, p=float(2 * stats.t.sf(abs(t), n - 3)))


def williams_power(r12: float, r13: float, r23: float, n: int, *, alpha: float = 0.05) -> Estimate:
    """Power of Williams' two-sided test where these are the true correlations.

    Parameters
    ----------
    r12, r13, r23, n
        As in `williams_t`.
    alpha : float
        Level of the test.

    Returns
    -------
    Estimate
        `value` is the probability of a p below `alpha`, between 0 and 1. Undefined as `williams_t`.

    Notes
    -----
    The statistic is taken as noncentral t with n - 3 degrees of freedom, noncentral by its value at
    the true correlations. Simulation agrees to 0.03 from 30 observations on.

    Examples
    --------
    A score that follows people at 0.34 and one that does not, which correlate at 0.25:

    >>> [round(williams_power(0.34, 0, 0.25, n).value, 2) for n in (60, 90, 120, 180)]
    [0.59, 0.78, 0.89, 0.97]
    """
    expected = williams_t(r12, r13, r23, n)
    method = f"power of Williams' t at the level {alpha:g}, noncentral t"
    if expected.statistic is None or expected.df is None:
        return Estimate(None, n=n, method=method, reason=expected.reason)
    bound = stats.t.isf(alpha / 2, expected.df)
    there = stats.nct(expected.df, expected.statistic)
    return Estimate(float(there.sf(bound) + there.cdf(-bound)), n=n, method=method)


def steiger_z(r12: float, r13: float, r23: float, n: int) -> CorrelationDifference:
    """Steiger's z (1980), with the covariance at the mean of the two correlations.

    Parameters
    ----------
    r12, r13, r23, n
        As in `williams_t`.

    Returns
    -------
    CorrelationDifference
        `value` is r12 - r13, `p` two-sided normal. Undefined as in `williams_t`, and where a
        correlation is -1 or 1 (Fisher's transformation is infinite there).

    Notes
    -----
    z = (atanh r12 - atanh r13) sqrt(n - 3) / sqrt(2 - 2 c), c the covariance of the two transformed
    correlations under r12 = r13 = m = (r12 + r13) / 2:
    c = (r23 (1 - 2 m^2) - m^2 (1 - 2 m^2 - r23^2) / 2) / (1 - m^2)^2.

    References
    ----------
    J. H. Steiger, Psychological Bulletin 87 (1980) 245, formula 14.

    Examples
    --------
    >>> round(steiger_z(0.40, 0.10, 0.25, 60).statistic, 4)
    1.9543
    """
    bare, _ = _start(r12, r13, r23, n, "Steiger's z")
    if bare.reason is not None:
        return bare
    square = ((r12 + r13) / 2) ** 2
    covariance = r23 * (1 - 2 * square) - square * (1 - 2 * square - r23**2) / 2
    covariance /= (1 - square) ** 2
    z = float((np.arctanh(r12) - np.arctanh(r13)) * np.sqrt((n - 3) / (2 - 2 * covariance)))
    return replace(bare, statistic=z, p=_two_sided(z))


def meng_z(r12: float, r13: float, r23: float, n: int) -> CorrelationDifference:
    """Meng, Rosenthal and Rubin's z (1992).

    Parameters
    ----------
    r12, r13, r23, n
        As in `williams_t`.

    Returns
    -------
    CorrelationDifference
        As `steiger_z`.

    Notes
    -----
    z = (atanh r12 - atanh r13) sqrt((n - 3) / (2 (1 - r23) h)), h = (1 - f q) / (1 - q),
    q = (r12^2 + r13^2) / 2, f = min(1, (1 - r23) / (2 (1 - q))).

    References
    ----------
    X.-L. Meng, R. Rosenthal, D. B. Rubin, Psychological Bulletin 111 (1992) 172.

    Examples
    --------
    >>> round(meng_z(0.40, 0.10, 0.25, 60).statistic, 4)
    1.9406
    """
    bare, _ = _start(r12, r13, r23, n, "Meng's z")
    if bare.reason is not None:
        return bare
    q = (r12**2 + r13**2) / 2
    f = min(1.0, (1 - r23) / (2 * (1 - q)))
    h = (1 - f * q) / (1 - q)
    z = float((np.arctanh(r12) - np.arctanh(r13)) * np.sqrt((n - 3) / (2 * (1 - r23) * h)))
    return replace(bare, statistic=z, p=_two_sided(z))


def _start(
    r12: float, r13: float, r23: float, n: int, method: str
) -> tuple[CorrelationDifference, float]:
    """Return the result before its test, and the determinant of the correlation matrix."""
    for r in (r12, r13, r23):
        if not -1 <= r <= 1:
            raise ValueError(f"A correlation lies between -1 and 1; {r} does not.")
    bare = CorrelationDifference(r12 - r13, n=n, method=method)
    spread = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    if spread < -1e-9:  # noqa: PLR2004 - below rounding of printed correlations
        raise ValueError(
            f"No data have the correlations {r12}, {r13} and {r23} together: their matrix has a "
            "negative determinant."
        )
    if n < FEWEST:
        return replace(bare, reason=f"no test: {n} observations, and it needs {FEWEST}"), spread
    if spread <= 0 or abs(r12) == 1 or abs(r13) == 1:
        reason = "no test: the three correlations leave no variation (determinant 0)"
        return replace(bare, reason=reason), spread
    return bare, spread


def _two_sided(z: float) -> float:
    """Return the two-sided normal p, accurate in the tail."""
    return 2 * NormalDist().cdf(-abs(z))
