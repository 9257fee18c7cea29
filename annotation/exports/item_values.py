"""The judgments without whose they are: how many people gave each value to each item."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from annotation.exports.answers import ReleasedAnswer
from annotation.exports.columns import Column, Row, Table
from annotation.exports.items import ITEM_ID, ITEM_TASK, TO_ITEMS
from annotation.exports.judgments import JUDGMENTS

_SHARED: Final = {column.name: column for column in JUDGMENTS.declared}
ITEM_VALUES: Final = Table(
    "item_values",
    "One row a value that people gave to an item, by item, dimension, value. Which of them were the "
    "same person's is not told.",
    (
        ITEM_ID,
        ITEM_TASK,
        *(_SHARED[name] for name in ("dimension", "scale", "value", "missing")),
        Column(
            "people",
            "integer",
            "How many people of the analysis gave it.",
            ("Answer.values",),
            level="interval",
            minimum=1,
            made="counted",
        ),
    ),
    refers=(TO_ITEMS,),
)


def item_value_rows(answers: Sequence[ReleasedAnswer]) -> Iterator[Row]:
    """Yield the counts of some items, of which all answers are given."""
    counts = Counter(
        (one.item.key, one.item.task, *row) for one in answers for row in one.cells.long
    )
    names = [column.name for column in ITEM_VALUES.declared]
    for cells, people in sorted(counts.items(), key=lambda pair: list(map(str, pair[0]))):
        yield dict(zip(names, (*cells, people), strict=True))
