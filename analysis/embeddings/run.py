"""The trace pipeline with its files: tables read, encoders loaded, vectors kept, progress told."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from os.path import isfile  # unlike that of Path it says no where a folder may not be looked into
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import pandas as pd

from analysis.embeddings.choice import encoder_named, name_anywhere
from analysis.embeddings.store import FileStore
from analysis.embeddings.workers import Processes
from analysis.frames import ParallelTexts, Traces
from analysis.pipelines.trace.analyse import (
    Embedding,
    Options,
    TraceResult,
    analyse,
    texts_to_embed,
)
from analysis.pipelines.trace.cache import Progress
from analysis.pipelines.trace.encoders import Encoder, EncoderError
from analysis.pipelines.trace.perturbation import perturb
from analysis.stats.trace_scores import CalibrationError
from analysis.tables import files_of, read_table

SECONDS_BETWEEN_LINES = 10.0
ENDINGS = (".csv", ".jsonl", ".parquet")
NO_PARALLEL = (
    "The calibration needs parallel texts: sentences and their translations in the languages of the "
    "traces. Name a table with --parallel."
)


@dataclass(frozen=True)
class TraceInputs:
    """Where the traces and the parallel texts are."""

    traces: Path
    parallel: Path | None

    @classmethod
    def of(cls, traces: Path, parallel: Path | None) -> "TraceInputs":
        """Find the tables; a folder may hold traces.* and, beside it, parallel.* or questions.*."""
        if not traces.is_dir():
            return cls(traces, parallel)
        found = _in(traces, "traces")
        beside = _in(traces, "parallel") or _in(traces, "questions")
        return cls(found or traces, parallel or beside)

    def absolute(self) -> "TraceInputs":
        """Return the same under paths that hold wherever they are read from."""
        return TraceInputs(self.traces.absolute(), self.parallel and self.parallel.absolute())


def _in(folder: Path, stem: str) -> Path | None:
    return next((p for end in ENDINGS if isfile(p := folder / f"{stem}{end}")), None)


def input_files(inputs: TraceInputs) -> list[Path]:
    """Return the files of both tables; an error says which is not there."""
    return files_of(_tables(inputs))


def _tables(inputs: TraceInputs) -> tuple[Path, Path]:
    if inputs.parallel is None:
        raise CalibrationError(NO_PARALLEL)
    return inputs.traces, inputs.parallel


@dataclass(frozen=True)
class Encoders:
    """The names of the encoders: of steps, of whole responses, and one to compare steps with."""

    steps: str
    wholes: str | None = None
    compared: str | None = None

    @property
    def names(self) -> list[str]:
        """Each name once."""
        return list(
            dict.fromkeys(name for name in (self.steps, self.wholes, self.compared) if name)
        )

    def absolute(self) -> "Encoders":
        """Return the same by names that hold anywhere on this machine."""
        return Encoders(
            name_anywhere(self.steps),
            self.wholes and name_anywhere(self.wholes),
            self.compared and name_anywhere(self.compared),
        )


Tell = Callable[[str], None]


class TraceRuns(NamedTuple):
    """The run that was asked for, and those that show what it rests on."""

    result: TraceResult
    others: dict[str, TraceResult]


def trace_runs(
    inputs: TraceInputs, options: Options, *, encoders: Encoders, cache: Path, processes: int = 1,
    tell: Tell = lambda _: None,
) -> TraceRuns:  # fmt: skip
    """Read the tables and run the pipeline over them; again with other encoders where there are.

    With an encoder of its own for H, a second run takes one encoder for both S and H.
    """
    if processes < 1:
        raise EncoderError(f"{processes} processes cannot encode; give at least 1.")
    traces, parallel, options = _read(inputs, options)
    steps = encoder_named(encoders.steps)
    wholes = encoder_named(encoders.wholes) if encoders.wholes else steps
    asked = Embedding(steps, wholes, FileStore(cache), Processes(processes), Teller(tell))
    others = {}
    if encoders.wholes:
        others["one encoder for S and H"] = replace(asked, wholes=steps)
    if encoders.compared:
        others["another encoder for S"] = replace(asked, steps=encoder_named(encoders.compared))
    return TraceRuns(
        analyse(traces, parallel, asked, options),
        {name: analyse(traces, parallel, one, options) for name, one in others.items()},
    )


def texts_by_encoder(
    inputs: TraceInputs, options: Options, encoders: Encoders
) -> dict[str, list[str]]:
    """Return what each encoder encodes in `trace_runs`, by its name."""
    traces, parallel, options = _read(inputs, options)
    steps, wholes = texts_to_embed(traces, parallel, options)
    # With an encoder of its own for H, that of the steps takes both in the second run.
    found = {encoders.steps: [*steps, *wholes]}
    if encoders.wholes:
        found.setdefault(encoders.wholes, []).extend(wholes)
    if encoders.compared:
        found.setdefault(encoders.compared, []).extend(steps)
    return found


def perturbation_result(
    inputs: TraceInputs, options: Options, *, encoder: str, cache: Path,
    model: str | None = None, tell: Tell = lambda _: None,
) -> tuple[pd.DataFrame, Encoder]:  # fmt: skip
    """Read the tables and run the controlled check over them, or over one model's traces."""
    traces, parallel, options = _read(inputs, options)
    if model is not None:
        traces = traces[traces[Traces.MODEL] == model]
    chosen = encoder_named(encoder)
    embedding = Embedding(chosen, chosen, FileStore(cache), progress=Teller(tell))
    return perturb(traces, parallel, embedding, options), chosen


def _read(inputs: TraceInputs, options: Options) -> tuple[pd.DataFrame, pd.DataFrame, Options]:
    traces_path, parallel_path = _tables(inputs)
    traces = read_table(traces_path, Traces.TABLE)
    parallel = read_table(parallel_path, ParallelTexts.TABLE)
    provenance = f"imported parallel texts: {parallel_path.name}"
    return traces, parallel, replace(options, provenance=provenance)


class Teller:
    """Says now and then how far the encoding has come."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.tell = tell
        self.last = monotonic()

    def __call__(self, progress: Progress) -> None:
        """Say so at the start, where there is something to do, and every ten seconds."""
        due = monotonic() - self.last > SECONDS_BETWEEN_LINES
        if progress.missing and (due or progress.done in {0, progress.missing}):
            self.last = monotonic()
            self.tell(
                f"encoded {progress.done:,} of {progress.missing:,} texts "
                f"({progress.known:,} were in the cache)"
            )
