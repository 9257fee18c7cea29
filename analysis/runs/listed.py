"""Runs as people look for them: by number, those over files, and the files that one made."""

from base64 import b64decode
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from django.db.models import QuerySet

from analysis.runs.kinds import MONITOR
from analysis.runs.models import AnalysisRun
from annotation.errors import Refused, StateForbids


class RunNotFound(Refused):
    """No run has that number."""

    code = "run_not_found"

    def __init__(self, pk: int) -> None:
        super().__init__(f"There is no run {pk}; manage.py runs lists those there are.")


def runs_asked_for() -> QuerySet[AnalysisRun]:
    """Return the runs without their results, the newest first; the monitor's own are left out."""
    runs = AnalysisRun.objects.exclude(kind=MONITOR).select_related("study")
    held = ("result", "study__document", "study__design")
    return runs.defer(*held).order_by("-asked_at", "-pk")


def runs_over_files() -> QuerySet[AnalysisRun]:
    """Return the runs that belong to no study, the newest first."""
    return runs_asked_for().filter(study=None)


def run_numbered(pk: int) -> AnalysisRun:
    """Return a run that somebody asked for."""
    run = runs_asked_for().filter(pk=pk).first()
    if run is None:
        raise RunNotFound(pk)
    return run


def run_files(run: AnalysisRun) -> dict[str, bytes]:
    """Return the files of a finished run by their paths, byte for byte those of its command."""
    if run.state != AnalysisRun.State.DONE:
        raise StateForbids(f"Run {run.pk} is {run.state}; only one that is done has files.")
    found = files_in(run.result or {})
    if not found:
        raise StateForbids(f"Run {run.pk} made no files.")
    return found


def files_in(result: dict[str, Any]) -> dict[str, bytes]:
    """Return the files that a result holds packed; `analysis.runs.packed` is the inverse."""
    if "archive" not in result:
        return {}
    with ZipFile(BytesIO(b64decode(result["archive"]))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
