"""study_release: the analytic sample as files that name nobody, with what is needed to read them."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from annotation.errors import Refused, StateForbids
from annotation.exports import checks
from annotation.exports.archive import zip_folder
from annotation.exports.classification import kept_back
from annotation.exports.codebook import CODEBOOK, codebook_document, codebook_rows
from annotation.exports.croissant import croissant
from annotation.exports.datapackage import data_package
from annotation.exports.demographics import said_of_people
from annotation.exports.dimensions import study_dimensions
from annotation.exports.facts import Facts, software_version
from annotation.exports.files import Written, write_bytes, write_json, write_text
from annotation.exports.folder import MANIFEST, file_made, folder_made
from annotation.exports.identifiers import Identifiers, identifiers_of, without_codes
from annotation.exports.judgments import VERSION_DIGITS, typed_dimensions
from annotation.exports.makers import MAKERS, MAKERS_BY_ITEM
from annotation.exports.making import SEARCHED, Making, Progress, silent
from annotation.exports.people import people_of
from annotation.exports.pseudonyms import Pseudonyms
from annotation.exports.reading import file_not_mapped
from annotation.exports.statement import data_statement
from annotation.exports.texts import said_of_texts
from annotation.models import InstrumentVersion, PlanLock, Study
from annotation.selectors.quality import study_funnel
from annotation.selectors.studies import study_definition

# Files made of the finished tables, by their path in the release: such as what an analysis finds.
Addition = Callable[[Path], Mapping[str, bytes]]
CHECKSUMS: Final = "SHA256SUMS"
TEXTS: Final = ("consent", "instructions", "debrief")
NO_LICENCE: Final = "No licence was declared for these data, so nobody may use them but by law. Ask their authors.\n"


def study_release(
    study: Study,
    out: Path,
    *,
    key: bytes,
    force: bool = False,
    progress: Progress | None = None,
    additions: Sequence[Addition] = (),
    by_item: bool = False,
) -> dict[str, Any]:
    """Write the release to a folder and return what it holds; a failed check leaves nothing there.

    The same data and the same key give the same bytes. `by_item` says how often each value was given
    to each item, and not by whom; what an analysis needs is then not there.
    """
    with folder_made(out, force=force) as folder, file_not_mapped():
        return _released(_begun(study, folder, key, progress), additions, by_item=by_item)


def study_archive(
    study: Study,
    out: Path,
    *,
    key: bytes,
    force: bool = False,
    progress: Progress | None = None,
    additions: Sequence[Addition] = (),
    by_item: bool = False,
) -> dict[str, Any]:
    """Write the release as one zip file; else as `study_release`."""
    with file_made(out, force=force) as (folder, target):
        with file_not_mapped():
            document = _released(_begun(study, folder, key, progress), additions, by_item=by_item)
        zip_folder(folder, target, [file["path"] for file in document["files"]])
    return document


def _released(making: Making, additions: Sequence[Addition], *, by_item: bool) -> dict[str, Any]:
    for make in MAKERS_BY_ITEM if by_item else MAKERS:
        make(making)
    _write_texts(making)
    _write_codebook(making)
    _write_funnel(making)
    for add in () if by_item else additions:
        found = add(making.folder)
        making.files += [write_bytes(making.folder, name, found[name]) for name in sorted(found)]
    identifiers = identifiers_of(making.study)
    held = _checked(making, identifiers)
    return _finished(making, _document(making, held), identifiers)


def _begun(study: Study, folder: Path, key: bytes, progress: Progress | None) -> Making:
    lock = PlanLock.objects.filter(study=study).first()
    if lock is None:
        raise StateForbids(
            f"{study.slug} is {study.state}: its plan is not locked and nothing was collected, so "
            "there is nothing to release. study_launch opens it."
        )
    funnel = study_funnel(study)
    # After the funnel, so that whoever comes in meanwhile makes the counts differ.
    people = people_of(study, Pseudonyms(key, study.slug))
    return Making(folder, study, lock, people, funnel, progress or silent)


def _checked(making: Making, identifiers: Identifiers) -> list[checks.Check]:
    """Return what the checks of everything but the last files found; refuse where one fails."""
    found = [
        checks.no_identifier(
            making.paths(), identifiers, lambda done, all_: making.progress(done, all_, SEARCHED)
        ),
        checks.codebook_complete(making.folder, making.tables),
        *(_checked_names(making) if making.names_people else ()),
        checks.counts_agree(making.study, making.sample, making.funnel.final),
        checks.plan_unchanged(making.folder, making.lock.sha256),
        checks.nobody_alone(making.folder, making.tables, making.described),
    ]
    _refuse_failed(found)
    return found


def _checked_names(making: Making) -> list[checks.Check]:
    return [
        checks.pseudonyms_new(making.study, making.people),
        checks.annotators_listed(making.people, making.sample),
    ]


def _write_texts(making: Making) -> None:
    """Write the plan as it was locked, the questions as they stood, and what people read."""
    study, folder = making.study, making.folder
    making.files.append(write_text(folder, "plan.json", making.lock.canonical_json))
    versions = InstrumentVersion.objects.filter(study=study).order_by("task", "sha256")
    instruments = [
        {
            "task": one.task,
            "version": one.sha256[:VERSION_DIGITS],
            "sha256": one.sha256,
            "current": one.current,
            "document": one.document,
        }
        for one in versions
    ]
    making.files.append(write_json(folder, "instruments.json", instruments))
    for name in TEXTS:
        text, withheld = without_codes(getattr(making.definition, name), study)
        making.redacted += withheld
        if text:
            making.files.append(write_text(folder, f"{name}.md", text))


def _write_codebook(making: Making) -> None:
    tables = [*making.tables, CODEBOOK]
    making.add(CODEBOOK, codebook_rows(tables))
    dimensions = study_dimensions(study_definition(making.study))
    document = {"title": making.study.title}
    document |= codebook_document(tables, dimensions, making.fields)
    making.files.append(write_json(making.folder, "codebook.json", document))


def _write_funnel(making: Making) -> None:
    """Write the funnel as a report has it, with what its end counts and the tables cannot show."""
    document = making.funnel.as_dict() | {"typed_values": making.sample.typed}
    making.files.append(write_json(making.folder, "funnel.json", document))


def _document(making: Making, found: list[checks.Check]) -> dict[str, Any]:
    """Return the manifest; the files are those so far."""
    study = making.study
    facts = Facts(study)
    return {
        "study": study.slug,
        "title": study.title,
        "state": study.state,
        "version": facts.version,
        "software": f"Parallax {software_version()}",
        "months": list(facts.months),
        "missing": facts.missing,
        "plan_sha256": making.lock.sha256,
        "simulated_annotators": study.annotators.filter(simulated=True).count(),
        "files": [],
        "rows": dict(making.rows),
        "dropped_columns": _dropped(making),
        "redacted": making.redacted,
        "spreadsheet": {"characters_replaced": making.replaced, "long_cells": making.moved},
        **said_of_people(making.described),
        **said_of_texts(making.texts),
        "checks": [check.as_dict() for check in found],
    }


def _dropped(making: Making) -> list[str]:
    behind = [column for table in making.tables for column in table.left_behind()]
    typed = []
    if making.texts is None:
        typed = typed_dimensions(study_dimensions(making.definition))
    return [*typed, *behind, *kept_back()]


def _finished(making: Making, document: dict[str, Any], identifiers: Identifiers) -> dict[str, Any]:
    """Write what tells of the files, the manifest and the checksums, and search those too."""
    begun, folder, facts = len(making.files), making.folder, Facts(making.study)
    told = [f"Checked: {check['check']} ({check['detail']})." for check in document["checks"]]
    text = data_statement(making, facts, document["dropped_columns"], told)
    licence = NO_LICENCE
    if facts.licence:
        licence = f"{facts.licence.title}\nSPDX-License-Identifier: {facts.licence.spdx}\n{facts.licence.url}\n"
    making.files.append(write_text(folder, "README.md", text))
    making.files.append(write_text(folder, "LICENSE", licence))
    described = croissant(facts, making.tables, making.files)
    making.files.append(write_json(folder, "croissant.json", described))
    package = data_package(facts, making.tables, making.files)
    making.files.append(write_json(folder, "datapackage.json", package))
    document["files"] = _listed(making.files)
    making.files.append(write_json(folder, MANIFEST, document))
    sums = [f"{file['sha256']}  {file['path']}\n" for file in _listed(making.files)]
    making.files.append(write_text(folder, CHECKSUMS, "".join(sums)))
    _refuse_failed([checks.no_identifier(making.paths()[begun:], identifiers)])
    return document | {"files": _listed(making.files)}


def _listed(files: Sequence[Written]) -> list[dict[str, Any]]:
    return [file.as_dict() for file in sorted(files, key=lambda file: file.path)]


def _refuse_failed(found: list[checks.Check]) -> None:
    failed = [f"{check.check}: {check.detail}" for check in found if not check.ok]
    if failed:
        raise Refused("Nothing was released, since a check failed. " + " ".join(failed))
