"""Preference between two conditions: shares with the intervals that repeated annotators need."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from analysis.stats.crossed_logistic import Alternative, CrossedLogistic, crossed_logistic
from analysis.stats.proportions import Proportion, binomial_test, clopper_pearson
from analysis.stats.resample import (
    RESAMPLES,
    ClusterTotals,
    cluster_bootstrap,
    cluster_totals,
)
from analysis.stats.results import Estimate, undefined

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Preference:
    """What is reported about a comparison of two conditions.

    Parameters
    ----------
    raw : Proportion
        Share of the decisive judgments for condition A, with exact interval and exact p against
        1/2. It takes judgments as independent, which they are not where annotators or pairs repeat.
    mixed : CrossedLogistic
        The primary analysis.
    of_pairs : CrossedLogistic or None
        The same without annotators, where each decided once and the primary analysis is refused.
    by_annotator : Estimate
        The same share with an interval from resampling annotators.
    undecided : Proportion
        Share of all judgments without a decision. They are counted here and in nothing else.
    position : Proportion
        Share of the decisive judgments for the side shown first, with exact interval and two-sided
        p: 1/2 where the order on the screen does not matter.
    weighted : Estimate
        Share with each decisive judgment weighted by its stated certainty.
    """

    raw: Proportion
    mixed: CrossedLogistic
    of_pairs: CrossedLogistic | None
    by_annotator: Estimate
    undecided: Proportion
    position: Proportion
    weighted: Estimate

    def as_dict(self) -> Mapping[str, object]:
        """Return the JSON form."""
        return {name: part and part.as_dict() for name, part in vars(self).items()}


def preference(
    choice: npt.ArrayLike,
    annotator: npt.ArrayLike,
    pair: npt.ArrayLike,
    rng: np.random.Generator,
    *,
    shown_first: npt.ArrayLike | None = None,
    certainty: npt.ArrayLike | None = None,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
    alternative: Alternative = "greater",
) -> Preference:
    """Analyse judgments of pairs in which each side has one of two conditions.

    Parameters
    ----------
    choice : (n,) float
        1 where condition A was chosen, 0 where B, NaN where the annotator saw no difference.
    annotator, pair : (n,) labels
    rng : numpy.random.Generator
    shown_first : (n,) of 0 and 1, optional
        1 where condition A stood first on the screen.
    certainty : (n,) float, optional
        Stated certainty of each decision, at least 0; needed where there is a decision.
    alternative : {"greater", "less", "two-sided"}
        Of the tests of a share of 1/2 for A.

    Raises
    ------
    ValueError
        For arrays of different lengths and choices other than 0, 1 and NaN.

    Examples
    --------
    >>> found = preference(
    ...     [1, 1, 0, np.nan, 1, 0],
    ...     list("aabbcc"),
    ...     [1, 2, 1, 2, 1, 2],
    ...     np.random.default_rng(1),
    ...     shown_first=[1, 0, 1, 1, 1, 0],
    ... )
    >>> found.raw.value, found.raw.n, round(found.undecided.value, 3), found.position.value
    (0.6, 5, 0.167, 0.6)
    """
    values = _choices(choice)
    decisive = ~np.isnan(values)
    chosen, n = values[decisive], len(values)
    who, what = (_column(labels, n)[decisive] for labels in (annotator, pair))
    position = Proportion(None, reason="which side was shown first was not recorded")
    if shown_first is not None:
        first = _column(shown_first, n)[decisive]
        position = position_share(chosen, first, confidence=confidence)
    weighted = undefined("no certainty was recorded")
    if certainty is not None:
        weighted = weighted_share(
            chosen,
            _column(certainty, n)[decisive],
            who,
            rng,
            resamples=resamples,
            confidence=confidence,
            alternative=alternative,
        )
    return Preference(
        raw=raw_share(chosen, confidence=confidence, alternative=alternative),
        mixed=crossed_logistic(chosen, who, what, confidence=confidence, alternative=alternative),
        of_pairs=_of_pairs(chosen, who, what, confidence, alternative),
        by_annotator=share_by_cluster(
            chosen,
            who,
            rng,
            resamples=resamples,
            confidence=confidence,
            alternative=alternative,
        ),
        undecided=clopper_pearson(n - len(chosen), n, confidence=confidence),
        position=position,
        weighted=weighted,
    )


def _of_pairs(
    chosen: FloatArray,
    who: npt.NDArray[np.generic],
    what: npt.NDArray[np.generic],
    confidence: float,
    alternative: Alternative,
) -> CrossedLogistic | None:
    if len(chosen) == 0 or len(np.unique(who)) < len(chosen):
        return None
    return crossed_logistic(chosen, None, what, confidence=confidence, alternative=alternative)


def raw_share(
    chosen: npt.ArrayLike, *, confidence: float = 0.95, alternative: Alternative = "greater"
) -> Proportion:
    """Return the share of ones with the exact interval and the exact p against 1/2.

    Examples
    --------
    85 of 138 decisive judgments, printed as .616 [.529, .697], p = .004:

    >>> found = raw_share([1] * 85 + [0] * 53)
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3), round(found.p, 3)
    (0.616, 0.529, 0.697, 0.004)
    """
    values = np.asarray(chosen, dtype=np.float64)
    ones, n = int(values.sum()), len(values)
    test = binomial_test(ones, n, alternative=alternative)
    found = clopper_pearson(ones, n, confidence=confidence)
    return replace(found, p=test.p, method=f"{found.method}; {test.method}")


def share_by_cluster(
    chosen: npt.ArrayLike,
    cluster: npt.ArrayLike,
    rng: np.random.Generator,
    *,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
    alternative: Alternative = "greater",
    units: str = "annotators",
) -> Estimate:
    """Return the share of ones with an interval from resampling annotators (or pairs).

    Parameters
    ----------
    chosen : (n,) of 0 and 1
    cluster : (n,) labels

    Notes
    -----
    p is the bootstrap p-value of a share of 1/2. See `cluster_bootstrap` for what is undefined.

    Examples
    --------
    >>> found = share_by_cluster([1, 1, 0, 1], ["a", "a", "b", "c"], np.random.default_rng(1))
    >>> found.value, round(found.low, 3), found.high
    (0.75, 0.0, 1.0)
    """
    totals = cluster_totals(chosen, cluster)
    return _against_half(
        totals, len(np.asarray(chosen)), rng, resamples, confidence, alternative, units
    )


def weighted_share(
    chosen: npt.ArrayLike,
    weights: npt.ArrayLike,
    annotator: npt.ArrayLike,
    rng: np.random.Generator,
    *,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
    alternative: Alternative = "greater",
) -> Estimate:
    """Return the share of ones weighted by certainty, with an interval over annotators.

    Parameters
    ----------
    chosen : (n,) of 0 and 1
    weights : (n,) float
        At least 0. Undefined where one is missing, or where all are 0.

    Examples
    --------
    >>> found = weighted_share([1, 0, 1], [3, 1, 2], ["a", "b", "c"], np.random.default_rng(1))
    >>> round(found.value, 4)
    0.8333
    """
    values, mass = np.asarray(chosen, np.float64), np.asarray(weights, np.float64)
    if missing := int(np.isnan(mass).sum()):
        reason = f"{missing} of {len(mass)} decisions have no certainty"
        return undefined(reason, method="certainty-weighted share", n=len(values))
    if (mass < 0).any():
        message = f"certainties must be at least 0; one is {mass.min():g}."
        raise ValueError(message)
    ones, all_mass = cluster_totals(mass * values, annotator), cluster_totals(mass, annotator)
    totals = ClusterTotals(ones.sums, all_mass.sums, ones.clusters)
    if len(mass) and not mass.any():
        return undefined("every certainty is 0", method="certainty-weighted share", n=len(values))
    found = _against_half(
        totals, len(values), rng, resamples, confidence, alternative, "annotators"
    )
    return replace(found, method=f"certainty-weighted share; {found.method}")


def position_share(
    chosen: npt.ArrayLike, shown_first: npt.ArrayLike, *, confidence: float = 0.95
) -> Proportion:
    """Return the share of decisions for the side shown first, with exact interval.

    Parameters
    ----------
    chosen : (n,) of 0 and 1
        1 where condition A was chosen.
    shown_first : (n,) of 0 and 1
        1 where condition A stood first.

    Examples
    --------
    >>> position_share([1, 0, 1, 0], [1, 0, 0, 0]).value
    0.75
    """
    chosen_a, first_a = np.asarray(chosen, np.float64), np.asarray(shown_first, np.float64)
    if not np.isin(first_a, (0, 1)).all():
        message = "shown_first must hold 0 and 1 only, also where it is not known: leave those out."
        raise ValueError(message)
    found = raw_share(
        (chosen_a == first_a).astype(np.float64), confidence=confidence, alternative="two-sided"
    )
    return replace(found, method=f"share of decisions for the side shown first; {found.method}")


def _against_half(
    totals: ClusterTotals,
    n: int,
    rng: np.random.Generator,
    resamples: int,
    confidence: float,
    alternative: Alternative,
    units: str,
) -> Estimate:
    """Bootstrap the excess over 1/2, so that p tests a share of 1/2, and shift it back."""
    excess = cluster_bootstrap(
        totals,
        lambda means: means[:, 0] - 0.5,
        rng,
        resamples=resamples,
        confidence=confidence,
        alternative=alternative,
        units=units,
    )
    value, low, high = (
        None if limit is None else limit + 0.5 for limit in (excess.value, excess.low, excess.high)
    )
    return replace(excess, n=n, value=value, low=low, high=high)


def _choices(choice: npt.ArrayLike) -> FloatArray:
    values = np.asarray(choice, dtype=np.float64)
    wrong = values[~np.isnan(values) & ~np.isin(values, (0, 1))]
    if values.ndim != 1 or len(wrong):
        found = f"it holds {wrong[0]:g}" if len(wrong) else f"its shape is {values.shape}"
        message = f"choice must be one-dimensional with 0, 1 and NaN for undecided; {found}."
        raise ValueError(message)
    return values


def _column(values: npt.ArrayLike, rows: int) -> npt.NDArray[np.generic]:
    column: npt.NDArray[np.generic] = np.asarray(values)
    if column.shape != (rows,):
        message = f"every column must have the {rows} rows of choice; one is {column.shape}."
        raise ValueError(message)
    return column
