"""What was left out, and the way from all who came to the analysis."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from annotation.exports.columns import Cell, Column, Row, Table, options
from annotation.exports.items import TO_ITEMS
from annotation.exports.people import ANNOTATOR, TO_ANNOTATORS, People
from annotation.models import Exclusion, Study
from annotation.quality.funnel import Funnel
from annotation.services.exclusions import BY_HAND

BY_RULE = "rule"
_COUNTED = "counted"

EXCLUSIONS = Table(
    "exclusions",
    "One row an exclusion, by a rule of the study or by a person; also those taken back.",
    (
        Column(
            "unit",
            "text",
            "What is left out.",
            ("Exclusion.unit",),
            level="nominal",
            values=options(annotator="all of a person", judgment="one answer"),
            of_person=True,
        ),
        ANNOTATOR,
        Column(
            "item_id",
            "text",
            "Of one answer: the item.",
            ("Item.key",),
            level="nominal",
            missing="empty: all of the person is left out",
        ),
        Column(
            "rule",
            "text",
            "The rule, or by_hand.",
            ("Exclusion.rule",),
            level="nominal",
            of_person=True,
        ),
        Column(
            "rule_version",
            "text",
            "The rule as it was applied: its version, its unit, its parameter.",
            ("Exclusion.rule_version",),
            level="nominal",
            of_person=True,
        ),
        Column(
            "reason",
            "text",
            "What the rule found.",
            ("Exclusion.reason",),
            missing="empty: a person wrote it, and what is written by hand stays behind",
            made="by rules only",
            of_person=True,
        ),
        Column(
            "by",
            "text",
            "Who left it out.",
            ("Exclusion.author",),
            level="nominal",
            values=options(rule="a rule of the study", person="a person"),
            made="names left out",
            of_person=True,
        ),
        Column(
            "revoked",
            "boolean",
            "Whether a person took it back.",
            ("ExclusionRevocation.exclusion",),
            level="nominal",
            values=options(true="taken back", false="stands"),
            made="whether there is one",
            of_person=True,
        ),
    ),
    refers=(TO_ITEMS, TO_ANNOTATORS),
)


def _count(name: str, description: str) -> Column:
    return Column(
        name, "integer", description, ("Answer.assignment",), "interval", minimum=0, made=_COUNTED
    )


FUNNEL = Table(
    "funnel",
    "One row a step from all who came to the analysis, in order.",
    (
        Column("stage", "text", "The step.", ("Exclusion.rule",), level="nominal"),
        Column(
            "rule_version",
            "text",
            "The rule as it was applied.",
            ("Exclusion.rule_version",),
            level="nominal",
            missing="empty: the step is no rule",
        ),
        _count("removed_annotators", "People who leave here."),
        _count("removed_judgments", "Answers that leave here, with their people or alone."),
        _count("left_annotators", "People who are left."),
        _count("left_judgments", "Answers that are left."),
    ),
)


@dataclass(slots=True)
class ExclusionRows:
    """The exclusions of a study; counts the reasons that it withholds."""

    study: Study
    people: People
    withheld: int = 0

    def rows(self) -> Iterator[Row]:
        """Yield the exclusions, in an order that tells nothing."""
        found = Exclusion.objects.filter(study=self.study).select_related(
            "revocation", "answer__assignment__item"
        )
        rows = [
            self._row(exclusion) for exclusion in found if exclusion.annotator_id in self.people
        ]
        self.withheld = sum(1 for row in rows if row["reason"] is None)
        yield from sorted(rows, key=lambda row: [str(cell) for cell in row.values()])

    def _row(self, exclusion: Exclusion) -> dict[str, Cell]:
        answer = exclusion.answer
        by_rule = exclusion.author == BY_RULE and exclusion.rule != BY_HAND
        return {
            "unit": exclusion.unit,
            "annotator": self.people.names[exclusion.annotator_id],
            "item_id": None if answer is None else answer.assignment.item.key,
            "rule": exclusion.rule,
            "rule_version": exclusion.rule_version,
            "reason": exclusion.reason if by_rule else None,
            "by": "rule" if by_rule else "person",
            "revoked": hasattr(exclusion, "revocation"),
        }


def funnel_rows(funnel: Funnel) -> Iterator[Row]:
    """Yield the steps."""
    for stage in funnel.stages:
        yield asdict(stage) | {"rule_version": stage.rule}
