"""`dimensions:` and `extend:` — the questions of a task, read from YAML."""

from collections.abc import Mapping, Sequence

from annotation.studyfile.answers import value_fault
from annotation.studyfile.lint import personal_request
from annotation.studyfile.section import Section
from annotation.studyfile.wording import shown, similar
from annotation.studyfile.yaml_nodes import Node
from annotation.tasktypes.base import FieldKind, TaskType
from annotation.tasktypes.instrument import Dimension, Option, Scale

KEYS = (
    "key",
    "ask",
    "scale",
    "hint",
    "options",
    "options_from",
    "min",
    "max",
    "step",
    "required",
    "when",
    "only_if",
    "last",
    "once",
)
OPTION_KEYS = ("value", "label", "anchor", "shortcut")
CHOICES = (Scale.NOMINAL, Scale.ORDINAL, Scale.MULTIPLE)
# Joins the values of a choice of several in one cell of the released table.
JOINER = "|"
# How a rule speaks of a choice of several in which nothing was chosen.
NOTHING_CHOSEN = "none"


def read_instrument(task: Section, task_type: TaskType) -> tuple[Dimension, ...]:
    """Return the type's own questions, or those that replace them, and those that extend them."""
    own: list[Dimension] = list(task_type.instrument)
    added: list[Node] = []
    if isinstance(task.at("dimensions").value, dict):
        inner = task.inner(task.at("dimensions"), ("extend",))
        added += inner.entries("extend")
    elif task.has("dimensions"):
        own = []
        if not (added := task.entries("dimensions")):
            task.fault_at("dimensions", "The list is empty; leave it out for the type's own.")
    added = added + task.entries("extend")
    for node in added:
        _add(own, task.inner(node, KEYS), task_type)
    return tuple(own)


def _add(instrument: list[Dimension], section: Section, task_type: TaskType) -> None:
    dimension = _dimension(section, task_type)
    computed = {d.key for d in task_type.derived_dimensions()}
    if dimension.key in {d.key for d in instrument}:
        section.fault_at("key", f"The dimension {shown(dimension.key)} stands twice.")
    elif dimension.key in computed:
        message = f"{shown(dimension.key)} is computed by the task type; choose another key."
        section.fault_at("key", message)
    elif fault := task_type.fault_of(dimension):
        section.fault_at("key", fault)
    _check_when(section, dimension, instrument)
    instrument.append(dimension)


def _dimension(section: Section, task_type: TaskType) -> Dimension:
    known = [scale.value for scale in Scale]
    word = section.choice("scale", known)
    scale = Scale(word) if word in known else Scale.TEXT
    low, high, step = _bounds(section, scale) if word in known else (None, None, None)
    dimension = Dimension(
        key=section.name("key"),
        ask=section.text("ask"),
        scale=scale,
        hint=section.text("hint", ""),
        options=_options(section, scale) if word in known else (),
        options_from=_item_field(section, "options_from", task_type, (FieldKind.TEXTS,)),
        minimum=low,
        maximum=high,
        step=step,
        required=section.flag("required", default=True),
        when=read_values(section, "when"),
        only_if=_item_field(section, "only_if", task_type, tuple(FieldKind)),
        last=section.flag("last", default=False),
        once=section.flag("once", default=False),
    )
    for key in ("ask", "hint"):
        if asked := personal_request(getattr(dimension, key)):
            section.warn_at(key, asked)
    return dimension


def _bounds(section: Section, scale: Scale) -> tuple[float | None, float | None, float | None]:
    if scale is not Scale.INTERVAL:
        for key in ("min", "max", "step"):
            if section.has(key):
                section.fault_at(key, f"Only an interval scale has {shown(key)}.")
        return None, None, None
    for key in ("min", "max"):
        if not section.has(key):
            section.fault_at(key, f"An interval scale needs {shown(key)}.")
    low, high, step = (section.number(key) for key in ("min", "max", "step"))
    if low is not None and high is not None and low >= high:
        section.fault_at("max", f"The highest value {high:g} is not above the lowest, {low:g}.")
    elif step is not None and not 0 < step <= (high or 0) - (low or 0):
        section.fault_at("step", f"A step of {step:g} does not fit the scale.")
    return low, high, step


