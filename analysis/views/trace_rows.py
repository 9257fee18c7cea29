"""The items of a trace study with their scores and what people said: rows to sort and to filter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from django.db.models.fields.json import KeyTransform
from django.http import QueryDict

from analysis.pipelines.human.labels import label_numbers
from analysis.runs.traced import TracedTask
from annotation.models import Study
from annotation.selectors.judgments import counted_answers
from annotation.studyfile.definition import StudyDefinition

SCORES = ("S", "tau", "H")
# What a list can be sorted by, with the word for it.
COLUMNS = {"item": "Item", "pair": "Languages", "S": "S", "tau": "τ", "H": "H", "human": "People"}
WORD = 200

Tasks = Mapping[str, TracedTask]


@dataclass(frozen=True, slots=True)
class PairRow:
    """One pair: its languages, its scores, and the mean of the judgments that count."""

    item: str
    pair: str
    S: float | None
    tau: float | None
    H: float | None
    human: float | None
    judgments: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a list is to be shown: sorted by what, which way, and what of it."""

    sort: str = "item"
    down: bool = False
    pair: str = ""
    begins: str = ""

    @classmethod
    def of(cls, asked: QueryDict) -> "Wanted":
        """Read what an address asks for; what it cannot ask for is passed over."""
        name = asked.get("sort", "")
        known = name.removeprefix("-") in COLUMNS
        text = {key: asked.get(key, "").replace("\x00", "")[:WORD].strip() for key in ("pair", "q")}
        sort = name.removeprefix("-") if known else "item"
        return cls(sort, known and name.startswith("-"), text["pair"], text["q"])

    def query(self, **changed: str) -> str:
        """Return the part of an address that asks for this, with some of it changed."""
        query = QueryDict(mutable=True)
        now = {"sort": f"{'-' * self.down}{self.sort}", "pair": self.pair, "q": self.begins}
        query.update({key: value for key, value in (now | changed).items() if value})
        return query.urlencode()

    def arranged(self, rows: Sequence[PairRow]) -> list[PairRow]:
        """Return the rows that are wanted, in order; what has no value comes last."""
        kept = [
            row for row in rows if row.item.startswith(self.begins) and self.pair in {"", row.pair}
        ]
        kept.sort(key=lambda row: row.item)
        known = [row for row in kept if getattr(row, self.sort) is not None]
        known.sort(key=lambda row: getattr(row, self.sort), reverse=self.down)
        return known + [row for row in kept if getattr(row, self.sort) is None]


def pair_rows(
    study: Study, definition: StudyDefinition, tasks: Tasks, computed: Mapping[str, Any]
) -> list[PairRow]:
    """Return every pair in two queries; a score that the item does not bring is that of the run."""
    said = _said(study, definition, tasks)
    fields = [*SCORES, *(f"{side}_lang" for side in _sides(tasks))]
    rows = study.items.filter(practice=False, task__in=tasks).values_list(
        "pk", "key", "task", *(KeyTransform(name, "fields") for name in fields)
    )
    found = []
    for pk, key, task, *values in rows.iterator(2_000):
        held = dict(zip(fields, values, strict=True))
        run = computed.get(key, {})
        S, tau, H = (_first_number(held[name], run.get(name)) for name in SCORES)
        sides = (held[f"{side}_lang"] or definition.language for side in tasks[task].sides)
        numbers = said.get(pk, [])
        mean = sum(numbers) / len(numbers) if numbers else None
        found.append(PairRow(key, "–".join(sides), S, tau, H, mean, len(numbers)))
    return found


def scale_of(definition: StudyDefinition, task: TracedTask) -> dict[str, float]:
    """Return what each answer counts as, by the rule of the report."""
    for dimension in definition.task(task.key).dimensions:
        if dimension.key == task.human:
            labels = [option.value for option in dimension.options]
            return dict(zip(labels, label_numbers(labels), strict=True))
    return {}


def number(value: Any) -> float | None:
    """Return a field of an item as a number, where it is one."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        return None
    return found if isfinite(found) else None


def _first_number(*values: Any) -> float | None:
    return next((found for value in values if (found := number(value)) is not None), None)


def _sides(tasks: Tasks) -> list[str]:
    return sorted({side for task in tasks.values() for side in task.sides})


def _said(study: Study, definition: StudyDefinition, tasks: Tasks) -> dict[int, list[float]]:
    """Return the judgments of every item that count, as numbers."""
    scales = {key: scale_of(definition, task) for key, task in tasks.items()}
    humans = sorted({task.human for task in tasks.values()})
    answers = counted_answers(study).filter(assignment__item__task__in=tasks)
    rows = answers.values_list(
        "assignment__item", "assignment__item__task", *(KeyTransform(h, "values") for h in humans)
    )
    found: dict[int, list[float]] = {}
    for item, task, *values in rows.iterator(2_000):
        value = values[humans.index(tasks[task].human)]
        counted = scales[task].get(str(value)) if scales[task] else number(value)
        if counted is not None:
            found.setdefault(item, []).append(counted)
    return found
