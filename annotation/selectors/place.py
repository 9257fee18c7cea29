"""Where a person is: the one page that a link, a reload or tomorrow's visit leads to."""

from dataclasses import dataclass
from enum import StrEnum

from django.db.models import QuerySet

from annotation.models import Annotator, Assignment, Claim, Demographics, Screening
from annotation.selectors.studies import study_definition
from annotation.studyfile.definition import Recruitment

State = Annotator.State


class Step(StrEnum):
    """The pages of an annotator's way, in order."""

    CONSENT = "consent"
    ELIGIBILITY = "eligibility"
    ABOUT = "about"
    INSTRUCTIONS = "instructions"
    PRACTICE = "practice"
    JUDGE = "judge"
    FINISH = "finish"


@dataclass(frozen=True, slots=True)
class Place:
    """A step, and within a form the number of the screen (from 1)."""

    step: Step
    number: int = 0


ENDED_BY_OTHERS = (Claim.State.TIMED_OUT, Claim.State.EXCLUDED, Claim.State.PILOT)
_ENDED = {State.DECLINED, State.SCREENED_OUT, State.WITHDRAWN, State.RETURNED}


def person_with(access_key: str) -> Annotator | None:
    """Return whoever has this link."""
    if "\x00" in access_key:
        return None
    people = Annotator.objects.select_related("study").filter(access_key=access_key)
    return people.defer("study__document", "study__design").first()


def place_of(person: Annotator) -> Place:
    """Return where the person is."""
    if person.state in _ENDED:
        return Place(Step.FINISH)
    if not person.consents.filter(given=True).exists():
        return Place(Step.CONSENT)
    recruitment = study_definition(person.study).recruitment
    if recruitment.eligibility and not Screening.objects.filter(annotator=person).exists():
        return Place(Step.ELIGIBILITY)
    claim = current_claim(person)
    if claim is None and _to_be_asked(person, recruitment):
        return Place(Step.ABOUT)
    if claim is None:
        return Place(Step.FINISH if person.state == State.COMPLETED else Step.INSTRUCTIONS)
    return _within(claim)


def _to_be_asked(person: Annotator, recruitment: Recruitment) -> bool:
    """Whether the questions about the person come next; nobody is asked twice, or after the work."""
    if not recruitment.demographics or person.state != State.ARRIVED:
        return False
    return not Demographics.objects.filter(annotator=person).exists()


def current_claim(person: Annotator) -> Claim | None:
    """Return the claim that a person works on: the held one, or one that ended under their hands.

    Who ran out of time, was excluded or was a pilot when the study went live goes on to the end and
    gets the code; only what they give is not counted.
    """
    claims = person.claims.select_related("form__study")
    held = claims.filter(state=Claim.State.HELD).first()
    if held is not None:
        return held
    late = claims.filter(state__in=ENDED_BY_OTHERS, assignments__answer__isnull=True)
    return late.order_by("-claimed_at").first()


def last_claim(person: Annotator) -> Claim | None:
    """Return the claim whose pages a person may still look at."""
    return person.claims.select_related("form__study").order_by("-claimed_at", "-pk").first()


def numbered(claim: Claim, step: Step) -> list[Assignment]:
    """Return the practice screens, or the others, in order; the first is number 1."""
    screens = _of_step(claim, step).select_related(
        "item__study", "item__passage", "answer", "draft"
    )
    return list(screens.defer("item__study__document", "item__study__design"))


def _of_step(claim: Claim, step: Step) -> QuerySet[Assignment]:
    screens = claim.assignments.order_by("position")
    practice = step is Step.PRACTICE
    return screens.filter(position__lt=0) if practice else screens.filter(position__gt=0)


def _within(claim: Claim) -> Place:
    """Return the first screen that has no answer."""
    for step in (Step.PRACTICE, Step.JUDGE):
        screens = _of_step(claim, step)
        open_one = screens.filter(answer__isnull=True).first()
        if open_one is not None:
            return Place(step, screens.filter(position__lte=open_one.position).count())
    return Place(Step.FINISH)
