"""From all who came to the analytic sample: counts that add up at every stage."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
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
    parts: Iterable[Sequence[AnnotatorRecord]],
    rules: Sequence[DeclaredRule],
    *,
    revoked: Revoked,
    by_hand: Sequence[Verdict] = (),
) -> Funnel:
    """Take all people, of whom some at a time are held, through every stage in the declared order.

    A rule sees what the stages before it left. What a person revoked stays in; what was excluded by
    hand leaves last. Every rule looks at one person alone, so the parts add up; only items are met in
    several.
    """
    names = ["arrived", "finished", *(rule.rule for rule in rules), "by_hand"]
    tally = _Tally(
        versions=[rule_version(one.rule, one.exclude, one.parameters) for one in rules],
        counts=[_Counts() for _ in names],
        found=[[] for _ in rules],
    )
    hands: dict[int, list[Verdict]] = {}
    for verdict in by_hand:
        hands.setdefault(verdict.annotator, []).append(verdict)
    for people in parts:
        _take(tally, people, rules, revoked, hands)
    kinds = [None, None, *tally.versions, None]
    applied = (
        Applied(rule.rule, version, tuple(found))
        for rule, version, found in zip(rules, tally.versions, tally.found, strict=True)
    )
    return Funnel(tuple(_stages(names, kinds, tally.counts)), _end(tally), tuple(applied))


@dataclass(slots=True)
class _Counts:
    """Who and how much is left after a stage."""

    annotators: int = 0
    judgments: int = 0

    def add(self, people: Sequence[AnnotatorRecord]) -> None:
        self.annotators += len(people)
        self.judgments += sum(len(person.judged) for person in people)


@dataclass(slots=True)
class _Tally:
    """What the parts so far add up to."""

    versions: list[str]
    counts: list[_Counts]
    found: list[list[Verdict]]
    items: Counter[int] = field(default_factory=Counter)
    records: int = 0
    decisive: int = 0


def _take(
    tally: _Tally,
    people: Sequence[AnnotatorRecord],
    rules: Sequence[DeclaredRule],
    revoked: Revoked,
    hands: Mapping[int, Sequence[Verdict]],
) -> None:
    """Take some people through every stage."""
    arrived, done, *counts, last = tally.counts
    arrived.add(people)
    sample = _finished(people)
    done.add(sample)
    steps = zip(rules, tally.versions, tally.found, counts, strict=True)
    for declared, version, so_far, count in steps:
        found = [
            verdict
            for verdict in verdicts(declared.rule, declared.exclude, declared.parameters, sample)
            if not revoked(declared.rule, version, verdict)
        ]
        so_far.extend(found)
        sample = _without(sample, found)
        count.add(sample)
    sample = _without(sample, [one for person in sample for one in hands.get(person.key, ())])
    last.add(sample)
    judged = [one for person in sample for one in person.judged]
    tally.items.update(map(attrgetter("item"), judged))
    tally.records += sum(map(attrgetter("records"), judged))
    tally.decisive += sum(map(attrgetter("decisive"), judged))


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


def _stages(
    names: Sequence[str], rules: Sequence[str | None], counts: Sequence[_Counts]
) -> Iterator[Stage]:
    before = counts[0]
    for name, rule, after in zip(names, rules, counts, strict=True):
        yield Stage(
            stage=name,
            rule=rule,
            removed_annotators=before.annotators - after.annotators,
            removed_judgments=before.judgments - after.judgments,
            left_annotators=after.annotators,
            left_judgments=after.judgments,
        )
        before = after


def _end(tally: _Tally) -> FunnelEnd:
    last = tally.counts[-1]
    return FunnelEnd(
        annotators=last.annotators,
        judgments=last.judgments,
        items=len(tally.items),
        items_2plus=sum(1 for count in tally.items.values() if count > 1),
        records=tally.records,
        decisive=tally.decisive,
    )
