"""`plan:` — what will be computed. Free in its parameters, checked where it names the study's own."""

from collections.abc import Collection, Mapping
from typing import Any

from annotation.studyfile.section import Section
from annotation.studyfile.tasks import StudyTasks
from annotation.studyfile.wording import shown, similar
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
OF_FIELDS = ("automatic", "by", "score", "within", "groups", "anchors")
# Parameters that are numbers, with their bounds.
NUMBERS = {"threshold": (-1.0, 1.0), "bootstrap": (1.0, 1_000_000.0)}


def read_plan(study: Section, tasks: StudyTasks) -> Mapping[str, Any]:
    """Return the plan as plain data."""
    section = study.section("plan", KINDS)
    if section is None:
        return {}
    for kind in section.members:
        _check(section, section.members[kind], tasks)
    return {kind: node.data() for kind, node in section.members.items()}


def _check(section: Section, node: Node, tasks: StudyTasks) -> None:
    if not isinstance(node.value, dict):
        for child in node.children():
            _check(section, child, tasks)
        return
    concerned = _concerned(section, node.value, tasks)
    dimensions, fields = tasks.dimensions(concerned), tasks.columns(concerned)
    for key, child in node.value.items():
        if key in OF_DIMENSIONS:
            _check_names(section, child, dimensions, "a dimension")
        elif key in OF_FIELDS:
            _check_names(section, child, fields, "a column of an item table")
        elif key in NUMBERS:
            _check_number(section, key, child)
        else:
            _check(section, child, tasks)


def _concerned(section: Section, members: Mapping[str, Node], tasks: StudyTasks) -> Collection[str]:
    """Return the tasks that an entry speaks of: the one it names, or all."""
    if "task" not in members:
        return tasks.named
    _check_names(section, members["task"], tasks.named, "a task")
    return [str(node.value) for node in _names(members["task"]) if node.value in tasks.named]


def _names(node: Node) -> list[Node]:
    return list(node.children()) if isinstance(node.value, list) else [node]


def _check_names(section: Section, node: Node, known: Collection[str] | None, what: str) -> None:
    for entry in _names(node):
        if not isinstance(entry.value, str):
            section.fault(entry, f"Here stands {entry.kind()}; the name of {what} is wanted.")
        elif known is not None and entry.value not in known:
            near = similar(entry.value, known)
            section.fault(entry, f"{shown(entry.value)} is not {what} of this study.{near}")


def _check_number(section: Section, key: str, node: Node) -> None:
    low, high = NUMBERS[key]
    value = node.data()
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not low <= value <= high:
        message = f"{shown(str(value))} is not a number from {low:g} to {high:g}."
        section.fault(node, message)
