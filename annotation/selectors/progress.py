"""How far a study has come."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from annotation.models import Annotator, Assignment, Claim, Form, Item, Slot, Study


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
        """Return (judgments, items) from most to none, as a page shows them."""
        return sorted(self.coverage.items(), reverse=True)

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
    """Return the slots that an exclusion emptied and no open form offers: what a top-up plans."""
    return Slot.objects.filter(form__study=study, form__state=Form.State.DONE).exclude(
        assignments__active=True
    )


def _coverage(study: Study) -> tuple[dict[int, int], int, int]:
    """Count items by valid judgments, and those above what is wanted of them; return the replication."""
    per_item = dict(_holders(study).values("item").annotate(n=Count("pk")).values_list("item", "n"))
    wanted = dict(
        Item.objects.filter(study=study, practice=False)
        .values("pk")
        .annotate(wanted=Count("slots"))
        .values_list("pk", "wanted")
    )
    usual, most = min(wanted.values(), default=0), max(wanted.values(), default=0)
    coverage = dict.fromkeys((*range(usual + 1), most), 0)
    coverage.update(Counter(per_item.get(item, 0) for item in wanted))
    over = sum(1 for item, times in per_item.items() if times > wanted.get(item, 0))
    return coverage, over, usual


def _holders(study: Study) -> QuerySet[Assignment]:
    """Return the screens whose judgments count: those of finished forms that hold their slots.

    These are the answers that `counted_answers` returns, since an exclusion empties the slots of what
    it leaves out; to ask no answer and no exclusion makes this a third of the work.
    """
    return (
        Assignment.objects.filter(
            annotator__study=study,
            annotator__pilot=False,
            kind=Assignment.Kind.JUDGE,
            active=True,
            claim__state=Claim.State.SUBMITTED,
        )
        .exclude(annotator__state=Annotator.State.WITHDRAWN)
        .order_by()
    )
