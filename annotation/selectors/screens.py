"""One screen of a claim with all that a page or a check of an answer needs."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from annotation.models import Assignment
from annotation.selectors.studies import study_definition
from annotation.studyfile.definition import AttentionCheck, StudyDefinition, TaskDefinition
from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.base import Presentation, TaskType
from annotation.tasktypes.forms import AnswerForm, answer_form
from annotation.tasktypes.instrument import Dimension


@dataclass(frozen=True)
class Screen:
    """A screen: the item, how it is laid out, and the questions that are asked of it."""

    assignment: Assignment
    task: TaskDefinition
    task_type: TaskType
    fields: Mapping[str, Any]
    presentation: Presentation
    dimensions: tuple[Dimension, ...]

    def form(
        self, posted: Mapping[str, Any] | None = None, *, initial: Mapping[str, Any] | None = None
    ) -> AnswerForm:
        """Return the form of the screen, bound to what was posted or showing what was stored."""
        return answer_form(
            self.dimensions, self.fields, self.presentation, data=posted, initial=initial
        )

    def page(self) -> dict[str, Any]:
        """Return what the template of the task type shows; nothing hidden is in it."""
        return self.task_type.page(self.fields, self.presentation)


def screen_of(assignment: Assignment) -> Screen:
    """Return an assignment as a screen."""
    definition = study_definition(assignment.item.study)
    task = definition.task(assignment.item.task)
    presentation = Presentation.from_json(assignment.presentation)
    asked = [d for d in task.dimensions if d.key in presentation.asked]
    check = _check(assignment, definition)
    return Screen(
        assignment=assignment,
        task=task,
        task_type=TASK_TYPES[task.type],
        fields=assignment.item.all_fields,
        presentation=presentation,
        dimensions=tuple(_as_asked(dimension, check) for dimension in asked),
    )


def own_keys(screen: Screen) -> list[str]:
    """Return the questions that the study put itself, in its own language."""
    return [d.key for d in screen.task.dimensions if d not in screen.task_type.instrument]


def _check(assignment: Assignment, definition: StudyDefinition) -> AttentionCheck | None:
    if assignment.check_index is None:
        return None
    return definition.attention[assignment.check_index]


def _as_asked(dimension: Dimension, check: AttentionCheck | None) -> Dimension:
    """Return the dimension as a check asks it: the instruction stands inside the question."""
    if check is None or check.dimension != dimension.key:
        return dimension
    return replace(dimension, ask=f"{dimension.ask} {check.ask}", hint="")
