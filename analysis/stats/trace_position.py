"""Where along a trace the other one stops following it.

a_i = max_j M_ij is how well step i of the anchor (the English trace) is met anywhere in the other
trace; order is no part of it. Positions run from 0 (first step) to 1 (last).

References
----------
Sun et al. (2026), arXiv 2610.29092, appendix I. The formula of the quintile is this program's choice.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.stats.results import Estimate, undefined
from analysis.stats.trace_scores import Floats

QUINTILES = 5
THRESHOLDS = (0.3, 0.4, 0.5)


class Branch(NamedTuple):
    """The first step that the other trace does not meet; both None when every step is met.

    Attributes
    ----------
    step : int or None
        Counted from 1.
    position : float or None
        (step - 1) / (n - 1); None also for a trace of one step, which has no length.
    """

    step: int | None
    position: float | None


def branch(best: Floats, *, threshold: float) -> Branch:
    """Return the first step whose best match lies below the threshold.

    Parameters
    ----------
    best : (n,) float64
        Best match of each anchor step.
    threshold : float

    Returns
    -------
    Branch

    Examples
    --------
    >>> branch(np.array([0.9, 0.8, 0.7, 0.35, 0.6]), threshold=0.4)
    Branch(step=4, position=0.75)
    >>> branch(np.array([0.9, 0.8]), threshold=0.3)
    Branch(step=None, position=None)
    """
    below = np.flatnonzero(best < threshold)
    if not below.size:
        return Branch(None, None)
    first = int(below[0])
    return Branch(first + 1, first / (best.size - 1) if best.size > 1 else None)


def quintile(steps: int) -> NDArray[np.intp]:
    """Return the fifth of the trace in which each step stands.

    Parameters
    ----------
    steps : int
        At least 2.

    Returns
    -------
    (steps,) intp
        min(4, floor(5 (i - 1) / (n - 1))).

    Examples
    --------
    >>> quintile(5).tolist()
    [0, 1, 2, 3, 4]
    """
    if steps < 2:  # noqa: PLR2004  one step has no position
        raise ValueError("A trace of fewer than two steps has no quintiles; leave it out.")
    return np.asarray(np.minimum(QUINTILES - 1, np.arange(steps) * QUINTILES // (steps - 1)))


def profile(best: Floats) -> Floats:
    """Return the mean best match in each fifth of one trace.

    Parameters
    ----------
    best : (n,) float64
        n at least 2.

    Returns
    -------
    (5,) float64
        NaN marks a fifth in which this trace has no step; `mean_profile` leaves it out.

    Examples
    --------
    >>> profile(np.array([0.9, 0.8, 0.7, 0.35, 0.6])).tolist()
    [0.9, 0.8, 0.7, 0.35, 0.6]
    """
    where = quintile(best.size)
    count = np.bincount(where, minlength=QUINTILES)
    total = np.bincount(where, weights=best, minlength=QUINTILES)
    empty = np.full(QUINTILES, np.nan)
    return np.asarray(np.divide(total, count, out=empty, where=count > 0))


def mean_profile(profiles: Floats) -> list[Estimate]:
    """Average the profiles of many traces, each trace once in every fifth that it has.

    Parameters
    ----------
    profiles : (traces, 5) float64

    Returns
    -------
    list of 5 Estimate
        Undefined where no trace has a step in the fifth.

    Examples
    --------
    >>> rows = np.vstack([profile(np.array([1.0, 0.5])), profile(np.array([0.0, 0.5]))])
    >>> [fifth.value for fifth in mean_profile(rows)]
    [0.5, None, None, None, 0.5]
    """
    result = []
    for column in profiles.T:
        present = column[~np.isnan(column)]
        result.append(
            Estimate(value=float(present.mean()), n=present.size, method="mean over traces")
            if present.size
            else undefined("no trace has a step in this fifth", n=0)
        )
    return result


def last_minus_middle(best: Floats) -> float | None:
    """Return a_n minus the mean of a_2 … a_{n-1}: negative when the end diverges.

    Parameters
    ----------
    best : (n,) float64

    Returns
    -------
    float or None
        None with fewer than three steps, which have no middle.

    Examples
    --------
    >>> round(last_minus_middle(np.array([0.9, 0.8, 0.7, 0.35, 0.6])), 6)
    -0.016667
    """
    if best.size < 3:  # noqa: PLR2004  first, middle, last
        return None
    return float(best[-1] - best[1:-1].mean())
