"""Scores, chunk by chunk, into sums and counts of each document in each cell of the design.

A cell is a combination of model, language, level, source, scope, repetition and parse status. After
this no row is looked at again: every mean is a quotient of sums, and so is every replicate of the
cluster bootstrap. Sums of two shards add up to the sums of both (`merged`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import Scores

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

# Bits of one packed key; a table with more labels of one kind is refused.
BITS = {
    Scores.DOCUMENT: 22,
    Scores.MODEL: 9,
    Scores.LANGUAGE: 10,
    Scores.LEVEL: 3,
    Scores.SOURCE: 2,
    Scores.SCOPE: 2,
    Scores.REP: 12,
    Scores.STATUS: 2,
}
DIMENSIONS = tuple(BITS)
PENDING = 8
ZERO_LEVEL = "L0"


class ClcgError(ValueError):
    """Scores that cannot be analysed, with what to do about it."""


@dataclass(frozen=True)
class ScoreSums:
    """Counts, sums and sums of squares by document and cell.

    `labels` names the values of each dimension, `codes` (cells,) says which a cell has; `count`,
    `total` and `squares` are (cells, metrics). `unscored` counts parsed answers without a score of
    the first metric, `fallback` failures to which the table gives a score other than 0.
    """

    metrics: tuple[str, ...]
    labels: Mapping[str, tuple[str, ...]]
    codes: Mapping[str, Ints]
    count: Floats
    total: Floats
    squares: Floats
    rows: int
    unscored: int = 0
    fallback: int = 0

    def is_in(self, dimension: str, *wanted: str) -> Mask:
        """Return which cells have one of these values."""
        names = self.labels[dimension]
        chosen = np.array([name in wanted for name in names], dtype=bool)
        return np.asarray(chosen[self.codes[dimension]])

    def only(self, kept: Mask) -> "ScoreSums":
        """Return the sums of some of the cells."""
        codes = {name: codes[kept] for name, codes in self.codes.items()}
        return replace(
            self,
            codes=codes,
            count=self.count[kept],
            total=self.total[kept],
            squares=self.squares[kept],
        )

    def places(self, dimension: str, order: Sequence[str]) -> Ints:
        """Return where each cell's value stands in an order; -1 where it does not."""
        place = {name: i for i, name in enumerate(order)}
        of_label = np.array([place.get(n, -1) for n in self.labels[dimension]], dtype=np.int64)
        return (
            np.asarray(of_label[self.codes[dimension]]) if of_label.size else np.empty(0, np.int64)
        )

    def rows_by(self, dimension: str) -> dict[str, int]:
        """Return the scored rows of each value that has any."""
        names = self.labels[dimension]
        found = np.bincount(self.codes[dimension], self.count[:, 0], minlength=len(names))
        return {name: int(n) for name, n in zip(names, found, strict=True) if n}


def collect(
    chunks: Iterable[pd.DataFrame],
    metrics: Sequence[str] = (Scores.SCORE,),
    progress: Callable[[int, int], None] | None = None,
) -> ScoreSums:
    """Return the sums of all chunks; `progress` is told the rows read so far and may raise to stop."""
    adder = _Adder(tuple(metrics))
    for chunk in chunks:
        adder.add(chunk)
        if progress is not None:
            progress(adder.rows, 0)
    return adder.finish()


def merged(parts: Sequence[ScoreSums]) -> ScoreSums:
    """Return the sums of several shards, whose keys the caller knows to be different."""
    first = parts[0]
    labels = {
        name: tuple(sorted({value for part in parts for value in part.labels[name]}, key=_order))
        for name in DIMENSIONS
    }
    for name in DIMENSIONS:
        _require_room(name, len(labels[name]))
    keys, values = [], []
    for part in parts:
        keys.append(_packed({name: part.places(name, labels[name]) for name in DIMENSIONS}))
        values.append(np.hstack([part.count, part.total, part.squares]))
    packed, summed = _grouped(np.concatenate(keys), np.concatenate(values))
    count, total, squares = np.hsplit(summed, 3)
    return replace(
        first,
        labels=labels,
        codes=_unpacked(packed),
        count=count,
        total=total,
        squares=squares,
        rows=sum(part.rows for part in parts),
        unscored=sum(part.unscored for part in parts),
        fallback=sum(part.fallback for part in parts),
    )