def _options(section: Section, scale: Scale) -> tuple[Option, ...]:
    if scale not in CHOICES:
        for key in ("options", "options_from"):
            if section.has(key):
                message = f"A dimension of scale {shown(scale.value)} has no {shown(key)}."
                section.fault_at(key, message)
        return ()
    if section.has("options") == section.has("options_from"):
        message = f"A {scale.value} dimension has {shown('options')} or, from a list of the item, "
        section.fault_at("options", f"{message}{shown('options_from')}: one of the two.")
    found: list[Option] = []
    for node in section.entries("options"):
        option = _option(section, node)
        if option.value and option.value in [o.value for o in found]:
            section.fault(node, f"The option {shown(option.value)} stands twice.")
        if scale is Scale.MULTIPLE and (JOINER in option.value or option.value == NOTHING_CHOSEN):
            message = f"{shown(option.value)} cannot be one of several: a value is not "
            message += f"{shown(NOTHING_CHOSEN)} and has no {shown(JOINER)}."
            section.fault(node, message)
        found.append(option)
    least = 1 if scale is Scale.MULTIPLE else 2
    if section.has("options") and len(found) < least:
        section.fault_at("options", f"A {scale.value} scale needs at least {least} options.")
    return tuple(found)


def _option(section: Section, node: Node) -> Option:
    if isinstance(node.value, str):
        word = section.word(node)
        return Option(word, word)
    inner = section.inner(node, OPTION_KEYS)
    value = inner.text("value", limit=200)
    return Option(
        value,
        inner.text("label", value),
        inner.text("anchor", ""),
        inner.text("shortcut", "", limit=1),
    )


def _item_field(
    section: Section, key: str, task_type: TaskType, kinds: tuple[FieldKind, ...]
) -> str:
    if not section.has(key):
        return ""
    name = section.text(key)
    known = [f.name for f in task_type.fields if f.kind in kinds]
    if name and name not in known:
        a_list = " that is a list" if kinds == (FieldKind.TEXTS,) else ""
        message = f"{shown(name)} is not a field of this task type{a_list}.{similar(name, known)}"
        section.fault_at(key, message)
    return name


def read_values(section: Section, key: str) -> Mapping[str, tuple[str, ...]]:
    """Read a mapping of dimensions to a value or a list of values."""
    nodes = section.mapping(key)
    inner = section.inner(section.at(key), nodes) if nodes else section
    return {name: _one_or_more(inner, name, node) for name, node in nodes.items()}


def _one_or_more(section: Section, name: str, node: Node) -> tuple[str, ...]:
    if isinstance(node.value, list):
        words = tuple(section.words(name))
        if not words:
            section.fault(node, "The list is empty; name at least one value.")
        return words
    word = section.word(node)
    return (word,) if word else ()


def _check_when(section: Section, dimension: Dimension, earlier: Sequence[Dimension]) -> None:
    known = {d.key: d for d in earlier}
    for key, values in dimension.when.items():
        node = section.mapping("when")[key]
        if key not in known:
            message = f"{shown(key)} is not asked before {shown(dimension.key)}."
            section.fault(node, f"{message}{similar(key, known)}")
        elif known[key].scale not in CHOICES:
            message = f"{shown(key)} has no options: a condition can only look at a choice."
            section.fault(node, message)
        elif known[key].last and not dimension.last:
            section.fault(node, f"{shown(key)} is asked last, after {shown(dimension.key)}.")
        else:
            check_values(section, node, known[key], values)


def check_values(section: Section, node: Node, dimension: Dimension, values: Sequence[str]) -> None:
    """Note values that a rule looks for and the dimension cannot have."""
    for value in values:
        if dimension.scale is Scale.MULTIPLE and value == NOTHING_CHOSEN:
            continue
        if fault := value_fault(dimension, value):
            section.fault(node, fault)


def read_contradictions(
    task: Section, task_type: TaskType, instrument: Sequence[Dimension]
) -> tuple[Mapping[str, tuple[str, ...]], ...]:
    """Return the task's own rules, or those of its type that the instrument can meet."""
    known = {d.key: d for d in instrument}
    if not task.has("contradictions"):
        return tuple(rule for rule in task_type.contradictions if _possible(rule, known))
    rules = []
    for node in task.entries("contradictions"):
        keys = node.value if isinstance(node.value, dict) else {}
        inner = task.inner(node, keys)
        parts = {name: _one_or_more(inner, name, child) for name, child in keys.items()}
        for name, child in keys.items():
            if name in known:
                check_values(task, child, known[name], parts[name])
            else:
                message = f"{shown(name)} is not a dimension of this task."
                task.fault(child, f"{message}{similar(name, known)}")
        if len(parts) == 1:
            task.fault(node, "A contradiction is between at least two dimensions.")
        rules.append(parts)
    return tuple(rules)


def _possible(rule: Mapping[str, tuple[str, ...]], known: Mapping[str, Dimension]) -> bool:
    """Whether the instrument has the rule's dimensions, with the values it looks for."""
    return all(key in known and _takes(known[key], values) for key, values in rule.items())


def _takes(dimension: Dimension, values: Sequence[str]) -> bool:
    wanted = [v for v in values if not (dimension.scale is Scale.MULTIPLE and v == NOTHING_CHOSEN)]
    return all(not value_fault(dimension, value) for value in wanted)
