"""Answers as judgments: the analytic sample, and what the quality rules look at."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Annotator, Answer, Assignment, Claim, Exclusion, Study
from annotation.quality.records import AnnotatorRecord, JudgedItem
from annotation.selectors.studies import study_definition
from annotation.studyfile.definition import StudyDefinition, TaskDefinition
from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.base import Judgment, Presentation, contradictions_of

CHUNK = 2_000
LeftOut = tuple[set[int], set[int]]


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """One answer of the analytic sample with its rows."""

    answer: Answer
    judgments: tuple[Judgment, ...]


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """One answer as the rules see it, with its rows and when it came."""

    annotator: int
    judged: JudgedItem
    task: str
    rows: tuple[Judgment, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class Checks:
    """The attention checks of one person."""

    met: int = 0
    failed: int = 0


_FINISHED = frozenset({Claim.State.SUBMITTED, Claim.State.EXCLUDED})
_OF_A_ROW = (
    "pk",
    "assignment__item",
    "assignment__annotator",
    "values",
    "active_seconds",
    "server_seconds",
    "submitted_at",
    "assignment__active",
    "assignment__claim__state",
)


def standing_exclusions(study: Study) -> QuerySet[Exclusion]:
    """Return the exclusions that nobody has revoked."""
    return Exclusion.objects.filter(study=study, revocation__isnull=True)


def collected_answers(study: Study) -> QuerySet[Answer]:
    """Return every answer to an item that was given outside the pilot, counted or not."""
    return (
        Answer.objects.filter(
            assignment__item__study=study,
            assignment__kind=Assignment.Kind.JUDGE,
            assignment__annotator__pilot=False,
        )
        .exclude(assignment__annotator__state=Annotator.State.WITHDRAWN)
        .select_related("assignment__item", "assignment__claim", "assignment__annotator")
    )


def counted_answers(study: Study) -> QuerySet[Answer]:
    """Return the analytic sample: finished claims, slots still held, nothing excluded."""
    standing = standing_exclusions(study)
    return collected_answers(study).filter(
        ~Exists(standing.filter(unit="annotator", annotator=OuterRef("assignment__annotator"))),
        ~Exists(standing.filter(unit="judgment", answer=OuterRef("pk"))),
        assignment__active=True,
        assignment__claim__state=Claim.State.SUBMITTED,
    )


def judged_answers(study: Study) -> Iterator[JudgedAnswer]:
    """Yield the analytic sample with its judgments, in chunks, in an order that tells nothing."""
    definition = study_definition(study)
    answers = counted_answers(study).order_by("assignment__item__key", "assignment__annotator")
    for answer in answers.iterator(chunk_size=CHUNK):
        yield JudgedAnswer(answer, tuple(answer_judgments(answer, definition)))


def answer_judgments(answer: Answer, definition: StudyDefinition) -> list[Judgment]:
    """Return the rows that one answer yields."""
    item = answer.assignment.item
    task = definition.task(item.task)
    return TASK_TYPES[task.type].judgments(
        item.fields, task.dimensions, answer.values, comparison=task.higher
    )


def judged_rows(study: Study) -> Iterator[JudgedRow]:
    """Yield all that was collected outside the pilot, some items at a time, so that memory is bounded."""
    definition = study_definition(study)
    left_out = _left_out(study)
    keys = list(study.items.filter(practice=False).order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), CHUNK):
        first, last = keys[start], keys[min(start + CHUNK, len(keys)) - 1]
        items = {
            pk: (fields, definition.task(task))
            for pk, task, fields in study.items.filter(pk__range=(first, last)).values_list(
                "pk", "task", "fields"
            )
        }
        rows = collected_answers(study).filter(assignment__item__pk__range=(first, last))
        for row in rows.order_by("pk").values_list(*_OF_A_ROW):
            yield _judged_row(row, items, left_out)


def annotator_records(study: Study) -> list[AnnotatorRecord]:
    """Return everyone who came outside the pilot, with what the rules of the funnel look at."""
    judged: dict[int, list[JudgedItem]] = {}
    for row in judged_rows(study):
        judged.setdefault(row.annotator, []).append(row.judged)
    return records_of(study, judged, check_outcomes(study))


def records_of(
    study: Study, judged: Mapping[int, Sequence[JudgedItem]], checks: Mapping[int, Checks]
) -> list[AnnotatorRecord]:
    """Return everyone who came outside the pilot, with what was found of their judgments and checks."""
    finished = set(
        Claim.objects.filter(form__study=study, state=Claim.State.SUBMITTED).values_list(
            "annotator", flat=True
        )
    )
    people = Annotator.objects.filter(study=study, pilot=False).order_by("pk")
    return [
        AnnotatorRecord(
            key=pk,
            completed=state == Annotator.State.COMPLETED or pk in finished,
            failed_checks=checks[pk].failed if pk in checks else 0,
            judged=tuple(judged.get(pk, ())),
        )
        for pk, state in people.values_list("pk", "state")
    ]


def check_outcomes(study: Study) -> dict[int, Checks]:
    """Return how many attention checks of finished forms everyone met and failed."""
    definition = study_definition(study)
    answers = Answer.objects.filter(
        assignment__item__study=study,
        assignment__kind=Assignment.Kind.CHECK,
        assignment__claim__state__in=_FINISHED,
    ).select_related("assignment")
    found: dict[int, Checks] = {}
    for answer in answers.iterator(chunk_size=CHUNK):
        person = answer.assignment.annotator_id
        before = found.get(person, Checks())
        failed = 0 if check_passed(answer, definition) else 1
        found[person] = Checks(before.met + 1, before.failed + failed)
    return found


def check_passed(answer: Answer, definition: StudyDefinition) -> bool:
    """Whether an attention check was answered as it asked."""
    assignment = answer.assignment
    check = definition.attention[assignment.check_index or 0]
    task = definition.task(check.task)
    shown = Presentation.from_json(assignment.presentation)
    chosen = TASK_TYPES[task.type].encode(answer.values, shown).get(check.dimension)
    given = [str(value) for value in chosen] if isinstance(chosen, list) else [_plain(chosen)]
    return given == [_plain(check.expect)]


def _judged_row(
    row: tuple[Any, ...], items: Mapping[int, tuple[Any, TaskDefinition]], left_out: LeftOut
) -> JudgedRow:
    pk, item, annotator, values, active_seconds, server_seconds, at, active, state = row
    fields, task = items[item]
    rows = TASK_TYPES[task.type].judgments(fields, task.dimensions, values, comparison=task.higher)
    people, answers = left_out
    stays = annotator not in people and pk not in answers
    judged = JudgedItem(
        key=pk,
        item=item,
        contradictions=len(contradictions_of(task.contradictions, values)),
        seconds=server_seconds if active_seconds is None else active_seconds,
        records=sum(1 for each in rows if each.value is not None),
        decisive=_decisive(rows, task),
        # Of a finished form, and counted but for an exclusion that stands: what came too late, or
        # came back from an exclusion when its slot was taken, is not.
        finished=state in _FINISHED and (active or not stays),
    )
    return JudgedRow(annotator, judged, task.key, tuple(rows), at)


def _left_out(study: Study) -> LeftOut:
    """Return which people and which answers an exclusion that stands leaves out."""
    standing = standing_exclusions(study)
    people = standing.filter(unit="annotator").values_list("annotator", flat=True)
    answers = standing.filter(unit="judgment").values_list("answer__pk", flat=True)
    return set(people), set(answers)


def _decisive(rows: list[Judgment], task: TaskDefinition) -> int:
    """Count the comparisons that name a winner; only a task with ranked conditions has them."""
    if task.higher is None:
        return 0
    derived = {dimension.key for dimension in TASK_TYPES[task.type].derived_dimensions()}
    return sum(1 for row in rows if row.dimension in derived and row.value is not None)


def _plain(value: object) -> str:
    """Return a value as the study file writes it: 37.0 and "37" are one."""
    try:
        return f"{float(str(value)):g}"
    except ValueError:
        return str(value)
