"""How many forms there are, and how many places of each task a form has."""

from collections.abc import Mapping, Sequence
from heapq import merge
from itertools import pairwise

#: Places of each task, in the order of the stock's tasks.
Composition = tuple[int, ...]


def require_mix(tasks: Sequence[str], form_size: int, mix: Mapping[str, int] | None) -> None:
    """Raise ValueError, in a sentence, where forms of this size and mix cannot hold the tasks."""
    if form_size < 1:
        raise ValueError(f"form_size is {form_size}; a form has at least one place.")
    if mix is None:
        return
    for task in tasks:
        if mix.get(task, 0) < 1:
            raise ValueError(
                f"The mix gives {task!r} no place, but there are items of it; "
                "give every task at least one place."
            )
    if sum(mix.values()) > form_size:
        raise ValueError(
            f"The mix fills {sum(mix.values())} places, but form_size is {form_size}; "
            "make the mix smaller or the form larger."
        )


def compose(
    slots: Sequence[int], form_size: int, mix: Sequence[int] | None, least_forms: int
) -> list[Composition]:
    """Share the slots of each task among as few forms as its places and conflicts allow.

    Where the slots do not fill the forms exactly, the gaps are spread: an annotator's form is at
    most one place a task shorter than another's, and every task is equally far at any moment, so
    that collecting can stop anywhere.
    """
    if not any(slots):
        return []
    if mix is None:
        return _cut_stream(slots, max(least_forms, _ceil(sum(slots), form_size)))
    fullest = max(_ceil(count, places) for count, places in zip(slots, mix, strict=True) if count)
    return _spread(slots, max(least_forms, fullest))


def _ceil(count: int, size: int) -> int:
    return -(-count // size)


def _spread(slots: Sequence[int], forms: int) -> list[Composition]:
    reached = [
        tuple((2 * index * count + forms) // (2 * forms) for count in slots)
        for index in range(forms + 1)
    ]
    return _steps(reached)


def _cut_stream(slots: Sequence[int], forms: int) -> list[Composition]:
    """Interleave the tasks in proportion and cut the stream into even forms."""
    ranked = (
        [((2 * index + 1) / (2 * count), task) for index in range(count)]
        for task, count in enumerate(slots)
    )
    stream = [task for _, task in merge(*ranked)]
    ends = [(2 * index * len(stream) + forms) // (2 * forms) for index in range(forms + 1)]
    reached = [(0,) * len(slots)]
    for start, end in pairwise(ends):
        part = stream[start:end]
        reached.append(tuple(done + part.count(task) for task, done in enumerate(reached[-1])))
    return _steps(reached)


def _steps(reached: Sequence[tuple[int, ...]]) -> list[Composition]:
    return [
        tuple(after - before for before, after in zip(start, end, strict=True))
        for start, end in pairwise(reached)
    ]
