"""From the database to the frames of `analysis`: the only module that knows both."""

import json
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import JudgedItems, Preferences, Ratings
from analysis.pipelines.human.plan import Plan, read_plan
from analysis.pipelines.human.reading import categories, grid_of
from analysis.pipelines.human.sample import HumanError, Sample, Scale, empty_preferences
from annotation.exports.dimensions import NOTHING_CHOSEN, StudyDimension, study_dimensions
from annotation.models import Answer, Study
from annotation.quality.funnel import Funnel
from annotation.quality.records import JudgedItem
from annotation.selectors.judgments import (
    JudgedRow,
    check_outcomes,
    judged_rows,
    records_of,
    standing_exclusions,
)
from annotation.selectors.quality import study_funnel
from annotation.selectors.studies import study_definition
from annotation.studyfile import plan_document
from annotation.studyfile.definition import TaskDefinition
from annotation.studyfile.plan import OF_FIELDS
from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.base import Comparison, Judgment
from annotation.tasktypes.instrument import Scale as Level

SAMPLES = ("analytic", "all")
AT_ONCE = 2_000
SIDES = (1, 2)


@dataclass
class _Column:
    """The values of one dimension as they come in: which answer, and which label or number."""

    scale: Scale
    rows: "array[int]" = field(default_factory=lambda: array("l"))
    values: "array[float]" = field(default_factory=lambda: array("d"))
    codes: dict[str, int] = field(default_factory=dict)

    def add(self, row: int, value: str | float) -> None:
        """Keep one value."""
        self.rows.append(row)
        if self.scale.kind == "interval":
            self.values.append(float(value))
            return
        label = str(value) or NOTHING_CHOSEN.value
        self.values.append(self.codes.setdefault(label, len(self.codes)))

    def built(self, kept: NDArray[np.bool_]) -> tuple[Scale, Any]:
        """Return the scale and the column over the answers that are kept."""
        numbers = np.full(len(kept), np.nan)
        numbers[np.asarray(self.rows, dtype=np.intp)] = np.asarray(self.values)
        numbers = numbers[kept]
        if self.scale.kind == "interval":
            return self.scale, numbers
        codes = np.where(np.isnan(numbers), -1, numbers).astype(np.int64)
        labels = list(self.codes)
        if self.scale.kind == "multiple":
            used = sorted(labels[code] for code in set(codes.tolist()) - {-1})
            scale = replace(self.scale, labels=tuple(used))
        else:
            scale = self.scale
        place = {label: n for n, label in enumerate(scale.labels)}
        moved = np.array([place.get(label, -1) for label in labels] + [-1])
        index = pd.Index(scale.labels, dtype=object)
        return scale, pd.Categorical.from_codes(moved[codes], categories=index)


@dataclass
class _Reading:
    """One pass over all answers: what the rules see of everyone, and the values by dimension."""

    columns: dict[tuple[str, str], _Column]
    judged: dict[int, list[JudgedItem]] = field(default_factory=dict)
    answers: "array[int]" = field(default_factory=lambda: array("l"))
    items: "array[int]" = field(default_factory=lambda: array("l"))
    annotators: "array[int]" = field(default_factory=lambda: array("l"))

    def add(self, row: JudgedRow) -> None:
        """Keep one answer; one that does not count but for an exclusion is for the funnel alone."""
        self.judged.setdefault(row.annotator, []).append(row.judged)
        if not row.judged.finished:
            return
        number = len(self.answers)
        self.answers.append(row.judged.key)
        self.items.append(row.judged.item)
        self.annotators.append(row.annotator)
        for judgment in row.rows:
            column = self.columns.get((row.task, judgment.dimension))
            if column is not None and judgment.value is not None:
                column.add(number, judgment.value)


def study_plan(study: Study) -> Plan:
    """Return the plan under its lock; before the launch, the one that would be locked."""
    lock = getattr(study, "plan_lock", None)
    if lock is not None:
        return read_plan(json.loads(lock.canonical_json), lock.sha256)
    return replace(read_plan(plan_document(study_definition(study))), sha256=None, locked=False)


