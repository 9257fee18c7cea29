"""From all who came to the analytic sample: counts that add up at every stage."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from operator import attrgetter
from typing import Any

from annotation.quality.records import AnnotatorRecord, JudgedItem
from annotation.quality.rules import Verdict, rule_version, verdicts


@dataclass(frozen=True, slots=True)
class DeclaredRule:
    """A rule as the study declares it."""

    rule: str
    exclude: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of the funnel; removed and left together are what the step before had left."""

    stage: str
    rule: str | None
    removed_annotators: int
    removed_judgments: int
    left_annotators: int
    left_judgments: int


@dataclass(frozen=True, slots=True)
class FunnelEnd:
    """The analytic sample in numbers."""

    annotators: int
    judgments: int
    items: int
    items_2plus: int
    records: int
    decisive: int


@dataclass(frozen=True, slots=True)
class Applied:
    """A rule with all that it leaves out."""

    rule: str
    version: str
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Funnel:
    """The stages, the end, and the verdicts of each rule in order."""

    stages: tuple[Stage, ...]
    final: FunnelEnd
    applied: tuple[Applied, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the part that is printed."""
        return {
            "stages": [asdict(stage) for stage in self.stages],
            "final": asdict(self.final),
        }


Revoked = Callable[[str, str, Verdict], bool]


def funnel(
    people: Sequence[AnnotatorRecord],
    rules: Sequence[DeclaredRule],
    *,
    revoked: Revoked,
    by_hand: Sequence[Verdict] = (),
) -> Funnel:
    """Take the sample through every stage in the declared order.

    A rule sees what the stages before it left. What a person revoked stays in; what was excluded by
    hand leaves last.
    """
    sample = list(people)
    stages = [_stage("arrived", None, sample, sample)]
    sample = _step(stages, "finished", None, sample, _finished(sample))
    applied = []
    for declared in rules:
        version = rule_version(declared.rule, declared.exclude, declared.parameters)
        found = [
            verdict
            for verdict in verdicts(declared.rule, declared.exclude, declared.parameters, sample)
            if not revoked(declared.rule, version, verdict)
        ]
        applied.append(Applied(declared.rule, version, tuple(found)))
        sample = _step(stages, declared.rule, version, sample, _without(sample, found))
    sample = _step(stages, "by_hand", None, sample, _without(sample, by_hand))
    return Funnel(tuple(stages), _end(sample), tuple(applied))


def _finished(people: Sequence[AnnotatorRecord]) -> list[AnnotatorRecord]:
    return [_keeping(person, attrgetter("finished")) for person in people if person.completed]


def _without(
    people: Sequence[AnnotatorRecord], left_out: Sequence[Verdict]
) -> list[AnnotatorRecord]:
    whole = {verdict.annotator for verdict in left_out if verdict.answer is None}
    single = {verdict.answer for verdict in left_out if verdict.answer is not None}
    touched = {verdict.annotator for verdict in left_out}
    return [
        _keeping(person, lambda one: one.key not in single) if person.key in touched else person
        for person in people
        if person.key not in whole
    ]


def _keeping(person: AnnotatorRecord, wanted: Callable[[JudgedItem], bool]) -> AnnotatorRecord:
    """Return the person with some of their judgments; as they are, if that is all."""
    kept = tuple(filter(wanted, person.judged))
    return person if len(kept) == len(person.judged) else replace(person, judged=kept)


def _step(
    stages: list[Stage],
    name: str,
    rule: str | None,
    before: list[AnnotatorRecord],
    after: list[AnnotatorRecord],
) -> list[AnnotatorRecord]:
    stages.append(_stage(name, rule, before, after))
    return after


def _stage(
    name: str, rule: str | None, before: list[AnnotatorRecord], after: list[AnnotatorRecord]
) -> Stage:
    return Stage(
        stage=name,
        rule=rule,
        removed_annotators=len(before) - len(after),
        removed_judgments=_judgments(before) - _judgments(after),
        left_annotators=len(after),
        left_judgments=_judgments(after),
    )


def _judgments(people: Sequence[AnnotatorRecord]) -> int:
    return sum(len(person.judged) for person in people)


def _end(people: Sequence[AnnotatorRecord]) -> FunnelEnd:
    judged = [one for person in people for one in person.judged]
    counts = Counter(map(attrgetter("item"), judged))
    return FunnelEnd(
        annotators=len(people),
        judgments=len(judged),
        items=len(counts),
        items_2plus=sum(1 for count in counts.values() if count > 1),
        records=sum(map(attrgetter("records"), judged)),
        decisive=sum(map(attrgetter("decisive"), judged)),
    )
