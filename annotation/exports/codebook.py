"""The codebook: every column of every table, itself included."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from annotation.exports.columns import Column, Row, Table
from annotation.exports.dimensions import StudyDimension

_FIELDS = {
    "table": "The table.",
    "column": "The column.",
    "type": "What its cells hold.",
    "level": "The level of measurement, where the column is measured.",
    "values": "What its cells can be, with what each stands for, where that can be listed.",
    "missing": "What an empty cell means.",
    "description": "What the column tells.",
    "made": "What was done to what is stored, where it does not leave as it is.",
}

CODEBOOK = Table(
    "codebook",
    "One row a column of a table.",
    tuple(
        Column(name, "text", description, ("Study.slug",), missing="empty: nothing to tell")
        for name, description in _FIELDS.items()
    ),
)


def codebook_rows(tables: Sequence[Table]) -> Iterator[Row]:
    """Yield the columns of all tables in order."""
    for table in tables:
        for column in table.columns:
            yield {
                "table": table.name,
                "column": column.name,
                "type": column.type,
                "level": column.level or None,
                "values": _values(column) or None,
                "missing": column.missing,
                "description": column.description,
                "made": column.made or None,
            }


def codebook_document(
    tables: Sequence[Table],
    dimensions: Sequence[StudyDimension],
    fields: Mapping[str, Mapping[str, object]],
) -> dict[str, Any]:
    """Return the codebook as data, with the dimensions and the fields of items that the tables hold."""
    return {
        "format": {
            "encoding": "UTF-8",
            "text": "as stored in .csv, .jsonl and .parquet; nothing is escaped there",
            "missing": "an empty cell in CSV, null in JSONL and Parquet",
            "spreadsheet": (
                "spreadsheet/….csv is for spreadsheet programs: a text that begins with = + - @ ' "
                "TAB CR or NUL has an apostrophe before it (take one off and it is exact again), "
                "what such programs cannot hold is U+FFFD, and a cell of 32,767 characters or more "
                "names the file in which its text lies"
            ),
        },
        "tables": [
            {
                "table": table.name,
                "description": table.description,
                "columns": [_column(column) for column in table.columns],
            }
            for table in tables
        ],
        "dimensions": [d.as_dict() for d in dimensions if not d.typed],
        "fields": {name: dict(told) for name, told in fields.items()},
    }


def _column(column: Column) -> dict[str, Any]:
    return {
        "column": column.name,
        "type": column.type,
        "level": column.level or None,
        "values": [_option(asdict(option)) for option in column.values],
        "minimum": column.minimum,
        "maximum": column.maximum,
        "missing": column.missing,
        "description": column.description,
        "made": column.made or None,
    }


def _option(option: dict[str, str]) -> dict[str, str]:
    return {key: option[key] for key in ("value", "label", "anchor")}


def _values(column: Column) -> str:
    """Return the allowed values as one cell that a person can read."""
    if column.values:
        return "; ".join(
            f"{o.value} = {o.label}" + (f" ({o.anchor})" if o.anchor else "") for o in column.values
        )
    bounds = (("from", column.minimum), ("to", column.maximum))
    return " ".join(f"{word} {bound:g}" for word, bound in bounds if bound is not None)
