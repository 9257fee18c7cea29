"""study_release: the analytic sample as files that name nobody, with what is needed to read them."""

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation.errors import Refused, StateForbids
from annotation.exports import checks
from annotation.exports.classification import kept_back
from annotation.exports.codebook import CODEBOOK, codebook_document, codebook_rows
from annotation.exports.columns import Row, Table
from annotation.exports.dimensions import study_dimensions
from annotation.exports.folder import MANIFEST, folder_made
from annotation.exports.identifiers import identifiers_of, without_codes
from annotation.exports.items import PASSAGES, ItemRows, passage_rows
from annotation.exports.judgments import (
    JUDGMENTS,
    PREFERENCES,
    VERSION_DIGITS,
    JudgmentRows,
    ReleasedAnswer,
    released_answers,
    typed_dimensions,
)
from annotation.exports.people import ANNOTATORS, annotator_rows, people_of
from annotation.exports.pseudonyms import Pseudonyms
from annotation.exports.quality import EXCLUSIONS, FUNNEL, ExclusionRows, funnel_rows
from annotation.exports.writers import TableWriter, Written, write_json, write_table, write_text
from annotation.models import InstrumentVersion, PlanLock, Study
from annotation.quality.funnel import Funnel
from annotation.selectors.quality import study_funnel
from annotation.selectors.studies import study_definition

Progress = Callable[[int, int], None]
CHECKSUMS = "SHA256SUMS"
TEXTS = ("consent", "instructions", "debrief")
REPORT_EVERY = 500
NO_K = (
    "Nothing that people said about themselves leaves, so there is no cell of which to count the "
    "people."
)


@dataclass(slots=True)
class Release:
    """A release in the making."""

    folder: Path
    tables: list[Table] = field(default_factory=list)
    files: list[Written] = field(default_factory=list)
    redacted: int = 0

    def add(self, table: Table, rows: Iterable[Row]) -> None:
        """Write a whole table."""
        self.tables.append(table)
        self.files += write_table(self.folder, table, rows)

    def paths(self) -> list[Path]:
        """Return the files so far."""
        return [self.folder / file.path for file in self.files]


def study_release(
    study: Study, out: Path, *, key: bytes, force: bool = False, progress: Progress | None = None
) -> dict[str, Any]:
    """Write the release to a folder and return what it holds; a failed check leaves nothing there.

    The same data and the same key give the same bytes.
    """
    lock = PlanLock.objects.filter(study=study).first()
    if lock is None:
        raise StateForbids(
            f"{study.slug} is {study.state}: its plan is not locked and nothing was collected, so "
            "there is nothing to release. study_launch opens it."
        )
    names = Pseudonyms(key, study.slug)
    with folder_made(out, force=force) as folder:
        release = Release(folder)
        found = _write(release, study, lock, names, progress)
        document = _document(release, study, lock, found)
        _finish(release, study, document)
    return _printed(document, release)


def _write(
    release: Release, study: Study, lock: PlanLock, names: Pseudonyms, progress: Progress | None
) -> list[checks.Check]:
    """Write everything but the manifest; return what the checks of it found."""
    funnel = study_funnel(study)
    # After the funnel, so that whoever comes in meanwhile makes the counts differ.
    people = people_of(study, names)
    items = ItemRows(study)
    release.add(items.table(), items.rows())
    release.add(PASSAGES, passage_rows(study))
    exclusions = ExclusionRows(study, people)
    sample = _write_judgments(release, study, released_answers(study, people), funnel, progress)
    release.add(ANNOTATORS, annotator_rows(study, people))
    release.add(EXCLUSIONS, exclusions.rows())
    release.add(FUNNEL, funnel_rows(funnel))
    release.redacted += exclusions.withheld
    _write_texts(release, study, lock)
    _write_codebook(release, study)
    return [
        checks.no_identifier(release.paths(), identifiers_of(study)),
        checks.codebook_complete(release.folder, release.tables),
        checks.pseudonyms_new(study, people),
        checks.annotators_listed(people, sample),
        checks.counts_agree(study, sample, funnel.final),
        checks.plan_unchanged(release.folder, lock.sha256),
    ]


