"""The tables of the analytic sample: long (a row a dimension), wide (a row an answer), preferences."""

from collections.abc import Mapping, Sequence

from annotation.exports.columns import Column, Reference, Table, options
from annotation.exports.dimensions import KEY_COLUMNS, StudyDimension, allowed_values
from annotation.exports.items import ITEM_ID, ITEM_TASK, TO_ITEMS
from annotation.exports.people import ANNOTATOR, TO_ANNOTATORS
from annotation.tasktypes.instrument import Scale

VERSION_DIGITS = 12
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


def wide_table(columns: Mapping[str, StudyDimension]) -> Table:
    """Return the wide table of a study whose dimensions have these columns."""
    return Table(
        "judgments_wide",
        "One row an answer in the analysis, one column a dimension.",
        (ITEM_ID, ANNOTATOR, *(_wide_column(n, d) for n, d in columns.items())),
        key=KEY_COLUMNS,
        refers=(TO_ITEMS, TO_ANNOTATORS),
    )


def typed_dimensions(dimensions: Sequence[StudyDimension]) -> list[str]:
    """Return the dimensions that hold what people typed, by task and key."""
    return [f"{d.task}.{d.dimension.key}" for d in dimensions if d.typed]


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
