"""The table of typed texts: those that a person has read and let go, as they were let go."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from annotation.exports.columns import Column, Row, Table
from annotation.exports.items import ITEM_ID, TO_ITEMS
from annotation.exports.people import ANNOTATOR, TO_ANNOTATORS, People
from annotation.models import TextReview
from annotation.selectors.texts import TextCounts, TypedText

NAME: Final = "texts"
LEAVES: Final = frozenset({TextReview.Decision.ACCEPTED, TextReview.Decision.EDITED})
TEXTS: Final = Table(
    NAME,
    "One row a typed text that a person has read and let go. Texts that were held back or that nobody "
    "has read are not here: release.json counts them.",
    (
        ITEM_ID,
        ANNOTATOR,
        Column(
            "dimension",
            "text",
            "What was asked: `dimensions` in codebook.json.",
            ("InstrumentVersion.document",),
            level="nominal",
        ),
        Column(
            "text",
            "text",
            "What was typed. What could tell who typed it is replaced by its kind, as in "
            "[e-mail address], or put in other words by the reader.",
            ("TextReview.text",),
            made="read by a person; identifying parts taken out or put in other words",
        ),
    ),
    key=("item_id", "annotator", "dimension"),
    refers=(TO_ITEMS, TO_ANNOTATORS),
)


def text_rows(texts: Sequence[TypedText], people: People) -> Iterator[Row]:
    """Yield what leaves, by item, name and dimension."""
    rows: list[dict[str, str | int | float | bool | list[str] | None]] = [
        {
            "item_id": one.item,
            "annotator": people.names[one.annotator],
            "dimension": one.dimension,
            "text": one.review.text,
        }
        for one in texts
        if one.review and one.state in LEAVES and one.annotator in people
    ]
    yield from sorted(rows, key=lambda row: [str(row[name]) for name in TEXTS.key])


def said_of_texts(counts: TextCounts | None) -> dict[str, Any]:
    """Return what the manifest says; null where all typed texts stay behind."""
    return {"texts": counts.as_dict() if counts else None}


def told_of_texts(said: Mapping[str, Any]) -> str:
    """Say in a sentence what became of typed texts, from what the manifest says of them."""
    texts = said["texts"]
    if texts is None:
        return "What people typed stays behind."
    return (
        f"Of {texts['typed']:,} typed texts, {texts['released']:,} were read by a person and are here; "
        f"{texts['held_back']:,} were held back, and {texts['unreviewed']:,} that nobody has read "
        "stay behind."
    )


def told_of_redacted(count: int) -> str:
    """Say in a sentence what was taken out of rows and documents that leave."""
    return (
        "Reasons for an exclusion that a person wrote, and completion codes in what people read, "
        f"were taken out: {count:,}."
    )
