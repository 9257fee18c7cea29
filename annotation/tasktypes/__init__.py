"""The kinds of judgment. Adding one: `docs/how-to/add-a-task-type.md`."""

from collections.abc import Mapping

from annotation.tasktypes.base import TaskType
from annotation.tasktypes.pair import PairTask
from annotation.tasktypes.rubric import RubricTask
from annotation.tasktypes.trace import TraceTask
from annotation.tasktypes.translation import TranslationTask

TASK_TYPES: Mapping[str, TaskType] = {
    "rubric": RubricTask(),
    "pair": PairTask(),
    "trace": TraceTask(),
    "translation": TranslationTask(),
}
