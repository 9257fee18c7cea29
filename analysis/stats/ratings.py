"""Ratings of one dimension in long form: who gave which item which label."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

PAIR = 2  # ratings of an item that agreement needs
ROOM = 8  # cells a rating up to which counting in a table costs less than sorting


@dataclass(frozen=True)
class Cells:
    """How often each item received each label; labels that an item never received are left out.

    Parameters
    ----------
    item, code : ndarray of int, shape (C,)
        Position of the item and of the label, ascending by item, then by label.
    count : ndarray of float, shape (C,)
        Ratings of that label on that item, at least 1 (0 where a rating was taken out again).
    n_items : int
        Items, with and without ratings.
    """

    item: NDArray[np.intp]
    code: NDArray[np.intp]
    count: NDArray[np.float64]
    n_items: int

    @property
    def size(self) -> NDArray[np.float64]:
        """Ratings an item, shape (n_items,)."""
        size = np.bincount(self.item, weights=self.count, minlength=self.n_items)
        return size.astype(float)


@dataclass(frozen=True)
class Ratings:
    """Ratings of one dimension.

    Parameters
    ----------
    item, rater : ndarray of int, shape (n,)
        Position of the item and of the rater of each rating.
    code : ndarray of int, shape (n,)
        Position of the rating's label in `labels`.
        Whole numbers of any size: in as few bytes as they need, very many take little room.
    labels : ndarray, shape (K,)
        The scale in its order, numbers or words. Labels that nobody used may stand in it.
    n_items, n_raters : int
        Items and raters, with and without ratings.
    """

    item: NDArray[np.integer]
    rater: NDArray[np.integer]
    code: NDArray[np.integer]
    labels: NDArray[np.generic]
    n_items: int
    n_raters: int

    @classmethod
    def from_matrix(cls, matrix: ArrayLike, labels: Sequence[object] | None = None) -> "Ratings":
        """Read a table with a row a rater and a column an item; NaN or None is a missing rating.

        Parameters
        ----------
        matrix : array_like, shape (raters, items)
            Numbers or words.
        labels : sequence, optional
            The scale in its order. Without it: the labels that occur, sorted.

        Examples
        --------
        >>> Ratings.from_matrix([[1, 2, None], [1, None, 3]]).labels.tolist()
        [1.0, 2.0, 3.0]
        """
        table = _as_read(matrix)
        if table.ndim != len(("raters", "items")):
            raise ValueError(
                f"Ratings need two dimensions, raters by items; this array has shape {table.shape}."
            )
        rater, item = np.nonzero(~_missing(table))
        code, scale = _coded(table[rater, item], labels)
        return cls(item, rater, code, scale, n_items=table.shape[1], n_raters=table.shape[0])

    @classmethod
    def from_long(
        cls,
        item: ArrayLike,
        rater: ArrayLike,
        value: ArrayLike,
        labels: Sequence[object] | None = None,
    ) -> "Ratings":
        """Read three columns of equal length: item, rater, value (NaN or None is missing).

        Items and raters may be named by anything that sorts; they are numbered in sorted order.

        Examples
        --------
        >>> Ratings.from_long(["a", "a", "b"], ["x", "y", "x"], [1, 2, 2]).n_items
        2
        """
        items, item_code = np.unique(np.asarray(item), return_inverse=True)
        raters, rater_code = np.unique(np.asarray(rater), return_inverse=True)
        values = _as_read(value)
        if not len(item_code) == len(rater_code) == len(values):
            raise ValueError(
                "Item, rater and value need one entry a rating; they have "
                f"{len(item_code)}, {len(rater_code)} and {len(values)} entries."
            )
        _refuse_repeats(item_code, rater_code, items, raters)
        kept = ~_missing(values)
        code, scale = _coded(values[kept], labels)
        return cls(item_code[kept], rater_code[kept], code, scale, len(items), len(raters))

    @property
    def n(self) -> int:
        """Ratings."""
        return len(self.code)

    def cell_keys(self) -> NDArray[np.intp]:
        """Return a number of each rating's item and label, ascending by item, then by label."""
        keys: NDArray[np.intp] = np.multiply(self.item, max(len(self.labels), 1), dtype=np.intp)
        keys += self.code
        return keys

    def cells(self) -> Cells:
        """Count the labels of each item."""
        width = max(len(self.labels), 1)
        key, count = _counted(self.cell_keys(), self.n_items * width)
        return Cells(key // width, key % width, count.astype(float), self.n_items)

    def pairable(self) -> "Ratings":
        """Keep the items with at least two ratings, renumbered in their order."""
        size = np.bincount(self.item, minlength=self.n_items)
        wanted = size >= PAIR
        kept = wanted[self.item]
        number = (np.cumsum(wanted) - 1).astype(self.item.dtype)
        return Ratings(
            number[self.item[kept]],
            self.rater[kept],
            self.code[kept],
            self.labels,
            n_items=int(wanted.sum()),
            n_raters=self.n_raters,
        )

    def numeric_labels(self) -> NDArray[np.float64]:
        """Return the labels as numbers, for levels of measurement that calculate with them."""
        if self.labels.dtype.kind in "fiu":
            return self.labels.astype(float)
        raise ValueError(
            f"Interval and ratio levels calculate with the labels, and {self.labels[0]!r} is not "
            "a number. Give numbers, or use the nominal or the ordinal level."
        )

    def distribution(self) -> tuple[tuple[object, int], ...]:
        """Return each label with the number of its ratings, in the order of the scale."""
        count = np.bincount(self.code, minlength=len(self.labels))
        return tuple(zip(self.labels.tolist(), count.tolist(), strict=True))


def how_many(places: NDArray[np.integer]) -> int:
    """Return how many different places occur.

    Examples
    --------
    >>> how_many(np.array([3, 0, 3]))
    2
    """
    return int(np.count_nonzero(np.bincount(places)))


def _counted(key: NDArray[np.intp], size: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the keys below `size` that occur, ascending, and how often each does."""
    if size > max(len(key), 1) * ROOM:
        return np.unique(key, return_counts=True)
    count = np.bincount(key, minlength=size)
    found = np.flatnonzero(count)
    return found, count[found]


def as_ratings(ratings: "Ratings | ArrayLike", labels: Sequence[object] | None = None) -> Ratings:
    """Return `ratings` itself, or a raters-by-items table read by `Ratings.from_matrix`."""
    if isinstance(ratings, Ratings):
        return ratings
    return Ratings.from_matrix(ratings, labels)


def _as_read(values: ArrayLike) -> NDArray[np.generic]:
    """Return numbers as they are and everything else as objects, so that words and None survive."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "fiub":
        return values
    return np.asarray(values, dtype=object)


def _missing(values: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Return where a value is None, NaN or pandas' NA."""
    return np.asarray(pd.isna(values), dtype=bool)


def _coded(
    values: NDArray[np.generic], labels: Sequence[object] | None
) -> tuple[NDArray[np.intp], NDArray[np.generic]]:
    """Return the position of each value in the scale, and the scale."""
    if any(isinstance(v, str) for v in values.ravel()[:1]) or (
        len(values) == 0 and labels is not None and isinstance(next(iter(labels), None), str)
    ):
        seen: NDArray[np.generic] = np.asarray([str(v) for v in values], dtype=np.str_)
    else:
        seen = _numbers(values)
    if labels is None:
        scale, code = np.unique(seen, return_inverse=True)
        return code, scale
    scale = _scale(labels, words=seen.dtype.kind == "U")
    if len(np.unique(scale)) != len(scale):
        raise ValueError(f"A label stands twice in the list of labels: {list(labels)}.")
    return _positions(seen, scale), scale


def _scale(labels: Sequence[object], *, words: bool) -> NDArray[np.generic]:
    """Return the labels in the type of the ratings, or say that they are of another."""
    if words:
        return np.asarray([str(label) for label in labels], dtype=np.str_)
    try:
        return np.asarray(labels, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"The ratings are numbers and the labels are not: {labels}.") from None


def _numbers(values: NDArray[np.generic]) -> NDArray[np.float64]:
    """Return numbers, or say which value is none."""
    try:
        numbers = values.astype(float)
    except (TypeError, ValueError):
        raise ValueError(f"Ratings mix numbers and words; they begin with {values[:3]}.") from None
    if not np.isfinite(numbers).all():
        raise ValueError("A rating is infinite. Mark missing ratings by NaN or None.")
    return numbers


def _positions(seen: NDArray[np.generic], scale: NDArray[np.generic]) -> NDArray[np.intp]:
    """Return where each value stands in the scale, or say which one does not."""
    order = np.argsort(scale)
    place = np.searchsorted(scale[order], seen)
    place = order[np.minimum(place, len(scale) - 1)] if len(scale) else place
    strange = scale[place] != seen if len(scale) else np.ones(len(seen), dtype=bool)
    if strange.any():
        raise ValueError(
            f"The rating {seen[strange][0].item()!r} is not among the labels {scale.tolist()}."
        )
    return place


def _refuse_repeats(
    item: NDArray[np.intp],
    rater: NDArray[np.intp],
    items: NDArray[np.generic],
    raters: NDArray[np.generic],
) -> None:
    key, count = np.unique(item * max(len(raters), 1) + rater, return_counts=True)
    if (count > 1).any():
        twice = int(key[count > 1][0])
        raise ValueError(
            f"Rater {raters[twice % len(raters)].item()!r} rated item "
            f"{items[twice // len(raters)].item()!r} more than once. Keep one rating of each."
        )
