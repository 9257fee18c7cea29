"""What a release of a large human study costs, without its analysis: rows, CPU seconds, memory."""

import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from analysis.benches.large import large_study
from analysis.benches.measure import Limit, Row, measure
from analysis.benches.scratch import scratch_database
from annotation.exports.release import study_release
from annotation.models import Study
from annotation.services.exclusions import exclusions_apply

JUDGMENTS, REPLICATION = 1_000_000, 50
PEAK_MIB = 500.0
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
KEY = b"of a release that is dropped"
TOLD_EVERY = 50_000


def rows() -> list[Row]:
    """Measure one release into a folder that is dropped."""
    with scratch_database(), TemporaryDirectory() as folder:
        study = large_study(JUDGMENTS, slug="many", now=NOW, replication=REPLICATION)
        exclusions_apply(study, author="bench", now=NOW)
        return [_released(study, Path(folder) / "out")]


def _released(study: Study, out: Path) -> Row:
    found: list[dict[str, Any]] = []
    row = measure(
        f"release of {JUDGMENTS:,} judgments",
        JUDGMENTS,
        lambda: found.append(study_release(study, out, key=KEY, progress=told)),
        units={"judgment": JUDGMENTS},
        peak=True,
    )
    written = sum(found[0]["rows"].values())
    held = Limit("MiB", row.peak_mib or 0.0, PEAK_MIB)
    return replace(row, name=f"{row.name}: {written:,} rows", limits=(held,))


def told(done: int, total: int) -> None:
    """Say now and then how far it is, where somebody who watches sees it."""
    if done % TOLD_EVERY == 0:
        sys.stderr.write(f"{done:,} of {total:,} judgments written\n")
