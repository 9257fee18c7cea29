"""How often a level may stand in a form: its share of the places, rounded down or up.

With equally frequent levels this is places over levels, rounded: 9 places and 5 models give 1 or 2
of each, 18 languages 0 or 1. With unequal ones a form mirrors the pool instead of asking for what
the pool does not hold.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from annotation.design.stock import Stock


@dataclass(frozen=True, slots=True)
class Quota:
    """The limits of every level of one task in a form with a given number of its places."""

    share: tuple[float, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]
    #: Levels that must stand in the form at least once.
    required: tuple[int, ...]

    def off(self, level: int, count: int) -> int:
        """Count the places by which a level misses its limits."""
        return max(0, count - self.high[level], self.low[level] - count)

    def off_by(self, counts: Counter[int]) -> int:
        """Count the places by which all levels together miss their limits."""
        missing = sum(self.low[level] for level in self.required if level not in counts)
        return missing + sum(self.off(level, count) for level, count in counts.items())


class Quotas:
    """The quotas of a pool, worked out once for each task and number of places."""

    def __init__(self, stock: Stock) -> None:
        self._stock = stock
        self._known: dict[tuple[int, int], Quota] = {}

    def of(self, task: int, places: int) -> Quota:
        """Look up the quota of a task that has this many places in a form."""
        known = self._known.get((task, places))
        if known is None:
            known = self._known[task, places] = self._work_out(task, places)
        return known

    def _work_out(self, task: int, places: int) -> Quota:
        total = self._stock.task_slots[task]
        wanted = [places * slots for slots in self._stock.level_slots[task]]
        low = tuple(want // total for want in wanted)
        return Quota(
            share=tuple(want / total for want in wanted),
            low=low,
            high=tuple(-(-want // total) for want in wanted),
            required=tuple(level for level, least in enumerate(low) if least),
        )

    def off_in_form(self, members: Iterable[int]) -> int:
        """Count the places by which a form misses the margins of its tasks."""
        return sum(
            self.of(task, places).off_by(counts)
            for task, (places, counts) in self._tally(members).items()
        )

    def _tally(self, members: Iterable[int]) -> dict[int, tuple[int, Counter[int]]]:
        tally: dict[int, tuple[int, Counter[int]]] = {}
        for item in members:
            task = self._stock.task[item]
            places, counts = tally.get(task, (0, Counter()))
            counts.update(self._stock.levels[item])
            tally[task] = (places + 1, counts)
        return tally
