"""The rules a study may declare under `quality:`; each has a key and a version.

A rule names what it would leave out and why. It decides nothing about payment, and nothing is
deleted: an exclusion is a row that can be revoked.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from annotation.quality.records import AnnotatorRecord, JudgedItem


@dataclass(frozen=True, slots=True)
class Verdict:
    """One unit that a rule leaves out: an annotator, or (with `answer`) one judgment of theirs."""

    annotator: int
    answer: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class RuleKind:
    """A kind of rule: its parameter, its version, and what it says of one person."""

    parameter: str
    version: str
    judge: Callable[[AnnotatorRecord, str, float], Iterator[Verdict]]


def _attention(person: AnnotatorRecord, unit: str, failed: float) -> Iterator[Verdict]:
    if person.failed_checks >= failed:
        reason = f"failed {_times(person.failed_checks, 'attention check')}; {_exclude(failed)}"
        yield from _whole(person, unit, reason)


def _contradiction(person: AnnotatorRecord, unit: str, at_least: float) -> Iterator[Verdict]:
    if unit == "judgment":
        yield from (
            Verdict(person.key, one.key, f"{_times(one.contradictions, 'contradiction')} in it")
            for one in person.judged
            if one.contradictions >= at_least
        )
        return
    total = sum(one.contradictions for one in person.judged)
    if total >= at_least:
        reason = f"{_times(total, 'contradiction')} between answers; {_exclude(at_least)}"
        yield from _whole(person, unit, reason)


def _hasty(person: AnnotatorRecord, unit: str, seconds: float) -> Iterator[Verdict]:
    fast = [one for one in person.judged if one.seconds is not None and one.seconds < seconds]
    if unit == "judgment":
        yield from (Verdict(person.key, one.key, _in_seconds(one, seconds)) for one in fast)
    elif fast and len(fast) == len(person.judged):
        yield from _whole(person, unit, f"every judgment took less than {seconds:g} s")


def _whole(person: AnnotatorRecord, unit: str, reason: str) -> Iterator[Verdict]:
    if unit == "annotator":
        yield Verdict(person.key, None, reason)
        return
    yield from (Verdict(person.key, one.key, reason) for one in person.judged)


RULES: Final[Mapping[str, RuleKind]] = {
    "attention": RuleKind("failed", "1", _attention),
    "contradiction": RuleKind("at_least", "1", _contradiction),
    "hasty": RuleKind("faster_than_seconds", "1", _hasty),
}


def _exclude(bound: float) -> str:
    return f"{bound:g} exclude{'s' if bound == 1 else ''}"


def rule_version(rule: str, exclude: str, parameters: Mapping[str, Any]) -> str:
    """Return the name of a rule as it was applied: its version, its unit, its parameter."""
    kind = RULES[rule]
    return f"{kind.version}:{exclude}:{kind.parameter}={parameters[kind.parameter]:g}"


def verdicts(
    rule: str, exclude: str, parameters: Mapping[str, Any], people: Sequence[AnnotatorRecord]
) -> list[Verdict]:
    """Return all that one rule leaves out, person by person."""
    kind = RULES[rule]
    bound = float(parameters[kind.parameter])
    return [verdict for person in people for verdict in kind.judge(person, exclude, bound)]


def _times(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _in_seconds(one: JudgedItem, bound: float) -> str:
    return f"took {one.seconds or 0.0:.1f} s; less than {bound:g} s excludes"
