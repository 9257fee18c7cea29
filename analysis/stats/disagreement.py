"""Which raters and which items drive disagreement: alpha without each rater, shares of items."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from analysis.stats.alpha import NO_PAIR, NO_VARIATION, level_values, method_name
from analysis.stats.coincidence import Floats, Level, item_terms
from analysis.stats.ratings import PAIR, Cells, Ratings, as_ratings
from analysis.stats.results import Estimate


@dataclass(frozen=True)
class ItemShares:
    """Each item's share of the observed disagreement.

    Parameters
    ----------
    shares : ndarray of float, shape (items,), or None
        Shares in the order of the items, summing to 1; 0 for items with fewer than two ratings.
    reason : str or None
        Why there are none.
    """

    shares: Floats | None
    reason: str | None = None


def alpha_without_each_rater(
    ratings: Ratings | ArrayLike, level: Level, *, labels: Sequence[object] | None = None
) -> tuple[Estimate, ...]:
    """Alpha of the remaining raters, once without each rater, in the order of the raters.

    Parameters
    ----------
    ratings : Ratings or array_like, shape (raters, items)
    level : {"nominal", "ordinal", "interval", "ratio"}

    Returns
    -------
    tuple of Estimate
        `n` counts the pairable ratings that are left. Undefined, with the reason, where the others
        share no item or no longer vary.

    Notes
    -----
    Leaving a rater out changes only the items that the rater rated: the row of each is exchanged
    for the row without that rating. The cost grows with the ratings, not with raters times ratings.
    Values equal those of `krippendorff_alpha` on the table without the rater.

    Examples
    --------
    >>> [round(e.value, 3) for e in alpha_without_each_rater(
    ...     [[1, 2, 3, 1], [1, 2, 3, 1], [3, 1, 1, 2]], "nominal")]
    [-0.4, -0.4, 1.0]
    """
    data = as_ratings(ratings, labels)
    if data.n == 0:
        reason = "no rating at all"
        return tuple(Estimate(None, n=0, reason=reason) for _ in range(data.n_raters))
    found, left = values_without_each_rater(data, level), _pairable_left(data, data.cells())
    return tuple(
        _one_left_out(float(value), int(n), level) for value, n in zip(found, left, strict=True)
    )


def values_without_each_rater(data: Ratings, level: Level) -> Floats:
    """Return alpha without each rater as numbers, shape (raters,); NaN where undefined.

    Whoever takes a rating of one label out of an item leaves the same item behind, so that there are
    as many rows to work out as there are labels of items.
    """
    if data.n == 0:
        return np.full(data.n_raters, np.nan)
    cells = data.cells()
    terms = item_terms(_with_each_label_taken_out(cells), level, level_values(data, level))
    before, after = terms.rows[: data.n_items], terms.rows[data.n_items :]
    exchanged = _taken_by(data, cells) @ (after - before[cells.item])
    change = exchanged if isinstance(exchanged, np.ndarray) else exchanged.toarray()
    return terms.alpha(np.asarray(before.sum(axis=0))[np.newaxis, :] + change)


def disagreement_shares(
    ratings: Ratings | ArrayLike, level: Level, *, labels: Sequence[object] | None = None
) -> ItemShares:
    """Share of the observed disagreement that each item carries.

    Parameters
    ----------
    ratings : Ratings or array_like, shape (raters, items)
    level : {"nominal", "ordinal", "interval", "ratio"}

    Returns
    -------
    ItemShares
        None where no item has two ratings or where nobody disagrees (0/0).

    Notes
    -----
    The observed disagreement is a sum over items (see `analysis.stats.coincidence`); the ordinal
    distances are those of the whole sample.

    Examples
    --------
    >>> disagreement_shares([[1, 2, 3], [1, 3, 1]], "interval").shares.tolist()
    [0.0, 0.2, 0.8]
    """
    data = as_ratings(ratings, labels)
    values = level_values(data, level)
    cells = data.cells()
    if not (cells.size >= PAIR).any():
        return ItemShares(None, NO_PAIR)
    carried = item_terms(cells, level, values).carried()
    total = float(carried.sum())
    if total <= 0:
        return ItemShares(None, "no disagreement: all ratings of an item are equal, on every item")
    return ItemShares(carried / total)


def _with_each_label_taken_out(cells: Cells) -> Cells:
    """Append, after the items, one item a cell: the cell's item without one rating of its label."""
    number = np.arange(len(cells.item))
    first = np.searchsorted(cells.item, cells.item, side="left")
    width = np.searchsorted(cells.item, cells.item, side="right") - first
    copy = np.repeat(number, width)
    source = np.arange(len(copy)) - np.repeat(np.cumsum(width) - width, width) + first[copy]
    return Cells(
        np.concatenate([cells.item, cells.n_items + copy]),
        np.concatenate([cells.code, cells.code[source]]),
        np.concatenate([cells.count, cells.count[source] - (source == copy)]),
        cells.n_items + len(number),
    )


def _taken_by(data: Ratings, cells: Cells) -> sparse.csr_array:
    """Return how many ratings each rater gave in each cell, shape (raters, cells)."""
    width = max(len(data.labels), 1)
    place = np.searchsorted(cells.item * width + cells.code, data.cell_keys())
    shape = (data.n_raters, len(cells.item))
    return sparse.csr_array((np.ones(data.n), (data.rater, place)), shape=shape)


def _pairable_left(data: Ratings, cells: Cells) -> NDArray[np.float64]:
    """Return the pairable ratings that are left without each rater, shape (raters,)."""
    size = cells.size
    pairable = np.where(size >= PAIR, size, 0)
    left = np.where(size > PAIR, size - 1, 0)
    change = (left - pairable)[data.item]
    taken = np.bincount(data.rater, weights=change, minlength=data.n_raters)
    return np.asarray(pairable.sum() + taken)


def _one_left_out(value: float, n: int, level: Level) -> Estimate:
    method = method_name(level)
    if not np.isnan(value):
        return Estimate(value, n=n, method=method)
    return Estimate(None, n=n, method=method, reason=NO_VARIATION if n else NO_PAIR)
