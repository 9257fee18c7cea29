"""Krippendorff's alpha: value, interval by resampling items, raters and items that drive it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import krippendorff
import numpy as np
from numpy.typing import ArrayLike

from analysis.stats.coincidence import LEVELS, Floats, Level, Terms, item_terms
from analysis.stats.draws import multiplicities
from analysis.stats.percentile import checked_resamples, with_percentile_interval
from analysis.stats.ratings import PAIR, Cells, Ratings, as_ratings, how_many
from analysis.stats.results import Estimate

# The package holds an items x labels x labels array; beyond this many entries the same formula is
# evaluated from the sums of the per-item terms.
PACKAGE_ENTRIES = 20_000_000
ENTRIES_AT_ONCE = 1 << 18  # bounds the memory of a batch of replicates
HIGH_AGREEMENT, LOW_ALPHA = 0.8, 0.4
FEWEST_ITEMS = 2


@dataclass(frozen=True)
class Agreement(Estimate):
    """Alpha with what must stand beside it.

    Parameters
    ----------
    level : str
        Level of measurement.
    percent_agreement : float or None
        Mean over items of the share of equal pairs of ratings; None without a pairable item.
    n_items, n_raters : int
        Items with at least two ratings, and raters with a rating on one of them. `n` counts the
        ratings on these items.
    distribution : tuple of (label, count)
        Ratings of each label on these items; empty where there are more than 20 labels.
    """

    level: str = ""
    percent_agreement: float | None = None
    n_items: int = 0
    n_raters: int = 0
    distribution: tuple[tuple[object, int], ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return super().as_dict() | {
            "level": self.level,
            "percent_agreement": self.percent_agreement,
            "n_items": self.n_items,
            "n_raters": self.n_raters,
            "distribution": [list(pair) for pair in self.distribution],
        }


def krippendorff_alpha(
    ratings: Ratings | ArrayLike,
    level: Level,
    *,
    labels: Sequence[object] | None = None,
    rng: np.random.Generator | None = None,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> Agreement:
    """Krippendorff's alpha over the items with at least two ratings.

    Parameters
    ----------
    ratings : Ratings or array_like, shape (raters, items)
        NaN or None is a missing rating.
    level : {"nominal", "ordinal", "interval", "ratio"}
        Level of measurement of the labels.
    labels : sequence, optional
        The scale in its order; needed for ordinal words. Unused labels change nothing.
    rng : numpy.random.Generator, optional
        With it, a percentile interval from `resamples` resamples of items.
    confidence : float
        Coverage of the interval.

    Returns
    -------
    Agreement
        Unitless, at most 1; 0 is chance. Undefined without an item that two raters rated, and where
        all pairable ratings are equal: observed and expected disagreement are then both 0. Percent
        agreement and the counts are returned in either case.

    Notes
    -----
    alpha = 1 - observed / expected disagreement; see `analysis.stats.coincidence`. The value is
    computed by the package `krippendorff`, the interval from per-item terms, whose own value for
    the whole sample equals the package's within 1e-12.

    Each replicate draws as many items as there are pairable ones by one call of
    ``rng.integers(0, n_items, size=n_items)``, replicates in order and items in the order of
    `ratings`. The interval runs between the (1 - confidence) / 2 quantiles (linear, type 7).
    Replicates without variation have no alpha: up to 5 % are left out and counted in the notes,
    beyond that there is no interval.

    References
    ----------
    K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011).

    Examples
    --------
    The example of the reference, four observers and twelve units; printed there as 0.743:

    >>> nan = float("nan")
    >>> observers = [
    ...     [1, 2, 3, 3, 2, 1, 4, 1, 2, nan, nan, nan],
    ...     [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, nan, 3],
    ...     [nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, nan],
    ...     [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, nan],
    ... ]
    >>> round(krippendorff_alpha(observers, "nominal").value, 3)
    0.743
    >>> krippendorff_alpha([[2, 2], [2, 2]], "nominal").reason[:12]
    'no variation'
    """
    whole = as_ratings(ratings, labels)
    data = whole.pairable()
    cells = data.cells()
    values = level_values(whole, level)
    described = _described(data, cells, level)
    if how_many(data.code) <= 1:
        return replace(described, reason=NO_VARIATION if data.n_items else NO_PAIR)
    terms = item_terms(cells, level, values)
    value = _point(cells, level, values, terms)
    found = replace(described, value=value, notes=_paradox(value, described.percent_agreement))
    return found if rng is None else _with_interval(found, terms, rng, resamples, confidence)


def alpha_replicates(terms: Terms, rng: np.random.Generator, resamples: int) -> Floats:
    """Alpha of `resamples` resamples of the items behind `terms`; NaN where undefined.

    The draws are those that `krippendorff_alpha` documents. A replicate costs the drawing and
    counting of items and one product with the rows of terms, whatever the number of ratings.

    Returns
    -------
    ndarray, shape (resamples,)
    """
    items, width = terms.rows.shape
    at_once = max(1, ENTRIES_AT_ONCE // width)
    found = [
        terms.alpha(terms.weighted(block[start : start + at_once]))
        for block in multiplicities(items, resamples, rng)
        for start in range(0, len(block), at_once)
    ]
    return np.concatenate(found)


def percent_agreement_of(cells: Cells) -> float | None:
    """Return the mean over items with two ratings of the share of equal pairs; None without such an item."""
    size = cells.size
    pairable = size >= PAIR
    if not pairable.any():
        return None
    same = np.bincount(cells.item, weights=cells.count * (cells.count - 1), minlength=cells.n_items)
    return float(np.mean(same[pairable] / (size[pairable] * (size[pairable] - 1))))


NO_PAIR = "no item was rated by two raters, so there is nothing to compare"
NO_VARIATION = (
    "no variation: every rating on an item with two ratings is the same, so observed and expected "
    "disagreement are both 0"
)
PARADOX = (
    "percent agreement is high and alpha is low: nearly all ratings carry the same label, and "
    "alpha counts only agreement beyond what that alone produces"
)
MANY_LABELS = 20


def level_values(data: Ratings, level: Level) -> Floats:
    """Return the labels as numbers; their positions where the level only orders or tells apart."""
    if level not in LEVELS:
        raise ValueError(f"The level of measurement {level!r} is unknown; use one of {LEVELS}.")
    if level in ("interval", "ratio") and len(data.labels):
        values = data.numeric_labels()
        if level == "ratio" and (values < 0).any():
            raise ValueError(
                f"A ratio scale has no negative values, and {values.min()} stands in this one."
            )
        return values
    return np.arange(len(data.labels), dtype=float)


def _described(data: Ratings, cells: Cells, level: Level) -> Agreement:
    """Return the result without its value: method, counts, percent agreement."""
    few = len(data.labels) <= MANY_LABELS
    return Agreement(
        value=None,
        n=data.n,
        method=method_name(level),
        level=level,
        percent_agreement=percent_agreement_of(cells),
        n_items=data.n_items,
        n_raters=how_many(data.rater),
        distribution=data.distribution() if few else (),
    )


def _point(cells: Cells, level: Level, values: Floats, terms: Terms) -> float:
    """Return alpha by the package, or by the terms where the package's array grows too large."""
    if cells.n_items * len(values) ** 2 > PACKAGE_ENTRIES:
        return float(terms.alpha(np.asarray(terms.rows.sum(axis=0))[np.newaxis, :])[0])
    counts = np.zeros((cells.n_items, len(values)))
    counts[cells.item, cells.code] = cells.count
    return float(
        krippendorff.alpha(value_counts=counts, value_domain=values, level_of_measurement=level)
    )


def _with_interval(
    found: Agreement, terms: Terms, rng: np.random.Generator, resamples: int, confidence: float
) -> Agreement:
    """Add the percentile interval, or the reason why there is none."""
    if found.n_items < FEWEST_ITEMS:
        return replace(found, reason="no interval: resampling items needs two pairable items")
    drawn = alpha_replicates(terms, rng, checked_resamples(resamples))
    return with_percentile_interval(found, drawn, confidence=confidence, units="items", rng=rng)


def method_name(level: str) -> str:
    """Name the coefficient at a level of measurement."""
    return f"Krippendorff's alpha ({level})"


def _paradox(value: float, agreement: float | None) -> tuple[str, ...]:
    if agreement is None or agreement < HIGH_AGREEMENT or value > LOW_ALPHA:
        return ()
    return (PARADOX,)
