"""All that was collected, as columns: most answers repeat others, and what is alike is read once."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count, islice
from typing import Any

from django.db.models import Case, Count, Q, TextField, Value, When
from django.db.models.functions import Cast, Substr

from annotation.models import Study
from annotation.quality.records import AnnotatorRecord, JudgedItem
from annotation.selectors.judgments import (
    FINISHED,
    Checks,
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

# Four queries read so many screens of people, each with all that they answered.
SCREENS_AT_ONCE = 40_000
ITEMS_AT_ONCE = 2_000
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
    """Some people with all their answers, an entry an answer in every column, in the order of people.

    `kind` is a place in `kinds`. `finished` says which count but for an exclusion that stands: what
    came too late, or came back from an exclusion when its slot was taken, does not. `hours` are in
    UTC, as `hour_of` reads them. `records` are all these people as the rules of the funnel see them,
    also those who answered nothing, and `checks` the attention checks that they met.
    """

    answers: tuple[int, ...] = ()
    items: tuple[int, ...] = ()
    people: tuple[int, ...] = ()
    seconds: tuple[float, ...] = ()
    hours: tuple[str, ...] = ()
    finished: tuple[bool, ...] = ()
    kind: tuple[int, ...] = ()
    kinds: tuple[AnswerKind, ...] = ()
    records: tuple[AnnotatorRecord, ...] = ()
    checks: Mapping[int, Checks] = field(default_factory=dict)

    def judged(self) -> dict[int, tuple[JudgedItem, ...]]:
        """Return each person's answers as the rules see them."""
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
        return {who: tuple(islice(judged, n)) for who, n in Counter(self.people).items()}


def hour_of(text: str) -> datetime:
    """Return the hour that an entry of `Collected.hours` names."""
    return datetime.fromisoformat(f"{text}:00+00:00")


def collected(study: Study) -> Iterator[Collected]:
    """Yield everyone who came outside the pilot with all their answers, some people at a time.

    Four queries a chunk of people beside the two for the exclusions, one for the people and one for
    the items, however many answers there are. Memory is bounded by the answers of a chunk, and by
    the number of items and of people.
    """
    read, out = AnswerReader(study_definition(study)), left_out(study)
    items = study.items.filter(practice=False).values_list("pk", "task", "fields")
    looks = {pk: read.look(*rest) for pk, *rest in items.iterator(chunk_size=ITEMS_AT_ONCE)}
    for among in people_in_parts(study):
        some = _chunk(_rows(study, among), looks, read, out)
        checks = check_outcomes(study, among)
        records = tuple(records_of(study, some.judged(), checks, among))
        yield replace(some, records=records, checks=checks)


def records_in_parts(study: Study) -> Iterator[tuple[AnnotatorRecord, ...]]:
    """Yield everyone who came outside the pilot, with what the rules of the funnel look at."""
    return (some.records for some in collected(study))


def people_in_parts(study: Study) -> Iterator[Keys]:
    """Yield the first and the last of some people, who together met so many screens."""
    people = study.annotators.filter(pilot=False).values("pk").annotate(n=Count("assignments"))
    met = people.order_by("pk").values_list("pk", "n")
    return ((part[0], part[-1]) for part in in_parts(met, SCREENS_AT_ONCE))


def in_parts(sizes: Iterable[tuple[int, int]], most: int) -> Iterator[list[int]]:
    """Cut keys, each with its size, into parts of at most so much; what is larger is a part alone."""
    part: list[int] = []
    held = 0
    for key, size in sizes:
        if part and held + size > most:
            yield part
            part, held = [], 0
        part.append(key)
        held += size
    if part:
        yield part


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


def _rows(study: Study, among: Keys) -> list[tuple[Any, ...]]:
    """Return the answers of a range of people as the database holds them: nothing is decoded."""
    finished = Q(assignment__claim__state__in=FINISHED)
    standing = Case(
        When(finished & Q(assignment__active=True), then=Value(HELD)),
        When(finished, then=Value(GIVEN_UP)),
        default=Value(UNFINISHED),
        output_field=TextField(),
    )
    found = collected_answers(study).filter(assignment__annotator__pk__range=among)
    return list(
        found.order_by("assignment__annotator__pk", "pk").values_list(
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
    # The place of a key that is met for the first time is how many were met before.
    places: defaultdict[tuple[int, str], int] = defaultdict(count().__next__)
    keys = zip(map(looks.__getitem__, items), texts, strict=True)
    kind = tuple(map(places.__getitem__, keys))
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


def left_out(study: Study) -> tuple[set[int], set[int]]:
    """Return which people and which answers an exclusion that stands leaves out."""
    standing = standing_exclusions(study)
    people = standing.filter(unit="annotator").values_list("annotator", flat=True)
    answers = standing.filter(unit="judgment").values_list("answer__pk", flat=True)
    return set(people), set(answers)
