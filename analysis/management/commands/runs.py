"""runs: the analyses that were queued: how far they are, the end of one, the files of one."""

from argparse import ArgumentParser
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from analysis.management.output import prepare_folder, write_files
from analysis.runs.listed import run_files, run_numbered, runs_asked_for
from analysis.runs.models import AnalysisRun
from analysis.runs.queue import run_cancel
from annotation.errors import StateForbids
from annotation.management.study_command import Document, StudyCommand

LISTED = 50
WRONG_USAGE = 2


class Command(StudyCommand):
    help = "List the queued analyses, the newest first; cancel one; write the files of one."

    def declare(self, parser: ArgumentParser) -> None:
        one = parser.add_mutually_exclusive_group()
        one.add_argument("--cancel", type=int, metavar="ID", help="stop a run")
        one.add_argument("--files", type=int, metavar="ID", help="write its files into --out")
        parser.add_argument("--out", type=Path, help="folder for the files")
        parser.add_argument("--force", action="store_true", help="write over what is in the folder")

    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        del author
        if (options["files"] is None) != (options["out"] is None):
            raise CommandError("--files ID and --out DIR go together.", returncode=WRONG_USAGE)
        if options["files"] is not None:
            return _written(options["files"], options["out"], force=options["force"])
        if options["cancel"] is not None:
            return {"runs": [_row(_stopped(options["cancel"], now))]}
        return {"runs": [_row(run) for run in islice(runs_asked_for(), LISTED)]}

    def tell(self, document: Document) -> str:
        if "files" in document:
            return f"{document['files']} files in {document['out']}; begin with report.html"
        return "\n".join(map(_line, document["runs"])) or "No analysis was asked for yet."


def _stopped(pk: int, now: datetime) -> AnalysisRun:
    run = run_numbered(pk)
    if run.ended:
        raise StateForbids(f"Run {pk} is {run.state} already; there is nothing to stop.")
    run_cancel(run, now=now)
    return run_numbered(pk)


def _written(pk: int, out: Path, *, force: bool) -> Document:
    files = run_files(run_numbered(pk))
    prepare_folder(out, force=force)
    write_files(out, files)
    return {"run": pk, "out": str(out), "files": len(files)}


def _row(run: AnalysisRun) -> Document:
    return {
        "id": run.pk,
        "kind": run.kind,
        "study": run.study.slug if run.study else None,
        "state": run.state,
        "cancel_asked": run.cancel_asked,
        "progress": run.progress,
        "doing": run.doing,
        "error": run.error,
        "author": run.author,
        "asked_at": run.asked_at.isoformat(),
        "ended_at": run.ended_at and run.ended_at.isoformat(),
    }


def _line(row: Document) -> str:
    # A table can be wrong in many lines; --json and the page of the run have them all.
    words = (row["error"] or row["doing"]).partition("\n")[0]
    if row["cancel_asked"] and row["state"] == AnalysisRun.State.RUNNING:
        words = "stopping"
    facts = f"{row['id']:>6}  {row['kind']:<12}{row['study'] or 'files':<24}{row['state']:<10}"
    return f"{facts}{row['progress']:>5.0%}  {words}".rstrip()