def study_sample(study: Study, which: str = "analytic") -> Sample:
    """Return the analytic sample, by the study's own rules and what was excluded by hand; or `all`.

    The rules count whether or not they were applied: a report never shows what its funnel left out.
    """
    if which not in SAMPLES:
        raise HumanError(f"The sample {which!r} is unknown; use one of {', '.join(SAMPLES)}.")
    reading = _Reading({dimension.key: _Column(scale) for dimension, scale in _scales(study)})
    for row in judged_rows(study):
        reading.add(row)
    people = records_of(study, reading.judged, check_outcomes(study))
    finished = {person.key for person in people if person.completed}
    found = study_funnel(study, people)
    del people
    reading.judged.clear()
    return _sample(study, reading, _kept(study, reading, finished, found, which), found)


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
    study: Study, reading: _Reading, finished: set[int], found: Funnel, which: str
) -> NDArray[np.bool_]:
    """Return which answers are in the sample: those that every stage of the funnel left."""
    who = np.asarray(reading.annotators, dtype=np.int64)
    answers = np.asarray(reading.answers, dtype=np.int64)
    kept = np.isin(who, _numbers(finished))
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


def _sample(study: Study, reading: _Reading, kept: NDArray[np.bool_], found: Funnel) -> Sample:
    items = {pk: (key, task) for pk, key, task in _item_names(study)}
    names = dict(study.annotators.values_list("pk", "pseudonym"))
    item_keys = {pk: key for pk, (key, _) in items.items()}
    columns: dict[str, Any] = {
        Ratings.ITEM: _named(np.asarray(reading.items)[kept], item_keys),
        Ratings.ANNOTATOR: _named(np.asarray(reading.annotators)[kept], names),
    }
    scales: dict[str, Scale] = {}
    for column in reading.columns.values():
        scale, values = column.built(kept)
        _joined(columns, scales, scale, values)
    answers = np.asarray(reading.answers)[kept]
    return Sample(
        ratings=pd.DataFrame(columns),
        scales=scales,
        items=_item_fields(study),
        preferences=_preferences(study, set(answers.tolist()), names),
        funnel=found.as_dict(),
    )


def _item_names(study: Study) -> Iterable[tuple[int, str, str]]:
    return study.items.filter(practice=False).values_list("pk", "key", "task").iterator()


def _named(codes: NDArray[np.int64], names: Mapping[int, str]) -> pd.Categorical:
    """Return numbers as categories by name, in the order of the names."""
    place, present = pd.factorize(codes)
    labels = pd.Series([names[int(pk)] for pk in present], dtype=object)
    return categories(labels.iloc[place]) if len(place) else categories(labels)


def _joined(columns: dict[str, Any], scales: dict[str, Scale], scale: Scale, values: Any) -> None:
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
    return pd.DataFrame({JudgedItems.TASK: tasks} | columns, index=index, dtype=object)


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


def _preferences(study: Study, kept: set[int], names: Mapping[int, str]) -> pd.DataFrame:
    """Return the comparisons of ranked conditions among the answers that are kept."""
    definition = study_definition(study)
    ranked = {task.key: task.higher for task in definition.tasks if task.higher is not None}
    rows: list[dict[str, str]] = []
    found = Answer.objects.filter(
        assignment__item__study=study, assignment__item__task__in=ranked, assignment__kind="judge"
    ).values_list(
        "pk", "assignment__item__key", "assignment__item__task", "assignment__item__fields",
        "assignment__annotator", "assignment__presentation", "values",
    )  # fmt: skip
    for pk, key, task, fields, who, shown, values in found.iterator(AT_ONCE) if ranked else ():
        side = _higher_side(fields, ranked[task])
        if pk in kept and side is not None:
            stated = _derived(definition.task(task), fields, values)
            rows += [
                {
                    Preferences.PAIR: key,
                    Preferences.ANNOTATOR: names[who],
                    Preferences.PREFERRED: str(judgment.value or Preferences.TIE),
                    Preferences.SHOWN_FIRST: str(int(shown["order"][0] == side)),
                    Preferences.CONFIDENCE: str(values.get(Preferences.CONFIDENCE) or ""),
                }
                for judgment in stated
            ]
    frame = pd.concat([empty_preferences(), pd.DataFrame(rows, dtype=str)], ignore_index=True)
    return frame.fillna("")


def _derived(task: TaskDefinition, fields: Mapping[str, Any], values: Any) -> list[Judgment]:
    """Return what follows from an answer about the ranked conditions."""
    kind = TASK_TYPES[task.type]
    derived = {dimension.key for dimension in kind.derived_dimensions()}
    rows = kind.judgments(fields, task.dimensions, values, comparison=task.higher)
    return [row for row in rows if row.dimension in derived]


def _higher_side(fields: Mapping[str, Any], comparison: Comparison) -> int | None:
    """Return which alternative has the higher condition; None where they cannot be ranked."""
    conditions = [str(fields.get(f"{comparison.field}_{n}", "")) for n in SIDES]
    if conditions[0] == conditions[1] or not set(conditions) <= set(comparison.order):
        return None
    ranks = [comparison.order.index(condition) for condition in conditions]
    return SIDES[ranks.index(max(ranks))]
