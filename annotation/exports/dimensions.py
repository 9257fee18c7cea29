"""The dimensions of a study as they leave: in stored terms, those that hold typed text left out."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from annotation.studyfile.definition import StudyDefinition, TaskDefinition
from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.instrument import Dimension, Option, Scale

# How an answer to a choice of several in which nothing was chosen reads: empty means not rated.
NOTHING_CHOSEN = Option("none", "nothing was chosen")
# The columns of the wide table that are no dimensions.
KEY_COLUMNS = ("item_id", "annotator")


@dataclass(frozen=True, slots=True)
class StudyDimension:
    """A dimension of a task; `column` is its name in the wide table."""

    task: str
    dimension: Dimension
    derived: bool
    column: str

    @property
    def key(self) -> tuple[str, str]:
        """Return what names the dimension in the whole study."""
        return self.task, self.dimension.key

    @property
    def typed(self) -> bool:
        """Whether its values are what people typed."""
        return self.dimension.scale is Scale.TEXT

    def as_dict(self) -> dict[str, Any]:
        """Return the entry of the codebook."""
        rest = asdict(self.dimension)
        names = {"task": self.task, "dimension": rest.pop("key"), "column": self.column}
        return {**names, "derived": self.derived, **rest}


def study_dimensions(definition: StudyDefinition) -> tuple[StudyDimension, ...]:
    """Return the dimensions of all tasks in order, the derived ones of each after its own."""
    found = [(task, *pair) for task in definition.tasks for pair in _of_task(task)]
    by_key: dict[str, list[Dimension]] = {}
    for _, dimension, _ in found:
        by_key.setdefault(dimension.key, []).append(dimension)
    return tuple(
        StudyDimension(
            task.key, dimension, derived, _column(task, dimension, by_key[dimension.key])
        )
        for task, dimension, derived in found
    )


def wide_columns(dimensions: Sequence[StudyDimension]) -> dict[str, StudyDimension]:
    """Return the columns of the wide table; tasks that ask the same thing share one."""
    columns: dict[str, StudyDimension] = {}
    for dimension in dimensions:
        if not dimension.typed:
            columns.setdefault(dimension.column, dimension)
    return columns


def allowed_values(dimension: Dimension) -> tuple[Option, ...]:
    """Return what a dimension's value can be, where that can be listed."""
    if dimension.scale is Scale.MULTIPLE:
        return (*dimension.options, NOTHING_CHOSEN)
    return dimension.options


def _of_task(task: TaskDefinition) -> list[tuple[Dimension, bool]]:
    task_type = TASK_TYPES[task.type]
    own = [(task_type.stored(dimension), False) for dimension in task.dimensions]
    return own + [(dimension, True) for dimension in task_type.derived_dimensions()]


def _column(task: TaskDefinition, dimension: Dimension, namesakes: Sequence[Dimension]) -> str:
    """Return the dimension's key, with its task before it where the key alone would mislead."""
    alone = all(other == dimension for other in namesakes)
    if alone and dimension.key not in KEY_COLUMNS:
        return dimension.key
    return f"{task.key}.{dimension.key}"
