"""Second thoughts: faulty forms exchange items with others of the same pass.

Work is bounded by a number of tries, not by a clock, so that one seed gives one design anywhere.
"""

from collections import defaultdict
from random import Random

from annotation.design.board import Board

#: Exchanges tried for a faulty form before the next one has its turn.
TRIES = 240
#: Exchanges tried in a row, over all faulty forms, without progress.
PATIENCE = 60_000
#: Exchanges tried in a pool altogether, for each form and at most; the most is some seconds.
BUDGET_OF_FORM = 1_500
BUDGET = 600_000

Place = tuple[int, int]


def repair(board: Board, rng: Random) -> None:
    """Exchange items until no form is faulty, rounds stop helping or the budget is spent."""
    groups = _places_by_pass(board)
    faults = dict(enumerate(map(board.fault_of_form, range(len(board.members)))))
    faults = {form: fault for form, fault in faults.items() if fault}
    least, idle = sum(faults.values()), 0
    left = min(BUDGET, BUDGET_OF_FORM * len(board.members))
    while faults and idle < PATIENCE and left > 0:
        for form in list(faults):
            tried, touched = _mend(board, form, groups, rng, min(TRIES, left))
            left -= tried
            idle += tried
            for changed in touched:
                faults[changed] = board.fault_of_form(changed)
        faults = {form: fault for form, fault in faults.items() if fault}
        total = sum(faults.values())
        idle = 0 if total < least else idle
        least = min(least, total)


def _places_by_pass(board: Board) -> dict[tuple[int, int], list[Place]]:
    """Places that may exchange items: same task, same pass, so coverage stays even."""
    groups: dict[tuple[int, int], list[Place]] = defaultdict(list)
    for form, members in enumerate(board.members):
        for place, item in enumerate(members):
            groups[board.stock.task[item], board.passes[form][place]].append((form, place))
    return groups


def _mend(
    board: Board,
    form: int,
    groups: dict[tuple[int, int], list[Place]],
    rng: Random,
    tries: int,
) -> tuple[int, set[int]]:
    """Try exchanges until the form is faultless; return how many, and the forms they touched."""
    touched: set[int] = set()
    if not board.fault_of_form(form):
        return 0, {form}
    suspects = board.places_at_fault(form)
    for tried in range(1, tries + 1):
        place = suspects[int(rng.random() * len(suspects))]
        task = board.stock.task[board.members[form][place]]
        group = groups[task, board.passes[form][place]]
        partner = group[int(rng.random() * len(group))]
        if _exchange(board, (form, place), partner):
            touched |= {form, partner[0]}
            if not board.fault_of_form(form):
                return tried, touched
            suspects = board.places_at_fault(form)
    return tries, touched


def _exchange(board: Board, here: Place, there: Place) -> bool:
    """Exchange the two items if that helps this form and costs the two nothing together."""
    form, other = here[0], there[0]
    item, coming = board.members[form][here[1]], board.members[other][there[1]]
    if form == other or item == coming:
        return False
    gain = board.change(*here, coming, leaving=other)
    if gain > 0 or gain + board.change(*there, item, leaving=form) > 0:
        return False
    board.swap(*here, *there)
    return True
