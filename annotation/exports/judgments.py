"""The analytic sample as rows: long (one a dimension), wide (one an answer), and preferences."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotation.exports.columns import Cell, Column, Reference, Row, Table, options
from annotation.exports.dimensions import (
    KEY_COLUMNS,
    NOTHING_CHOSEN,
    StudyDimension,
    allowed_values,
    study_dimensions,
    wide_columns,
)
from annotation.exports.items import ITEM_ID, ITEM_TASK, TO_ITEMS, item_keys
from annotation.exports.people import ANNOTATOR, TO_ANNOTATORS, People, form_numbers
from annotation.models import Answer, InstrumentVersion, Study
from annotation.selectors.judgments import answer_judgments, counted_answers
from annotation.selectors.studies import study_definition
from annotation.tasktypes.base import Comparison, Judgment
from annotation.tasktypes.instrument import Scale

ITEMS_AT_ONCE = 400
VERSION_DIGITS = 12
SIDES = (1, 2)
CONFIDENCE = "confidence"
CHOSEN = "chosen options and numbers only; what was typed stays behind"

_SECONDS = "Rounded to a tenth of a second."

JUDGMENTS = Table(
    "judgments",
    "One row a dimension of each answer in the analysis, by item, annotator, dimension.",
    (
        ITEM_ID,
        ITEM_TASK,
        ANNOTATOR,
        Column(
            "form",
            "integer",
            "Which of the person's finished forms: 1 for the first.",
            ("Claim.claimed_at",),
            level="ordinal",
            minimum=1,
            made="order within the person only",
        ),
        Column(
            "position",
            "integer",
            "Where the item stood in the form; attention checks take a place too.",
            ("Assignment.position",),
            level="ordinal",
            minimum=1,
        ),
        Column(
            "dimension",
            "text",
            "What was asked: `dimensions` in codebook.json.",
            ("InstrumentVersion.document",),
            level="nominal",
        ),
        Column(
            "scale",
            "text",
            "The level of measurement of the dimension.",
            ("InstrumentVersion.document",),
            level="nominal",
            values=options(
                nominal="options without an order",
                ordinal="options in an order",
                interval="a number",
                multiple="several options, joined by |; none where nothing was chosen",
            ),
        ),
        Column(
            "value",
            "text",
            "The answer: the value of an option, or a number. What it stands for is told by the "
            "dimension's column in judgments_wide.",
            ("Answer.values",),
            missing="empty: there is no value, and `missing` says why",
            made=CHOSEN,
        ),
        Column(
            "missing",
            "text",
            "Why there is no value, such as `left empty` or `undecided`.",
            ("Answer.values",),
            level="nominal",
            missing="empty: there is a value",
            made=CHOSEN,
        ),
        Column(
            "active_seconds",
            "number",
            f"How long the page was in view and in use. {_SECONDS}",
            ("Answer.active_seconds",),
            level="interval",
            minimum=0,
            missing="empty: not known, since the browser ran no scripts",
        ),
        Column(
            "server_seconds",
            "number",
            f"From the first showing of the page to the answer, pauses included. {_SECONDS}",
            ("Answer.server_seconds",),
            level="interval",
            minimum=0,
        ),
        Column(
            "order_shown",
            "text",
            "In which order the item's alternatives stood, such as 2|1 for the second first.",
            ("Assignment.presentation",),
            level="nominal",
            missing="empty: the item has no alternatives",
        ),
        Column(
            "instrument_version",
            "text",
            f"The first {VERSION_DIGITS} digits of the SHA-256 of the questions: instruments.json.",
            ("InstrumentVersion.sha256",),
            level="nominal",
        ),
    ),
    key=("item_id", "annotator", "dimension"),
    refers=(TO_ITEMS, TO_ANNOTATORS),
)

PREFERENCES = Table(
    "preferences",
    "One row a comparison of two conditions of which one ranks higher.",
    (
        Column("pair_id", "text", "The item.", ("Item.key",), level="nominal"),
        ANNOTATOR,
        Column(
            "preferred",
            "text",
            "Which condition's response was preferred.",
            ("Answer.values",),
            level="nominal",
            values=options(higher="the higher", lower="the lower", tie="neither"),
            made=CHOSEN,
        ),
        Column(
            "shown_first",
            "integer",
            "Whether the response of the higher condition stood first.",
            ("Assignment.presentation",),
            level="nominal",
            values=options(**{"1": "it did", "0": "the other did"}),
        ),
        Column(
            "confidence",
            "text",
            "How sure the person was, where it was asked.",
            ("Answer.values",),
            level="ordinal",
            missing="empty: not asked, or left empty",
            made=CHOSEN,
        ),
    ),
    key=("pair_id", "annotator"),
    refers=(Reference("pair_id", "items", "item_id"), TO_ANNOTATORS),
)


@dataclass(frozen=True, slots=True)
class ReleasedAnswer:
    """An answer of the analytic sample with all that its rows need."""

    answer: Answer
    annotator: str
    form: int
    version: str
    judgments: tuple[Judgment, ...]


def released_answers(study: Study, people: People) -> Iterator[ReleasedAnswer]:
    """Yield the analytic sample by item and person, some items at a time.

    Sorted here and not by the database, whose collation may be anything.
    """
    definition = study_definition(study)
    forms, versions = form_numbers(study), _versions(study)
    keys = item_keys(study)
    for start in range(0, len(keys), ITEMS_AT_ONCE):
        chunk = [pk for _, pk in keys[start : start + ITEMS_AT_ONCE]]
        found = [
            ReleasedAnswer(
                answer=answer,
                annotator=people.names[answer.assignment.annotator_id],
                form=forms[answer.assignment.claim_id],
                version=versions[answer.instrument_id],
                judgments=tuple(answer_judgments(answer, definition)),
            )
            for answer in counted_answers(study).filter(assignment__item__in=chunk)
            if answer.assignment.annotator_id in people and answer.assignment.claim_id in forms
        ]
        yield from sorted(found, key=lambda one: (one.answer.assignment.item.key, one.annotator))


class JudgmentRows:
    """Turns answers into the rows of the three tables of one study."""

    def __init__(self, study: Study) -> None:
        definition = study_definition(study)
        self._dimensions = {d.key: d for d in study_dimensions(definition)}
        self._wide = wide_columns(tuple(self._dimensions.values()))
        self._higher = {task.key: task.higher for task in definition.tasks if task.higher}

    @property
    def compares(self) -> bool:
        """Whether the study ranks conditions."""
        return bool(self._higher)

    def wide_table(self) -> Table:
        """Return the wide table of the study."""
        return Table(
            "judgments_wide",
            "One row an answer in the analysis, one column a dimension.",
            (ITEM_ID, ANNOTATOR, *(_wide_column(n, d) for n, d in self._wide.items())),
            key=KEY_COLUMNS,
            refers=(TO_ITEMS, TO_ANNOTATORS),
        )

    def of(self, one: ReleasedAnswer) -> tuple[Iterable[Row], ...]:
        """Return the rows of an answer, a table each: long, wide, preferences."""
        ranked = (self.preferences(one),) if self.compares else ()
        return (self.long(one), [self.wide(one)], *ranked)

    def long(self, one: ReleasedAnswer) -> list[Row]:
        """Return one row a dimension."""
        screen = one.answer.assignment
        shared: dict[str, Cell] = {
            "item_id": screen.item.key,
            "task": screen.item.task,
            "annotator": one.annotator,
            "form": one.form,
            "position": screen.position,
            "active_seconds": _tenths(one.answer.active_seconds),
            "server_seconds": _tenths(one.answer.server_seconds),
            "order_shown": "|".join(str(n) for n in screen.presentation["order"]) or None,
            "instrument_version": one.version,
        }
        rows: list[Row] = [
            shared
            | {
                "dimension": judgment.dimension,
                "scale": judgment.scale.value,
                "value": released_value(judgment),
                "missing": judgment.missing or None,
            }
            for judgment in self._chosen(one)
        ]
        return sorted(rows, key=lambda row: str(row["dimension"]))

    def wide(self, one: ReleasedAnswer) -> Row:
        """Return the one row of an answer."""
        row: dict[str, Cell] = dict.fromkeys(self._wide)
        row |= {"item_id": one.answer.assignment.item.key, "annotator": one.annotator}
        for judgment in self._chosen(one):
            row[self._dimension(one, judgment).column] = released_value(judgment)
        return row

    def preferences(self, one: ReleasedAnswer) -> Iterator[Row]:
        """Yield the preference between conditions, if the answer states one or a tie."""
        item = one.answer.assignment.item
        comparison = self._higher.get(item.task)
        stated = [j for j in one.judgments if self._dimension(one, j).derived]
        higher = None if comparison is None else _higher_side(item.fields, comparison)
        if higher is None or not stated:
            return
        first = one.answer.assignment.presentation["order"][0]
        confidence = [j for j in self._chosen(one) if j.dimension == CONFIDENCE]
        yield {
            "pair_id": item.key,
            "annotator": one.annotator,
            "preferred": stated[0].value or "tie",
            "shown_first": int(first == higher),
            "confidence": released_value(confidence[0]) if confidence else None,
        }

    def _chosen(self, one: ReleasedAnswer) -> list[Judgment]:
        return [j for j in one.judgments if not self._dimension(one, j).typed]

    def _dimension(self, one: ReleasedAnswer, judgment: Judgment) -> StudyDimension:
        return self._dimensions[one.answer.assignment.item.task, judgment.dimension]


def released_value(judgment: Judgment) -> Cell:
    """Return a judgment's value; a choice of several in which nothing was chosen says so."""
    if judgment.scale is Scale.MULTIPLE and judgment.value == "":
        return NOTHING_CHOSEN.value
    return judgment.value


