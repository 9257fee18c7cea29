"""Second thoughts: faulty forms exchange items with others of the same pass.

Work is bounded by a number of tries, not by a clock, so that one seed gives one design anywhere.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeVar

from annotation.design.board import Board

#: Exchanges tried for a faulty form before the next one has its turn.
TRIES = 240
#: Exchanges tried in a row, over all faulty forms, without progress.
PATIENCE = 60_000
#: Exchanges tried in a pool altogether, for each form and at most; the most is some seconds.
BUDGET_OF_FORM = 1_500
BUDGET = 400_000

Place = tuple[int, int]
T = TypeVar("T")


def repair(board: Board, rng: Random) -> None:
    """Exchange items until no form is faulty, tries stop helping or the budget is spent."""
    Mending(board, rng).run(min(BUDGET, BUDGET_OF_FORM * len(board.members)))


class Mending:
    """The faulty forms of a board, and the places with which theirs may be exchanged."""

    def __init__(self, board: Board, rng: Random) -> None:
        self._board = board
        self._rng = rng
        # Same task and same pass, so that coverage stays even.
        self._peers: dict[tuple[int, int], list[Place]] = defaultdict(list)
        for form, members in enumerate(board.members):
            for place in range(len(members)):
                self._peers[self._kind((form, place))].append((form, place))
        self._faults: dict[int, int] = {}
        self._note(range(len(board.members)))
        self._faulty = list(self._faults)

    def run(self, budget: int) -> None:
        """Mend one faulty form after the other, in rounds."""
        least, idle = sum(self._faults.values()), 0
        while self._faulty and idle < PATIENCE and budget > 0:
            for form in self._faulty:
                tried = self._mend(form, min(TRIES, budget))
                budget -= tried
                idle += tried
            self._faulty = list(self._faults)
            total = sum(self._faults.values())
            idle = 0 if total < least else idle
            least = min(least, total)

    def _mend(self, form: int, tries: int) -> int:
        """Try exchanges until the form is faultless; return how many were tried."""
        if form not in self._faults:
            return 0
        suspects = self._board.places_at_fault(form)
        for tried in range(1, tries + 1):
            here = form, self._pick(suspects)
            there = self._partner(here, among_faulty=tried % 2 == 0)
            if _exchange(self._board, here, there):
                self._note((form, there[0]))
                if form not in self._faults:
                    return tried
                suspects = self._board.places_at_fault(form)
        return tries

    def _partner(self, here: Place, *, among_faulty: bool) -> Place:
        """Draw a place to exchange with; two faulty forms often hold what the other lacks."""
        if among_faulty:
            form = self._pick(self._faulty)
            there = form, int(self._rng.random() * len(self._board.members[form]))
            if self._kind(there) == self._kind(here):
                return there
        return self._pick(self._peers[self._kind(here)])

    def _kind(self, place: Place) -> tuple[int, int]:
        form, number = place
        item = self._board.members[form][number]
        return self._board.stock.task[item], self._board.passes[form][number]

    def _note(self, forms: Iterable[int]) -> None:
        for form in forms:
            self._faults.pop(form, None)
            if fault := self._board.fault_of_form(form):
                self._faults[form] = fault

    def _pick(self, choices: Sequence[T]) -> T:
        return choices[int(self._rng.random() * len(choices))]


def _exchange(board: Board, here: Place, there: Place) -> bool:
    """Exchange the two items if that helps this form and costs the two nothing together."""
    form, other = here[0], there[0]
    item, coming = board.members[form][here[1]], board.members[other][there[1]]
    if form == other or item == coming:
        return False
    here_gains = board.change(*here, coming, leaving=other, limit=0)
    if here_gains > 0:
        return False
    if here_gains + board.change(*there, item, leaving=form, limit=-here_gains) > 0:
        return False
    board.swap(*here, *there)
    return True
