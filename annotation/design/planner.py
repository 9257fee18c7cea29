"""From items to forms: which items one annotator judges, in the order of the plan."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from annotation.design.anchors import places_beside, require_anchors, with_anchors
from annotation.design.board import Board
from annotation.design.cautions import cautions
from annotation.design.composition import compose, require_mix
from annotation.design.filling import fill
from annotation.design.items import DesignItem, require_plannable
from annotation.design.measures import measure
from annotation.design.overflow import part_conflicts
from annotation.design.repair import repair
from annotation.design.report import DesignReport
from annotation.design.stock import stock_up

#: Changes whenever the same items and seed would give other forms.
PLANNER_VERSION = "1"


@dataclass(frozen=True, slots=True)
class PlannedForm:
    """The places of one form, each an item's key and a replicate number."""

    pool: str
    places: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Design:
    """All forms, pool by pool in planned order, and how good they are."""

    forms: tuple[PlannedForm, ...]
    report: DesignReport
    seed: int
    version: str


def plan_forms(
    items: Sequence[DesignItem], *, form_size: int, mix: Mapping[str, int] | None, seed: int
) -> Design:
    """Plan every wanted slot once; the same items and seed give the same design anywhere.

    The nth form then also has the nth replicate of every anchor.
    """
    require_plannable(list(items))
    require_anchors(items)
    anchors = sorted(item.key for item in items if item.anchor)
    form_size, mix = places_beside([i for i in items if i.anchor], form_size, mix)
    items = [item for item in items if not item.anchor]
    forms: list[PlannedForm] = []
    for pool in sorted({item.pool for item in items}):
        of_pool = [item for item in items if item.pool == pool]
        # Each pool has a stream of its own, so another pool's items never change its forms.
        rng = Random(f"{seed}/{pool}")  # noqa: S311 (a design must be repeatable, not secret)
        forms += _plan_pool(pool, of_pool, form_size, mix, rng)
    report = measure(items, [(form.pool, form.places) for form in forms])
    report = replace(report, warnings=cautions(report, items, form_size, mix))
    report = with_anchors(report, len(anchors))
    shared = tuple(_with_anchors(form, anchors, nth) for nth, form in enumerate(forms, start=1))
    return Design(shared, report, seed, PLANNER_VERSION)


def _with_anchors(form: PlannedForm, anchors: Sequence[int], nth: int) -> PlannedForm:
    return replace(form, places=(*form.places, *((key, nth) for key in anchors)))


def _plan_pool(
    pool: str,
    items: Sequence[DesignItem],
    form_size: int,
    mix: Mapping[str, int] | None,
    rng: Random,
) -> list[PlannedForm]:
    stock = stock_up(items)
    require_mix(stock.tasks, form_size, mix)
    places = [form_size if mix is None else mix[task] for task in stock.tasks]
    compositions = compose(
        stock.task_slots, form_size, None if mix is None else places, stock.busiest_conflict
    )
    board = Board(stock)
    fill(board, compositions, rng)
    repair(board, rng)
    part_conflicts(board, places, form_size)
    return _numbered(pool, board)


def _numbered(pool: str, board: Board) -> list[PlannedForm]:
    """Give the slots of an item their replicate numbers in planned order."""
    numbers = [iter(item.replicates) for item in board.stock.items]
    keys = [item.key for item in board.stock.items]
    return [
        PlannedForm(pool, tuple((keys[item], next(numbers[item])) for item in members))
        for members in board.members
        if members
    ]
