"""All that was collected, as columns: most answers repeat others, and what is alike is read once."""

import json
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Case, Q, TextField, Value, When
from django.db.models.functions import Cast, Substr

from annotation.models import Study
from annotation.quality.records import AnnotatorRecord, JudgedItem
from annotation.selectors.judgments import (
    FINISHED,
    Keys,
    check_outcomes,
    collected_answers,
    records_of,
    standing_exclusions,
)
from annotation.selectors.studies import study_definition
from annotation.studyfile.definition import StudyDefinition, TaskDefinition
from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.base import Judgment, contradictions_of

# Two queries read so many items with all their answers.
ITEMS_AT_ONCE = 4_000
# And so many people, where the funnel is counted.
PEOPLE_AT_ONCE = 1_000
# Where hardly any answer repeats, such as with typed remarks, what was read is forgotten in time.
REMEMBERED = 20_000
# What is longer was typed, and hardly comes a second time.
LONGEST_REMEMBERED = 2_000
TO_THE_HOUR = len("2026-03-02 09")
# Texts, since Django converts the numbers of an expression one by one.
HELD, GIVEN_UP, UNFINISHED = "held", "given up", "unfinished"


@dataclass(frozen=True, slots=True)
class AnswerKind:
    """What answers that are alike come to: their rows, and what the rules count in them."""

    task: str
    rows: tuple[Judgment, ...]
    contradictions: int
    records: int
    decisive: int


@dataclass(frozen=True, slots=True)
class Collected:
    """Some answers, an entry each in every column; `kind` is a place in `kinds`.

    `finished` says which count but for an exclusion that stands: what came too late, or came back
    from an exclusion when its slot was taken, does not. `hours` are in UTC, as `hour_of` reads them.
    """

    answers: tuple[int, ...] = ()
    items: tuple[int, ...] = ()
    people: tuple[int, ...] = ()
    seconds: tuple[float, ...] = ()
    hours: tuple[str, ...] = ()
    finished: tuple[bool, ...] = ()
    kind: tuple[int, ...] = ()
    kinds: tuple[AnswerKind, ...] = ()

    def judged(self) -> Iterator[tuple[int, JudgedItem]]:
        """Return each answer as the rules see it, after who gave it."""
        contradictions = [kind.contradictions for kind in self.kinds]
        records = [kind.records for kind in self.kinds]
        decisive = [kind.decisive for kind in self.kinds]
        # In the order of the fields of a judgment; there may be millions, so nothing is named here.
        columns = (
            self.answers,
            map(contradictions.__getitem__, self.kind),
            self.seconds,
            map(records.__getitem__, self.kind),
            map(decisive.__getitem__, self.kind),
            self.items,
            self.finished,
        )
        judged = map(JudgedItem._make, zip(*columns, strict=True))
        return zip(self.people, judged, strict=True)


def hour_of(text: str) -> datetime:
    """Return the hour that an entry of `Collected.hours` names."""
    return datetime.fromisoformat(f"{text}:00+00:00")


def collected(study: Study) -> Iterator[Collected]:
    """Yield all answers that were given outside the pilot, some items at a time.

    Two queries a chunk of items beside the two for the exclusions and the one for the keys, however
    many answers there are; memory is bounded by the answers of a chunk.
    """
    read = AnswerReader(study_definition(study))
    out = _left_out(study)
    keys = list(study.items.filter(practice=False).order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), ITEMS_AT_ONCE):
        first, last = keys[start], keys[min(start + ITEMS_AT_ONCE, len(keys)) - 1]
        found = study.items.filter(pk__range=(first, last), practice=False)
        looks = {pk: read.look(*rest) for pk, *rest in found.values_list("pk", "task", "fields")}
        yield _chunk(_rows(study, item__pk__range=(first, last)), looks, read, out)


def records_in_parts(study: Study) -> Iterator[list[AnnotatorRecord]]:
    """Yield everyone who came outside the pilot, with what the rules of the funnel look at.

    Some people at a time: memory is bounded by their answers, and by the number of items.
    """
    read, out = AnswerReader(study_definition(study)), _left_out(study)
    items = study.items.filter(practice=False).values_list("pk", "task", "fields")
    looks = {pk: read.look(*rest) for pk, *rest in items.iterator(chunk_size=ITEMS_AT_ONCE)}
    people = study.annotators.filter(pilot=False).order_by("pk").values_list("pk", flat=True)
    keys = array("q", people.iterator())
    for start in range(0, len(keys), PEOPLE_AT_ONCE):
        among = keys[start], keys[min(start + PEOPLE_AT_ONCE, len(keys)) - 1]
        judged: dict[int, list[JudgedItem]] = {}
        rows = _rows(study, annotator__pk__range=among)
        for person, one in _chunk(rows, looks, read, out).judged():
            judged.setdefault(person, []).append(one)
        checks = check_outcomes(study, among=among)
        yield records_of(study, judged, checks, among=among)