def _write_judgments(
    release: Release,
    study: Study,
    answers: Iterable[ReleasedAnswer],
    funnel: Funnel,
    progress: Progress | None,
) -> checks.Sample:
    """Write long, wide and preferences in one pass over the answers."""
    rows, sample = JudgmentRows(study), checks.Sample()
    tables = [JUDGMENTS, rows.wide_table(), *([PREFERENCES] if rows.compares else [])]
    with ExitStack() as stack:
        writers = [stack.enter_context(TableWriter(release.folder, table)) for table in tables]
        for one in answers:
            for writer, made in zip(writers, rows.of(one), strict=False):
                writer.write(made)
            _count(sample, one)
            if progress and sample.answers % REPORT_EVERY == 0:
                progress(sample.answers, funnel.final.judgments)
    release.tables += tables
    release.files += [file for writer in writers for file in writer.written()]
    return sample


def _count(sample: checks.Sample, one: ReleasedAnswer) -> None:
    sample.answers += 1
    sample.records += sum(1 for judgment in one.judgments if judgment.value is not None)
    sample.items.add(one.answer.assignment.item.key)
    sample.annotators.add(one.annotator)


def _write_texts(release: Release, study: Study, lock: PlanLock) -> None:
    """Write the plan as it was locked, the questions as they stood, and what people read."""
    release.files.append(write_text(release.folder, "plan.json", lock.canonical_json))
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
    release.files.append(write_json(release.folder, "instruments.json", instruments))
    definition = study_definition(study)
    for name in TEXTS:
        text, withheld = without_codes(getattr(definition, name), study)
        release.redacted += withheld
        if text:
            release.files.append(write_text(release.folder, f"{name}.md", text))


def _write_codebook(release: Release, study: Study) -> None:
    tables = [*release.tables, CODEBOOK]
    release.add(CODEBOOK, codebook_rows(tables))
    document = codebook_document(tables, study_dimensions(study_definition(study)))
    release.files.append(write_json(release.folder, "codebook.json", document))


def _document(
    release: Release, study: Study, lock: PlanLock, found: list[checks.Check]
) -> dict[str, Any]:
    """Return the manifest of a release whose checks all hold."""
    _refuse_failed(found)
    behind = [column for table in release.tables for column in table.left_behind()]
    typed = typed_dimensions(study_dimensions(study_definition(study)))
    return {
        "study": study.slug,
        "title": study.title,
        "state": study.state,
        "plan_sha256": lock.sha256,
        "simulated_annotators": study.annotators.filter(simulated=True).count(),
        "files": [file.as_dict() for file in sorted(release.files, key=lambda file: file.path)],
        "dropped_columns": [*typed, *behind, *kept_back()],
        "redacted": release.redacted,
        "k": None,
        "k_reason": NO_K,
        "checks": [check.as_dict() for check in found],
    }


def _finish(release: Release, study: Study, document: dict[str, Any]) -> None:
    """Write the manifest and the checksums, and check those too."""
    release.files.append(write_json(release.folder, MANIFEST, document))
    sums = [f"{file.sha256}  {file.path}\n" for file in sorted(release.files, key=_path)]
    release.files.append(write_text(release.folder, CHECKSUMS, "".join(sums)))
    _refuse_failed([checks.no_identifier(release.paths()[-2:], identifiers_of(study))])


def _printed(document: dict[str, Any], release: Release) -> dict[str, Any]:
    """Return what the command prints: the manifest, with the files that came after it."""
    return document | {"files": [file.as_dict() for file in sorted(release.files, key=_path)]}


def _path(file: Written) -> str:
    return file.path


def _refuse_failed(found: list[checks.Check]) -> None:
    failed = [f"{check.check}: {check.detail}" for check in found if not check.ok]
    if failed:
        raise Refused("Nothing was released, since a check failed. " + " ".join(failed))
