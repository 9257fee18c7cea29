"""From the database to the frames of `analysis`: the only module that knows both."""

import gc
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from django.db.models import TextField
from django.db.models.functions import Cast
from numpy.typing import NDArray

from analysis.frames import JudgedItems, Preferences, Ratings
from analysis.pipelines.human.plan import Plan, read_plan
from analysis.pipelines.human.reading import grid_of, recoded
from analysis.pipelines.human.sample import Floats, HumanError, Sample, Scale, empty_preferences
from annotation.exports.dimensions import NOTHING_CHOSEN, StudyDimension, study_dimensions
from annotation.exports.reading import file_not_mapped
from annotation.models import Assignment, Study
from annotation.quality.funnel import Funnel
from annotation.quality.records import AnnotatorRecord
from annotation.selectors.collected import Collected, collected
from annotation.selectors.judgments import standing_exclusions
from annotation.selectors.quality import study_funnel
from annotation.selectors.studies import study_definition
from annotation.studyfile import plan_document
from annotation.studyfile.definition import TaskDefinition
from annotation.studyfile.plan import OF_FIELDS
from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.base import Comparison
from annotation.tasktypes.instrument import Scale as Level

SAMPLES = ("analytic", "all")
AT_ONCE = 2_000
SIDES = (1, 2)
# What stands in a column of places among labels where there is none.
NO_VALUE, NOT_ASKED = -1, -2


