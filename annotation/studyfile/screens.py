"""`attention:` and `practice:` — screens that stand beside the items and are not judgments."""

from collections.abc import Mapping
from typing import Any

from annotation.studyfile.answers import value_fault
from annotation.studyfile.cells import CellError
from annotation.studyfile.definition import AssignmentRules, AttentionCheck, ItemRow, PracticeItem
from annotation.studyfile.items import Ids
from annotation.studyfile.lint import vague_check
from annotation.studyfile.section import Section
from annotation.studyfile.tasks import ReadTask, StudyTasks
from annotation.studyfile.wording import shown, similar
from annotation.studyfile.yaml_nodes import Node
from annotation.tasktypes.instrument import Dimension, Scale

ATTENTION_KEYS = ("position", "task", "dimension", "expect", "ask")
PRACTICE_KEYS = ("task", "item", "expect", "feedback")


def read_attention(
    study: Section, rules: AssignmentRules, tasks: StudyTasks
) -> tuple[AttentionCheck, ...]:
    """Read the checks; each stands at its own place among the items and the checks of a form."""
    nodes = study.entries("attention")
    places = rules.form_size + len(nodes)
    checks: list[AttentionCheck] = []
    for node in nodes:
        section = study.inner(node, ATTENTION_KEYS)
        check = _check(section, places, tasks)
        if check.position in [c.position for c in checks]:
            section.fault_at("position", f"Two checks stand at position {check.position}.")
        checks.append(check)
    return tuple(checks)


def _check(section: Section, places: int, tasks: StudyTasks) -> AttentionCheck:
    check = AttentionCheck(
        position=section.whole("position", low=1, high=places),
        task=section.text("task"),
        dimension=section.text("dimension"),
        expect=section.text("expect"),
        ask=section.text("ask"),
    )
    dimension = _dimension(section, check, tasks)
    if dimension is None or not check.expect:
        return check
    if dimension.options_from:
        message = f"{shown(dimension.key)} takes its options from an item; a check has none."
        section.fault_at("dimension", message)
    elif fault := value_fault(dimension, check.expect):
        section.fault_at("expect", fault)
    elif vague := vague_check(check.ask, check.expect, dimension):
        section.warn_at("ask", vague)
    return check


def _dimension(section: Section, check: AttentionCheck, tasks: StudyTasks) -> Dimension | None:
    task = _task(section, check.task, tasks)
    if task is None or not check.dimension:
        return None
    known = {d.key: d for d in task.definition.dimensions}
    if check.dimension not in known:
        near = similar(check.dimension, known)
        message = f"{shown(check.dimension)} is not a dimension of {shown(check.task)}.{near}"
        section.fault_at("dimension", message)
    return known.get(check.dimension)


def _task(section: Section, key: str, tasks: StudyTasks) -> ReadTask | None:
    if key and key not in tasks.named:
        section.fault_at("task", f"{shown(key)} is not a task.{similar(key, tasks.named)}")
    return tasks.task(key)


def read_practice(
    study: Section, tasks: StudyTasks, ids: Ids, passages: Mapping[str, Any] | None
) -> tuple[PracticeItem, ...]:
    """Read the items to try first."""
    return tuple(
        _practice(study.inner(node, PRACTICE_KEYS), tasks, ids, passages)
        for node in study.entries("practice")
    )


def _practice(
    section: Section, tasks: StudyTasks, ids: Ids, passages: Mapping[str, Any] | None
) -> PracticeItem:
    key, feedback = section.text("task"), section.text("feedback")
    task = _task(section, key, tasks)
    if not section.has("item"):
        section.fault_at("item", f"{shown('item')} is missing.")
    nodes = section.mapping("item")
    if task is None:
        return PracticeItem(key, ItemRow("", {}), {}, feedback)
    item = _item(section, nodes, task, ids, passages)
    expect = _expected(section, item.fields, task)
    return PracticeItem(key, item, expect, feedback)


def _item(
    section: Section,
    nodes: Mapping[str, Node],
    task: ReadTask,
    ids: Ids,
    passages: Mapping[str, Any] | None,
) -> ItemRow:
    fields: dict[str, Any] = {}
    for name, node in nodes.items():
        if fault := task.rules.column_fault(name):
            section.fault(node, fault.replace("The column", "The field", 1))
        elif node.value is None or isinstance(node.value, dict):
            section.fault(node, f"Here stands {node.kind()}; a value is wanted.")
        else:
            _put(section, fields, name, node, task)
    for name, rule in task.rules.known.items():
        if rule.required and name not in nodes:
            section.fault_at("item", f"The field {shown(name)} is missing; this task needs it.")
    item_id = str(fields.pop("id", ""))
    if fault := ids.fault(item_id, f"line {section.at('item').line} of study.yaml"):
        section.fault_at("item", f"In this item, {fault}")
    if fault := task.rules.passage_fault(fields, passages):
        section.fault(nodes["passage_id"], f"In this item, {fault}")
    return ItemRow(item_id, fields, task.rules.passage_id(fields))


def _put(section: Section, fields: dict[str, Any], name: str, node: Node, task: ReadTask) -> None:
    # Entries of a list count as they are written, as in a table.
    cell = [child.value for child in node.value] if isinstance(node.value, list) else node.value
    try:
        fields[name] = task.rules.value(name, cell)
    except CellError as fault:
        section.fault(node, f"The field {fault}")


def _expected(section: Section, fields: Mapping[str, Any], task: ReadTask) -> Mapping[str, str]:
    known = {d.key: d for d in task.definition.dimensions}
    expect: dict[str, str] = {}
    for key, node in section.mapping("expect").items():
        if key not in known:
            near = similar(key, known)
            section.fault(node, f"{shown(key)} is not a dimension of this task.{near}")
            continue
        many = isinstance(node.value, list) and known[key].scale is Scale.MULTIPLE
        words = [section.word(entry) for entry in (node.children() if many else [node])]
        for word in filter(None, words):
            if fault := value_fault(known[key], word, fields):
                section.fault(node, fault)
        expect[key] = "|".join(words)
    return expect
