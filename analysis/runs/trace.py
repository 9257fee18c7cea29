"""The kind of run behind `trace --background`: texts encoded in parts, then all computed from the cache."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from analysis.embeddings.choice import encoder_named
from analysis.embeddings.parts import all_known, part_count, part_encoded, part_kept, parts_of
from analysis.embeddings.run import (
    Encoders,
    TraceInputs,
    input_files,
    texts_by_encoder,
    trace_runs,
)
from analysis.embeddings.store import FileStore
from analysis.pipelines.trace.analyse import Options
from analysis.pipelines.trace.cache import Progress
from analysis.pipelines.trace.parser import Settings
from analysis.reports.trace import trace_files
from analysis.runs.kinds import TRACE, Report
from analysis.runs.models import AnalysisRun
from analysis.runs.packed import packed_files
from analysis.runs.queue import run_ask
from analysis.runs.sharded import parts_done
from analysis.runs.unchanged import files_sha256, require_unchanged
from analysis.runs.vectors import vectors_file
from annotation.studyfile import canonical_json

READ, ENCODED = 0.02, 0.9


@dataclass(frozen=True)
class Asked:
    """What a run is about; its dictionary is that of the parameters."""

    inputs: TraceInputs
    options: Options
    encoders: Encoders

    def as_dict(self) -> dict[str, Any]:
        """Return the parameters of the run."""
        options = self.options
        return {
            "traces": str(self.inputs.traces),
            "parallel": str(self.inputs.parallel),
            "encoder": self.encoders.steps,
            "whole_encoder": self.encoders.wholes,
            "compare_encoder": self.encoders.compared,
            "seed": options.seed,
            "resamples": options.resamples,
            "anchor": options.anchor,
            "control": options.control,
            "preamble": options.parsing.preamble,
            "unmarked": options.parsing.unmarked,
        }

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> "Asked":
        """Return what the parameters of a run say."""
        return cls(
            TraceInputs(Path(parameters["traces"]), Path(parameters["parallel"])),
            Options(
                seed=parameters["seed"],
                resamples=parameters["resamples"],
                anchor=parameters["anchor"],
                control=parameters["control"],
                parsing=Settings(parameters["preamble"], parameters["unmarked"]),
            ),
            Encoders(
                parameters["encoder"], parameters["whole_encoder"], parameters["compare_encoder"]
            ),
        )

    def absolute(self) -> "Asked":
        """Return the same with paths that hold anywhere on this machine."""
        return replace(self, inputs=self.inputs.absolute(), encoders=self.encoders.absolute())

    def texts(self) -> dict[str, list[str]]:
        """Return what each encoder is to encode, by its name."""
        return texts_by_encoder(self.inputs, self.options, self.encoders)


def trace_ask(asked: Asked, *, author: str, now: datetime) -> AnalysisRun:
    """Queue an analysis of files, which every worker must find at the same paths."""
    for name in asked.encoders.names:
        encoder_named(name)
    return run_ask(
        None,
        TRACE,
        asked.as_dict(),
        input_sha256=files_sha256(input_files(asked.inputs)),
        author=author,
        now=now,
    )


def trace(run: AnalysisRun, report: Report) -> dict[str, Any]:
    """Return the numbers, the page and all files; Cancelled between batches where it is to stop."""
    asked = Asked.of(run.parameters)
    report(0.0, "Reading the traces")
    require_unchanged(input_files(asked.inputs), run.input_sha256)
    store = _store()
    texts = asked.texts()
    report(READ, "Looking up what is encoded")
    if waiting := _waiting(run, texts, store):
        _encode(run, waiting, store, _between(report))
    report(ENCODED, "Computing")
    found = trace_runs(asked.inputs, asked.options, encoders=asked.encoders, cache=vectors_file())
    return packed_files(trace_files(*found))


def trace_part(parameters: Mapping[str, Any], part: Mapping[str, Any], report: Report) -> bytes:
    """Encode one part of the texts of one encoder."""

    def tell(progress: Progress) -> None:
        report(progress.done / progress.missing if progress.missing else 1.0, "")

    name = part["encoder"]
    dealt = _dealt(canonical_json(parameters), part["input_sha256"])[name]
    return part_encoded(dealt[part["part"]], encoder_named(name), _store(), tell)


@lru_cache(maxsize=1)
def _dealt(parameters: str, input_sha256: str) -> dict[str, list[list[str]]]:
    """Return the texts of all parts, by encoder; a worker does many parts of one run.

    To check, read and take apart large tables for each would take longer than to encode the part.
    """
    asked = Asked.of(json.loads(parameters))
    require_unchanged(input_files(asked.inputs), input_sha256)
    return {name: parts_of(some) for name, some in asked.texts().items()}


def _waiting(
    run: AnalysisRun, texts: Mapping[str, list[str]], store: FileStore
) -> dict[str, list[str]]:
    """Return what is to be encoded, by encoder.

    What an earlier attempt laid out stays beside the rest, since another plan would throw its parts away.
    """
    lacking = {
        name for name, some in texts.items() if not all_known(some, encoder_named(name), store)
    }
    if not lacking:
        return {}
    planned = set(run.shards.values_list("parameters__encoder", flat=True))
    return {name: some for name, some in texts.items() if name in lacking | planned}


def _encode(
    run: AnalysisRun, texts: Mapping[str, list[str]], store: FileStore, report: Report
) -> None:
    parts = [
        {"encoder": name, "part": number, "input_sha256": run.input_sha256}
        for name, some in texts.items()
        for number in range(part_count(some))
    ]
    for stored in parts_done(run, parts, report):
        part_kept(stored, store)


def _between(report: Report) -> Callable[[float, str], None]:
    return lambda share, doing: report(READ + (ENCODED - READ) * share, f"Encoding: {doing}")


def _store() -> FileStore:
    return FileStore(vectors_file())