class _Adder:
    def __init__(self, metrics: tuple[str, ...]) -> None:
        self.metrics = metrics
        self.known: dict[str, dict[str, int]] = {name: {} for name in DIMENSIONS}
        self.parts: list[tuple[Ints, Floats]] = []
        self.rows = self.unscored = self.fallback = 0

    def add(self, chunk: pd.DataFrame) -> None:
        self.rows += len(chunk)
        _check_languages(chunk)
        codes = {name: self._codes(name, chunk[name]) for name in DIMENSIONS}
        scores = self._scores(chunk)
        there = np.isfinite(scores)
        known = np.where(there, scores, 0.0)
        values = np.hstack([there.astype(np.float64), known, known**2])
        self.parts.append(_grouped(_packed(codes), values))
        if len(self.parts) >= PENDING:
            self._reduce()

    def _scores(self, chunk: pd.DataFrame) -> Floats:
        scores, fallback = row_scores(chunk, self.metrics)
        self.fallback += fallback
        self.unscored += int(np.isnan(scores[:, 0]).sum())
        return scores

    def _codes(self, name: str, column: "pd.Series[str]") -> Ints:
        place, found = pd.factorize(column)
        known = self.known[name]
        codes = np.array([known.setdefault(str(v), len(known)) for v in found], dtype=np.int64)
        _require_room(name, len(known))
        return np.asarray(codes[place])

    def _reduce(self) -> None:
        keys, values = zip(*self.parts, strict=True)
        self.parts = [_grouped(np.concatenate(keys), np.concatenate(values))]

    def finish(self) -> ScoreSums:
        if not self.parts:
            raise ClcgError("the table of scores has no rows")
        self._reduce()
        packed, values = self.parts[0]
        codes = _unpacked(packed)
        labels = {}
        # Labels are put in their own order, so that nothing depends on the order of the rows.
        for name in DIMENSIONS:
            found = list(self.known[name])
            order = sorted(range(len(found)), key=lambda i: _order(found[i]))
            labels[name] = tuple(found[i] for i in order)
            codes[name] = np.argsort(order)[codes[name]]
        place = np.argsort(_packed(codes))
        count, total, squares = np.hsplit(values[place], 3)
        codes = {name: code[place] for name, code in codes.items()}
        return ScoreSums(
            self.metrics, labels, codes, count, total, squares,
            self.rows, self.unscored, self.fallback,
        )  # fmt: skip


def row_scores(chunk: pd.DataFrame, metrics: Sequence[str]) -> tuple[Floats, int]:
    """Return scores (rows, metrics) and how many failures have a score other than 0.

    A failure keeps the score that the table gives it and is 0 without one; any other row without a
    score is NaN. On the lowest level, whose answers are categories, accuracy takes the place of the
    first metric where the table has it.
    """
    scores = chunk[list(metrics)].to_numpy(dtype=np.float64, copy=True)
    if Scores.ACCURACY in chunk:
        exact = chunk[Scores.ACCURACY].to_numpy(dtype=np.float64)
        use = (chunk[Scores.LEVEL] == ZERO_LEVEL).to_numpy() & np.isfinite(exact)
        scores[use, 0] = exact[use]
    failed = (chunk[Scores.STATUS] != Scores.OK).to_numpy()
    fallback = int((failed & np.isfinite(scores[:, 0]) & (scores[:, 0] != 0)).sum())
    scores[failed] = np.nan_to_num(scores[failed])
    return scores, fallback


def _order(label: str) -> tuple[int, str]:
    """Order numbers by size and everything else by letters."""
    return (int(label), "") if label.isdecimal() else (-1, label)


def _require_room(name: str, labels: int) -> None:
    """Refuse more labels than a packed key holds, which would make one cell of two."""
    if labels > 1 << BITS[name]:
        raise ClcgError(f"there are more than {1 << BITS[name]:,} different values of {name!r}")


def _check_languages(chunk: pd.DataFrame) -> None:
    nameless = (chunk[Scores.LANGUAGE] == "") & (chunk[Scores.SCOPE] != Scores.CLOSED)
    if nameless.any():
        row = chunk[nameless].iloc[0]
        count = int(nameless.sum())
        rows = "a row has" if count == 1 else f"{count:,} rows have"
        raise ClcgError(
            f"{rows} no language, such as item {row[Scores.ITEM]!r} of document "
            f"{row[Scores.DOCUMENT]!r} by {row[Scores.MODEL]!r}; only rows of the scope "
            f"{Scores.CLOSED!r} may have none. Fill it in, or take the rows out."
        )


def _packed(codes: Mapping[str, Ints]) -> Ints:
    key = np.zeros(len(codes[Scores.DOCUMENT]), dtype=np.int64)
    for name, bits in BITS.items():
        key = (key << bits) | codes[name]
    return key


def _unpacked(key: Ints) -> dict[str, Ints]:
    codes = {}
    for name, bits in reversed(BITS.items()):
        codes[name] = key & ((1 << bits) - 1)
        key = key >> bits
    return {name: codes[name] for name in DIMENSIONS}


def _grouped(keys: Ints, values: Floats) -> tuple[Ints, Floats]:
    found, place = np.unique(keys, return_inverse=True)
    columns = [np.bincount(place, column, minlength=len(found)) for column in values.T]
    return found, np.column_stack(columns)
