"""The items of one pool as small integers, so that a large design is quick to search."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotation.design.items import DesignItem

_Numbers = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Stock:
    """One pool's items by index; a level is numbered within its task."""

    items: tuple[DesignItem, ...]
    tasks: tuple[str, ...]
    #: Index into `tasks` of each item.
    task: tuple[int, ...]
    #: Conflict values of each item, its own identity among them: no item twice in a form.
    conflicts: tuple[frozenset[int], ...]
    #: Levels of each item; an item that lacks a field has fewer.
    levels: tuple[tuple[int, ...], ...]
    #: Slots of each task.
    task_slots: tuple[int, ...]
    #: Slots of each level, task by task.
    level_slots: tuple[tuple[int, ...], ...]
    #: The balanced field of each level, task by task.
    level_field: tuple[tuple[int, ...], ...]
    #: Slots that share the most frequent conflict value: at least as many forms are needed.
    busiest_conflict: int


def stock_up(items: Iterable[DesignItem]) -> Stock:
    """Assign numbers to tasks, conflict values and levels of the items that want slots, by key."""
    chosen = sorted((item for item in items if item.wanted), key=lambda item: item.key)
    tasks = tuple(sorted({item.task for item in chosen}))
    number = {task: index for index, task in enumerate(tasks)}
    task = tuple(number[item.task] for item in chosen)
    conflicts = _conflicts(chosen)
    levels, level_slots, level_field = _levels(chosen, task, len(tasks))
    task_slots = [0] * len(tasks)
    crowd: Counter[int] = Counter()
    for item, which, values in zip(chosen, task, conflicts, strict=True):
        task_slots[which] += item.wanted
        for value in values:
            crowd[value] += item.wanted
    return Stock(
        items=tuple(chosen),
        tasks=tasks,
        task=task,
        conflicts=conflicts,
        levels=levels,
        task_slots=tuple(task_slots),
        level_slots=level_slots,
        level_field=level_field,
        busiest_conflict=max(crowd.values(), default=0),
    )


def _conflicts(items: Sequence[DesignItem]) -> tuple[frozenset[int], ...]:
    named: dict[str, int] = {}
    own = len(items)
    return tuple(
        frozenset({index, *(own + named.setdefault(value, len(named)) for value in item.conflicts)})
        for index, item in enumerate(items)
    )


def _levels(
    items: Sequence[DesignItem], task: Sequence[int], tasks: int
) -> tuple[_Numbers, _Numbers, _Numbers]:
    named: list[dict[tuple[int, str], int]] = [{} for _ in range(tasks)]
    slots: list[Counter[int]] = [Counter() for _ in range(tasks)]
    levels: list[tuple[int, ...]] = []
    for item, which in zip(items, task, strict=True):
        names = named[which]
        mine = tuple(
            names.setdefault((field, level), len(names))
            for field, level in enumerate(item.margins)
            if level
        )
        for level in mine:
            slots[which][level] += item.wanted
        levels.append(mine)
    counted = tuple(
        tuple(tally[level] for level in range(len(names)))
        for tally, names in zip(slots, named, strict=True)
    )
    fields = tuple(tuple(field for field, _ in names) for names in named)
    return tuple(levels), counted, fields
