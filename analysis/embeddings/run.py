"""The trace pipeline with its files: tables read, encoders loaded, vectors kept, progress told."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic

from analysis.embeddings.choice import encoder_named
from analysis.embeddings.store import FileStore
from analysis.embeddings.workers import Processes
from analysis.frames import ParallelTexts, Traces
from analysis.pipelines.trace.analyse import Embedding, Options, TraceResult, analyse
from analysis.pipelines.trace.cache import Progress
from analysis.pipelines.trace.encoders import EncoderError
from analysis.stats.trace_scores import CalibrationError
from analysis.tables import read_table

SECONDS_BETWEEN_LINES = 10.0
ENDINGS = (".csv", ".jsonl", ".parquet")


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


def _in(folder: Path, stem: str) -> Path | None:
    return next((p for end in ENDINGS if (p := folder / f"{stem}{end}").is_file()), None)


def trace_result(
    inputs: TraceInputs, options: Options, *, encoder: str, cache: Path,
    whole_encoder: str | None = None, processes: int = 1,
    tell: Callable[[str], None] = lambda _: None,
) -> TraceResult:  # fmt: skip
    """Read the tables and run the pipeline over them."""
    if inputs.parallel is None:
        raise CalibrationError(
            "The calibration needs parallel texts: sentences and their translations in the "
            "languages of the traces. Name a table with --parallel."
        )
    traces = read_table(inputs.traces, Traces.TABLE)
    parallel = read_table(inputs.parallel, ParallelTexts.TABLE)
    steps = encoder_named(encoder)
    wholes = encoder_named(whole_encoder) if whole_encoder else steps
    if processes < 1:
        raise EncoderError(f"{processes} processes cannot encode; give at least 1.")
    embedding = Embedding(steps, wholes, FileStore(cache), Processes(processes), Teller(tell))
    provenance = f"imported parallel texts: {inputs.parallel.name}"
    return analyse(traces, parallel, embedding, replace(options, provenance=provenance))


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
