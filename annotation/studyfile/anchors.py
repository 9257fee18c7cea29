"""`assignment.anchors` — the items that stand on every form, checked against all that hinders it."""

from collections import Counter
from collections.abc import Iterator, Sequence

from annotation.studyfile.assignment import KEYS
from annotation.studyfile.definition import (
    ANCHOR_MARKS,
    NO_ANCHOR_MARKS,
    AssignmentRules,
    ItemRow,
    TaskDefinition,
)
from annotation.studyfile.section import Section
from annotation.studyfile.wording import shown


def check_anchors(study: Section, rules: AssignmentRules, tasks: Sequence[TaskDefinition]) -> None:
    """Tell why the anchors cannot stand on every form, if there are any."""
    section = study.section("assignment", KEYS)
    if section is None or not rules.anchors or study.findings.count:
        # Rows with faults were left out, and what they hold is unknown.
        return
    for fault in _faults(rules, tasks):
        section.fault_at("anchors", fault)
    if loose := _in_no_group(rules, tasks):
        section.fault_at("groups", loose)


def _faults(rules: AssignmentRules, tasks: Sequence[TaskDefinition]) -> Iterator[str]:
    items = [item for task in tasks for item in task.items]
    anchors = [item for item in items if rules.is_anchor(item.fields)]
    if unread := _unread(rules, items):
        yield unread
        return
    if rules.forms_per_annotator > 1:
        yield (
            "Anchors stand on every form, so nobody can do a second one; "
            "forms_per_annotator must be 1."
        )
    if not anchors:
        yield f"No item has 1 or true in {shown(rules.anchors)}, so no form would have an anchor."
    elif len(anchors) == len(items):
        yield "Every item is an anchor; the others decide how many forms there are."
    elif len(anchors) >= rules.form_size:
        yield f"{len(anchors)} anchors leave no place on a form of {rules.form_size}."
    yield from _crowded_tasks(rules, tasks)
    yield from _conflicts(rules, items)


def _unread(rules: AssignmentRules, items: Sequence[ItemRow]) -> str:
    for item in items:
        mark = rules.anchor_mark(item.fields)
        if mark not in (*ANCHOR_MARKS, *NO_ANCHOR_MARKS):
            return (
                f"The item {shown(item.id)} has {shown(mark)} in {shown(rules.anchors)}; "
                "1 or true marks an anchor, 0 or false none."
            )
    return ""


def _in_no_group(rules: AssignmentRules, tasks: Sequence[TaskDefinition]) -> str:
    for item in (item for task in tasks for item in task.items if rules.groups):
        if not rules.group_of(item.fields) and not rules.is_anchor(item.fields):
            return (
                f"The item {shown(item.id)} is no anchor and has nothing in {shown(rules.groups)}; "
                "say which group judges it."
            )
    return ""


def _crowded_tasks(rules: AssignmentRules, tasks: Sequence[TaskDefinition]) -> Iterator[str]:
    for task in tasks:
        marked = sum(rules.is_anchor(item.fields) for item in task.items)
        needed = marked + (marked < len(task.items))
        if rules.mix is not None and marked and needed > rules.mix.get(task.key, 0):
            yield (
                f"The mix has {rules.mix.get(task.key, 0)} places of {shown(task.key)}; its "
                f"{marked} anchors and the other items need {needed} at least."
            )


def _conflicts(rules: AssignmentRules, items: Sequence[ItemRow]) -> Iterator[str]:
    for field in rules.conflict:
        crowd = Counter(str(item.fields[field]) for item in items if field in item.fields)
        for item in items:
            value = str(item.fields.get(field, ""))
            if rules.is_anchor(item.fields) and crowd[value] > 1:
                yield (
                    f"The anchor {shown(item.id)} shares {field} {shown(value)} with another item, "
                    "and one person would see both."
                )
