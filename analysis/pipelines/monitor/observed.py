"""What the monitor looks at, gathered some answers at a time into compact arrays."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.stats.coincidence import Level
from analysis.stats.ratings import Ratings

Label = str | float
# Answer, item and person of some answers, one row each.
Keys = NDArray[np.int64]


@dataclass(frozen=True)
class LeftOut:
    """Whom and which answers the rules or a person leave out."""

    people: NDArray[np.int64]
    answers: NDArray[np.int64]

    def kept(self, answers: "array[int]", people: "array[int]") -> NDArray[np.bool_]:
        """Return which answers stay."""
        of_people = np.isin(np.asarray(people, dtype=np.int64), self.people)
        return ~of_people & ~np.isin(np.asarray(answers, dtype=np.int64), self.answers)


@dataclass
class Gathered:
    """The answers to one dimension.

    `order` holds the labels of the scale in their order where it has some; labels that occur beside
    them follow, sorted. `threshold` is what the plan wants of its agreement.
    """

    task: str
    dimension: str
    level: Level
    order: tuple[str, ...] = ()
    threshold: float | None = None
    answers: "array[int]" = field(default_factory=lambda: array("q"))
    items: "array[int]" = field(default_factory=lambda: array("q"))
    people: "array[int]" = field(default_factory=lambda: array("q"))
    codes: "array[int]" = field(default_factory=lambda: array("q"))
    labels: dict[Label, int] = field(default_factory=dict)

    def add(self, keys: Keys, kind: NDArray[np.intp], values: Sequence[Label | None]) -> None:
        """Take some answers in; each has the value at its place in `values`, or none."""
        code = np.array(
            [-1 if v is None else self.labels.setdefault(v, len(self.labels)) for v in values],
            dtype=np.int64,
        )[kind]
        given = code >= 0
        columns = (self.answers, self.items, self.people, self.codes)
        for column, entries in zip(columns, (*keys, code), strict=True):
            column.frombytes(entries[given].tobytes())

    def leave_out(self, left_out: "LeftOut") -> None:
        """Keep the answers of the sample alone."""
        kept = left_out.kept(self.answers, self.people)
        self.answers, self.items = _of(self.answers, kept), _of(self.items, kept)
        self.people, self.codes = _of(self.people, kept), _of(self.codes, kept)

    def raters(self) -> NDArray[np.int64]:
        """Return who rated, in the order in which `ratings` counts them."""
        return np.unique(np.asarray(self.people, dtype=np.int64))

    def ratings(self) -> Ratings:
        """Return the answers as the statistics take them."""
        items, item = np.unique(np.asarray(self.items, dtype=np.int64), return_inverse=True)
        people, rater = np.unique(np.asarray(self.people, dtype=np.int64), return_inverse=True)
        scale = self._scale()
        place = {label: n for n, label in enumerate(scale)}
        moved = np.array([place[label] for label in self.labels], dtype=np.intp)
        code = moved[np.asarray(self.codes, dtype=np.intp)] if len(moved) else moved
        kind = np.float64 if self.level == "interval" else np.str_
        return Ratings(item, rater, code, np.asarray(scale, kind), len(items), len(people))

    def _scale(self) -> list[Label]:
        known = list(dict.fromkeys(self.order))
        others = [label for label in self.labels if label not in set(known)]
        return [*known, *sorted(others, key=_sorted_as)]


@dataclass
class Observed:
    """All that was judged so far, in the sample or not.

    Parameters
    ----------
    answers, items, people, seconds, contradictions : arrays, one entry an answer
        Which it is, of which item, who gave it, how long it took (NaN where unknown), how many contradictions stand in it.
    failed : mapping of int to int
        Failed attention checks of everyone who failed one.
    dimensions : sequence of Gathered
    """

    answers: "array[int]" = field(default_factory=lambda: array("q"))
    items: "array[int]" = field(default_factory=lambda: array("q"))
    people: "array[int]" = field(default_factory=lambda: array("q"))
    seconds: "array[float]" = field(default_factory=lambda: array("d"))
    contradictions: "array[int]" = field(default_factory=lambda: array("q"))
    failed: Mapping[int, int] = field(default_factory=dict)
    dimensions: Sequence[Gathered] = ()

    def add(
        self, keys: Keys, seconds: NDArray[np.float64], contradictions: NDArray[np.int64]
    ) -> None:
        """Take some answers in."""
        self.seconds.frombytes(seconds.tobytes())
        columns = (self.answers, self.items, self.people, self.contradictions)
        for column, entries in zip(columns, (*keys, contradictions), strict=True):
            column.frombytes(entries.tobytes())

    def leave_out(self, left_out: LeftOut) -> None:
        """Keep the sample alone, in place of a second copy of all that was judged."""
        kept = left_out.kept(self.answers, self.people)
        self.answers, self.items = _of(self.answers, kept), _of(self.items, kept)
        self.people, self.seconds = _of(self.people, kept), _of(self.seconds, kept)
        self.contradictions = _of(self.contradictions, kept)
        for gathered in self.dimensions:
            gathered.leave_out(left_out)


def _of(values: "array[Any]", kept: NDArray[np.bool_]) -> "array[Any]":
    """Return some entries of an array."""
    return array(values.typecode, np.asarray(values)[kept].tobytes())


def _sorted_as(label: Label) -> tuple[bool, float, str]:
    """Numbers by their size, then words by theirs."""
    return (False, label, "") if isinstance(label, float) else (True, 0.0, label)
