"""Who appears in a release, under which name, and what is said of them."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from annotation.exports.columns import Column, Reference, Row, Table, options
from annotation.exports.pseudonyms import Pseudonyms
from annotation.models import Annotator, Claim, Study

_DONE = Q(claims__state__in=[Claim.State.SUBMITTED, Claim.State.EXCLUDED])

ANNOTATOR = Column(
    name="annotator",
    type="text",
    description="The person, by a random name that this release alone uses.",
    sources=("Annotator.pseudonym",),
    made="keyed hash, with a key that is not in the release",
)

ANNOTATORS = Table(
    "annotators",
    "One row a person who was given something to judge. Who declined, was screened out or withdrew "
    "is only counted, in the funnel.",
    (
        ANNOTATOR,
        Column(
            "state",
            "text",
            "Whether the person came to the end.",
            ("Annotator.state",),
            level="nominal",
            values=options(completed="finished a form", incomplete="left, or ran out of time"),
            made="eight states made two",
            of_person=True,
        ),
        Column(
            "forms_done",
            "integer",
            "How many forms the person finished.",
            ("Claim.state",),
            level="interval",
            minimum=0,
            made="counted",
            of_person=True,
        ),
        Column(
            "in_analysis",
            "boolean",
            "Whether a judgment of this person is in the analysis.",
            ("Annotator.id",),
            level="nominal",
            values=options(true="at least one is", false="none is"),
            made="counted",
            of_person=True,
        ),
    ),
    key=("annotator",),
)
TO_ANNOTATORS = Reference("annotator", "annotators", "annotator")


@dataclass(frozen=True, slots=True)
class People:
    """The names of all who appear, by the database's number."""

    names: dict[int, str]

    def __contains__(self, annotator: int) -> bool:
        return annotator in self.names


def released_annotators(study: Study) -> QuerySet[Annotator]:
    """Return who was given work, or is named by an exclusion; not the pilot, not who withdrew."""
    appears = Q(claims__isnull=False) | Q(exclusions__isnull=False)
    people = Annotator.objects.filter(appears, study=study, pilot=False)
    return people.exclude(state=Annotator.State.WITHDRAWN).distinct()


def people_of(study: Study, pseudonyms: Pseudonyms) -> People:
    """Return the names of all who appear."""
    rows = released_annotators(study).values_list("pk", "pseudonym")
    return People({pk: pseudonyms.of(internal) for pk, internal in rows.iterator()})


def annotator_rows(study: Study, people: People, judged: Collection[str]) -> Iterator[Row]:
    """Yield the people in the order of their new names; `judged` names those in the analysis."""
    counted = released_annotators(study).annotate(
        forms_done=Count("claims", filter=_DONE, distinct=True)
    )
    ended = {
        pk: ("completed" if state == Annotator.State.COMPLETED or forms else "incomplete", forms)
        for pk, state, forms in counted.values_list("pk", "state", "forms_done").iterator()
    }
    for name, pk in sorted((name, pk) for pk, name in people.names.items() if pk in ended):
        state, forms = ended[pk]
        yield {
            "annotator": name,
            "state": state,
            "forms_done": forms,
            "in_analysis": name in judged,
        }


def form_numbers(study: Study) -> dict[int, int]:
    """Return which form of its person each finished claim was: 1 for the first."""
    claims = Claim.objects.filter(form__study=study, state=Claim.State.SUBMITTED)
    numbers: dict[int, int] = {}
    so_far: dict[int, int] = {}
    for pk, person in claims.order_by("claimed_at", "pk").values_list("pk", "annotator"):
        numbers[pk] = so_far[person] = so_far.get(person, 0) + 1
    return numbers
