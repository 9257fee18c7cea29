"""What the monitor looks at, gathered one answer at a time into compact arrays."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from analysis.stats.coincidence import Level
from analysis.stats.ratings import Ratings

Label = str | float


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
    items: "array[int]" = field(default_factory=lambda: array("q"))
    people: "array[int]" = field(default_factory=lambda: array("q"))
    codes: "array[int]" = field(default_factory=lambda: array("q"))
    labels: dict[Label, int] = field(default_factory=dict)

    def add(self, item: int, person: int, value: Label) -> None:
        """Take one answer in."""
        self.items.append(item)
        self.people.append(person)
        self.codes.append(self.labels.setdefault(value, len(self.labels)))

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
    """All that the analytic sample holds so far.

    Parameters
    ----------
    people, seconds, contradictions : arrays, one entry an answer
        Who gave it, how long it took (NaN where unknown), how many contradictions stand in it.
    failed : mapping of int to int
        Failed attention checks of everyone who failed one.
    dimensions : sequence of Gathered
    """

    people: "array[int]" = field(default_factory=lambda: array("q"))
    seconds: "array[float]" = field(default_factory=lambda: array("d"))
    contradictions: "array[int]" = field(default_factory=lambda: array("q"))
    failed: Mapping[int, int] = field(default_factory=dict)
    dimensions: Sequence[Gathered] = ()

    def add(self, person: int, seconds: float | None, contradictions: int) -> None:
        """Take one answer in."""
        self.people.append(person)
        self.seconds.append(np.nan if seconds is None else seconds)
        self.contradictions.append(contradictions)


def _sorted_as(label: Label) -> tuple[bool, float, str]:
    """Numbers by their size, then words by theirs."""
    return (False, label, "") if isinstance(label, float) else (True, 0.0, label)