def _wide_column(name: str, known: StudyDimension) -> Column:
    dimension = known.dimension
    listed = f" Option n is entry n of the item's {dimension.options_from}."
    return Column(
        name=name,
        type="number" if dimension.scale is Scale.INTERVAL else "text",
        description=dimension.ask + (listed if dimension.options_from else ""),
        sources=("Answer.values",),
        level=dimension.scale.value,
        values=allowed_values(dimension),
        minimum=dimension.minimum,
        maximum=dimension.maximum,
        missing="empty: not rated",
        made=CHOSEN,
    )


def _higher_side(fields: Mapping[str, object], comparison: Comparison) -> int | None:
    """Return which alternative has the higher condition; None where they cannot be ranked."""
    conditions = [str(fields.get(f"{comparison.field}_{n}", "")) for n in SIDES]
    if conditions[0] == conditions[1] or not set(conditions) <= set(comparison.order):
        return None
    ranks = [comparison.order.index(condition) for condition in conditions]
    return SIDES[ranks.index(max(ranks))]


def _versions(study: Study) -> dict[int, str]:
    versions = InstrumentVersion.objects.filter(study=study).values_list("pk", "sha256")
    return {pk: sha256[:VERSION_DIGITS] for pk, sha256 in versions}


def _tenths(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)


def typed_dimensions(dimensions: Sequence[StudyDimension]) -> list[str]:
    """Return the dimensions that hold what people typed, by task and key."""
    return [f"{d.task}.{d.dimension.key}" for d in dimensions if d.typed]
