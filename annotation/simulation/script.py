"""Who does what in a scripted study: drawn from its design, so that the funnel comes out exactly.

Pure: slots in, roles and answers out; a seed decides everything.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from annotation.errors import StateForbids

ATTEMPTS = 1000


@dataclass(frozen=True, slots=True)
class Shape:
    """The counts that a scenario must end with, in annotators and judgments."""

    arrived: int
    failed_attention: int
    contradictory: int
    excluded_judgments: int
    hasty: int
    lost_items: int
    decisive: int
    higher: int


# The human study of the first paper (sections 0.4.7 and 0.5.8): 1,998 slots on 200 forms, of which
# the 23 people left out held 22 forms of 10 and one of 9.
PAPER = Shape(
    arrived=200,
    failed_attention=21,
    contradictory=2,
    excluded_judgments=229,
    hasty=42,
    lost_items=1,
    decisive=138,
    higher=85,
)


@dataclass(frozen=True, slots=True)
class PlannedSlot:
    """One slot of a form; `advantage` is what speaks for the higher condition, None for no pair."""

    form: int
    item: str
    advantage: float | None


@dataclass(frozen=True, slots=True)
class Script:
    """What each person does; people are counted from 0, as are the forms they take."""

    careless: frozenset[int]
    contradictory: frozenset[int]
    hasty: frozenset[tuple[int, str]]
    preferred: Mapping[tuple[int, str], str | None]


def script_of(slots: Sequence[PlannedSlot], shape: Shape, rng: Random) -> Script:
    """Draw a script for a design, or say that none of this shape exists for it."""
    forms = len({slot.form for slot in slots})
    if forms != shape.arrived:
        raise StateForbids(
            f"The scenario needs a study of {shape.arrived} forms; this one has {forms}."
        )
    excluded = _excluded(slots, shape, rng)
    left = [slot for slot in slots if slot.form not in excluded]
    hasty = _hasty(slots, left, shape, rng)
    failed = frozenset(excluded[: shape.failed_attention])
    return Script(
        careless=failed,
        contradictory=frozenset(excluded[shape.failed_attention :]),
        hasty=hasty,
        preferred=_preferred(left, shape, rng),
    )


def _excluded(slots: Sequence[PlannedSlot], shape: Shape, rng: Random) -> list[int]:
    """Draw the people who are left out: the right number of judgments, and no item loses all."""
    sizes = Counter(slot.form for slot in slots)
    wanted = shape.failed_attention + shape.contradictory
    items = {slot.item for slot in slots}
    for _ in range(ATTEMPTS):
        drawn = rng.sample(sorted(sizes), wanted)
        drawn[0] = rng.choice([form for form in sizes if sizes[form] == min(sizes.values())])
        fits = sum(sizes[form] for form in drawn) == shape.excluded_judgments
        kept = {slot.item for slot in slots if slot.form not in drawn}
        if len(set(drawn)) == wanted and fits and kept == items:
            rng.shuffle(drawn)
            return drawn
    raise StateForbids(
        f"No {wanted} forms of this study hold {shape.excluded_judgments} judgments together."
    )


def _hasty(
    slots: Sequence[PlannedSlot], left: Sequence[PlannedSlot], shape: Shape, rng: Random
) -> frozenset[tuple[int, str]]:
    """Draw single judgments that are too fast: all of the lost items, and of others one at most."""
    replication, remaining = (Counter(slot.item for slot in some) for some in (slots, left))
    single = [slot for slot in left if slot.advantage is None]
    whole = [i for i in sorted({s.item for s in single}) if remaining[i] == replication[i]]
    lost = set(rng.sample(whole, shape.lost_items))
    chosen = [slot for slot in single if slot.item in lost]
    safe = [s for s in single if s.item not in lost and remaining[s.item] == replication[s.item]]
    rng.shuffle(safe)
    one_each = {slot.item: slot for slot in safe}
    further = list(one_each.values())[: shape.hasty - len(chosen)]
    if len(chosen) + len(further) != shape.hasty:
        raise StateForbids(f"This study has too few judgments to leave out {shape.hasty}.")
    return frozenset((slot.form, slot.item) for slot in [*chosen, *further])


def _preferred(
    left: Iterable[PlannedSlot], shape: Shape, rng: Random
) -> dict[tuple[int, str], str | None]:
    """Let what speaks for a side decide, with noise: the weakest are undecided, the rest split."""
    seen = {
        (slot.form, slot.item): slot.advantage + rng.gauss(0.0, 0.3)
        for slot in left
        if slot.advantage is not None
    }
    if len(seen) < shape.decisive:
        raise StateForbids(f"This study has {len(seen)} comparisons; {shape.decisive} are needed.")
    strongest = sorted(seen, key=lambda key: abs(seen[key]), reverse=True)[: shape.decisive]
    for_higher = set(sorted(strongest, key=lambda key: seen[key], reverse=True)[: shape.higher])
    decided = set(strongest)
    return {
        key: ("higher" if key in for_higher else "lower") if key in decided else None
        for key in seen
    }
