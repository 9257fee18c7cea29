"""What a release of a large human study costs, with its analysis, and to compute it all again from it."""

import resource
import sys
from dataclasses import replace
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from analysis.apart import archive_files_apart
from analysis.benches.large import insert_rows, large_study
from analysis.benches.measure import Limit, Row, measure, peak_bytes, peak_forget, peak_mib
from analysis.benches.scratch import scratch_database
from annotation.exports.release import study_release
from annotation.models import PlatformIdentity, Study
from annotation.services.exclusions import exclusions_apply
from annotation.services.identities import encrypted, lookup_of

JUDGMENTS, REPLICATION = 1_000_000, 50
PEAK_MIB = 500.0
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
KEY = b"of a release that is dropped"
TOLD_EVERY = 0.05


def rows() -> list[Row]:
    """Measure one release into a folder that is dropped, and its repetition from that folder."""
    with scratch_database(), TemporaryDirectory() as folder:
        study = large_study(JUDGMENTS, slug="many", now=NOW, replication=REPLICATION)
        said("made the study")
        known = identities(study)
        exclusions_apply(study, author="bench", now=NOW)
        said("let the rules leave out whom they name")
        out = Path(folder) / "out"
        return [_released(study, known, out), _repeated(out)]


def identities(study: Study) -> int:
    """Let a platform have sent everybody, so that there are ids to search for; return how many."""
    people = study.annotators.order_by("pk").values_list("pk", flat=True)
    insert_rows(PlatformIdentity, (_identity(study, pk) for pk in people.iterator()))
    return PlatformIdentity.objects.count()


def _identity(study: Study, pk: int) -> tuple[Any, ...]:
    one = f"{pk * 0x9E3779B97F4A7C15F39CC060 % (1 << 96):024x}"
    return pk, study.pk, "prolific", lookup_of(study, "prolific", one), encrypted(one)


def _released(study: Study, known: int, out: Path) -> Row:
    found: list[dict[str, Any]] = []
    tell = Teller()
    # What was held while the study was made is not the release's.
    peak_forget()
    row = measure(
        f"release of {JUDGMENTS:,} judgments by people with {known:,} platform ids",
        JUDGMENTS,
        lambda: found.append(
            study_release(study, out, key=KEY, progress=tell, additions=(archive_files_apart,))
        ),
        units={"judgment": JUDGMENTS},
        peak=True,
    )
    written = sum(found[0]["rows"].values())
    apart = resource.getrusage(resource.RUSAGE_CHILDREN)
    return replace(
        row,
        name=(
            f"{row.name}: {written:,} rows, {_gib(out):.1f} GiB; its analysis in a process of its own "
            f"{apart.ru_utime + apart.ru_stime:,.0f} CPU-s"
        ),
        limits=(
            Limit("MiB in the process of the release", row.peak_mib or 0.0, PEAK_MIB),
            Limit("MiB in that of its analysis", peak_bytes(apart) / 2**20, PEAK_MIB),
        ),
    )


def _repeated(out: Path) -> Row:
    found: list[dict[str, Any]] = []
    row = measure(
        f"reproduce_release of {JUDGMENTS:,} judgments",
        JUDGMENTS,
        lambda: found.append(import_module("analysis.archive").reproduced(out)),
        units={"judgment": JUDGMENTS},
        peak=True,
    )
    verdict = "every number the same" if found[0]["ok"] else f"DIFFERENT: {found[0]}"
    return replace(row, name=f"{row.name}: {verdict}")


def _gib(folder: Path) -> float:
    sizes = (path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return sum(sizes) / (1 << 30)


class Teller:
    """Says now and then how far it is, where somebody who watches sees it."""

    def __init__(self) -> None:
        self._told: dict[str, float] = {}

    def __call__(self, done: int, total: int, what: str) -> None:
        """Say it if it is enough more than what was said last."""
        share = done / max(total, 1)
        if share >= self._told.get(what, 0.0) + TOLD_EVERY or done == total:
            self._told[what] = share
            said(f"{done:,} of {total:,} {what}")


def said(what: str) -> None:
    """Say what is done, and the most memory that this process has held until then."""
    sys.stderr.write(f"{what}; at most {peak_mib():,.0f} MiB\n")
