"""Percent agreement and Gwet's AC1 and AC2, for any number of raters and missing ratings."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from analysis.stats.alpha import NO_PAIR, NO_VARIATION, percent_agreement_of
from analysis.stats.coincidence import Floats
from analysis.stats.ratings import PAIR, Ratings, as_ratings
from analysis.stats.results import Estimate, undefined

Weights = Literal["identity", "linear", "quadratic"]
WEIGHTS: tuple[Weights, ...] = get_args(Weights)
TINY = 1e-12  # below it a standard error is rounding


@dataclass(frozen=True)
class ChanceCorrected(Estimate):
    """A chance-corrected coefficient with its parts.

    Parameters
    ----------
    observed, expected : float or None
        Observed agreement and agreement expected by chance, both shares between 0 and 1.
    se : float or None
        Standard error of the coefficient.
    """

    observed: float | None = None
    expected: float | None = None
    se: float | None = None

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        parts = {"observed": self.observed, "expected": self.expected, "se": self.se}
        return super().as_dict() | parts


def scale_weights(width: int, weights: Weights) -> Floats:
    """Agreement weights of a scale of `width` labels, by the labels' positions.

    Parameters
    ----------
    width : int
        Labels of the scale, used and unused.
    weights : {"identity", "linear", "quadratic"}
        w(j, k) = 1 where j = k and 0 elsewhere; 1 - |j - k| / (K - 1); 1 - (j - k)^2 / (K - 1)^2.

    Returns
    -------
    ndarray, shape (K, K)

    Examples
    --------
    >>> scale_weights(3, "quadratic").tolist()
    [[1.0, 0.75, 0.0], [0.75, 1.0, 0.75], [0.0, 0.75, 1.0]]
    """
    if weights not in WEIGHTS:
        raise ValueError(f"The weights {weights!r} are unknown; use one of {WEIGHTS}.")
    if weights == "identity":
        return np.eye(width)
    place = np.arange(width, dtype=float)
    distance = np.abs(place[:, np.newaxis] - place) / max(width - 1, 1)
    return 1 - (distance if weights == "linear" else distance**2)


def percent_agreement(
    ratings: Ratings | ArrayLike, *, labels: Sequence[object] | None = None
) -> Estimate:
    """Share of equal pairs of ratings, averaged over the items with at least two ratings.

    Parameters
    ----------
    ratings : Ratings or array_like, shape (raters, items)

    Returns
    -------
    Estimate
        Between 0 and 1; `n` counts the items. Undefined where no item has two ratings. It is not
        corrected for chance: 1 is reached by raters who always give the same label.

    Notes
    -----
    (1 / N) sum_u sum_c n_uc (n_uc - 1) / (m_u (m_u - 1)), the observed agreement of Fleiss (1971)
    and Gwet (2014).

    Examples
    --------
    >>> percent_agreement([[1, 2, 3], [1, 2, 1]]).value
    0.6666666666666666
    """
    cells = as_ratings(ratings, labels).cells()
    value = percent_agreement_of(cells)
    method = "percent agreement, mean over items"
    if value is None:
        return undefined(NO_PAIR, method=method, n=0)
    return Estimate(value, n=int((cells.size >= PAIR).sum()), method=method)


def gwet_ac(
    ratings: Ratings | ArrayLike,
    weights: Weights = "identity",
    *,
    labels: Sequence[object] | None = None,
    confidence: float = 0.95,
) -> ChanceCorrected:
    """Gwet's AC1 (identity weights) or AC2 (linear or quadratic weights).

    Parameters
    ----------
    ratings : Ratings or array_like, shape (raters, items)
        NaN or None is a missing rating.
    weights : {"identity", "linear", "quadratic"}
        Agreement weights by position on the scale.
    labels : sequence, optional
        The scale. Chance agreement depends on the number of labels, so an unused label changes the
        coefficient: give the scale that the raters saw.

    Returns
    -------
    ChanceCorrected
        Unitless, at most 1; `n` counts the items with a rating; Student's t interval with n - 1
        degrees of freedom from the variance over items (raters fixed), cut at 1. Undefined where no
        item has two ratings, and where all ratings are equal: the formula then says 1, which shows
        nothing about whether raters can tell items apart.

    Notes
    -----
    With r_ik ratings of label k on item i, r_i on the item, W the sum of all weights::

        p_a = mean over r_i >= 2 of sum_k r_ik (sum_l w_kl r_il - 1) / (r_i (r_i - 1))
        pi_k = mean over items with a rating of r_ik / r_i
        p_e = W / (K (K - 1)) sum_k pi_k (1 - pi_k)
        AC  = (p_a - p_e) / (1 - p_e)

    Its chance agreement falls where one label dominates, so AC stays high where alpha and kappa
    fall; the two answer different questions and are to be shown together.

    References
    ----------
    K. L. Gwet, Handbook of Inter-Rater Reliability, 4th ed. (2014), chapters 2 to 5.

    Examples
    --------
    Two abstractors, 100 cases, published with Gwet's package irrCAC as 0.8493305:

    >>> import numpy as np
    >>> table = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
    >>> pairs = [(a, b) for a in range(3) for b in range(3) for _ in range(table[a][b])]
    >>> ac1 = gwet_ac(np.transpose(pairs))
    >>> round(ac1.value, 7)
    0.8493305
    """
    data = as_ratings(ratings, labels)
    method = "Gwet's AC1" if weights == "identity" else f"Gwet's AC2 ({weights} weights)"
    width = len(data.labels)
    matrix = scale_weights(width, weights)
    count = label_counts(data)
    size = count.sum(axis=1)
    if not (size >= PAIR).any():
        return ChanceCorrected(None, n=len(count), method=method, reason=NO_PAIR)
    observed = _agreement_by_item(count, size, matrix)
    if len(np.unique(data.code)) == 1:
        bare = ChanceCorrected(None, n=len(count), method=method, observed=1.0)
        return replace(bare, reason=NO_VARIATION)
    share = count / size[:, np.newaxis]
    prevalence = share.mean(axis=0)
    factor = float(matrix.sum()) / (width * (width - 1))
    by_item = factor * (share @ (1 - prevalence))
    return _chance_corrected(observed, by_item, size >= PAIR, method, confidence)


def label_counts(data: Ratings) -> Floats:
    """Count the ratings of each label on each item that has a rating, shape (items, K)."""
    cells = data.cells()
    count = np.zeros((cells.n_items, len(data.labels)))
    count[cells.item, cells.code] = cells.count
    return np.asarray(count[cells.size > 0])


def _agreement_by_item(count: Floats, size: Floats, matrix: Floats) -> Floats:
    """Return the weighted share of agreeing pairs of each item; 0 where there is no pair."""
    pairs = size * (size - 1)
    agreeing = (count * (count @ matrix - 1)).sum(axis=1)
    return np.asarray(np.divide(agreeing, pairs, out=np.zeros(len(pairs)), where=pairs > 0))


def _chance_corrected(
    observed: Floats,
    expected: Floats,
    pairable: NDArray[np.bool_],
    method: str,
    confidence: float,
) -> ChanceCorrected:
    """Return the coefficient from observed and chance agreement by item."""
    n = len(observed)
    p_a, p_e = float(observed[pairable].mean()), float(expected.mean())
    value = (p_a - p_e) / (1 - p_e)
    found = ChanceCorrected(value, n=n, method=method, observed=p_a, expected=p_e)
    if n < PAIR:
        return replace(found, reason="no interval: the variance over items needs two items")
    # Linearisation over items: Gwet (2014), chapter 5.
    each = n / pairable.sum() * np.where(pairable, observed - p_e, 0.0) / (1 - p_e)
    each -= 2 * (1 - value) * (expected - p_e) / (1 - p_e)
    se = float(np.sqrt(((each - value) ** 2).sum() / (n * (n - 1))))
    if se < TINY:
        return replace(found, reason="no interval: every item agrees alike, its variance is 0")
    reach = float(stats.t.ppf((1 + confidence) / 2, n - 1)) * se
    return replace(found, se=se, low=value - reach, high=min(1.0, value + reach))
