"""`plan:` — what will be computed. Free in its parameters, checked where it names the study's own."""

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.studyfile.section import Section
from annotation.studyfile.tasks import ReadTask
from annotation.studyfile.wording import nearest, shown
from annotation.studyfile.yaml_nodes import Node

KINDS = (
    "agreement",
    "preference",
    "triangulation",
    "ceiling",
    "judges",
    "conditions",
    "sensitivity",
    "trace",
    "translation",
)
# Parameters that name a dimension, and those that name a column of an item table.
OF_DIMENSIONS = ("dimension", "human")
OF_FIELDS = ("automatic", "by", "score")
# Parameters that are numbers, with their bounds.
NUMBERS = {"threshold": (-1.0, 1.0), "bootstrap": (1.0, 1_000_000.0)}


def read_plan(study: Section, tasks: Sequence[ReadTask]) -> Mapping[str, Any]:
    """Return the plan as plain data."""
    section = study.section("plan", KINDS)
    if section is None:
        return {}
    for kind in section.members:
        _check(section, section.members[kind], tasks)
    return {kind: node.data() for kind, node in section.members.items()}


def _check(section: Section, node: Node, tasks: Sequence[ReadTask]) -> None:
    if not isinstance(node.value, dict):
        for child in node.children():
            _check(section, child, tasks)
        return
    concerned = _concerned(section, node.value, tasks)
    dimensions = {key for task in concerned for key in task.dimension_keys()}
    fields = {column for task in concerned for column in task.columns}
    for key, child in node.value.items():
        if key in OF_DIMENSIONS:
            _check_names(section, child, dimensions, "a dimension")
        elif key in OF_FIELDS:
            _check_names(section, child, fields, "a column of an item table")
        elif key in NUMBERS:
            _check_number(section, key, child)
        else:
            _check(section, child, tasks)


def _concerned(
    section: Section, members: Mapping[str, Node], tasks: Sequence[ReadTask]
) -> Sequence[ReadTask]:
    """Return the tasks that an entry speaks of: the one it names, or all."""
    if "task" not in members:
        return tasks
    known = {task.definition.key: task for task in tasks}
    _check_names(section, members["task"], known, "a task")
    named = _names(members["task"])
    return [known[name] for name in named if name in known] or tasks


def _names(node: Node) -> list[str]:
    return [str(n.value) for n in (node.children() if isinstance(node.value, list) else [node])]


def _check_names(section: Section, node: Node, known: Any, what: str) -> None:
    for entry in node.children() if isinstance(node.value, list) else [node]:
        if not isinstance(entry.value, str):
            section.fault(entry, f"Here stands {entry.kind()}; the name of {what} is wanted.")
        elif entry.value not in known:
            near = nearest(entry.value, known)
            section.fault(entry, f"{shown(entry.value)} is not {what} of this study.{near}")


def _check_number(section: Section, key: str, node: Node) -> None:
    low, high = NUMBERS[key]
    value = node.data()
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not low <= value <= high:
        message = f"{shown(str(value))} is not a number from {low:g} to {high:g}."
        section.fault(node, message)
