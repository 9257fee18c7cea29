"""A controlled check: what S, tau and H make of a translation that is then spoiled on purpose."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from analysis.pipelines.trace.analyse import Embedding, Options
from analysis.pipelines.trace.calibration import (
    Calibrated,
    Pair,
    calibrate,
    chosen_parallel,
    parallel_pairs,
)
from analysis.pipelines.trace.corpus import Trace, language_pairs, read_traces
from analysis.pipelines.trace.parser import parse
from analysis.pipelines.trace.retention import Candidate, retain
from analysis.pipelines.trace.scoring import SCORES, score_all
from analysis.stats.trace_scores import CalibrationError

Steps = list[str]
Spoil = Callable[[Steps, Steps], Steps]


def thinned(steps: Steps, _: Steps) -> Steps:
    """Leave out every third step, beginning with the second."""
    return [step for index, step in enumerate(steps) if index % 3 != 1]


def replaced(steps: Steps, stranger: Steps) -> Steps:
    """Put steps of another problem in the place of every third, beginning with the second."""
    return [
        stranger[index % len(stranger)] if index % 3 == 1 else step
        for index, step in enumerate(steps)
    ]


# What is done to the translated trace, given the translated trace of another problem.
SPOILS: dict[str, Spoil] = {
    "translated": lambda steps, _: steps,
    "reversed": lambda steps, _: steps[::-1],
    "a third left out": thinned,
    "a third replaced": replaced,
    "unrelated": lambda _, stranger: stranger,
}


def perturb(
    traces: pd.DataFrame, parallel: pd.DataFrame, embedding: Embedding, options: Options
) -> pd.DataFrame:
    """Return the score of every right pair under every perturbation of its second trace."""
    read = read_traces(traces, options.parsing)
    languages = {trace.language for trace in read}
    pairs = language_pairs(languages, options.anchor)
    texts = chosen_parallel(parallel_pairs(parallel, languages), pairs)
    texts = {pair: rows for pair, rows in texts.items() if rows}
    known = {language for pair in texts for language in pair}
    read = [trace for trace in read if trace.usable and trace.language in known]
    retained = [c for c in retain(read, options.anchor).candidates if c.group == "both_right"]
    spoilt = {name: _spoilt(retained, spoil) for name, spoil in SPOILS.items()}
    candidates = [candidate for some in spoilt.values() for candidate in some]
    steps = embedding.of(embedding.steps, _sentences(read, candidates, texts))
    wholes = embedding.of(embedding.wholes, [t.text for c in candidates for t in c[:2]])
    calibrations = calibrate(
        read, list(texts), texts, steps, encoder=embedding.steps.id,
        provenance=options.provenance, seed=options.seed,
    )  # fmt: skip
    parts = [
        score_all(some, steps, wholes, calibrations, wholes_limit=embedding.wholes.max_tokens).pairs
        for some in spoilt.values()
    ]
    if all(part.empty for part in parts):
        raise CalibrationError(_why(calibrations))
    labelled = [part.assign(done=name) for name, part in zip(spoilt, parts, strict=True)]
    return pd.concat(labelled, ignore_index=True)


def _why(calibrations: dict[tuple[str, Pair], Calibrated]) -> str:
    reasons = sorted({one.reason for one in calibrations.values() if one.reason})
    return reasons[0] if reasons else "No right pair of traces has parallel texts in its languages."


def perturbation_summary(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the mean of each score under each perturbation, with its quartiles over pairs."""
    rows = []
    for name in SPOILS:
        some = scores.loc[scores["done"] == name, list(SCORES)].astype(float)
        quartiles = some.quantile([0.25, 0.75])
        row: dict[str, object] = {"done": name, "pairs": len(some)}
        for score in SCORES:
            low, high = quartiles[score]
            row |= {score: some[score].mean(), f"{score}_low": low, f"{score}_high": high}
        rows.append(row)
    return pd.DataFrame(rows)


def _sentences(
    read: Sequence[Trace],
    candidates: Sequence[Candidate],
    parallel: dict[Pair, list[tuple[str, str]]],
) -> list[str]:
    traces = [*read, *(trace for candidate in candidates for trace in candidate[:2])]
    sentences = [sentence for trace in traces for sentence in trace.sentences]
    return sentences + [text for rows in parallel.values() for row in rows for text in row]


def _spoilt(candidates: Sequence[Candidate], spoil: Spoil) -> list[Candidate]:
    """Spoil each second trace; the stranger is the next problem's trace in the same language."""
    cells: dict[tuple[str, ...], list[Candidate]] = {}
    for candidate in candidates:
        cells.setdefault(candidate.cell, []).append(candidate)
    found = []
    for members in cells.values():
        for candidate, follower in zip(members, np.roll(np.arange(len(members)), -1), strict=True):
            stranger = members[int(follower)].b
            if stranger.problem != candidate.b.problem:
                found.append(candidate._replace(b=_rewritten(candidate.b, stranger, spoil)))
    return found


def _rewritten(trace: Trace, stranger: Trace, spoil: Spoil) -> Trace:
    steps = spoil(_texts(trace), _texts(stranger))
    text = "\n".join(f"Step {number}: {step}" for number, step in enumerate(steps, 1))
    return Trace(
        trace.dataset, trace.model, trace.problem, trace.language, text, trace.correct, trace.answer,
        parse(text), None,
    )  # fmt: skip


def _texts(trace: Trace) -> Steps:
    return [step.text.text for step in trace.parsed.steps]
