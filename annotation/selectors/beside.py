"""One annotator as an admin looks at them: what they answered beside the others, and what happened."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotation.models import Annotator, Answer, Assignment, AuditEvent, Exclusion
from annotation.selectors.judgments import answer_judgments, check_passed, counted_answers
from annotation.selectors.studies import study_definition
from annotation.studyfile.definition import StudyDefinition
from annotation.tasktypes.base import Judgment


@dataclass(frozen=True, slots=True)
class Beside:
    """One dimension: what the person answered, and what the others did whose answers count."""

    dimension: str
    own: str
    others: tuple[str, ...]

    @property
    def alone(self) -> bool:
        """Whether others answered, and none of them the same."""
        return bool(self.others) and self.own not in self.others


@dataclass(frozen=True, slots=True)
class JudgedScreen:
    """One answer of a person; `passed` is set where it is an attention check."""

    pk: int
    item: str
    fields: dict[str, Any]
    position: int
    seconds: float
    at: datetime
    counts: bool
    passed: bool | None
    exclusion: Exclusion | None
    rows: tuple[Beside, ...]


@dataclass(frozen=True, slots=True)
class Happened:
    """One thing that happened to a person, for the time line."""

    at: datetime
    what: str


def judged_screens(person: Annotator, exclusions: Iterable[Exclusion]) -> list[JudgedScreen]:
    """Return all that a person answered, in order, beside the others; in a fixed number of queries."""
    definition = study_definition(person.study)
    answers = list(
        Answer.objects.filter(assignment__annotator=person)
        .exclude(assignment__kind=Assignment.Kind.PRACTICE)
        .select_related("assignment__item", "assignment__claim")
        .order_by("submitted_at", "pk")
    )
    items = {answer.assignment.item_id for answer in answers}
    counted = list(counted_answers(person.study).filter(assignment__item__in=items))
    others: dict[int, list[Answer]] = {}
    for answer in counted:
        if answer.assignment.annotator_id != person.pk:
            others.setdefault(answer.assignment.item_id, []).append(answer)
    counting = {answer.pk for answer in counted}
    standing = {one.answer_id: one for one in exclusions if one.answer_id and not revoked(one)}
    return [
        _screen(
            answer,
            definition,
            others.get(answer.assignment.item_id, []),
            counts=answer.pk in counting,
            exclusion=standing.get(answer.pk),
        )
        for answer in answers
    ]


def exclusions_of(person: Annotator) -> list[Exclusion]:
    """Return every exclusion of a person, taken back or not, the newest first."""
    of_person = Exclusion.objects.filter(annotator=person)
    return list(
        of_person.select_related("revocation", "answer__assignment__item").order_by("-at", "-pk")
    )


def revoked(exclusion: Exclusion) -> bool:
    """Whether an exclusion that was read with its revocation was taken back."""
    return hasattr(exclusion, "revocation")


def happened(person: Annotator, exclusions: Iterable[Exclusion]) -> list[Happened]:
    """Return the time line of a person."""
    found = [Happened(person.arrived_at, "arrived")]
    found += [
        Happened(consent.at, "consented" if consent.given else "declined")
        for consent in person.consents.all()
    ]
    for claim in person.claims.select_related("form"):
        found.append(Happened(claim.claimed_at, f"was given form {claim.form.seq}"))
        if claim.ended_at:
            found.append(Happened(claim.ended_at, f"form {claim.form.seq}: {claim.state}"))
    for exclusion in exclusions:
        found.append(Happened(exclusion.at, f"{exclusion.unit} left out: {exclusion.reason}"))
        if revoked(exclusion):
            back = exclusion.revocation
            found.append(Happened(back.at, f"exclusion taken back: {back.reason}"))
    if person.finished_at:
        found.append(Happened(person.finished_at, f"{person.state}"))
    found += [Happened(event.at, _paid(event.told)) for event in _payments(person)]
    return sorted(found, key=lambda one: one.at)


def _payments(person: Annotator) -> list[AuditEvent]:
    return list(
        AuditEvent.objects.filter(verb="payment_decide", detail__annotator=person).select_related(
            "detail"
        )
    )


def _paid(data: dict[str, Any]) -> str:
    why = f": {data['reason']}" if data["reason"] else ""
    return f"payment {data['before']} → {data['after']}{why}"


def _screen(
    answer: Answer,
    definition: StudyDefinition,
    others: list[Answer],
    *,
    counts: bool,
    exclusion: Exclusion | None,
) -> JudgedScreen:
    assignment = answer.assignment
    is_check = assignment.kind == Assignment.Kind.CHECK
    theirs = [_by_dimension(answer_judgments(other, definition)) for other in others]
    own = [] if is_check else answer_judgments(answer, definition)
    return JudgedScreen(
        pk=answer.pk,
        item=assignment.item.key,
        fields=assignment.item.fields,
        position=assignment.position,
        seconds=answer.server_seconds if answer.active_seconds is None else answer.active_seconds,
        at=answer.submitted_at,
        counts=counts,
        passed=check_passed(answer, definition) if is_check else None,
        exclusion=exclusion,
        rows=tuple(
            Beside(
                row.dimension,
                shown_value(row),
                tuple(rows[row.dimension] for rows in theirs if row.dimension in rows),
            )
            for row in own
        ),
    )


def _by_dimension(rows: list[Judgment]) -> dict[str, str]:
    return {row.dimension: shown_value(row) for row in rows}


def shown_value(row: Judgment) -> str:
    """Return a value in words, or why there is none."""
    if row.value is None:
        return row.missing
    return f"{row.value:g}" if isinstance(row.value, float) else row.value or "none"
