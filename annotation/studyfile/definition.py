"""A validated study, as read from its folder; frozen, and pure of the database."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from annotation.tasktypes.base import Comparison
from annotation.tasktypes.instrument import Dimension

# What the field of an item holds whose item stands on every form, or not.
ANCHOR_MARKS = ("1", "true")
NO_ANCHOR_MARKS = ("", "0", "false")


@dataclass(frozen=True, slots=True)
class EligibilityQuestion:
    """A question before the work; an answer outside `accept` screens the person out."""

    key: str
    ask: str
    accept: tuple[str, ...]
    options: tuple[str, ...] = ("yes", "no")


@dataclass(frozen=True, slots=True)
class PaymentRules:
    """What a person is owed, as it is written; an empty amount was not agreed beforehand."""

    currency: str
    complete: str
    screened_out: str = ""
    # For who stopped or ran out of time after having answered something, if somebody approves it.
    partial: str = ""
    # What the platform takes on top.
    fee_percent: str = ""
    # How long the platform says it takes; its rules on rejection hang on that.
    minutes: int | None = None


@dataclass(frozen=True, slots=True)
class Demographic:
    """A question about the person that may be skipped, and the levels at which the answer leaves.

    A number leaves as the band that it is in, a choice as its option; where that is too rare, bands
    are joined in twos, options by `merge`.
    """

    key: str
    ask: str
    kind: str
    options: tuple[str, ...] = ()
    bands: tuple[int, ...] = ()
    merge: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sensitive: bool = False

    @property
    def levels(self) -> int:
        """Return how many levels there are, the finest included."""
        if self.kind == "number":
            return len(self.bands).bit_length()
        return 2 if self.merge else 1

    def labels(self, level: int) -> tuple[str, ...]:
        """Return the values that a level has, in order."""
        if self.kind == "number":
            return _band_labels(self._cuts(level))
        merged = [self.coarsened(option, level) for option in self.options]
        return tuple(dict.fromkeys(merged))

    def coarsened(self, answer: str, level: int) -> str:
        """Return an answer at a level, 0 the finest; what was skipped stays empty."""
        if not answer or level >= self.levels:
            return ""
        if self.kind == "number":
            cuts = self._cuts(level)
            return _band_labels(cuts)[sum(int(answer) >= cut for cut in cuts)]
        groups = self.merge.items() if level else ()
        return next((name for name, members in groups if answer in members), answer)

    def _cuts(self, level: int) -> tuple[int, ...]:
        cuts = self.bands
        for _ in range(level):
            cuts = cuts[1::2]
        return cuts


def _band_labels(cuts: tuple[int, ...]) -> tuple[str, ...]:
    between = [f"{low}-{high - 1}" for low, high in pairwise(cuts)]
    return (f"under {cuts[0]}", *between, f"{cuts[-1]} or more")


@dataclass(frozen=True, slots=True)
class Recruitment:
    """Where people come from, how long they have, and the codes they leave with."""

    provider: str = "open"
    time_limit_minutes: int | None = None
    codes: Mapping[str, str] = field(default_factory=dict)
    eligibility: tuple[EligibilityQuestion, ...] = ()
    contact: str = ""
    demographics: tuple[Demographic, ...] = ()
    payment: PaymentRules | None = None
    # The platform's ids are deleted so many days after the study is closed and paid.
    unlink_days: int | None = None


@dataclass(frozen=True, slots=True)
class AssignmentRules:
    """How items are spread over forms and forms over people."""

    replication: int
    form_size: int
    conflict: tuple[str, ...] = ()
    balance: tuple[str, ...] = ()
    forms_per_annotator: int = 1
    mix: Mapping[str, int] | None = None
    # The item field that says which items stand on every form.
    anchors: str = ""
    # The item field whose values stand on forms of their own; only anchors stand on all.
    groups: str = ""

    def is_anchor(self, fields: Mapping[str, Any]) -> bool:
        """Whether an item with these fields stands on every form."""
        return bool(self.anchors) and self.anchor_mark(fields) in ANCHOR_MARKS

    def group_of(self, fields: Mapping[str, Any]) -> str:
        """Return the group whose forms an item with these fields stands on; "" where all are one."""
        return str(fields.get(self.groups, "")) if self.groups else ""

    def anchor_mark(self, fields: Mapping[str, Any]) -> str:
        """Return what an item's fields say of its being an anchor, as a table would write it."""
        mark = fields.get(self.anchors, "")
        return str(mark).lower() if isinstance(mark, bool) else str(mark)


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One item: all its fields as they stand in the table, and where they stand."""

    id: str
    fields: Mapping[str, Any]
    passage_id: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class TaskDefinition:
    """One task of a study: a task type, its instrument here, and its items."""

    key: str
    type: str
    hidden: tuple[str, ...]
    dimensions: tuple[Dimension, ...]
    contradictions: tuple[Mapping[str, tuple[str, ...]], ...] = ()
    higher: Comparison | None = None
    items: tuple[ItemRow, ...] = ()


@dataclass(frozen=True, slots=True)
class AttentionCheck:
    """A screen that asks for a stated answer; it stands at `position` and uses no slot."""

    position: int
    task: str
    dimension: str
    expect: str
    ask: str


@dataclass(frozen=True, slots=True)
class PracticeItem:
    """An item to try first, with what a careful reader answers and why."""

    task: str
    item: ItemRow
    expect: Mapping[str, str]
    feedback: str


@dataclass(frozen=True, slots=True)
class QualityRule:
    """One rule of the funnel; `parameters` are those of its kind (see `annotation.quality.rules`)."""

    rule: str
    exclude: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Passage:
    """A text that several items share."""

    text: str
    lang: str = ""


@dataclass(frozen=True, slots=True)
class Creator:
    """Who stands as an author of the archive."""

    name: str
    orcid: str = ""
    affiliation: str = ""


@dataclass(frozen=True, slots=True)
class Publication:
    """What only the researcher knows of the archive; empty where it was not said."""

    licence: str = ""
    creators: tuple[Creator, ...] = ()
    description: str = ""
    citation: str = ""
    version: str = ""
    url: str = ""
    country: str = ""
    pay_per_hour: str = ""
    # drop: what people typed stays behind; review: what a person has read leaves.
    free_text: str = "drop"


@dataclass(frozen=True, slots=True)
class StudyDefinition:
    """A study, with every default in its place; `annotation.studyfile` turns it into JSON and back."""

    slug: str
    title: str
    seed: int
    language: str
    consent: str
    instructions: str
    debrief: str
    recruitment: Recruitment
    assignment: AssignmentRules
    tasks: tuple[TaskDefinition, ...]
    passages: Mapping[str, Passage] = field(default_factory=dict)
    attention: tuple[AttentionCheck, ...] = ()
    practice: tuple[PracticeItem, ...] = ()
    quality: tuple[QualityRule, ...] = ()
    plan: Mapping[str, Any] = field(default_factory=dict)
    publication: Publication = field(default_factory=Publication)

    def task(self, key: str) -> TaskDefinition:
        """Return the task of that key."""
        return next(task for task in self.tasks if task.key == key)
