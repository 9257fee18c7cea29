"""Answers as judgments: the analytic sample, and what the quality rules look at."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet, TextField
from django.db.models.functions import Cast

from annotation.models import Annotator, Answer, Assignment, Claim, Exclusion, Study
from annotation.quality.records import AnnotatorRecord, JudgedItem
from annotation.selectors.studies import study_definition
from annotation.studyfile.definition import StudyDefinition
from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.base import Judgment, Presentation

CHUNK = 2_000
# The first and the last of some people, by the database's number.
Keys = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Checks:
    """The attention checks of one person."""

    met: int = 0
    failed: int = 0


# Claims whose answers count, but for an exclusion that stands.
FINISHED = frozenset({Claim.State.SUBMITTED, Claim.State.EXCLUDED})


def standing_exclusions(study: Study) -> QuerySet[Exclusion]:
    """Return the exclusions that nobody has revoked."""
    return Exclusion.objects.filter(study=study, revocation__isnull=True)


def collected_answers(study: Study) -> QuerySet[Answer]:
    """Return every answer to an item that was given outside the pilot, counted or not."""
    return (
        Answer.objects.filter(
            assignment__annotator__study=study,
            assignment__kind=Assignment.Kind.JUDGE,
            assignment__annotator__pilot=False,
        )
        .exclude(assignment__annotator__state=Annotator.State.WITHDRAWN)
        .select_related("assignment__item", "assignment__claim", "assignment__annotator")
    )


def counted_answers(study: Study) -> QuerySet[Answer]:
    """Return the analytic sample: finished claims, slots still held, nothing excluded.

    Whom an exclusion names is in its study; asked for the study too, SQLite reads all of its
    exclusions for each answer.
    """
    standing = Exclusion.objects.filter(revocation__isnull=True)
    return collected_answers(study).filter(
        ~Exists(standing.filter(unit="annotator", annotator=OuterRef("assignment__annotator"))),
        ~Exists(standing.filter(unit="judgment", answer=OuterRef("pk"))),
        assignment__active=True,
        assignment__claim__state=Claim.State.SUBMITTED,
    )


def answer_judgments(answer: Answer, definition: StudyDefinition) -> list[Judgment]:
    """Return the rows that one answer yields."""
    item = answer.assignment.item
    task = definition.task(item.task)
    return TASK_TYPES[task.type].judgments(
        item.fields, task.dimensions, answer.values, comparison=task.higher
    )


def records_of(
    study: Study,
    judged: Mapping[int, Sequence[JudgedItem]],
    checks: Mapping[int, Checks],
    among: Keys,
) -> list[AnnotatorRecord]:
    """Return some of those who came outside the pilot, with what was found of judgments and checks.

    `among` names the first and the last of the people to return.
    """
    claims = Claim.objects.filter(
        annotator__study=study, annotator__pk__range=among, state=Claim.State.SUBMITTED
    )
    people = Annotator.objects.filter(study=study, pilot=False, pk__range=among).order_by("pk")
    finished = set(claims.values_list("annotator", flat=True))
    return [
        AnnotatorRecord(
            key=pk,
            completed=state == Annotator.State.COMPLETED or pk in finished,
            failed_checks=checks[pk].failed if pk in checks else 0,
            judged=tuple(judged.get(pk, ())),
        )
        for pk, state in people.values_list("pk", "state")
    ]


def check_outcomes(study: Study, among: Keys) -> dict[int, Checks]:
    """Return how many attention checks of finished forms some people met and failed.

    `among` names the first and the last of them.
    """
    definition = study_definition(study)
    answers = Answer.objects.filter(
        assignment__annotator__study=study,
        assignment__annotator__pk__range=among,
        assignment__kind=Assignment.Kind.CHECK,
        assignment__claim__state__in=FINISHED,
    ).values_list(
        "assignment__annotator",
        "assignment__check_index",
        Cast("assignment__presentation", TextField()),
        Cast("values", TextField()),
    )
    # There are as many outcomes as there are ways to answer a check, however many people did.
    known: dict[tuple[int, str, str], bool] = {}
    found: dict[int, Checks] = {}
    for person, *how in answers.iterator(chunk_size=CHUNK):
        index, shown, values = key = (how[0] or 0, how[1], how[2])
        if key not in known:
            known[key] = _passed(definition, index, json.loads(shown), json.loads(values))
        before = found.get(person, Checks())
        found[person] = Checks(before.met + 1, before.failed + (not known[key]))
    return found


def check_passed(answer: Answer, definition: StudyDefinition) -> bool:
    """Whether an attention check was answered as it asked."""
    screen = answer.assignment
    return _passed(definition, screen.check_index or 0, screen.presentation, answer.values)


def _passed(
    definition: StudyDefinition, index: int, shown: Mapping[str, Any], values: Mapping[str, Any]
) -> bool:
    check = definition.attention[index]
    task = definition.task(check.task)
    posted = TASK_TYPES[task.type].encode(values, Presentation.from_json(shown))
    chosen = posted.get(check.dimension)
    given = [str(value) for value in chosen] if isinstance(chosen, list) else [_plain(chosen)]
    return given == [_plain(check.expect)]


def _plain(value: object) -> str:
    """Return a value as the study file writes it: 37.0 and "37" are one."""
    try:
        return f"{float(str(value)):g}"
    except ValueError:
        return str(value)