@dataclass
class AnswerReader:
    """Reads an answer once for all that are alike, given to items that look alike."""

    definition: StudyDefinition
    looks: dict[tuple[str, str], int] = field(default_factory=dict)
    of_look: list[tuple[TaskDefinition, Mapping[str, Any]]] = field(default_factory=list)
    known: dict[tuple[int, str], AnswerKind] = field(default_factory=dict)

    def look(self, task: str, fields: Mapping[str, Any]) -> int:
        """Return the number of what the judgments of an item's answers depend on."""
        declared = self.definition.task(task)
        seen = TASK_TYPES[declared.type].judged_on(fields, declared.higher)
        key = task, json.dumps(seen, sort_keys=True)
        if key not in self.looks:
            self.looks[key] = len(self.of_look)
            self.of_look.append((declared, seen))
        return self.looks[key]

    def kind(self, key: tuple[int, str]) -> AnswerKind:
        """Return what the stored text of an answer comes to, beside the look of its item."""
        found = self.known.get(key)
        if found is None:
            look, text = key
            found = _kind(*self.of_look[look], json.loads(text))
            if len(self.known) >= REMEMBERED:
                self.known.clear()
            if len(text) <= LONGEST_REMEMBERED:
                self.known[key] = found
        return found


def _kind(task: TaskDefinition, fields: Mapping[str, Any], values: Mapping[str, Any]) -> AnswerKind:
    kind = TASK_TYPES[task.type]
    rows = kind.judgments(fields, task.dimensions, values, comparison=task.higher)
    # Only a task with ranked conditions has comparisons that can name a winner.
    compared = {d.key for d in kind.derived_dimensions()} if task.higher is not None else set()
    return AnswerKind(
        task=task.key,
        rows=tuple(rows),
        contradictions=len(contradictions_of(task.contradictions, values)),
        records=sum(1 for row in rows if row.value is not None),
        decisive=sum(1 for row in rows if row.dimension in compared and row.value is not None),
    )


def _rows(study: Study, **range_of: Keys) -> list[tuple[Any, ...]]:
    """Return the answers of a range of items or people as the database holds them, not decoded."""
    finished = Q(assignment__claim__state__in=FINISHED)
    standing = Case(
        When(finished & Q(assignment__active=True), then=Value(HELD)),
        When(finished, then=Value(GIVEN_UP)),
        default=Value(UNFINISHED),
        output_field=TextField(),
    )
    within = {f"assignment__{name}": keys for name, keys in range_of.items()}
    found = collected_answers(study).filter(**within)
    return list(
        found.order_by("pk").values_list(
            "pk",
            "assignment__item",
            "assignment__annotator",
            "active_seconds",
            "server_seconds",
            Substr(Cast("submitted_at", TextField()), 1, TO_THE_HOUR),
            standing,
            Cast("values", TextField()),
        )
    )


def _chunk(
    rows: list[tuple[Any, ...]],
    looks: Mapping[int, int],
    read: AnswerReader,
    out: tuple[set[int], set[int]],
) -> Collected:
    if not rows:
        return Collected()
    answers, items, people, active, server, hours, standing, texts = zip(*rows, strict=True)
    places: dict[tuple[int, str], int] = {}
    kind = tuple(
        places.setdefault((looks[item], text), len(places))
        for item, text in zip(items, texts, strict=True)
    )
    gone, dropped = out
    finished = tuple(
        state == HELD or (state == GIVEN_UP and (person in gone or answer in dropped))
        for state, person, answer in zip(standing, people, answers, strict=True)
    )
    seconds = tuple(
        whole if seen is None else seen for seen, whole in zip(active, server, strict=True)
    )
    kinds = tuple(read.kind(key) for key in places)
    return Collected(answers, items, people, seconds, hours, finished, kind, kinds)


def _left_out(study: Study) -> tuple[set[int], set[int]]:
    """Return which people and which answers an exclusion that stands leaves out."""
    standing = standing_exclusions(study)
    people = standing.filter(unit="annotator").values_list("annotator", flat=True)
    answers = standing.filter(unit="judgment").values_list("answer__pk", flat=True)
    return set(people), set(answers)