@dataclass
class _Column:
    """One dimension as it comes in, some answers at a time: numbers, or places among the labels met."""

    scale: Scale
    parts: list[NDArray[np.number]] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)

    @property
    def nothing(self) -> float:
        """What stands for an answer that was not asked for it."""
        return np.nan if self.scale.kind == "interval" else NOT_ASKED

    def number(self, value: str | float | None) -> float:
        """Return what stands for a value."""
        if self.scale.kind == "interval":
            return np.nan if value is None else float(value)
        if value is None:
            return NO_VALUE
        return self.places.setdefault(str(value) or NOTHING_CHOSEN.value, len(self.places))

    def add(self, table: Floats, kind: NDArray[np.intp]) -> None:
        """Keep what answers say, of which each has the number of its kind; places take few bytes."""
        interval = self.scale.kind == "interval"
        few = np.float64 if interval else np.min_scalar_type(-max(len(self.places), 1))
        self.parts.append(table.astype(few)[kind])

    def joined(self, kept: NDArray[np.bool_]) -> NDArray[np.number]:
        """Return the column over the answers that are kept."""
        return np.concatenate([np.empty(0, dtype=np.int8), *self.parts])[kept]

    def asked(self, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which of the answers that are kept were asked for it."""
        column = self.joined(kept)
        given = ~np.isnan(column) if self.scale.kind == "interval" else column != NOT_ASKED
        return np.asarray(given, dtype=np.bool_)

    def built(self, kept: NDArray[np.bool_]) -> tuple[Scale, Any]:
        """Return the scale and the values over the answers that are kept."""
        column = self.joined(kept)
        if self.scale.kind == "interval":
            return self.scale, column.astype(np.float64)
        codes, met, labels = np.maximum(column, NO_VALUE), list(self.places), self.scale.labels
        if self.scale.kind == "multiple":
            labels = tuple(sorted(met[code] for code in np.unique(codes) if code >= 0))
        return replace(self.scale, labels=labels), recoded(codes, met, labels)


@dataclass
class _Reading:
    """One pass over all answers: who gave them to what, and the values by dimension."""

    columns: dict[tuple[str, str], _Column]
    parts: list[NDArray[np.int64]] = field(default_factory=list)
    completed: list[int] = field(default_factory=list)

    def passed(self, study: Study) -> Iterator[Sequence[AnnotatorRecord]]:
        """Read all answers once, and yield what the funnel counts of them."""
        for some in collected(study):
            self.add(some)
            yield some.records

    def add(self, some: Collected) -> None:
        """Keep some answers; one that does not count but for an exclusion is for the funnel alone."""
        self.completed += [person.key for person in some.records if person.completed]
        finished = np.array(some.finished, dtype=np.bool_)
        keys = np.array([some.answers, some.items, some.people], dtype=np.int64)
        self.parts.append(keys[:, finished])
        kind = np.array(some.kind, dtype=np.intp)[finished]
        tables = {key: np.full(len(some.kinds), one.nothing) for key, one in self.columns.items()}
        for place, each in enumerate(some.kinds):
            for row in each.rows:
                key = each.task, row.dimension
                if key in tables:
                    tables[key][place] = self.columns[key].number(row.value)
        for key, column in self.columns.items():
            column.add(tables[key], kind)

    def keys(self) -> NDArray[np.int64]:
        """Return answer, item and annotator of every answer kept, one row each."""
        return np.concatenate([np.empty((3, 0), dtype=np.int64), *self.parts], axis=1)


def study_plan(study: Study) -> Plan:
    """Return the plan under its lock; before the launch, the one that would be locked."""
    lock = getattr(study, "plan_lock", None)
    if lock is not None:
        return read_plan(json.loads(lock.canonical_json), lock.sha256)
    return replace(read_plan(plan_document(study_definition(study))), sha256=None, locked=False)


@file_not_mapped()
def study_sample(study: Study, which: str = "analytic") -> Sample:
    """Return the analytic sample, by the study's own rules and what was excluded by hand; or `all`.

    The rules count whether or not they were applied: a report never shows what its funnel left out.
    """
    if which not in SAMPLES:
        raise HumanError(f"The sample {which!r} is unknown; use one of {', '.join(SAMPLES)}.")
    with _nothing_collected():
        reading = _Reading({dimension.key: _Column(scale) for dimension, scale in _scales(study)})
        found = study_funnel(study, reading.passed(study))
    return _sample(study, reading, found, which)


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Hold the garbage collector back: it would walk all that was read again and again, to no use."""
    held = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if held:
            gc.enable()


def _scales(study: Study) -> list[tuple[StudyDimension, Scale]]:
    dimensions = study_dimensions(study_definition(study))
    return [(each, _scale(each)) for each in dimensions if not each.typed]


def _scale(declared: StudyDimension) -> Scale:
    dimension = declared.dimension
    bounds = {"min": dimension.minimum, "max": dimension.maximum, "step": dimension.step}
    return Scale(
        column=declared.column,
        kind=_KINDS[dimension.scale],
        labels=tuple(option.value for option in dimension.options),
        task=declared.task,
        grid=grid_of(bounds),
    )


_KINDS: Mapping[Level, Any] = {
    Level.NOMINAL: "nominal",
    Level.ORDINAL: "ordinal",
    Level.INTERVAL: "interval",
    Level.MULTIPLE: "multiple",
}


def _kept(
    study: Study, keys: NDArray[np.int64], completed: Sequence[int], found: Funnel, which: str
) -> NDArray[np.bool_]:
    """Return which answers are in the sample: those that every stage of the funnel left."""
    answers, _, who = keys
    kept = np.isin(who, _numbers(completed))
    if which == "all":
        return kept
    out = _left_out(study, found)
    kept &= ~np.isin(who, _numbers(one for one, answer in out if answer is None))
    return kept & ~np.isin(answers, _numbers(answer for _, answer in out if answer is not None))


def _left_out(study: Study, found: Funnel) -> list[tuple[int, int | None]]:
    """Return every annotator, and annotator and answer, that a rule or a person leaves out."""
    by_rule = [(v.annotator, v.answer) for rule in found.applied for v in rule.verdicts]
    by_hand = standing_exclusions(study).values_list("annotator", "answer")
    return [*by_rule, *by_hand]


def _numbers(found: Iterable[int]) -> NDArray[np.int64]:
    return np.fromiter(found, dtype=np.int64)


def _sample(study: Study, reading: _Reading, found: Funnel, which: str) -> Sample:
    keys = reading.keys()
    kept = _kept(study, keys, reading.completed, found, which)
    answers, items, people = keys[:, kept]
    names = dict(study.annotators.values_list("pk", "pseudonym"))
    columns: dict[str, Any] = {
        Ratings.ITEM: _named(items, dict(study.items.values_list("pk", "key"))),
        Ratings.ANNOTATOR: _named(people, names),
    }
    preferences = _preferences(study, reading, kept, (answers, items), columns)
    scales: dict[str, Scale] = {}
    for column in reading.columns.values():
        scale, values = column.built(kept)
        _together(columns, scales, scale, values)
    return Sample(
        ratings=pd.DataFrame(columns),
        scales=scales,
        items=_item_fields(study),
        preferences=preferences,
        funnel=found.as_dict(),
    )


def _named(codes: NDArray[np.int64], names: Mapping[int, str]) -> pd.Categorical:
    """Return numbers as categories by name, in the order of the names."""
    place, present = pd.factorize(codes)
    return recoded(place, [names[pk] for pk in present.tolist()])


def _together(columns: dict[str, Any], scales: dict[str, Scale], scale: Scale, values: Any) -> None:
    """Add a dimension; tasks that ask the same thing fill one column."""
    if scale.column not in columns:
        scales[scale.column], columns[scale.column] = scale, values
        return
    before = pd.Series(columns[scale.column])
    columns[scale.column] = before.where(before.notna(), pd.Series(values)).array


def _item_fields(study: Study) -> pd.DataFrame:
    """Return the fields to analyse by as texts, an item a row."""
    hidden = _fields_to_analyse_by(study)
    keys, tasks = [], []
    columns: dict[str, list[str]] = {name: [] for name in hidden}
    rows = study.items.filter(practice=False).order_by("key")
    for key, task, fields in rows.values_list("key", "task", "fields").iterator(AT_ONCE):
        keys.append(key)
        tasks.append(task)
        for name in hidden:
            columns[name].append(_text(fields.get(name)))
    index = pd.Index(keys, name=JudgedItems.ITEM, dtype=object)
    return pd.DataFrame({JudgedItems.TASK: tasks} | columns, index=index, dtype=str)


def _fields_to_analyse_by(study: Study) -> list[str]:
    """Return the fields that annotators did not see, and those that the plan names beside them."""
    definition = study_definition(study)
    hidden = {name for task in definition.tasks for name in task.hidden}
    named: set[str] = set()
    for entries in read_plan(plan_document(definition)).entries.values():
        for entry in entries:
            for names in (entry.get(key) for key in OF_FIELDS):
                named |= {names} if isinstance(names, str) else set(names or ())
    return sorted(hidden | named)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def _preferences(
    study: Study,
    reading: _Reading,
    kept: NDArray[np.bool_],
    keys: tuple[NDArray[np.int64], NDArray[np.int64]],
    names: Mapping[str, Any],
) -> pd.DataFrame:
    """Return the comparisons of ranked conditions among the answers that are kept.

    `keys` are answer and item of each, `names` their items and annotators by name.
    """
    tables = [
        _compared(study, task, derived.key, reading, kept, keys, names)
        for task in study_definition(study).tasks
        if task.higher is not None
        for derived in TASK_TYPES[task.type].derived_dimensions()
    ]
    frame = pd.concat([empty_preferences(), *tables], ignore_index=True)
    return frame.fillna("")


def _compared(
    study: Study,
    task: TaskDefinition,
    derived: str,
    reading: _Reading,
    kept: NDArray[np.bool_],
    keys: tuple[NDArray[np.int64], NDArray[np.int64]],
    names: Mapping[str, Any],
) -> pd.DataFrame:
    """Return what people preferred in one task, where its two conditions can be ranked."""
    answers, items = keys
    asked = reading.columns[task.key, derived].asked(kept)
    side = pd.Series(_higher_sides(study, task), dtype="float64").reindex(items).to_numpy()
    rows = np.flatnonzero(asked & ~np.isnan(side))
    first = pd.Series(_shown_first(study, task), dtype="float64").reindex(answers[rows]).to_numpy()
    sure = reading.columns.get((task.key, Preferences.CONFIDENCE))
    return pd.DataFrame(
        {
            Preferences.PAIR: names[Ratings.ITEM][rows].astype(object),
            Preferences.ANNOTATOR: names[Ratings.ANNOTATOR][rows].astype(object),
            Preferences.PREFERRED: _texts(reading.columns[task.key, derived], kept, rows).fillna(
                Preferences.TIE
            ),
            Preferences.SHOWN_FIRST: np.where(first == side[rows], "1", "0"),
            Preferences.CONFIDENCE: "" if sure is None else _texts(sure, kept, rows).fillna(""),
        },
        dtype=str,
    )


def _texts(column: _Column, kept: NDArray[np.bool_], rows: NDArray[np.intp]) -> pd.Series:
    return pd.Series(column.built(kept)[1][rows].astype(object))


def _higher_sides(study: Study, task: TaskDefinition) -> dict[int, float]:
    """Return, by item, which alternative has the higher condition, where one has."""
    found = study.items.filter(practice=False, task=task.key).values_list("pk", "fields")
    sides = {pk: _higher_side(fields, task.higher) for pk, fields in found.iterator(AT_ONCE)}
    return {pk: float(side) for pk, side in sides.items() if side is not None}


def _shown_first(study: Study, task: TaskDefinition) -> dict[int, float]:
    """Return, by answer, which alternative stood first on the page."""
    screens = Assignment.objects.filter(
        item__study=study, item__task=task.key, kind=Assignment.Kind.JUDGE, answer__isnull=False
    ).values_list("pk", Cast("presentation", TextField()))
    known: dict[str, float] = {}
    found = {}
    for pk, text in screens.iterator(AT_ONCE):
        if text not in known:
            known[text] = float(json.loads(text)["order"][0])
        found[pk] = known[text]
    return found


def _higher_side(fields: Mapping[str, Any], comparison: Comparison | None) -> int | None:
    """Return which alternative has the higher condition; None where they cannot be ranked."""
    if comparison is None:
        return None
    conditions = [str(fields.get(f"{comparison.field}_{n}", "")) for n in SIDES]
    if conditions[0] == conditions[1] or not set(conditions) <= set(comparison.order):
        return None
    ranks = [comparison.order.index(condition) for condition in conditions]
    return SIDES[ranks.index(max(ranks))]
