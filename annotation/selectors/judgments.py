"""Answers as judgments: the analytic sample, and what the quality rules look at."""

from collections.abc import Iterator
from dataclasses import dataclass

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


def annotator_records(study: Study) -> list[AnnotatorRecord]:
    """Return everyone who came outside the pilot, with what the rules of the funnel look at."""
    definition = study_definition(study)
    left_out = _left_out(study)
    finished = set(
        Claim.objects.filter(form__study=study, state=Claim.State.SUBMITTED).values_list(
            "annotator", flat=True
        )
    )
    judged: dict[int, list[JudgedItem]] = {}
    for answer in collected_answers(study).order_by("pk").iterator(chunk_size=CHUNK):
        person = answer.assignment.annotator_id
        judged.setdefault(person, []).append(_judged_item(answer, definition, left_out))
    failed = _failed_checks(study, definition)
    people = Annotator.objects.filter(study=study, pilot=False).order_by("pk")
    return [
        AnnotatorRecord(
            key=pk,
            completed=state == Annotator.State.COMPLETED or pk in finished,
            failed_checks=failed.get(pk, 0),
            judged=tuple(judged.get(pk, ())),
        )
        for pk, state in people.values_list("pk", "state")
    ]


def check_passed(answer: Answer, definition: StudyDefinition) -> bool:
    """Whether an attention check was answered as it asked."""
    assignment = answer.assignment
    check = definition.attention[assignment.check_index or 0]
    task = definition.task(check.task)
    shown = Presentation.from_json(assignment.presentation)
    chosen = TASK_TYPES[task.type].encode(answer.values, shown).get(check.dimension)
    given = [str(value) for value in chosen] if isinstance(chosen, list) else [_plain(chosen)]
    return given == [_plain(check.expect)]


def _judged_item(answer: Answer, definition: StudyDefinition, left_out: LeftOut) -> JudgedItem:
    assignment = answer.assignment
    task = definition.task(assignment.item.task)
    rows = answer_judgments(answer, definition)
    return JudgedItem(
        key=answer.pk,
        item=assignment.item_id,
        contradictions=_contradictions(answer, task),
        seconds=answer.server_seconds if answer.active_seconds is None else answer.active_seconds,
        records=sum(1 for row in rows if row.value is not None),
        decisive=_decisive(rows, task),
        finished=_counts(answer, left_out),
    )


def _left_out(study: Study) -> LeftOut:
    """Return which people and which answers an exclusion that stands leaves out."""
    standing = standing_exclusions(study)
    people = standing.filter(unit="annotator").values_list("annotator", flat=True)
    answers = standing.filter(unit="judgment").values_list("answer__pk", flat=True)
    return set(people), set(answers)


def _counts(answer: Answer, left_out: LeftOut) -> bool:
    """Whether the answer belongs to a finished form and counts but for an exclusion that stands.

    One that came too late, or came back from an exclusion when its slot was taken, does not.
    """
    assignment = answer.assignment
    if assignment.claim.state not in {Claim.State.SUBMITTED, Claim.State.EXCLUDED}:
        return False
    people, answers = left_out
    return assignment.active or assignment.annotator_id in people or answer.pk in answers


def _contradictions(answer: Answer, task: TaskDefinition) -> int:
    return len(contradictions_of(task.contradictions, answer.values))


def _decisive(rows: list[Judgment], task: TaskDefinition) -> int:
    """Count the comparisons that name a winner; only a task with ranked conditions has them."""
    if task.higher is None:
        return 0
    derived = {dimension.key for dimension in TASK_TYPES[task.type].derived_dimensions()}
    return sum(1 for row in rows if row.dimension in derived and row.value is not None)


def _failed_checks(study: Study, definition: StudyDefinition) -> dict[int, int]:
    checks = Answer.objects.filter(
        assignment__item__study=study,
        assignment__kind=Assignment.Kind.CHECK,
        assignment__claim__state__in=[Claim.State.SUBMITTED, Claim.State.EXCLUDED],
    ).select_related("assignment")
    failed: dict[int, int] = {}
    for answer in checks.iterator(chunk_size=CHUNK):
        if not check_passed(answer, definition):
            person = answer.assignment.annotator_id
            failed[person] = failed.get(person, 0) + 1
    return failed


def _plain(value: object) -> str:
    """Return a value as the study file writes it: 37.0 and "37" are one."""
    try:
        return f"{float(str(value)):g}"
    except ValueError:
        return str(value)
