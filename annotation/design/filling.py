"""The first draft of the forms: place after place, the best of a few candidates.

Items go out in passes: a pass offers every item that still wants as many slots as the pass's
number. So coverage is even wherever collecting stops.
"""

from collections.abc import Sequence
from math import inf
from random import Random

from annotation.design.board import CLASH, MEETING, OFF_MARGIN, Board
from annotation.design.composition import Composition
from annotation.design.stock import Stock

#: Candidates looked at for a place; where none of them fits, as many again, so often.
CANDIDATES = 24
LOOKS = 8
#: Above this a candidate clashes, meets again or overfills a margin.
FITS = OFF_MARGIN // 2


class Draft:
    """One form while it is filled; knows what another item would cost."""

    def __init__(self, board: Board, form: int) -> None:
        self._board = board
        self._form = form
        self._taken: set[int] = set()
        self._acquainted: dict[int, int] = {}
        self._prices: list[float] = []

    def start(self, task: int, places: int, stand_in: list[float]) -> None:
        """Turn to the places of a task, whose levels stand in so large a part of what is left."""
        self._quota = self._board.quotas.of(task, places)
        self._field = self._board.stock.level_field[task]
        self._due = [places * part for part in stand_in]
        self._counts = [0] * len(stand_in)
        # Places of each field that are not needed to bring its levels to their lower limits.
        self._spare = dict.fromkeys(self._field, places)
        for level in self._quota.required:
            self._spare[self._field[level]] -= self._quota.low[level]
        self._prices = [self._price(level) for level in range(len(stand_in))]

    def best(self, candidates: list[int]) -> tuple[int, float]:
        """Find the cheapest candidate for the next place; return its index and price."""
        levels, conflicts = self._board.stock.levels, self._board.stock.conflicts
        prices, acquainted, taken = self._prices, self._acquainted, self._taken
        best, least = 0, inf
        for index, item in enumerate(candidates):
            cost = 0.0
            for level in levels[item]:
                cost += prices[level]
            # What follows only adds, so most candidates are done with here.
            if cost >= least:
                continue
            cost += MEETING * acquainted.get(item, 0)
            if not taken.isdisjoint(conflicts[item]):
                cost += CLASH
            if cost < least:
                best, least = index, cost
        return best, least

    def add(self, item: int, nth_pass: int) -> None:
        """Give the item the next place."""
        for other in self._board.companions(item, self._form):
            self._acquainted[other] = self._acquainted.get(other, 0) + 1
        self._board.add(self._form, item, nth_pass)
        self._taken |= self._board.stock.conflicts[item]
        for level in self._board.stock.levels[item]:
            self._count(level)

    def _count(self, level: int) -> None:
        field = self._field[level]
        if self._counts[level] >= self._quota.low[level]:
            self._spare[field] -= 1
        self._counts[level] += 1
        self._prices[level] = self._price(level)
        if not self._spare[field]:
            for peer, its_field in enumerate(self._field):
                if its_field == field:
                    self._prices[peer] = self._price(peer)

    def _price(self, level: int) -> float:
        """Prefer the level that lags furthest behind what is due, and avoid a full one.

        What is due follows what is left, so that the last forms of a pass find every level.
        """
        count = self._counts[level]
        spare = self._spare[self._field[level]] > 0
        limit = self._quota.high[level] if spare else self._quota.low[level]
        return count - self._due[level] + OFF_MARGIN * (count >= limit)


class Passes:
    """The items of a task in the order in which they may be placed: pass k, k-1, … 1."""

    def __init__(self, stock: Stock, task: int, rng: Random) -> None:
        self._rng = rng
        self._levels = stock.levels
        self._wanted = [
            (index, item.wanted)
            for index, item in enumerate(stock.items)
            if stock.task[index] == task
        ]
        self._pass = 1 + max(wanted for _, wanted in self._wanted)
        self._left: list[int] = []
        self._of_level = [0] * len(stock.level_slots[task])
        self._begin()

    def stand_in(self) -> list[float]:
        """Give, level by level, the part of the items left in the pass that it stands in."""
        if not self._left and self._pass > 1:
            self._begin()
        return [count / max(1, len(self._left)) for count in self._of_level]

    def take(self, draft: Draft) -> tuple[int, int]:
        """Remove the best candidate from the current pass; return it with the pass."""
        if not self._left:
            self._begin()
        best = self._best(draft)
        item = self._left[best]
        self._left[best] = self._left[-1]
        self._left.pop()
        for level in self._levels[item]:
            self._of_level[level] -= 1
        return item, self._pass

    def _begin(self) -> None:
        self._pass -= 1
        self._left = [item for item, wanted in self._wanted if wanted >= self._pass]
        self._rng.shuffle(self._left)
        for item in self._left:
            for level in self._levels[item]:
                self._of_level[level] += 1

    def _best(self, draft: Draft) -> int:
        # The list is shuffled, so neighbours from a random start are a random sample.
        left, size = self._left, len(self._left)
        start = int(self._rng.random() * size)
        best, least = start, inf
        for offset in range(0, min(size, CANDIDATES * LOOKS), CANDIDATES):
            begin = (start + offset) % size
            index, cost = draft.best(left[begin : begin + CANDIDATES])
            if cost < least:
                best, least = begin + index, cost
            if least < FITS:
                break
        return best


def fill(board: Board, compositions: Sequence[Composition], rng: Random) -> None:
    """Fill one form after the other; the task with the fewest slots chooses first."""
    slots = board.stock.task_slots
    order = sorted(range(len(slots)), key=lambda task: slots[task])
    passes = [Passes(board.stock, task, rng) for task in range(len(slots))]
    for composition in compositions:
        form = board.open_form()
        draft = Draft(board, form)
        for task in order:
            draft.start(task, composition[task], passes[task].stand_in())
            for _ in range(composition[task]):
                draft.add(*passes[task].take(draft))
