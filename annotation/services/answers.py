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
from annotation.services.claims import claim_revive, claim_submit
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
    Annotator.objects.select_for_update().get(pk=assignment.annotator_id)
    claim = Claim.objects.select_related("form__study", "annotator").get(pk=assignment.claim_id)
    earlier = AnswerRevision.objects.filter(answer=assignment.pk, key=key).first()
    if earlier is not None:
        return _recorded(earlier.answer, claim, repeated=True)
    _refuse_if_final(claim)
    screen = screen_of(assignment)
    values = _validated(screen, posted)
    counted = claim.state == Claim.State.HELD or claim_revive(claim, now=now)
    answer = _store(screen, values, _seconds(active_seconds), surplus=not counted, now=now)
    AnswerRevision.objects.create(
        answer=answer,
        number=answer.revisions.count() + 1,
        key=key,
        values=values,
        received_at=now,
        active_seconds=answer.active_seconds,
    )
    Draft.objects.filter(assignment=assignment).delete()
    if not claim.assignments.filter(answer__isnull=True).exists():
        _finish(claim, now=now)
    return _recorded(answer, claim)


@transaction.atomic
def draft_save(assignment: Assignment, posted: Mapping[str, Any], *, now: datetime) -> bool:
    """Keep what was typed so far; an answer already given is not touched. Say whether it is kept."""
    claim = Claim.objects.get(pk=assignment.claim_id)
    if claim.state in {Claim.State.SUBMITTED, Claim.State.WITHDRAWN}:
        return False
    Draft.objects.update_or_create(
        assignment=assignment, defaults={"posted": dict(posted), "saved_at": now}
    )
    return True


def screen_open(assignment: Assignment, *, now: datetime) -> None:
    """Note when a screen was first shown; the server's clock starts here."""
    Assignment.objects.filter(pk=assignment.pk, opened_at__isnull=True).update(opened_at=now)


def _refuse_if_final(claim: Claim) -> None:
    if claim.state in {Claim.State.SUBMITTED, Claim.State.EXCLUDED}:
        raise StateForbids("This set is finished and was sent; it cannot be changed any more.")
    if claim.state == Claim.State.WITHDRAWN:
        raise StateForbids("You have withdrawn from this study, so nothing more is stored.")


def _validated(screen: Screen, posted: Mapping[str, Any]) -> dict[str, Any]:
    form = screen.form(posted)
    if not form.is_valid():
        raise AnswerInvalid(form)
    return screen.task_type.decode(form.cleaned_data, screen.presentation)


def _store(
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
    answer, _ = Answer.objects.update_or_create(
        assignment=assignment,
        defaults={
            "instrument": instrument,
            "values": values,
            "surplus": surplus,
            "submitted_at": now,
            "server_seconds": max(0.0, (now - opened).total_seconds()),
            "active_seconds": active_seconds,
        },
    )
    return answer


def _finish(claim: Claim, *, now: datetime) -> None:
    """Submit a claim that is still held; of one that ran out, the person has finished all the same."""
    if claim.state == Claim.State.HELD:
        claim_submit(claim, now=now)
    session_complete(claim.annotator, now=now)


def _recorded(answer: Answer, claim: Claim, *, repeated: bool = False) -> Recorded:
    finished = not claim.assignments.filter(answer__isnull=True).exists()
    return Recorded(answer=answer, surplus=answer.surplus, finished=finished, repeated=repeated)


def _seconds(active_seconds: float | None) -> float | None:
    if active_seconds is None or not 0 <= active_seconds <= LONGEST_ACTIVE_SECONDS:
        return None
    return active_seconds
