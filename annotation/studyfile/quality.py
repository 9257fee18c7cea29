"""`quality:` — the rules of the funnel, in order."""

from collections.abc import Sequence

from annotation.studyfile.definition import AttentionCheck, QualityRule
from annotation.studyfile.section import Section
from annotation.studyfile.tasks import StudyTasks
from annotation.studyfile.wording import shown

# The one parameter of each rule: from which count, or below which time, it excludes.
PARAMETERS = {
    "attention": "failed",
    "contradiction": "at_least",
    "hasty": "faster_than_seconds",
}
UNITS = ("annotator", "judgment")
AN_HOUR_IN_SECONDS = 3600


def read_quality(
    study: Section, attention: Sequence[AttentionCheck], tasks: StudyTasks
) -> tuple[QualityRule, ...]:
    """Read the rules; each is of a known kind and says what it excludes and from when."""
    rules: list[QualityRule] = []
    everything = ("rule", "exclude", *PARAMETERS.values())
    for node in study.entries("quality"):
        kind = node.value.get("rule") if isinstance(node.value, dict) else None
        name = kind.value if kind is not None and isinstance(kind.value, str) else ""
        own = ("rule", "exclude", PARAMETERS[name]) if name in PARAMETERS else everything
        section = study.inner(node, own)
        rule = _rule(section)
        if (rule.rule, rule.exclude) in [(r.rule, r.exclude) for r in rules]:
            section.fault(node, f"The rule {shown(rule.rule)} stands twice for this unit.")
        _warn_idle(section, rule, attention, tasks)
        rules.append(rule)
    return tuple(rules)


def _rule(section: Section) -> QualityRule:
    name = section.choice("rule", PARAMETERS)
    unit = section.choice("exclude", UNITS)
    if name not in PARAMETERS:
        return QualityRule(name, unit)
    parameter = PARAMETERS[name]
    if name == "hasty":
        return QualityRule(name, unit, {parameter: _seconds(section, parameter)})
    return QualityRule(name, unit, {parameter: section.whole(parameter, low=1)})


def _seconds(section: Section, key: str) -> int | float:
    if not section.has(key):
        section.fault_at(key, f"{shown(key)} is missing.")
        return 0
    seconds = section.number(key)
    if seconds is not None and not 0 < seconds <= AN_HOUR_IN_SECONDS:
        message = f"A time above 0 and at most {AN_HOUR_IN_SECONDS:,} seconds is wanted."
        section.fault_at(key, message)
    seconds = seconds or 0
    return int(seconds) if seconds == int(seconds) else seconds


def _warn_idle(
    section: Section,
    rule: QualityRule,
    attention: Sequence[AttentionCheck],
    tasks: StudyTasks,
) -> None:
    if rule.rule == "attention" and not attention:
        section.warn_at("rule", "The study has no attention check, so nothing can fail it.")
    if rule.rule == "contradiction" and not any(t.definition.contradictions for t in tasks.read):
        section.warn_at("rule", "No task has contradictions, so nothing can be found by it.")
    failed = rule.parameters.get("failed", 0)
    if attention and failed > len(attention):
        message = f"A form has {len(attention)} checks; {failed} failures need several forms."
        section.warn_at("failed", message)
