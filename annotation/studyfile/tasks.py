"""`tasks:` — each task's type, table, hidden fields, instrument and comparison."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from annotation.studyfile.definition import ItemRow, Passage, TaskDefinition
from annotation.studyfile.dimensions import read_contradictions, read_instrument
from annotation.studyfile.files import StudyFiles
from annotation.studyfile.items import FieldRules, Ids, read_passages, read_rows
from annotation.studyfile.section import KEY, Section, key_message
from annotation.studyfile.tables import Table, read_table
from annotation.studyfile.wording import shown, similar
from annotation.studyfile.yaml_nodes import Node
from annotation.tasktypes.base import Comparison, TaskType

KEYS = ("type", "items", "hidden", "dimensions", "extend", "contradictions", "higher")
# The two alternatives of an item, of which one stands in the higher condition.
SIDES = ("1", "2")


@dataclass(frozen=True, slots=True)
class ReadTask:
    """A task with what was read on the way: its type, its place in the file, its columns."""

    definition: TaskDefinition
    type: TaskType
    node: Node
    columns: Collection[str]
    rules: FieldRules

    def dimension_keys(self) -> set[str]:
        """Return the dimensions that the task's judgments have, computed ones too."""
        computed = {d.key for d in self.type.derived_dimensions()}
        return computed | {d.key for d in self.definition.dimensions}


@dataclass(frozen=True, slots=True)
class StudyTasks:
    """The tasks of a study: those named, and those that could be read.

    What is said about a task, or a table, that could not be read is not checked further: one fault
    is told once, where it stands.
    """

    named: Collection[str]
    read: Sequence[ReadTask]

    def task(self, key: str) -> ReadTask | None:
        """Return a task that was read."""
        return next((task for task in self.read if task.definition.key == key), None)

    def dimensions(self, keys: Collection[str]) -> set[str] | None:
        """Return the dimensions of some tasks, or None where one of them could not be read."""
        tasks = [self.task(key) for key in keys]
        return {d for t in tasks if t for d in t.dimension_keys()} if tasks and all(tasks) else None

    def columns(self, keys: Collection[str]) -> set[str] | None:
        """Return the columns of some tasks' tables, or None where one could not be read."""
        tasks = [self.task(key) for key in keys]
        complete = tasks and all(task is not None and task.columns for task in tasks)
        return {c for t in tasks if t for c in t.columns} if complete else None


@dataclass(frozen=True, slots=True)
class TaskReader:
    """Reads the tasks of one study."""

    files: StudyFiles
    types: Mapping[str, TaskType]
    ids: Ids
    passages: Mapping[str, Passage] | None

    def read(self, study: Section) -> StudyTasks:
        """Return the tasks in order; one whose type is unknown is only named."""
        nodes = study.mapping("tasks")
        if not nodes:
            study.fault_at("tasks", "A study has at least one task.")
        read = [self._task(key, study.inner(node, KEYS)) for key, node in nodes.items()]
        return StudyTasks(tuple(nodes), [task for task in read if task is not None])

    def _task(self, key: str, section: Section) -> ReadTask | None:
        if not KEY.fullmatch(key):
            section.fault(section.node, key_message(key))
        task_type = self.types.get(section.choice("type", self.types))
        if task_type is None:
            return None
        hidden = section.words("hidden")
        rules = FieldRules.of(task_type, hidden)
        table = self._table(section)
        _check_hidden(section, hidden, rules, table)
        dimensions = read_instrument(section, task_type)
        items: tuple[ItemRow, ...] = ()
        if table is not None:
            items = read_rows(table, rules, self.ids, self.passages, section.findings)
        definition = TaskDefinition(
            key=key,
            type=task_type.key,
            hidden=tuple(hidden),
            dimensions=dimensions,
            contradictions=read_contradictions(section, task_type, dimensions),
            higher=_comparison(section, task_type, table),
            items=items,
        )
        columns = table.columns if table is not None else {}
        return ReadTask(definition, task_type, section.node, columns, rules)

    def _table(self, section: Section) -> Table | None:
        if not section.text("items"):
            return None
        return read_table(self.files, section.at("items"))


class UnreadPassages(dict[str, Passage]):
    """Stands for passages whose table could not be read: any of them may be there."""

    def __contains__(self, key: object) -> bool:
        """Whether a passage may be there."""
        return True


def passages_of(study: Section, files: StudyFiles) -> dict[str, Passage] | None:
    """Return the passages, or None where the study names no table of them."""
    if not study.has("passages"):
        return None
    table = read_table(files, study.at("passages")) if study.text("passages") else None
    passages = read_passages(table, study.findings) if table is not None else None
    return UnreadPassages() if passages is None else passages


def _check_hidden(
    section: Section, hidden: Mapping[str, Node], rules: FieldRules, table: Table | None
) -> None:
    for name, node in hidden.items():
        rule = rules.known.get(name)
        if name == "id":
            section.fault(node, "The id is never shown; it need not be listed.")
        elif rule is not None and rule.shown:
            message = f"{shown(name)} is shown by the task type, so it cannot be hidden."
            section.fault(node, message)
        elif table is not None and name not in table.columns:
            near = similar(name, [c for c in table.columns if c not in rules.known])
            message = f"{shown(name)} is not a column of {shown(table.file)}.{near}"
            section.fault(node, message)


def _comparison(section: Section, task_type: TaskType, table: Table | None) -> Comparison | None:
    higher = section.section("higher", ("field", "order"))
    if higher is None:
        return None
    comparison = Comparison(higher.text("field"), tuple(higher.words("order")))
    if len(task_type.alternatives) != len(SIDES):
        higher.fault(
            higher.node, "Only a task type that sets two alternatives side by side has it."
        )
    elif len(comparison.order) < len(SIDES):
        higher.fault_at("order", "The order names at least two conditions, from low to high.")
    elif comparison.field and table is not None:
        for side in SIDES:
            _check_condition(higher, comparison, f"{comparison.field}_{side}", table)
    return comparison


def _check_condition(higher: Section, comparison: Comparison, column: str, table: Table) -> None:
    if column not in table.columns:
        message = f"The table {shown(table.file)} has no column {shown(column)}."
        higher.fault_at("field", message)
        return
    for row in table.rows:
        value = row.cells.get(column)
        if isinstance(value, str) and value not in comparison.order:
            near = similar(value, comparison.order)
            message = f"Row {row.number}: {shown(value)} is not in the order of conditions.{near}"
            higher.findings.add(table.file, row.line, column, message)
