"""The last resort against conflicts: a shorter form is better than two items that must not meet."""

from annotation.design.board import Board

#: Forms with a free place that are looked through for an item that must move.
LOOK = 200


def part_conflicts(board: Board, capacity: list[int], form_size: int) -> None:
    """Move items that still clash into free places of their pass, or else into added forms.

    An added form comes before the next pass begins, so coverage stays even.
    """
    moved = [
        (nth_pass, item)
        for form in range(len(board.members))
        for item, nth_pass in _pull_out(board, form)
    ]
    rooms = _Rooms(board, capacity, form_size)
    for nth_pass, item in sorted(moved, reverse=True):
        rooms.place(item, nth_pass)
    if len(board.members) > rooms.planned:
        _put_in_order(board, rooms.planned)


def _pull_out(board: Board, form: int) -> list[tuple[int, int]]:
    taken: set[int] = set()
    keep: list[int] = []
    members, passes = board.members[form], board.passes[form]
    for place, item in enumerate(members):
        if taken.isdisjoint(board.stock.conflicts[item]):
            taken |= board.stock.conflicts[item]
            keep.append(place)
    out = sorted(set(range(len(members))) - set(keep), reverse=True)
    pulled = [(members[place], passes[place]) for place in out]
    for place in out:
        board.remove(form, place)
    return pulled


class _Rooms:
    """Forms with free places, by pass."""

    def __init__(self, board: Board, capacity: list[int], form_size: int) -> None:
        self._board = board
        self._capacity = capacity
        self._form_size = form_size
        self.planned = len(board.members)
        self._open: dict[int, list[int]] = {}
        for form, passes in enumerate(board.passes):
            if len(set(passes)) == 1 and len(passes) < form_size:
                self._open.setdefault(passes[0], []).append(form)

    def place(self, item: int, nth_pass: int) -> None:
        """Give the item a place in a form of its pass, an added one if need be."""
        rooms = self._open.setdefault(nth_pass, [])
        # The newest forms are the emptiest.
        for form in reversed(rooms[-LOOK:]):
            if self._has_room(form, item):
                break
        else:
            form = self._board.open_form()
            rooms.append(form)
        self._board.add(form, item, nth_pass)
        if len(self._board.members[form]) == self._form_size:
            rooms.remove(form)

    def _has_room(self, form: int, item: int) -> bool:
        stock, members = self._board.stock, self._board.members[form]
        of_task = sum(stock.task[other] == stock.task[item] for other in members)
        return of_task < self._capacity[stock.task[item]] and all(
            stock.conflicts[item].isdisjoint(stock.conflicts[other]) for other in members
        )


def _put_in_order(board: Board, planned: int) -> None:
    """Move each added form before the first planned form of a later pass."""
    begins: dict[int, int] = {}
    for form in range(planned):
        for nth_pass in board.passes[form]:
            begins.setdefault(nth_pass, form)
    places = list(range(planned)) + [
        min((at for later, at in begins.items() if later < board.passes[form][0]), default=planned)
        for form in range(planned, len(board.members))
    ]
    # Added forms come first where they meet a planned one; sorting is stable.
    order = sorted(range(len(places)), key=lambda form: (places[form], form < planned))
    board.reorder(order)
