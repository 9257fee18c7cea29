"""The kind of run behind the page of releases: the archive as `study_release` makes it, kept."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.utils import timezone

from analysis.apart import archive_files_apart
from analysis.runs.kinds import RELEASE, Report
from analysis.runs.models import AnalysisRun
from annotation.exports.making import SEARCHED, WRITTEN
from annotation.exports.pseudonyms import new_key
from annotation.exports.release import study_archive
from annotation.models import Study
from annotation.services.releases import (
    drafts_remove,
    erasures_of,
    refuse_erased,
    release_draft,
    release_store,
)

# How far the release is when the one begins and the other ends.
SPANS = {WRITTEN: (0.0, 0.4), SEARCHED: (0.6, 0.9)}
ANALYSING, PACKED = 0.4, 0.95


def release(study: Study, parameters: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Make an archive under a new key and keep it; `author` asked for it, `by_item` or with people."""
    report(0.0, "Counting the funnel")
    erasures = erasures_of(study)

    def told(done: int, total: int, what: str) -> None:
        first, last = SPANS[what]
        report(first + (last - first) * done / max(total, 1), f"{done:,} of {total:,} {what}")

    def analysed(folder: Path) -> Mapping[str, bytes]:
        report(ANALYSING, "Analysing the tables")
        return archive_files_apart(folder)

    _drafts_remove(study)
    try:
        with release_draft(study) as folder:
            archive = folder / "release.zip"
            manifest = study_archive(
                study,
                archive,
                key=new_key(),
                progress=told,
                additions=(analysed,),
                by_item=bool(parameters.get("by_item")),
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
    except OSError:
        # An erasure takes the folder away under it.
        refuse_erased(study, erasures)
        raise
    return {"number": kept.number, "sha256": kept.sha256, "bytes": kept.size}


def _drafts_remove(study: Study) -> None:
    """Delete what a killed worker left, unless another release of the study is being made."""
    running = AnalysisRun.objects.filter(study=study, kind=RELEASE, state=AnalysisRun.State.RUNNING)
    if running.count() <= 1:
        drafts_remove(study)
