"""Per-item terms of Krippendorff's alpha, which add up over items.

Alpha depends on the ratings only through sums over items. Each item is therefore reduced to one row
of terms; the terms of any collection of items, also with repetitions, are a weighted sum of rows,
and alpha follows from the sum. Resampling items and leaving raters out never touch a rating again.

Notation: item u has m_u ratings, n_uc of them with label c; n_c = sum of n_uc over items with
m_u >= 2; n = sum of n_c; delta(c, k) is the squared distance of two labels::

    observed = sum_u sum_{c,k} n_uc n_uk delta(c, k) / (m_u - 1)
    expected = sum_{c,k} n_c n_k delta(c, k) / (n - 1)
    alpha    = 1 - observed / expected

========  ===========================================  =======================================
level     delta(c, k)                                  terms of an item
========  ===========================================  =======================================
nominal   1 where c and k differ                       observed, n_uc
ordinal   (midrank of k - midrank of c) squared        n_uc, n_uc n_uk / (m_u - 1) for c < k
interval  (c - k) squared                              observed, m_u, sum and sum of squares
ratio     ((c - k) / (c + k)) squared                  observed, n_uc
========  ===========================================  =======================================

The ordinal distance depends on the marginals of the collection at hand, so its coincidences are
kept label by label; only pairs of labels that meet on an item are stored.

Source: K. Krippendorff, Content Analysis, 4th ed. (2019), chapter 12; K. Krippendorff, Computing
Krippendorff's Alpha-Reliability (2011).
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from analysis.stats.ratings import PAIR, Cells

Level = Literal["nominal", "ordinal", "interval", "ratio"]
LEVELS: tuple[Level, ...] = get_args(Level)
WIDEST_DENSE = 64

Floats = NDArray[np.float64]
Positions = NDArray[np.intp]


@dataclass(frozen=True)
class Terms:
    """The rows that add up, and what is needed to turn a sum of rows into alpha.

    Parameters
    ----------
    level : str
        Level of measurement.
    rows : ndarray or sparse array, shape (items, F)
        Terms of each item; zero for an item with fewer than two ratings.
    values : ndarray, shape (K,)
        The labels as numbers (their positions for nominal and ordinal levels).
    pairs : ndarray of int, shape (P, 2)
        Label pairs c < k of the last P columns; empty unless the level is ordinal.
    """

    level: Level
    rows: Floats | sparse.csr_array
    values: Floats
    pairs: Positions

    def weighted(self, weights: Floats) -> Floats:
        """Return the sums of rows under `weights` of shape (R, items); the result is (R, F)."""
        totals = self.rows.T @ weights.T
        return np.ascontiguousarray(np.asarray(totals).T)

    def disagreement(self, totals: Floats) -> tuple[Floats, Floats]:
        """Return observed and expected disagreement of each row of `totals`, shapes (R,)."""
        return _BY_LEVEL[self.level](self, totals)

    def alpha(self, totals: Floats) -> Floats:
        """Return alpha of each row of `totals`, shape (R,); NaN where it is 0/0."""
        observed, expected = self.disagreement(totals)
        varied = expected > 0
        ratio = np.divide(observed, expected, out=np.full_like(observed, np.nan), where=varied)
        return 1.0 - ratio

    def carried(self) -> Floats:
        """Return each item's part of the observed disagreement of all items, shape (items,)."""
        if self.level != "ordinal":
            return _dense_column(self.rows)
        width = len(self.values)
        totals = np.asarray(self.rows.sum(axis=0))[np.newaxis, :]
        return np.asarray(self.rows[:, width:] @ (2 * _gaps(self, totals)[0] ** 2))


def item_terms(cells: Cells, level: Level, values: Floats) -> Terms:
    """Reduce each item to its row of terms.

    Parameters
    ----------
    cells : Cells
        Labels an item. Items with fewer than two ratings get a row of zeros.
    level : {"nominal", "ordinal", "interval", "ratio"}
        Level of measurement.
    values : ndarray, shape (K,)
        The labels as numbers.
    """
    size = cells.size
    kept = (size >= PAIR)[cells.item] & (cells.count > 0)
    cells = Cells(cells.item[kept], cells.code[kept], cells.count[kept], cells.n_items)
    item, low, high, product = _meetings(cells, size)
    if level == "ordinal":
        pairs, column = _pair_columns(low, high, len(values))
        blocks = [_marginals(cells, len(values)), _columns(item, column, product, cells, pairs)]
        return Terms(level, _compact(sparse.hstack(blocks, format="csr")), values, pairs)
    observed = 2.0 * product * _distance(level, values[low], values[high])
    first = np.bincount(item, weights=observed, minlength=cells.n_items)[:, np.newaxis]
    none = np.empty((0, 2), dtype=np.intp)
    if level == "interval":
        return Terms(level, np.hstack([first, _moments(cells, values)]), values, none)
    rest = _marginals(cells, len(values))
    joined = sparse.hstack([sparse.csr_array(first), rest], format="csr")
    return Terms(level, _compact(joined), values, none)


