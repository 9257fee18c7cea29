"""Which tasks of a study compare two traces: those that the `trace` section of its plan names."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.models import Study
from annotation.selectors.studies import study_definition
from annotation.studyfile.definition import StudyDefinition, TaskDefinition
from annotation.tasktypes import TASK_TYPES

SIDES = 2


@dataclass(frozen=True, slots=True)
class TracedTask:
    """A task whose items hold two traces: the fields of both, and the dimension people answer."""

    key: str
    sides: tuple[str, str]
    human: str


def traced_tasks(definition: StudyDefinition) -> dict[str, TracedTask]:
    """Return the tasks by key; an entry of the plan that names no task is for all with two texts."""
    entries = definition.plan.get("trace") or []
    found: dict[str, TracedTask] = {}
    for entry in [entries] if isinstance(entries, Mapping) else entries:
        for task in definition.tasks:
            sides = TASK_TYPES[task.type].alternatives
            if len(sides) == SIDES and _meant(entry, task):
                first, second = sides
                found.setdefault(task.key, TracedTask(task.key, (first, second), entry["human"]))
    return found


def study_is_traced(study: Study) -> bool:
    """Whether a study compares traces, and so has pages of their pairs."""
    return bool(traced_tasks(study_definition(study)))


def _meant(entry: Mapping[str, Any], task: TaskDefinition) -> bool:
    asked = any(dimension.key == entry["human"] for dimension in task.dimensions)
    return asked and entry.get("task", task.key) == task.key


def language_of(fields: Mapping[str, Any], side: str, definition: StudyDefinition) -> str:
    """Return the language of a trace: its own, or that of the study."""
    return str(fields.get(f"{side}_lang") or definition.language)
