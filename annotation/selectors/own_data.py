"""All that is stored of one person, for that person: what they said, when, and what came of it.

What a study keeps from annotators stays out: hidden fields, expected answers, checks marked as such.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Model

from annotation.models import Annotator, Answer, Assignment
from annotation.selectors.studies import study_definition
from annotation.studyfile.definition import StudyDefinition, TaskDefinition
from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.base import Presentation
from annotation.tasktypes.instrument import Dimension

# Rows of a person that are told below in words, or are the machinery of the pages and say nothing.
_TOLD = {"consents", "screening", "claims", "assignments", "sessions", "identity", "exclusions"}
_MACHINERY = {"exposures", "audit_details"}


def own_data(person: Annotator) -> dict[str, Any]:
    """Return the document: plain values, times as ISO 8601 in UTC."""
    definition = study_definition(person.study)
    screening = getattr(person, "screening", None)
    return {
        "study": definition.title,
        "you": {
            "name_in_this_study": person.pseudonym,
            "state": person.get_state_display(),
            "arrived_at": _time(person.arrived_at),
            "finished_at": _time(person.finished_at),
            "payment": person.get_payment_display(),
            "platform_id_is_stored": hasattr(person, "identity"),
            "visits": [_time(one.started_at) for one in person.sessions.order_by("pk")],
        },
        "consent": [
            {"given": one.given, "at": _time(one.at), "language": one.language}
            for one in person.consents.order_by("at", "pk")
        ],
        "consent_text": definition.consent,
        "eligibility": _eligibility(definition, screening.answers) if screening else [],
        "sets": [
            {
                "given_out_at": _time(claim.claimed_at),
                "ended_at": _time(claim.ended_at),
                "state": claim.get_state_display(),
            }
            for claim in person.claims.order_by("pk")
        ],
        "answers": [_answer(screen, definition) for screen in _screens(person)],
        "left_out": [
            {"what": one.unit, "at": _time(one.at), "taken_back": hasattr(one, "revocation")}
            for one in person.exclusions.select_related("revocation").order_by("pk")
        ],
        "also": _further(person),
    }


def _screens(person: Annotator) -> Iterable[Assignment]:
    return (
        Assignment.objects.filter(annotator=person)
        .select_related("answer", "draft", "item__passage")
        .prefetch_related("answer__revisions")
        .order_by("claim", "position")
    )


def _eligibility(definition: StudyDefinition, answers: dict[str, str]) -> list[dict[str, str]]:
    asked = {question.key: question.ask for question in definition.recruitment.eligibility}
    return [{"question": asked.get(k, k), "answer": value} for k, value in answers.items()]


def _answer(screen: Assignment, definition: StudyDefinition) -> dict[str, Any]:
    task = definition.task(screen.item.task)
    answer: Answer | None = getattr(screen, "answer", None)
    draft = getattr(screen, "draft", None)
    return {
        "screen": screen.position,
        "practice": screen.kind == Assignment.Kind.PRACTICE,
        "opened_at": _time(screen.opened_at),
        "answered_at": _time(answer.submitted_at) if answer else None,
        "seconds": answer.active_seconds if answer else None,
        "questions": _in_words(answer.values, task, screen) if answer else [],
        "changed": [
            {
                "at": _time(one.received_at),
                "questions": _in_words(one.values, task, screen),
            }
            for one in (answer.revisions.all() if answer else ())
        ],
        "typed_and_not_sent": dict(draft.posted) if draft else None,
    }


def _in_words(
    values: dict[str, Any], task: TaskDefinition, screen: Assignment
) -> list[dict[str, Any]]:
    """Return each question with what was answered to it, as the page showed both."""
    fields = screen.item.all_fields
    task_type = TASK_TYPES[task.type]
    posted = task_type.encode(values, Presentation.from_json(screen.presentation))
    return [
        {"question": dimension.ask, "answer": _labelled(posted[dimension.key], dimension, fields)}
        for dimension in task.dimensions
        if posted.get(dimension.key) not in (None, "", [])
    ]


def _labelled(value: Any, dimension: Dimension, fields: dict[str, Any]) -> Any:
    labels = {option.value: option.label for option in dimension.options_for(fields)}
    if isinstance(value, list):
        return [labels.get(str(one), one) for one in value]
    return labels.get(str(value), value)


def _further(person: Annotator) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of every other table that points at the person, so that a new one is told too."""
    found: dict[str, list[dict[str, Any]]] = {}
    for relation in person._meta.related_objects:  # noqa: SLF001  Django's documented API
        name = relation.get_accessor_name()
        if name is None or name in _TOLD | _MACHINERY:
            continue
        rows = relation.related_model._default_manager.filter(**{relation.field.name: person})  # noqa: SLF001
        if told := [_plain(row) for row in rows]:
            found[name] = told
    return found


def _plain(row: Model) -> dict[str, Any]:
    concrete = row._meta.concrete_fields  # noqa: SLF001  as above
    fields = [field for field in concrete if not field.is_relation]
    values = {field.name: getattr(row, field.attname) for field in fields if not field.primary_key}
    return {k: _time(v) if isinstance(v, datetime) else v for k, v in values.items()}


def _time(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
