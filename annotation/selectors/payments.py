"""Who is owed what, whatever becomes of their judgments; proposals, and never a decision."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Final, TypedDict

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.models import Annotator, Answer, Assignment, Claim, Study
from annotation.selectors.judgments import check_passed, standing_exclusions
from annotation.selectors.studies import study_definition
from annotation.studyfile.definition import PaymentRules

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

State, Payment = Annotator.State, Annotator.Payment
NOTHING = Decimal(0)
# Prolific: under so many minutes one failed fair check may count, else it takes two.
SHORT_MINUTES: Final = 5

#: What became of people, in the order of the page, and how it is called there.
KINDS: Final = {
    "complete": "finished",
    "partial": "stopped in the middle",
    "screened_out": "not eligible",
    "none": "left without an answer",
    "open": "still at work",
}


class Work(TypedDict):
    """What `people_owed` says of a person besides."""

    forms: int
    answered: bool
    left_out: bool


if TYPE_CHECKING:
    Worker = WithAnnotations[Annotator, Work]


@dataclass(frozen=True, slots=True)
class Owed:
    """One person: what became of them, what is owed, and what is proposed; `amount` None: unknown."""

    person: Annotator
    kind: str
    forms: int
    left_out: bool
    amount: Decimal | None
    proposal: str
    why: str

    @property
    def called(self) -> str:
        """Return what became of them, in words."""
        return KINDS[self.kind]


@dataclass(frozen=True, slots=True)
class Total:
    """So many people of one kind with one decision; `amount` None where it was not agreed."""

    kind: str
    payment: str
    people: int
    amount: Decimal | None

    @property
    def called(self) -> str:
        """Return what became of them, in words."""
        return KINDS[self.kind]


def people_owed(study: Study) -> "QuerySet[Worker, Worker]":
    """Return everybody who came, with how many forms they finished, whatever became of those."""
    unanswered = Assignment.objects.filter(claim=OuterRef("pk"), answer__isnull=True)
    finished = Claim.objects.filter(~Exists(unanswered), annotator=OuterRef("pk"))
    counted = finished.order_by().values("annotator").annotate(n=Count("pk")).values("n")
    answered = Answer.objects.filter(assignment__annotator=OuterRef("pk")).exclude(
        assignment__kind=Assignment.Kind.PRACTICE
    )
    left_out = standing_exclusions(study).filter(unit="annotator", annotator=OuterRef("pk"))
    return Annotator.objects.filter(study=study).annotate(
        forms=Coalesce(Subquery(counted), 0),
        answered=Exists(answered),
        left_out=Exists(left_out),
    )


def owed(study: Study, people: "Iterable[Worker]") -> list[Owed]:
    """Return what people of `people_owed` are owed, in one more query for all of them."""
    found = list(people)
    rules = study_definition(study).recruitment.payment
    failed = _failed_checks(study, [person.pk for person in found])
    return [_owed(study, person, rules, failed.get(person.pk, 0)) for person in found]


def totals(study: Study) -> list[Total]:
    """Return how many people there are of each kind and decision, and what they are owed together."""
    rules = study_definition(study).recruitment.payment
    counted: dict[tuple[str, str], tuple[int, Decimal | None]] = {}
    rows = people_owed(study).order_by().values("state", "payment", "forms", "answered")
    for row in rows.annotate(n=Count("pk")).values_list(
        "state", "payment", "forms", "answered", "n"
    ):
        state, payment, forms, answered, n = row
        kind = kind_of(state, forms, answered=answered, ended=_ended(study))
        each = amount_of(kind, payment, forms, rules)
        people, amount = counted.get((kind, payment), (0, NOTHING))
        both = None if each is None or amount is None else amount + n * each
        counted[kind, payment] = (people + n, both)
    order = list(KINDS)
    return [
        Total(kind, payment, people, amount)
        for (kind, payment), (people, amount) in sorted(
            counted.items(), key=lambda one: (order.index(one[0][0]), one[0][1])
        )
    ]


def undecided(study: Study) -> "QuerySet[Worker, Worker]":
    """Return those whose payment somebody still has to decide on."""
    return people_owed(study).filter(payment=Payment.PENDING)


def proposed(study: Study) -> list[Owed]:
    """Return those whose payment nobody has decided on and nothing speaks against."""
    pending = undecided(study).order_by("pk")
    return [one for one in owed(study, pending) if one.proposal == "approve"]


def still_owed(study: Study) -> bool:
    """Whether somebody is owed something, or may be, and nobody has decided on it."""
    waiting = undecided(study)
    return (
        waiting.filter(forms__gt=0).exists()
        or waiting.filter(answered=True).exists()
        or (_pays_screen_outs(study) and waiting.filter(state=State.SCREENED_OUT).exists())
    )


def kind_of(state: str, forms: int, *, answered: bool, ended: bool) -> str:
    """Return what became of a person, as far as pay goes."""
    if forms:
        return "complete"
    if state == State.SCREENED_OUT:
        return "screened_out"
    if state in {State.ARRIVED, State.WORKING} and not ended:
        return "open"
    return "partial" if answered else "none"


def amount_of(kind: str, payment: str, forms: int, rules: PaymentRules | None) -> Decimal | None:
    """Return what is owed to one person; None where the study does not say."""
    if payment in {Payment.REJECTED, Payment.NONE} or kind in {"none", "open"}:
        return NOTHING
    if kind == "partial" and payment != Payment.APPROVED:
        return NOTHING
    if rules is None:
        return None
    if kind == "screened_out" and not rules.screened_out:
        return NOTHING
    written = {
        "complete": rules.complete,
        "screened_out": rules.screened_out,
        "partial": rules.partial,
    }[kind]
    if not written:
        return None
    return Decimal(written) * (forms if kind == "complete" else 1)


def _ended(study: Study) -> bool:
    return study.state == Study.State.CLOSED


def _pays_screen_outs(study: Study) -> bool:
    rules = study_definition(study).recruitment.payment
    return rules is not None and bool(rules.screened_out)


def _owed(study: Study, person: "Worker", rules: PaymentRules | None, failed: int) -> Owed:
    forms = person.forms
    kind = kind_of(person.state, forms, answered=person.answered, ended=_ended(study))
    proposal, why = _proposal(kind, failed, rules)
    return Owed(
        person=person,
        kind=kind,
        forms=forms,
        left_out=person.left_out,
        amount=amount_of(kind, person.payment, forms, rules),
        proposal=proposal if person.payment == Payment.PENDING else "",
        why=why,
    )


def _proposal(kind: str, failed: int, rules: PaymentRules | None) -> tuple[str, str]:
    """Return what to do and why; a person decides, and a rejection is never proposed."""
    if kind == "complete":
        allowed = checks_that_count(rules.minutes if rules else None)
        if failed < allowed:
            return "approve", ""
        checks = f"{failed} attention check{'' if failed == 1 else 's'} failed"
        return "look", f"{checks}; from {allowed} on the platform accepts a rejection"
    if kind == "partial":
        return "look", "answered something and did not finish"
    if kind == "screened_out":
        pays = rules is not None and bool(rules.screened_out)
        return ("approve", "") if pays else ("", "no reward for a screen-out was declared")
    return "", ""


def checks_that_count(minutes: int | float | None) -> int:
    """Return how many failed fair checks may count against pay, by the minutes that are advertised."""
    return 1 if minutes is not None and minutes < SHORT_MINUTES else 2


def _failed_checks(study: Study, people: list[int]) -> dict[int, int]:
    definition = study_definition(study)
    if not definition.attention or not people:
        return {}
    answers = Answer.objects.filter(
        assignment__annotator__study=study, assignment__kind=Assignment.Kind.CHECK
    )
    if len(people) <= MOST_NAMED:
        answers = answers.filter(assignment__annotator__in=people)
    failed: dict[int, int] = {}
    for answer in answers.select_related("assignment").annotate(by=F("assignment__annotator")):
        if not check_passed(answer, definition):
            failed[answer.by] = failed.get(answer.by, 0) + 1
    return failed


# A query names at most so many people one by one.
MOST_NAMED: Final = 500
