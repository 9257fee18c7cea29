"""A release in the making: what every maker of a table is given, and what came of it so far."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from annotation.exports.checks import Sample
from annotation.exports.columns import Row, Table
from annotation.exports.demographics import Described
from annotation.exports.files import Written
from annotation.exports.people import ANNOTATOR, People
from annotation.exports.writers import Block, TableWriter
from annotation.models import PlanLock, Study
from annotation.quality.funnel import Funnel
from annotation.selectors.studies import study_definition
from annotation.selectors.texts import TextCounts
from annotation.studyfile.definition import StudyDefinition

# How far a release is: done, of how many, and what is counted, which is one of these two.
Progress = Callable[[int, int, str], None]
WRITTEN: Final = "judgments written"
SEARCHED: Final = "bytes searched for identifiers"


def silent(done: int, total: int, what: str) -> None:
    """Tell nobody."""
    del done, total, what


@dataclass(slots=True)
class Making:
    """One release in the making."""

    folder: Path
    study: Study
    lock: PlanLock
    people: People
    funnel: Funnel
    progress: Progress = silent
    tables: list[Table] = field(default_factory=list)
    files: list[Written] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)
    sample: Sample = field(default_factory=Sample)
    # The fields of items, each with its column and whether annotators saw it.
    fields: dict[str, dict[str, object]] = field(default_factory=dict)
    # What people said about themselves, as it leaves; made with its table.
    described: Described | None = None
    # What became of typed texts; None where all stay behind.
    texts: TextCounts | None = None
    redacted: int = 0
    # What spreadsheet programs cannot hold: characters replaced, cells put into files of their own.
    replaced: int = 0
    moved: int = 0

    @property
    def definition(self) -> StudyDefinition:
        """Return what the study's folder said."""
        return study_definition(self.study)

    @property
    def names_people(self) -> bool:
        """Whether a table says whose judgments are whose, by the names of this release."""
        return any(ANNOTATOR in table.columns for table in self.tables)

    def add(self, table: Table, rows: Iterable[Row]) -> None:
        """Write a whole table in all formats."""
        with closing(self.open(table)) as writer:
            writer.write(rows)
        self.take(table, writer)

    def open(self, table: Table) -> TableWriter:
        """Begin a table that is written beside others; `take` it when it is closed."""
        return TableWriter(self.folder, table)

    def take(self, table: Table, writer: TableWriter) -> None:
        """Note a table that is written."""
        self.tables.append(table)
        self.files += writer.written
        self.rows[table.name] = writer.rows
        self.replaced += writer.replaced
        self.moved += writer.moved

    def together(self, tables: Iterable[Table], blocks: Iterable[Sequence[Block]]) -> None:
        """Write several tables in one pass; each entry of `blocks` has a block for each of them."""
        known = list(tables)
        with ExitStack() as stack:
            writers = [stack.enter_context(closing(self.open(table))) for table in known]
            for made in blocks:
                for writer, block in zip(writers, made, strict=True):
                    writer.append(block)
        for table, writer in zip(known, writers, strict=True):
            self.take(table, writer)

    def paths(self) -> list[Path]:
        """Return the files so far."""
        return [self.folder / file.path for file in self.files]
