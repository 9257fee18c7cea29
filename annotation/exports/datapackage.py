"""`datapackage.json`: the tables with their schemas, as Frictionless Data Package describes them."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from annotation.exports.columns import NEVER_EMPTY, Column, Table, Type
from annotation.exports.facts import Facts
from annotation.exports.files import Written

TYPES: Final[dict[Type, str]] = {
    "text": "string",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "list": "array",
}
MEDIA_TYPES: Final = {
    "csv": "text/csv",
    "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
    "json": "application/json",
    "md": "text/markdown",
    "txt": "text/plain",
    "html": "text/html",
    "svg": "image/svg+xml",
}


def data_package(facts: Facts, tables: Iterable[Table], files: Iterable[Written]) -> dict[str, Any]:
    """Return the descriptor: each CSV with its schema, every other file by name and checksum.

    It has no `created`, which would have to be an exact time.
    """
    known = {f"{table.name}.csv": table for table in tables}
    present = {table.name for table in known.values()}
    document: dict[str, Any] = {
        "profile": "data-package",
        "name": facts.study.slug,
        "title": facts.study.title,
        "description": facts.description,
        "version": facts.version,
        "licenses": _licences(facts),
        "contributors": [
            {"title": one.name, "role": "author"}
            | ({"path": f"https://orcid.org/{one.orcid}"} if one.orcid else {})
            | ({"organization": one.affiliation} if one.affiliation else {})
            for one in facts.said.creators
        ],
        "homepage": facts.said.url,
        "resources": [
            _resource(file, known.get(file.path), present)
            for file in sorted(files, key=lambda file: file.path)
        ],
    }
    return {key: value for key, value in document.items() if value}


def _licences(facts: Facts) -> list[dict[str, str]]:
    one = facts.licence
    return [] if one is None else [{"name": one.spdx, "title": one.title, "path": one.url}]


def _resource(file: Written, table: Table | None, present: set[str]) -> dict[str, Any]:
    ending = file.path.rpartition(".")[2] if "." in file.path else ""
    resource: dict[str, Any] = {
        "name": file.path.lower().replace("/", "--").replace(".", "-").replace("_", "-"),
        "path": file.path,
        "format": ending or "txt",
        "mediatype": MEDIA_TYPES.get(ending, "text/plain"),
        "bytes": file.size,
        "hash": f"sha256:{file.sha256}",
    }
    if ending != "parquet":
        resource["encoding"] = "utf-8"
    if table is None:
        return resource | {"profile": "data-resource", "type": "file"}
    resource |= {"name": table.name.replace("_", "-"), "description": table.description}
    return resource | {
        "profile": "tabular-data-resource",
        "type": "table",
        "dialect": {"csv": {"lineTerminator": "\n"}},
        "schema": table_schema(table, present),
    }


def table_schema(table: Table, present: set[str]) -> dict[str, Any]:
    """Return a table as Table Schema; it refers only to tables that are there."""
    schema: dict[str, Any] = {
        "fields": [_field(column, table) for column in table.columns],
        "missingValues": [""],
        "primaryKey": list(table.key),
        "foreignKeys": [
            {
                "fields": [to.column],
                "reference": {"resource": to.table.replace("_", "-"), "fields": [to.key]},
            }
            for to in table.refers
            if to.table in present and to.table != table.name
        ],
    }
    return {key: value for key, value in schema.items() if value}


def _field(column: Column, table: Table) -> dict[str, Any]:
    field: dict[str, Any] = {
        "name": column.name,
        "type": TYPES[column.type],
        "description": column.description,
    }
    if column.type == "boolean":
        field |= {"trueValues": ["true"], "falseValues": ["false"]}
    constraints = {
        "required": column.missing == NEVER_EMPTY,
        "unique": table.key == (column.name,),
        "enum": _enum(column),
        "minimum": _bound(column, column.minimum),
        "maximum": _bound(column, column.maximum),
    }
    held: Mapping[str, Any] = {
        name: value for name, value in constraints.items() if value not in (None, False, [])
    }
    return field | ({"constraints": dict(held)} if held else {})


def _enum(column: Column) -> list[str | int]:
    """Return the values a cell can be; several options in one cell have no such list."""
    if column.level == "multiple" or column.type not in {"text", "integer"}:
        return []
    if column.type == "integer":
        return [int(option.value) for option in column.values]
    return [option.value for option in column.values]


def _bound(column: Column, bound: float | None) -> float | int | None:
    if bound is None or column.type not in {"integer", "number"}:
        return None
    return int(bound) if float(bound).is_integer() else bound
