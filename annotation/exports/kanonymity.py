"""k-anonymity (Sweeney 2002): nobody's cells are shared by fewer than k people.

Answers are made coarser along the levels that the study declared, until at most a twentieth of the
people are in classes that are too small; the cells of those are then left empty, all of a person's
together. Of whom other things are told that fewer than k people share, the cells are left empty too;
coarser answers would not help them, so they make nobody's coarser. An empty row must not be found
out as the one that is missing, so where any are empty, at least k people's are, or everybody's.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

K: Final = 5
# As many people in classes that are too small are left empty before everybody's answers get coarser.
LEFT_EMPTY: Final = 0.05
Cells = tuple[str, ...]


class Ladder(Protocol):
    """One question with its levels, 0 the finest."""

    @property
    def levels(self) -> int:
        """Return how many levels there are."""

    def coarsened(self, answer: str, level: int) -> str:
        """Return an answer at a level; empty for one that was skipped."""


@dataclass(frozen=True, slots=True)
class Person:
    """What a person answered (empty where skipped), and what is known of them beside it."""

    answers: Cells
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Anonymised:
    """The cells by person, the level of each question, and how many cells were emptied in it."""

    cells: Mapping[str, Cells]
    levels: tuple[int, ...]
    emptied: tuple[int, ...]
    # The smallest class that says anything; None where nothing is said.
    k: int | None


def anonymised(
    people: Mapping[str, Person], ladders: Sequence[Ladder], *, k: int = K
) -> Anonymised:
    """Return the cells that leave; the same people give the same cells, in whatever order."""
    levels = [0] * len(ladders)
    beside = Counter(one.beside for one in people.values())
    helped = {name: one for name, one in people.items() if beside[one.beside] >= k}
    while True:
        coarse = {name: _coarse(one, ladders, levels) for name, one in people.items()}
        rare = _in_small(helped, coarse, k)
        further = [n for n, ladder in enumerate(ladders) if levels[n] + 1 < ladder.levels]
        if len(rare) <= LEFT_EMPTY * len(helped) or not further:
            break
        spread = {n: len({cells[n] for cells in coarse.values()}) for n in further}
        levels[max(further, key=lambda n: (spread[n], -n))] += 1
    cells = _emptied(people, coarse, k)
    lost = tuple(
        sum(1 for name in people if coarse[name][n] and not cells[name][n])
        for n in range(len(ladders))
    )
    return Anonymised(cells, tuple(levels), lost, achieved(people, cells))


def achieved(people: Mapping[str, Person], cells: Mapping[str, Cells]) -> int | None:
    """Return the number of people in the smallest class whose cells say anything."""
    sizes = _sizes(people, cells)
    return min((size for (_, row), size in sizes.items() if any(row)), default=None)


def uniform(cells: Sequence[Cells], sensitive: int) -> int:
    """Return how many classes give away the answer to a question: all in it answered alike."""
    answers: dict[Cells, set[str]] = {}
    for row in cells:
        rest = (*row[:sensitive], *row[sensitive + 1 :])
        answers.setdefault(rest, set()).add(row[sensitive])
    return sum(1 for found in answers.values() if len(found) == 1 and found != {""})


def _coarse(one: Person, ladders: Sequence[Ladder], levels: Sequence[int]) -> Cells:
    triples = zip(ladders, one.answers, levels, strict=True)
    return tuple(ladder.coarsened(answer, level) for ladder, answer, level in triples)


def _sizes(people: Mapping[str, Person], cells: Mapping[str, Cells]) -> Counter[tuple[str, Cells]]:
    return Counter((one.beside, cells[name]) for name, one in people.items())


def _in_small(people: Mapping[str, Person], cells: Mapping[str, Cells], k: int) -> list[str]:
    sizes = _sizes(people, cells)
    return [n for n, one in people.items() if any(cells[n]) and sizes[one.beside, cells[n]] < k]


def _emptied(people: Mapping[str, Person], coarse: Mapping[str, Cells], k: int) -> dict[str, Cells]:
    """Return the cells, those of too small classes empty: class by class, the smallest first."""
    empty: set[tuple[str, Cells]] = set()
    sizes = _sizes(people, coarse)
    for beside in {one.beside for one in people.values()}:
        bare = 0
        mine = [(size, row) for (where, row), size in sizes.items() if where == beside]
        for size, row in sorted(mine, key=lambda pair: (any(pair[1]), *pair)):
            if not any(row) or size < k or 0 < bare < k:
                empty.add((beside, row))
                bare += size
    return {
        name: ("",) * len(coarse[name]) if (one.beside, coarse[name]) in empty else coarse[name]
        for name, one in people.items()
    }
