"""The forms of one pool while they are made: who stands where, and what is wrong with a form."""

from collections import Counter

from annotation.design.quotas import Quota, Quotas
from annotation.design.stock import Stock

#: What a fault costs. A conflict outweighs everything. Two items that meet adifference outweigh a margin
#: that is off by one, but not by two: in a small pool repeats are certain, and a far larger price
#: for them gives every margin away.
CLASH = 100_000
MEETING = 150
OFF_MARGIN = 100


class Board:
    """Items by form and place, with the pass that each place belongs to."""

    def __init__(self, stock: Stock) -> None:
        self.stock = stock
        self.quotas = Quotas(stock)
        self.members: list[list[int]] = []
        self.passes: list[list[int]] = []
        self._stands: list[list[int]] = [[] for _ in stock.items]

    def open_form(self) -> int:
        """Add an empty form at the end."""
        self.members.append([])
        self.passes.append([])
        return len(self.members) - 1

    def add(self, form: int, item: int, nth_pass: int) -> None:
        """Give the item the next place of the form."""
        self.members[form].append(item)
        self.passes[form].append(nth_pass)
        self._stands[item].append(form)

    def remove(self, form: int, place: int) -> None:
        """Take a place out of the form."""
        self._stands[self.members[form].pop(place)].remove(form)
        self.passes[form].pop(place)

    def swap(self, form: int, place: int, other: int, there: int) -> None:
        """Exchange the items of two places; the places keep their passes."""
        here, coming = self.members[form][place], self.members[other][there]
        self.members[form][place], self.members[other][there] = coming, here
        self._stands[here][self._stands[here].index(form)] = other
        self._stands[coming][self._stands[coming].index(other)] = form

    def reorder(self, order: list[int]) -> None:
        """Put the forms in this order."""
        where = {form: index for index, form in enumerate(order)}
        self.members = [self.members[form] for form in order]
        self.passes = [self.passes[form] for form in order]
        self._stands = [[where[form] for form in forms] for forms in self._stands]

    def companions(self, item: int, besides: int, leaving: int = -1) -> set[int]:
        """Collect the items that meet this one in other forms than the two named."""
        met: set[int] = set()
        for form in self._stands[item]:
            if form not in (besides, leaving):
                met.update(self.members[form])
        return met

    def fault_of_form(self, form: int) -> int:
        """Price the form as it stands; 0 is a faultless form."""
        members = self.members[form]
        cost = OFF_MARGIN * self.quotas.off_in_form(members)
        conflicts = self.stock.conflicts
        for place, item in enumerate(members):
            met = self.companions(item, form)
            for other in members[place + 1 :]:
                cost += MEETING * (other in met)
                cost += CLASH * (not conflicts[item].isdisjoint(conflicts[other]))
        return cost

    def places_at_fault(self, form: int) -> list[int]:
        """List the places whose item has a part in a fault; all of them where it is what is missing."""
        members = self.members[form]
        return [place for place in range(len(members)) if self._at_fault(form, place)] or list(
            range(len(members))
        )

    def _at_fault(self, form: int, place: int) -> bool:
        members = self.members[form]
        item = members[place]
        rest = members[:place] + members[place + 1 :]
        quota, counts = self._margins(item, members)
        conflicts = self.stock.conflicts
        return (
            any(counts[level] > quota.high[level] for level in self.stock.levels[item])
            or not self.companions(item, form).isdisjoint(rest)
            or any(not conflicts[item].isdisjoint(conflicts[other]) for other in rest)
        )

    def change(self, form: int, place: int, newcomer: int, leaving: int, limit: int) -> int:
        """Price the difference when the newcomer, coming from `leaving`, takes a place.

        A difference above the limit may be a lower bound of the true one.
        """
        members = self.members[form]
        item = members[place]
        rest = members[:place] + members[place + 1 :]
        conflicts = self.stock.conflicts
        was, comes = conflicts[item], conflicts[newcomer]
        clashes = sum(
            (not comes.isdisjoint(conflicts[other])) - (not was.isdisjoint(conflicts[other]))
            for other in rest
        )
        difference = CLASH * clashes + OFF_MARGIN * self._margin_change(item, newcomer, members)
        difference -= MEETING * len(self.companions(item, form).intersection(rest))
        # New meetings only add, so a change that is refused already needs no search for them.
        if difference > limit:
            return difference
        return difference + MEETING * len(
            self.companions(newcomer, form, leaving).intersection(rest)
        )

    def _margin_change(self, item: int, newcomer: int, members: list[int]) -> int:
        lost = set(self.stock.levels[item])
        gained = set(self.stock.levels[newcomer])
        if lost == gained:
            return 0
        quota, counts = self._margins(item, members)
        change = 0
        for level in lost - gained:
            change += quota.off(level, counts[level] - 1) - quota.off(level, counts[level])
        for level in gained - lost:
            change += quota.off(level, counts[level] + 1) - quota.off(level, counts[level])
        return change

    def _margins(self, item: int, members: list[int]) -> tuple[Quota, Counter[int]]:
        task = self.stock.task[item]
        peers = [other for other in members if self.stock.task[other] == task]
        counts: Counter[int] = Counter()
        for other in peers:
            for level in self.stock.levels[other]:
                counts[level] += 1
        return self.quotas.of(task, len(peers)), counts
