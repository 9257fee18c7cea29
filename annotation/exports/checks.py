"""What is checked on the finished files before they may lie where somebody takes them from."""

import csv
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation.exports.answers import ReleasedAnswer
from annotation.exports.columns import Table
from annotation.exports.demographics import NOT_ASKED, TOO_FEW, Described, smallest_group
from annotation.exports.identifiers import Identifiers, search, searched
from annotation.exports.kanonymity import K
from annotation.exports.people import People
from annotation.models import Annotator, Study
from annotation.quality.funnel import FunnelEnd

# The tables that tell what people did; all else stood in the study before anybody came.
ABOUT_PEOPLE = frozenset(
    {
        "judgments",
        "judgments_wide",
        "item_values",
        "preferences",
        "annotators",
        "demographics",
        "texts",
        "exclusions",
        "funnel",
    }
)


WHERE_FROM = (
    "What people typed leaves by a reader's decision: take back the one on the text that has it. All "
    "else comes from the study's folder, in which nobody may be named who took part."
)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that a release promises; `detail` says what was compared, or what is wrong."""

    check: str
    ok: bool
    detail: str

    def as_dict(self) -> dict[str, Any]:
        """Return the part that is printed."""
        return {"check": self.check, "ok": self.ok, "detail": self.detail}


@dataclass(slots=True)
class Sample:
    """What was written of the analytic sample."""

    answers: int = 0
    records: int = 0
    # Of the records: those that people typed, which stay behind.
    typed: int = 0
    items: set[str] = field(default_factory=set)
    annotators: set[str] = field(default_factory=set)

    def count(self, answers: Sequence[ReleasedAnswer]) -> None:
        """Count some answers."""
        self.answers += len(answers)
        for one in answers:
            self.records += one.cells.given
            self.typed += one.cells.typed
            self.items.add(one.item.key)
            self.annotators.add(one.annotator)


def no_identifier(
    paths: Sequence[Path], identifiers: Identifiers, tell: Callable[[int, int], None] | None = None
) -> Check:
    """Check what the files hold, decoded, for everything that names a person or a payment."""
    done = search(list(paths), identifiers, ABOUT_PEOPLE, tell)
    detail = searched(identifiers, sorted(done.unread.files))
    if done.found:
        detail = "; ".join(sorted(f"{leak.file} holds a {leak.kind}" for leak in done.found))
        detail += f". {WHERE_FROM}"
    return Check("no identifier stands in any file", not done.found, detail)


def codebook_complete(folder: Path, tables: Sequence[Table]) -> Check:
    """Check the columns that the files have against those that the codebook tells of."""
    stand = {(t.name, column) for t in tables for column in _header(folder / f"{t.name}.csv")}
    told = set(_told(folder / "codebook.csv"))
    odd = sorted(f"{table}.{column}" for table, column in stand ^ told)
    detail = f"{len(stand)} columns of {len(tables)} tables"
    if odd:
        detail = f"in one of the two only: {', '.join(odd)}"
    return Check("every column is in the codebook and vice versa", not odd, detail)


def pseudonyms_new(study: Study, people: People) -> Check:
    """Check that no released name is one that the database uses, and none names two people."""
    names = set(people.names.values())
    internal = Annotator.objects.filter(study=study).values_list("pseudonym", flat=True)
    same = names.intersection(internal.iterator())
    ok = not same and len(names) == len(people.names)
    detail = f"{len(names):,} people, {len(people.names):,} names, {len(same):,} of them internal"
    return Check("no pseudonym equals the internal one", ok, detail)


def annotators_listed(people: People, sample: Sample) -> Check:
    """Check that whoever judged stands in the table of annotators."""
    missing = sample.annotators - set(people.names.values())
    detail = f"{len(sample.annotators):,} judged, {len(missing):,} of them not in annotators.csv"
    return Check("every annotator of a judgment is in annotators", not missing, detail)


def counts_agree(study: Study, sample: Sample, end: FunnelEnd) -> Check:
    """Check that the tables hold what the funnel ends with."""
    written = (sample.answers, len(sample.items), sample.records)
    counted = (end.judgments, end.items, end.records)
    detail = f"{written[0]:,} judgments of {written[1]:,} items, {written[2]:,} values"
    if written != counted:
        detail += (
            f"; the funnel ends with {counted[0]:,}, {counted[1]:,} and {counted[2]:,}. Either the "
            f"rules leave out what is not recorded yet (qc {study.slug} --apply), or answers came "
            f"in meanwhile (release again)"
        )
    return Check("row counts agree with the funnel", written == counted, detail)


def plan_unchanged(folder: Path, sha256: str) -> Check:
    """Check that the plan is the one that was locked."""
    found = hashlib.sha256((folder / "plan.json").read_bytes()).hexdigest()
    return Check("plan.json has the locked SHA-256", found == sha256, sha256)


def nobody_alone(folder: Path, tables: Sequence[Table], described: Described | None) -> Check:
    """Count on the files how many people share what is said of each; the answers given away too."""
    name = f"whatever is said of a person is shared by {K} people"
    if described is None or not described.questions:
        return Check(name, ok=True, detail=NOT_ASKED)
    k = smallest_group(folder, tables)
    told = described.as_dict()
    emptied = sum(one["emptied_cells"] for one in told.values())
    detail = f"k = {k} over all tables joined; {emptied:,} cells left empty" if k else TOO_FEW
    for key, one in told.items():
        if alike := one["groups_that_all_answered_alike"]:
            detail += f"; in {alike:,} groups all said the same of {key}, which gives it away"
    return Check(name, k == described.done.k and (k is None or k >= K), detail)


def _header(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="") as file:
        return next(csv.reader(file))


def _told(path: Path) -> Iterator[tuple[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield row["table"], row["column"]
