"""`assignment:` — how items are spread over forms, and forms over people."""

from collections.abc import Collection, Mapping, Sequence

from annotation.studyfile.definition import AssignmentRules, TaskDefinition
from annotation.studyfile.section import Section
from annotation.studyfile.wording import listed, shown, similar

KEYS = (
    "replication", "form_size", "conflict", "balance", "forms_per_annotator", "mix", "anchors",
    "groups",
)  # fmt: skip
MOST = 1000


def read_assignment(study: Section, task_keys: Collection[str]) -> AssignmentRules:
    """Read the section; how many judge an item, and how many items make a form, must be said."""
    section = study.section("assignment", KEYS)
    if section is None:
        study.fault_at("assignment", f"{shown('assignment')} is missing.")
        return AssignmentRules(1, 1)
    size = section.whole("form_size", low=1, high=MOST)
    return AssignmentRules(
        replication=section.whole("replication", low=1, high=MOST),
        form_size=size,
        conflict=tuple(section.words("conflict")),
        balance=tuple(section.words("balance")),
        forms_per_annotator=section.whole("forms_per_annotator", 1, low=1),
        mix=_mix(section, size, task_keys),
        anchors=section.text("anchors", ""),
        groups=section.text("groups", ""),
    )


def _mix(section: Section, size: int, task_keys: Collection[str]) -> Mapping[str, int] | None:
    if not section.has("mix"):
        return None
    nodes = section.mapping("mix")
    inner = section.inner(section.at("mix"), nodes)
    for key in nodes.keys() - set(task_keys):
        section.fault(nodes[key], f"{shown(key)} is not a task.{similar(key, task_keys)}")
    mix = {key: inner.whole(key, low=1, high=MOST) for key in nodes}
    if left_out := [key for key in task_keys if key not in mix]:
        message = f"The mix leaves out {listed(left_out)}, whose items no form would hold."
        section.fault_at("mix", message)
    if sum(mix.values()) != size:
        message = f"The mix adds up to {sum(mix.values())}; the form has {size} places."
        section.fault_at("mix", message)
    return mix


def check_fields(study: Section, columns: set[str] | None) -> None:
    """Check that what steers the assignment stands in at least one table.

    A field may be missing in some tables: a pair has no single `system` to balance.
    """
    section = study.section("assignment", KEYS)
    if section is None or columns is None:
        return
    for key in ("conflict", "balance"):
        for node in section.entries(key):
            if isinstance(node.value, str) and node.value not in columns:
                near = similar(node.value, columns)
                section.fault(node, f"No item table has a column {shown(node.value)}.{near}")
    for key in ("anchors", "groups"):
        field = section.text(key, "")
        if field and field not in columns:
            near = similar(field, columns)
            section.fault_at(key, f"No item table has a column {shown(field)}.{near}")
    if section.has("groups") and not section.has("anchors"):
        message = "Groups of people who share no anchors cannot be compared; name anchors too."
        section.fault_at("groups", message)


def check_sizes(study: Section, rules: AssignmentRules, tasks: Sequence[TaskDefinition]) -> None:
    """Warn where there are too few items to fill a form."""
    if study.findings.count:
        # Rows and tables with faults were left out, so this would count too few.
        return
    items = sum(len(task.items) for task in tasks)
    section = study.section("assignment", KEYS)
    if section is not None and items < rules.form_size:
        message = f"The study has {items} items: no form can have {rules.form_size} different ones."
        section.warn_at("form_size", message)
