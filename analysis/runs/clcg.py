"""The kind of run behind `clcg --background`: each file of scores a shard, their sums added."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from analysis.pipelines.clcg.reading import (
    Inputs,
    input_files,
    inputs_from,
    part_from,
    population_from,
    read_external,
    read_part,
    read_people,
    score_files,
)
from analysis.pipelines.clcg.study import analyse
from analysis.reports.clcg import clcg_report
from analysis.runs.kinds import CLCG, Report
from analysis.runs.models import AnalysisRun
from analysis.runs.packed import packed
from analysis.runs.queue import run_ask
from analysis.runs.sharded import parts_done
from analysis.runs.unchanged import files_sha256, require_unchanged

READ, JOINED, COMPUTED = 0.6, 0.7, 0.9
# How far a file is cannot be known before its end; after so many rows it is half way.
HALF_WAY_ROWS = 100_000


def clcg_ask(inputs: Inputs, *, figures: bool, author: str, now: datetime) -> AnalysisRun:
    """Queue an analysis of files, which every worker must find at the same paths."""
    there = inputs.absolute()
    return run_ask(
        None,
        CLCG,
        there.as_dict() | {"figures": figures},
        input_sha256=files_sha256(input_files(there)),
        author=author,
        now=now,
    )


def clcg(run: AnalysisRun, report: Report) -> dict[str, Any]:
    """Return the numbers, the page and all files; Cancelled between chunks where it is to stop."""
    inputs = inputs_from(run.parameters)
    report(0.0, "Comparing the files with those that were asked for")
    require_unchanged(input_files(inputs), run.input_sha256)
    parts = [{"file": str(file), **_stamp(file)} for file in score_files(inputs)]
    read = parts_done(run, parts, lambda part, doing: report(READ * part, f"Reading: {doing}"))
    report(READ, "Adding up")
    population, matches = population_from(inputs, map(part_from, read))
    external = read_external(inputs, population)
    report(JOINED, "Computing")
    study = analyse(population, matches, external, read_people(inputs))
    report(COMPUTED, "Drawing")
    return packed(clcg_report(study, figures=run.parameters.get("figures", True)))


def clcg_part(parameters: Mapping[str, Any], part: Mapping[str, Any], report: Report) -> bytes:
    """Read one file into sums."""

    def tell(rows: int, _: int) -> None:
        report(rows / (rows + HALF_WAY_ROWS), "")

    return read_part(inputs_from(parameters), Path(part["file"]), tell).as_bytes()


def _stamp(file: Path) -> dict[str, int]:
    """Return what changes when a file does, so that no part of an older one is kept."""
    found = file.stat()
    return {"bytes": found.st_size, "changed": found.st_mtime_ns}
