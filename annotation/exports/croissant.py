"""`croissant.json`: the archive as MLCommons Croissant 1.0 describes it; records are read from Parquet.

Which column holds keys of which table is told in `datapackage.json` alone: whoever reads records by
mlcroissant would have tables joined by it, which fails where one is empty and then mixes up others.
"""

from collections.abc import Iterable
from typing import Any, Final

from annotation.exports.columns import Column, Table, Type
from annotation.exports.facts import Facts
from annotation.exports.files import Written

CONFORMS_TO: Final = "http://mlcommons.org/croissant/1.0"
TYPES: Final[dict[Type, str]] = {
    "text": "sc:Text",
    "integer": "sc:Integer",
    "number": "sc:Float",
    "boolean": "sc:Boolean",
    "list": "sc:Text",
}
_TERMS: Final = (
    "citeAs column conformsTo extract field fileProperty fileObject fileSet format includes "
    "isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated replace "
    "separator source subField transform"
)


def croissant(facts: Facts, tables: Iterable[Table], files: Iterable[Written]) -> dict[str, Any]:
    """Return the JSON-LD document."""
    known = {f"{table.name}.parquet": table for table in tables}
    listed = sorted((file for file in files if file.path in known), key=lambda file: file.path)
    document = {
        "@context": _context(),
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": facts.study.slug,
        "description": facts.description,
        "license": facts.licence.url if facts.licence else "",
        "url": facts.said.url,
        "creator": [_creator(one.name, one.orcid, one.affiliation) for one in facts.said.creators],
        "datePublished": facts.months[1],
        "version": facts.full_version,
        "citeAs": facts.citation,
        "inLanguage": facts.languages,
        "distribution": [_file_object(file) for file in listed],
        "recordSet": [_record_set(known[file.path]) for file in listed],
    }
    return {key: value for key, value in document.items() if value}


def _context() -> dict[str, Any]:
    own = {"conformsTo": "dct:conformsTo"}
    terms: dict[str, Any] = {term: own.get(term, f"cr:{term}") for term in _TERMS.split()}
    return {
        "@language": "en",
        "@vocab": "https://schema.org/",
        "cr": "http://mlcommons.org/croissant/",
        "dct": "http://purl.org/dc/terms/",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "sc": "https://schema.org/",
        "data": {"@id": "cr:data", "@type": "@json"},
        "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
        "equivalentProperty": "cr:equivalentProperty",
        "examples": {"@id": "cr:examples", "@type": "@json"},
        "samplingRate": "cr:samplingRate",
        **terms,
    }


def _creator(name: str, orcid: str, affiliation: str) -> dict[str, Any]:
    person: dict[str, Any] = {"@type": "sc:Person", "name": name}
    if orcid:
        person["url"] = f"https://orcid.org/{orcid}"
    if affiliation:
        person["affiliation"] = {"@type": "sc:Organization", "name": affiliation}
    return person


def _file_object(file: Written) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path,
        "contentUrl": file.path,
        "contentSize": f"{file.size} B",
        "encodingFormat": "application/x-parquet",
        "sha256": file.sha256,
    }


def _record_set(table: Table) -> dict[str, Any]:
    record_set: dict[str, Any] = {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.description,
        "field": [_field(table, column) for column in table.columns],
    }
    if table.key:
        record_set["key"] = [{"@id": f"{table.name}/{name}"} for name in table.key]
    return record_set


def _field(table: Table, column: Column) -> dict[str, Any]:
    name = f"{table.name}/{column.name}"
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": name,
        "name": name,
        "description": column.description,
        "dataType": TYPES[column.type],
        "source": {
            "fileObject": {"@id": f"{table.name}.parquet"},
            "extract": {"column": column.name},
        },
    }
    if column.type == "list":
        field["repeated"] = True
    return field
