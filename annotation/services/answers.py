"""answer_record and draft_save: what a person gives is stored, once, before anything else happens."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from annotation.errors import StateForbids
from annotation.models import Annotator, Answer, AnswerRevision, Assignment, Claim, Draft
from annotation.models.items import InstrumentVersion
from annotation.selectors.screens import Screen, screen_of
from annotation.services.claims import annotator_locked, claim_revive, claim_submit
from annotation.services.sessions import session_complete
from annotation.tasktypes.forms import AnswerForm

# A day of "active" seconds on one screen is a clock that went wrong.
LONGEST_ACTIVE_SECONDS = 24 * 3600.0


class AnswerInvalid(Exception):  # noqa: N818  the person mends the form; nothing is broken
    """The answer lacks something; `form` says what, field by field."""

    def __init__(self, form: AnswerForm) -> None:
        super().__init__("The answer is not complete.")
        self.form = form


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of a submission."""

    answer: Answer
    # Kept and paid, but too late to be counted: the form had gone to somebody else.
    surplus: bool
    # It was the last one of its claim.
    finished: bool
    # The same submission had been stored before.
    repeated: bool = False


@transaction.atomic
def answer_record(
    assignment: Assignment,
    posted: Mapping[str, Any],
    *,
    key: str,
    active_seconds: float | None,
    now: datetime,
) -> Recorded:
    """Store an answer with its revision, count its claim if it was the last, all or nothing.

    The same `key` again returns the first result. Another key before the claim is submitted replaces
    the answer and keeps both; after it nothing changes.
    """
    # One submission of a person at a time: double clicks and second tabs queue up here.
    person = annotator_locked(assignment.annotator_id)
    claim = Claim.objects.select_related("form").get(pk=assignment.claim_id)
    claim.annotator = person
    key = key.replace("\x00", "")
    earlier = list(
        AnswerRevision.objects.filter(answer=assignment.pk).values_list("key", flat=True)
    )
    if key in earlier:
        answer = Answer.objects.get(pk=assignment.pk)
        return Recorded(answer, answer.surplus, _is_answered(claim), repeated=True)
    _refuse_if_final(claim)
    screen = screen_of(assignment)
    values = _validated(screen, posted)
    counted = claim.state == Claim.State.HELD or claim_revive(claim, now=now)
    answer = _answer(screen, values, _seconds(active_seconds), surplus=not counted, now=now)
    _store(answer, key, number=len(earlier) + 1)
    Draft.objects.filter(assignment=assignment).delete()
    finished = _is_answered(claim)
    if finished:
        _finish(claim, now=now)
    return Recorded(answer, answer.surplus, finished)


@transaction.atomic
def draft_save(assignment: Assignment, posted: Mapping[str, Any], *, now: datetime) -> bool:
    """Keep what was typed so far; an answer already given is not touched. Say whether it is kept.

    A draft that comes after the submission it was typed for is that answer, and changes nothing.
    """
    person = annotator_locked(assignment.annotator_id)
    claim = Claim.objects.get(pk=assignment.claim_id)
    claim.annotator = person
    keys = posted.get("key", "")
    submitted = AnswerRevision.objects.filter(
        answer=assignment.pk, key__in=keys if isinstance(keys, list) else [keys]
    )
    if submitted.exists():
        return True
    if _final(claim):
        return False
    Draft.objects.update_or_create(
        assignment=assignment, defaults={"posted": _storable(posted), "saved_at": now}
    )
    return True


def screen_open(assignment: Assignment, *, now: datetime) -> None:
    """Note when a screen was first shown; the server's clock starts here."""
    Assignment.objects.filter(pk=assignment.pk, opened_at__isnull=True).update(opened_at=now)


def _refuse_if_final(claim: Claim) -> None:
    if problem := _final(claim):
        raise StateForbids(problem)


def _final(claim: Claim) -> str:
    """Say why nothing can be added; empty where it can.

    Who ran out of time, or was excluded in the middle, may finish: they are paid for it.
    """
    if claim.annotator.state == Annotator.State.WITHDRAWN:
        return "You have withdrawn from this study, so nothing more is stored."
    if claim.state != Claim.State.HELD and _is_answered(claim):
        return "This set is finished and was sent; it cannot be changed any more."
    return ""


def _validated(screen: Screen, posted: Mapping[str, Any]) -> dict[str, Any]:
    form = screen.form(posted)
    if not form.is_valid():
        raise AnswerInvalid(form)
    return screen.task_type.decode(form.cleaned_data, screen.presentation)


def _answer(
    screen: Screen,
    values: dict[str, Any],
    active_seconds: float | None,
    *,
    surplus: bool,
    now: datetime,
) -> Answer:
    assignment = screen.assignment
    opened = assignment.opened_at or now
    instrument = InstrumentVersion.objects.get(
        study=assignment.item.study_id, task=assignment.item.task, current=True
    )
    return Answer(
        assignment=assignment,
        instrument=instrument,
        values=values,
        surplus=surplus,
        submitted_at=now,
        server_seconds=max(0.0, (now - opened).total_seconds()),
        active_seconds=active_seconds,
    )


def _store(answer: Answer, key: str, *, number: int) -> None:
    """Write the answer as it stands now, and the submission it came by."""
    answer.save(force_insert=number == 1, force_update=number > 1)
    AnswerRevision.objects.create(
        answer=answer,
        number=number,
        key=key,
        values=answer.values,
        received_at=answer.submitted_at,
        active_seconds=answer.active_seconds,
    )


def _is_answered(claim: Claim) -> bool:
    return not claim.assignments.filter(answer__isnull=True).exists()


def _finish(claim: Claim, *, now: datetime) -> None:
    """Submit a claim that is still held; of one that ran out, the person has finished all the same."""
    if claim.state == Claim.State.HELD:
        claim_submit(claim, now=now)
    session_complete(claim.annotator, now=now)


def _seconds(active_seconds: float | None) -> float | None:
    if active_seconds is None or not 0 <= active_seconds <= LONGEST_ACTIVE_SECONDS:
        return None
    return active_seconds


def _storable(posted: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was typed without the one character that no database stores as text."""
    return {name.replace("\x00", ""): _without_nul(value) for name, value in posted.items()}


def _without_nul(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_without_nul(one) for one in value]
    return value.replace("\x00", "") if isinstance(value, str) else value
