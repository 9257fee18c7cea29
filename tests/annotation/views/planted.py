"""One study a task type, with a mark in everything that an annotator must not see."""

from dataclasses import replace
from typing import Any

from annotation.studyfile.definition import (
    AssignmentRules,
    AttentionCheck,
    ItemRow,
    PracticeItem,
    Recruitment,
    StudyDefinition,
    TaskDefinition,
)
from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.base import Comparison
from annotation.tasktypes.instrument import Dimension, Scale
from tests.annotation.tasktypes.samples import PAIR, RUBRIC, TRACE, TRANSLATION

SAMPLES: dict[str, dict[str, Any]] = {
    "rubric": RUBRIC,
    "pair": PAIR,
    "trace": TRACE,
    "translation": TRANSLATION,
}
# Fields that a task type knows and does not show.
UNSHOWN = {"pair": ("condition_1", "condition_2"), "translation": ("answer",)}
# A study's own columns: what names, conditions and scores are kept under.
COLUMNS = ("zq_model", "zq_condition", "zq_score", "zq_judge", "zq_article")
ITEMS = 4
CODES = ("complete", "screened_out", "failed_attention", "no_consent")


def planted(kind: str, mark: str, *, expect: str) -> StudyDefinition:
    """Return a study of one type; everything hidden carries the mark, names too."""
    task_type = TASK_TYPES[kind]
    dimensions = (*task_type.instrument, GRADE)
    hidden = (*COLUMNS, *UNSHOWN.get(kind, ()))
    task = TaskDefinition(
        key="zq_task",
        type=kind,
        hidden=hidden,
        dimensions=dimensions,
        higher=Comparison("condition", (f"{mark}-condition_1", f"{mark}-condition_2"))
        if kind == "pair"
        else None,
        items=tuple(_item(kind, hidden, mark, f"zq_item_{n}", str(n)) for n in range(ITEMS)),
    )
    tried = _item(kind, hidden, mark, "zq_item_practice", "practice")
    return StudyDefinition(
        slug=f"planted-{expect}",
        title="A study",
        seed=5,
        language="en",
        consent="You may stop at any time.",
        instructions="Read, then judge.",
        debrief="Thank you.",
        recruitment=Recruitment(codes={name: f"{mark}-code-{name}" for name in CODES}),
        assignment=AssignmentRules(replication=1, form_size=ITEMS, conflict=("zq_article",)),
        tasks=(task,),
        attention=(AttentionCheck(2, task.key, GRADE.key, expect, "Please read this."),),
        practice=(
            PracticeItem(task.key, tried, {GRADE.key: "88"}, f"{mark}-feedback"),
            PracticeItem(
                task.key, replace(tried, id="zq_item_2nd"), {GRADE.key: "88"}, f"{mark}-second"
            ),
        ),
    )


GRADE = Dimension("grade", "Which grade?", Scale.INTERVAL, required=True, minimum=0, maximum=100)


def _item(kind: str, hidden: tuple[str, ...], mark: str, key: str, place: str) -> ItemRow:
    shown = {
        name: f"{value} ({place})" if isinstance(value, str) and "lang" not in name else value
        for name, value in SAMPLES[kind].items()
    }
    secret = {name: f"{mark}-{name}-{place}" for name in hidden}
    if "condition_1" in secret:
        secret |= {name: f"{mark}-{name}" for name in ("condition_1", "condition_2")}
    return ItemRow(id=key, fields=shown | secret)
