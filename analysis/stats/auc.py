"""Area under the ROC curve and the comparison of two correlated ones, after DeLong."""

from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from analysis.stats.results import Estimate

Floats = NDArray[np.float64]
FEWEST = 2


@dataclass(frozen=True)
class Auc(Estimate):
    """An area with its variance.

    Parameters
    ----------
    variance : float or None
        DeLong's variance of the area.
    n_positive, n_negative : int
        Cases of the two classes.
    """

    variance: float | None = None
    n_positive: int = 0
    n_negative: int = 0

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        classes = {"n_positive": self.n_positive, "n_negative": self.n_negative}
        return super().as_dict() | {"variance": self.variance} | classes


@dataclass(frozen=True)
class AucDifference(Estimate):
    """The difference of two areas on the same cases.

    Parameters
    ----------
    first, second : Auc or None
        The two areas.
    covariance : float or None
        DeLong's covariance of the areas.
    z : float or None
        `value` over its standard error.
    """

    first: Auc | None = None
    second: Auc | None = None
    covariance: float | None = None
    z: float | None = None

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        areas = {
            "first": self.first.as_dict() if self.first else None,
            "second": self.second.as_dict() if self.second else None,
        }
        return super().as_dict() | areas | {"covariance": self.covariance, "z": self.z}


def auc(positive: ArrayLike, scores: ArrayLike, *, confidence: float = 0.95) -> Auc:
    """Area under the ROC curve: the chance that a positive case scores higher than a negative one.

    Parameters
    ----------
    positive : array_like of bool or 0/1, shape (n,)
        Class of each case.
    scores : array_like of float, shape (n,)
        Higher speaks for the positive class; ties count one half. A NaN score leaves its case out.

    Returns
    -------
    Auc
        Between 0 and 1; normal interval from DeLong's variance, cut at 0 and 1. Undefined without
        a case of either class. No interval with fewer than two of either, or where the classes
        separate fully, so that the variance is 0.

    References
    ----------
    E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, Biometrics 44 (1988) 837.

    Examples
    --------
    >>> auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).value
    0.75
    """
    label, columns = _cases(positive, [scores])
    found, _ = _areas(label, columns, confidence)
    return found[0]


def compare_aucs(
    positive: ArrayLike, first: ArrayLike, second: ArrayLike, *, confidence: float = 0.95
) -> AucDifference:
    """DeLong's test of two areas on the same cases.

    Parameters
    ----------
    positive : array_like of bool or 0/1, shape (n,)
    first, second : array_like of float, shape (n,)
        Two scores of each case; a NaN in either leaves the case out of both.

    Returns
    -------
    AucDifference
        `value` is first area minus second; normal interval; two-sided `p`. Undefined as `auc`. Two
        scores that order the cases alike differ by 0 without variance: p is then 1 by convention
        (as in R's pROC), and a note says so.

    Notes
    -----
    z = (A1 - A2) / sqrt(var1 + var2 - 2 cov), from placement values by midranks in O(n log n).

    Examples
    --------
    >>> found = compare_aucs([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6], [3, 1, 5, 2, 6, 4])
    >>> round(found.value, 4), round(found.p, 4)
    (0.2222, 0.1573)
    """
    label, columns = _cases(positive, [first, second])
    (one, two), covariance = _areas(label, columns, confidence)
    method = "DeLong's test of two correlated areas"
    bare = AucDifference(None, n=len(label), method=method, first=one, second=two)
    if one.value is None or two.value is None:
        return replace(bare, reason=one.reason)
    difference = replace(bare, value=one.value - two.value, covariance=covariance)
    if one.variance is None or two.variance is None or covariance is None:
        return replace(difference, reason=one.reason)
    variance = one.variance + two.variance - 2 * covariance
    return _tested(difference, one.value - two.value, variance, confidence)


ALIKE = "the two scores order the cases alike: the difference is 0 without variance, p is 1"


def _tested(
    found: AucDifference, difference: float, variance: float, confidence: float
) -> AucDifference:
    """Add z, p and the interval, or the reason why the variance allows none."""
    if variance < np.finfo(float).eps:
        if difference == 0:
            return replace(found, z=0.0, p=1.0, notes=(ALIKE,))
        return replace(found, reason="no test: the difference has no variance on these cases")
    se = float(np.sqrt(variance))
    z = difference / se
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * se
    p = 2 * NormalDist().cdf(-abs(z))
    return replace(found, z=z, p=p, low=difference - reach, high=difference + reach)


def _cases(positive: ArrayLike, scores: list[ArrayLike]) -> tuple[NDArray[np.bool_], list[Floats]]:
    """Return classes and scores of the complete cases."""
    label = np.asarray(positive, dtype=float)
    columns = [np.asarray(column, dtype=float) for column in scores]
    if label.ndim != 1 or any(column.shape != label.shape for column in columns):
        shapes = ", ".join(str(column.shape) for column in columns)
        raise ValueError(f"Classes have shape {label.shape} and scores {shapes}; they must match.")
    strange = label[~np.isin(label, (0, 1))]
    if len(strange):
        raise ValueError(f"A class is 0 or 1; {strange[0]} stands among them.")
    whole = ~np.isnan(np.stack(columns)).any(axis=0)
    return label[whole] == 1, [column[whole] for column in columns]


def _areas(
    label: NDArray[np.bool_], columns: list[Floats], confidence: float
) -> tuple[list[Auc], float | None]:
    """Return each column's area, and the covariance of the first and the last."""
    m, n = int(label.sum()), int((~label).sum())
    bare = Auc(None, n=m + n, method="AUC, DeLong", n_positive=m, n_negative=n)
    if min(m, n) == 0:
        reason = f"{m} positive and {n} negative cases; an area needs both classes"
        return [replace(bare, reason=reason) for _ in columns], None
    placed = [_placements(column[label], column[~label]) for column in columns]
    areas = [replace(bare, value=float(above.mean())) for above, _ in placed]
    if min(m, n) < FEWEST:
        reason = f"no interval: {m} positive and {n} negative cases, and two of each are needed"
        return [replace(area, reason=reason) for area in areas], None
    covariance = _covariance(placed[0], placed[-1])
    variances = [_covariance(each, each) for each in placed]
    limited = [_limited(a, v, confidence) for a, v in zip(areas, variances, strict=True)]
    return limited, covariance


def _placements(high: Floats, low: Floats) -> tuple[Floats, Floats]:
    """Return the share of negatives below each positive, and of positives above each negative."""
    together = stats.rankdata(np.concatenate([high, low]))
    above = (together[: len(high)] - stats.rankdata(high)) / len(low)
    below = 1 - (together[len(high) :] - stats.rankdata(low)) / len(high)
    return above, below


def _covariance(one: tuple[Floats, Floats], two: tuple[Floats, Floats]) -> float:
    """Return DeLong's covariance of two areas from their placement values."""
    parts = [float(np.cov(a, b)[0, 1]) / len(a) for a, b in zip(one, two, strict=True)]
    return sum(parts)


def _limited(area: Auc, variance: float, confidence: float) -> Auc:
    """Add the normal interval, cut at 0 and 1."""
    found = replace(area, variance=variance)
    if variance < np.finfo(float).eps or area.value is None:
        return replace(found, reason="no interval: the classes separate fully, the variance is 0")
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * float(np.sqrt(variance))
    return replace(found, low=max(0.0, area.value - reach), high=min(1.0, area.value + reach))