def _meetings(cells: Cells, size: Floats) -> tuple[Positions, Positions, Positions, Floats]:
    """Return each meeting of two different labels on an item.

    Four arrays of one length: item, lower label, higher label, n_uc n_uk / (m_u - 1). Cells are
    sorted by item, so a cell meets those at distance 1, 2, ... until the item ends.
    """
    found: list[tuple[Positions, Positions]] = []
    left = np.arange(len(cells.item))
    step = 0
    while len(left):
        step += 1
        left = left[left + step < len(cells.item)]
        left = left[cells.item[left] == cells.item[left + step]]
        found.append((left, left + step))
    first = np.concatenate([f for f, _ in found]) if found else np.empty(0, dtype=np.intp)
    second = np.concatenate([s for _, s in found]) if found else np.empty(0, dtype=np.intp)
    item = cells.item[first]
    product = cells.count[first] * cells.count[second] / (size[item] - 1)
    return item, cells.code[first], cells.code[second], product


def _distance(level: Level, c: Floats, k: Floats) -> Floats:
    """Return the squared distance of labels c and k, element by element."""
    if level == "nominal":
        return np.asarray(c != k, dtype=float)
    if level == "interval":
        return np.asarray((c - k) ** 2)
    total = c + k
    share = np.divide(c - k, total, out=np.zeros(total.shape), where=total != 0)
    return np.asarray(share**2)


def _moments(cells: Cells, values: Floats) -> Floats:
    """Return ratings, sum and sum of squares of each item, shape (items, 3).

    The values are centred at their middle first; alpha does not change and no digits cancel.
    """
    centre = (values.max() + values.min()) / 2 if len(values) else 0.0
    value = values[cells.code] - centre
    powers = (cells.count, cells.count * value, cells.count * value**2)
    columns = [np.bincount(cells.item, weights=p, minlength=cells.n_items) for p in powers]
    return np.column_stack(columns)


def _marginals(cells: Cells, width: int) -> sparse.csr_array:
    """Return n_uc, shape (items, K)."""
    entries = (cells.count, (cells.item, cells.code))
    return sparse.csr_array(entries, shape=(cells.n_items, width))


def _pair_columns(low: Positions, high: Positions, width: int) -> tuple[Positions, Positions]:
    """Give the label pairs that occur numbers: the pairs, shape (P, 2), and each meeting's number."""
    key, column = np.unique(low * max(width, 1) + high, return_inverse=True)
    return np.column_stack([key // max(width, 1), key % max(width, 1)]), column


def _columns(
    item: Positions, column: Positions, product: Floats, cells: Cells, pairs: Positions
) -> sparse.csr_array:
    return sparse.csr_array((product, (item, column)), shape=(cells.n_items, len(pairs)))


def _dense_column(rows: Floats | sparse.csr_array) -> Floats:
    """Return the first column."""
    return rows[:, 0] if isinstance(rows, np.ndarray) else rows[:, [0]].toarray()[:, 0]


def _compact(rows: sparse.csr_array) -> Floats | sparse.csr_array:
    """Store few columns densely: a dense product is several times faster there."""
    return np.asarray(rows.toarray()) if rows.shape[1] <= WIDEST_DENSE else rows


def _nominal(terms: Terms, totals: Floats) -> tuple[Floats, Floats]:
    marginal = totals[:, 1:]
    n = marginal.sum(axis=1)
    return totals[:, 0], _over(n**2 - (marginal**2).sum(axis=1), n)


def _ratio(terms: Terms, totals: Floats) -> tuple[Floats, Floats]:
    marginal = totals[:, 1:]
    grid = _distance("ratio", *np.meshgrid(terms.values, terms.values))
    return totals[:, 0], _over(((marginal @ grid) * marginal).sum(axis=1), marginal.sum(axis=1))


def _interval(terms: Terms, totals: Floats) -> tuple[Floats, Floats]:
    observed, n, total, squares = totals.T
    spread = n * squares - total**2
    # With one value the difference is 0 up to rounding, which must not pass for variation.
    noise = 64 * np.finfo(float).eps * n * squares
    return observed, _over(2 * np.where(spread > noise, spread, 0.0), n)


def _ordinal(terms: Terms, totals: Floats) -> tuple[Floats, Floats]:
    width = len(terms.values)
    marginal, meetings = totals[:, :width], totals[:, width:]
    n = marginal.sum(axis=1)
    midrank = _midranks(marginal)
    observed = 2 * (meetings * _gaps(terms, totals) ** 2).sum(axis=1)
    spread = 2 * n * (marginal * midrank**2).sum(axis=1)
    return observed, _over(spread, n)


def _midranks(marginal: Floats) -> Floats:
    """Return the midrank of each label, less their mean."""
    below = np.cumsum(marginal, axis=1) - marginal / 2
    return np.asarray(below - marginal.sum(axis=1, keepdims=True) / 2)


def _gaps(terms: Terms, totals: Floats) -> Floats:
    """Return the midrank distance of each label pair, shape (R, P)."""
    midrank = _midranks(totals[:, : len(terms.values)])
    return np.asarray(midrank[:, terms.pairs[:, 1]] - midrank[:, terms.pairs[:, 0]])


def _over(pairs: Floats, n: Floats) -> Floats:
    """Divide by n - 1, leaving 0 where there is no pair of ratings."""
    return np.divide(pairs, n - 1, out=np.zeros_like(pairs), where=n > 1)


_BY_LEVEL = {"nominal": _nominal, "ordinal": _ordinal, "interval": _interval, "ratio": _ratio}
