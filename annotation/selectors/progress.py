"""How far a study has come."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from annotation.models import (
    Annotator,
    Assignment,
    Claim,
    Exclusion,
    Form,
    Slot,
    Study,
)

# What holds a slot; the index `assignment_holds` has the items of these and no other screens.
HOLDS = Q(active=True, kind=Assignment.Kind.JUDGE)


FEW_BANDS = 6


@dataclass(frozen=True, slots=True)
class Progress:
    """A study in numbers: `coverage` counts items by how many valid judgments they have.

    It names every number up to the replication, and of the higher ones, which only anchors reach, those
    that there are and the highest that is wanted.
    """

    state: str
    annotators: dict[str, int]
    coverage: dict[int, int]
    replication: int
    over_assigned: int
    open_forms: int
    unplanned_slots: int
    needed_annotators: int
    simulated: int

    @property
    def items(self) -> int:
        """How many items there are to judge."""
        return sum(self.coverage.values())

    @property
    def bands(self) -> list[tuple[int, int]]:
        """Return (judgments, items) from most to none, as a page shows them: of many those that hold."""
        few = len(self.coverage) <= FEW_BANDS
        return sorted(
            ((n, items) for n, items in self.coverage.items() if few or items), reverse=True
        )

    @property
    def judgments(self) -> int:
        """How many valid judgments there are."""
        return sum(times * items for times, items in self.coverage.items())


def study_progress(study: Study) -> Progress:
    """Return the progress of a study, in a fixed number of queries."""
    coverage, over, replication = _coverage(study)
    annotators, simulated = _people(study)
    opened, unplanned, needed = people_needed(study)
    return Progress(
        state=study.state,
        annotators=annotators,
        coverage=coverage,
        replication=replication,
        over_assigned=over,
        open_forms=opened,
        unplanned_slots=unplanned,
        needed_annotators=needed,
        simulated=simulated,
    )


def people_needed(study: Study) -> tuple[int, int, int]:
    """Return the open forms, the slots that a top-up would plan, and the people all that needs."""
    opened = open_forms(study)
    emptied = unplanned_slots(study).order_by().values_list("item").annotate(n=Count("pk"))
    times = [count for _, count in emptied]
    unplanned = sum(times)
    size = max(1, int(study.document["assignment"]["form_size"]))
    # Nobody judges an item twice, so it takes as many people as the item that was emptied most often.
    return opened, unplanned, opened + max(-(-unplanned // size), max(times, default=0))


def annotators_by_state(study: Study) -> dict[str, int]:
    """Return how many people outside the pilot are in each state."""
    return _people(study)[0]


def _people(study: Study) -> tuple[dict[str, int], int]:
    """Count the people outside the pilot by state, and those of them who were never born."""
    people = Annotator.objects.filter(study=study, pilot=False).values_list("state", "simulated")
    states: dict[str, int] = {}
    simulated = 0
    for state, invented, count in people.annotate(n=Count("pk")).order_by("state"):
        states[state] = states.get(state, 0) + count
        simulated += count if invented else 0
    return states, simulated


def open_forms(study: Study) -> int:
    """Return how many forms wait for somebody."""
    return Form.objects.filter(study=study, state=Form.State.OPEN).count()


def unplanned_slots(study: Study) -> QuerySet[Slot]:
    """Return the slots that an exclusion emptied and no open form offers: what a top-up plans.

    Only single judgments that were left out, whether that stands or not, empty slots of a form that is
    done; there are few of them, where the slots are many.
    """
    left_out = Exclusion.objects.filter(study=study, answer__isnull=False)
    judged = Assignment.objects.filter(pk__in=left_out.values("answer"))
    return Slot.objects.filter(pk__in=judged.values("slot"), form__state=Form.State.DONE).exclude(
        assignments__active=True
    )


def _coverage(study: Study) -> tuple[dict[int, int], int, int]:
    """Count items by valid judgments, and those above what is wanted of them; return the replication.

    A valid judgment holds its slot, since an exclusion or a withdrawal empties it; nothing else does
    but the screens of those who are still at work, and of a pilot. So what holds a slot is counted
    along its index, and the few screens at work are taken off.
    """
    firsts = Slot.objects.filter(item__study=study, replicate=1).order_by().values("replication")
    wanted = dict(firsts.annotate(n=Count("pk")).values_list("replication", "n"))
    if not wanted:
        return {0: 0}, 0, 0
    usual, most = min(wanted), max(wanted)
    held = _held(study)
    judged = Counter() if study.state == Study.State.PILOT else held - _at_work(study)
    coverage = dict.fromkeys((*range(usual + 1), most), 0) | judged
    coverage[0] = sum(wanted.values()) - judged.total()
    return coverage, _over_assigned(study, held, wanted), usual


def _held(study: Study) -> Counter[int]:
    """Return how many items have so many slots that are held, of those that have any."""
    per_item, values = _holders(study).query.sql_with_params()
    with connection.cursor() as cursor:
        # There may be many items, and few ways in which they differ.
        cursor.execute(f"SELECT n, COUNT(*) FROM ({per_item}) AS items GROUP BY n", values)  # noqa: S608  our own
        return Counter(dict(cursor.fetchall()))


def _at_work(study: Study) -> Counter[int]:
    """Return what `_held` counts too much: items by the slots that are held less those at work."""
    claims = Claim.objects.filter(form__study=study, state=Claim.State.HELD)
    items = Assignment.objects.filter(HOLDS, claim__in=claims).order_by().values("item")
    held = _per_item(Assignment.objects.filter(HOLDS, item=OuterRef("item"))).values("n")
    found: Counter[int] = Counter()
    for n, open_yet in items.annotate(n=Subquery(held), open_yet=Count("pk")).values_list(
        "n", "open_yet"
    ):
        found[n] += 1
        found[n - open_yet] -= 1
    del found[0]
    return found


def _over_assigned(study: Study, held: Counter[int], wanted: dict[int, int]) -> int:
    """Count the items that hold more slots than are wanted, anchors and the others each by their own."""
    common = max(wanted, key=lambda times: wanted[times])
    over = sum(items for n, items in held.items() if n > common)
    if len(wanted) == 1:
        return over
    others = Slot.objects.filter(item__study=study, replicate=1).exclude(replication=common)
    limits = dict(others.values_list("item", "replication"))
    times = dict(_holders(study).filter(item__in=others.values("item")).values_list("item", "n"))
    return over + sum(int(n > limits[item]) - int(n > common) for item, n in times.items())


def _holders(study: Study) -> QuerySet[Any, Any]:
    """Return how many slots of each item are held."""
    return _per_item(Assignment.objects.filter(HOLDS, item__study=study))


def _per_item(rows: QuerySet[Assignment]) -> QuerySet[Any, Any]:
    return rows.order_by().values("item").annotate(n=Count("pk"))
