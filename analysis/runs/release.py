"""The kind of run behind the page of releases: the archive as `study_release` makes it, kept."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.utils import timezone

from analysis.apart import archive_files_apart
from analysis.runs.kinds import Report
from annotation.exports.making import SEARCHED, WRITTEN
from annotation.exports.pseudonyms import new_key
from annotation.exports.release import study_archive
from annotation.models import Study
from annotation.services.releases import erasures_of, release_store, releases_folder

# How far the release is when the one begins and the other ends.
SPANS = {WRITTEN: (0.0, 0.4), SEARCHED: (0.6, 0.9)}
ANALYSING, PACKED = 0.4, 0.95


def release(study: Study, parameters: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Make an archive under a new key and keep it; `author` is who asked for it."""
    report(0.0, "Counting the funnel")
    erasures = erasures_of(study)

    def told(done: int, total: int, what: str) -> None:
        first, last = SPANS[what]
        report(first + (last - first) * done / max(total, 1), f"{done:,} of {total:,} {what}")

    def analysed(folder: Path) -> Mapping[str, bytes]:
        report(ANALYSING, "Analysing the tables")
        return archive_files_apart(folder)

    with TemporaryDirectory(dir=releases_folder()) as folder:
        archive = Path(folder) / "release.zip"
        manifest = study_archive(
            study, archive, key=new_key(), progress=told, additions=(analysed,)
        )
        report(PACKED, "Keeping the archive")
        kept = release_store(
            study,
            archive,
            manifest,
            erasures=erasures,
            author=str(parameters["author"]),
            now=timezone.now(),
        )
    return {"number": kept.number, "sha256": kept.sha256, "bytes": kept.size}
