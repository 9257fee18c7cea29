"""How good a design is, measured on the finished forms and not on what the planner believes."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from annotation.design.items import DesignItem
from annotation.design.quotas import Quotas
from annotation.design.report import DesignReport
from annotation.design.stock import Stock, stock_up

#: A form as its pool and its places (item key, replicate).
Form = tuple[str, tuple[tuple[int, int], ...]]


@dataclass(slots=True)
class _Meetings:
    """How often pairs of items meet, over all pools."""

    most: int = 0
    repeated: int = 0
    total: int = 0
    squares: int = 0
    pairs: int = 0

    @property
    def variance(self) -> float:
        """Of lambda, over all pairs that could meet; 0 where there is no pair to vary."""
        if not self.pairs:
            return 0.0
        return self.squares / self.pairs - (self.total / self.pairs) ** 2


def measure(items: Sequence[DesignItem], forms: Sequence[Form]) -> DesignReport:
    """Measure forms over the items they were planned from; cautions are not part of it."""
    covered = Counter(key for _, places in forms for key, _ in places)
    coverage = [covered[item.key] for item in items if item.wanted]
    meetings = _Meetings()
    clashes = balanced = 0
    for pool in sorted({pool for pool, _ in forms}):
        stock = stock_up(item for item in items if item.pool == pool)
        members = _members(stock, [places for name, places in forms if name == pool])
        clashes += sum(_clashes(stock, form) for form in members)
        quotas = Quotas(stock)
        balanced += sum(not quotas.off_in_form(form) for form in members)
        _count_meetings(meetings, members, len(stock.items))
    return DesignReport(
        slots=sum(covered.values()),
        forms=len(forms),
        form_sizes=dict(Counter(len(places) for _, places in forms)),
        coverage_min=min(coverage, default=0),
        coverage_max=max(coverage, default=0),
        clashes=clashes,
        lambda_max=meetings.most,
        lambda_over_1=meetings.repeated,
        lambda_variance=meetings.variance,
        margins_balanced_share=balanced / len(forms) if forms else 1.0,
    )


def _members(stock: Stock, forms: Iterable[tuple[tuple[int, int], ...]]) -> list[list[int]]:
    index = {item.key: place for place, item in enumerate(stock.items)}
    return [[index[key] for key, _ in places] for places in forms]


def _clashes(stock: Stock, form: Sequence[int]) -> int:
    values = [stock.conflicts[item] for item in form]
    if len(frozenset().union(*values)) == sum(map(len, values)):
        return 0
    return sum(not one.isdisjoint(other) for one, other in combinations(values, 2))


def _count_meetings(meetings: _Meetings, forms: Sequence[Sequence[int]], items: int) -> None:
    """Add a pool's meetings, item by item so that memory stays small."""
    stands: list[list[int]] = [[] for _ in range(items)]
    for number, form in enumerate(forms):
        for item in form:
            stands[item].append(number)
    for item, numbers in enumerate(stands):
        met = Counter(other for number in numbers for other in forms[number] if other > item)
        for times in met.values():
            meetings.most = max(meetings.most, times)
            meetings.repeated += times > 1
            meetings.total += times
            meetings.squares += times * times
    meetings.pairs += items * (items - 1) // 2
