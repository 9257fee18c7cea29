"""The report of the trace pipeline: document, tables, figures, page."""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from analysis.figures.trace import pair_means, position_profile, rank_scatter
from analysis.pipelines.trace.agreement import evaluation
from analysis.pipelines.trace.analyse import TraceResult
from analysis.pipelines.trace.control import same_language_control
from analysis.pipelines.trace.encoder_sensitivity import encoder_sensitivity
from analysis.pipelines.trace.encoders import EncoderError
from analysis.pipelines.trace.outcomes import difficulty, review
from analysis.pipelines.trace.positions import positions
from analysis.pipelines.trace.resampling import Resampling, means_of
from analysis.pipelines.trace.scoring import SCORES
from analysis.reports.bundle import Report, report_files
from analysis.reports.page import Section, section_of
from analysis.reports.trace_pairs import pair_pages, telling_rows
from analysis.reports.trace_tables import evaluation_table, trace_tables
from analysis.reports.trace_words import LIMITS, dissociation_words, position_words, signal_words
from analysis.stats.results import Estimate
from analysis.stats.trace_cells import SMALLEST_CELL

CAPTIONS = {
    "by_pair": "S of answers to the same problem, and of unrelated ones, by language pair",
    "ranks": "Pairs high in H and not in S: the answers look alike and are reasoned differently",
    "positions": "How well each fifth of the trace is met in the other language",
    "evaluations": "Means of each dataset and model, with 95 % intervals over problems",
    "accuracy": "Share of right answers by language",
    "summary": "Each dataset, model and language pair; cells.csv has more columns",
    "calibration": "Floor and ceiling of each language pair",
    "kept": "How many pairs of traces are left at each stage",
    "retention": "How many pairs are left at each stage",
    "sensitivity": "The same results under other choices",
    "encoders": "The same traces under other encoders",
}


def trace_files(
    result: TraceResult, others: Mapping[str, TraceResult] = MappingProxyType({})
) -> dict[str, bytes]:
    """Return path → content of everything that a run reports; `others` used other encoders."""
    report = trace_report(result, others)
    return report_files(report) | pair_pages(result.scored, telling_rows(result.right))


def trace_lines(files: Mapping[str, bytes]) -> str:
    """Return what a person reads first, from the document of a run."""
    document = json.loads(files["results.json"])
    lines = [f"{'pair':<16}{'n':>6}{'S':>8}{'unrelated':>11}{'tau':>8}{'H':>8}"]
    for pair, found in document["by_pair"].items():
        unrelated = found.get("S_shuffled", {})
        cells = [_cell(found["S"], 8), _cell(unrelated, 11), _cell(found["tau"], 8)]
        lines.append(f"{pair:<16}{found['n']:>6}{''.join(cells)}{_cell(found['H'], 8)}")
    share = document["dissociation"]
    known = share["value"] is not None
    told = f"{share['value']:.1%} of the top quarter by H" if known else share["reason"]
    return "\n".join([*lines, f"{document['pairs']:,} pairs scored; dissociation: {told}"])


def _cell(estimate: Mapping[str, float | None], width: int) -> str:
    value = estimate.get("value")
    return f"{'–' if value is None else format(value, '.3f'):>{width}}"


def trace_report(
    result: TraceResult, others: Mapping[str, TraceResult] = MappingProxyType({})
) -> Report:
    """Gather the report; a test-only encoder is refused, since its numbers mean nothing."""
    for encoder in result.encoders:
        if encoder.test_only:
            raise EncoderError(
                f"The encoder {encoder.id} is for tests only and measures no meaning. "
                "Run with another encoder to get a report."
            )
    tables = trace_tables(result)
    if others:
        tables["encoders"] = encoder_sensitivity(result, others)
    where = positions(result.scored, result.options.anchor, result.draws)
    figures = {"by_pair": pair_means(tables["cells"])}
    if (tables["cells"]["n"] >= SMALLEST_CELL).any():
        figures["ranks"] = rank_scatter(result.right)
    figures |= _position_figure(where)
    document = trace_document(result, tables, where)
    tables["evaluations"] = evaluation_table(document["evaluations"])
    return Report(
        title="Reasoning traces across languages",
        results=document,
        tables=tables,
        figures=figures,
        sections=_sections(result, figures, tables, document),
        captions=CAPTIONS,
    )


def trace_document(
    result: TraceResult, tables: Mapping[str, pd.DataFrame], where: dict[str, object]
) -> dict[str, Any]:
    """Return what results.json holds."""
    right, draws = result.right, result.draws
    whole = evaluation(right, draws)
    return {
        "pairs": len(result.pairs),
        "by_pair": _by_pair(result),
        "dissociation": whole["dissociation"],
        "overall": whole,
        "evaluations": _evaluations(right, whole, draws),
        "calibration": _records(tables["calibration"]),
        "retention": _records(tables["retention"]),
        "accuracy": _records(tables["accuracy"]),
        "accuracy_differences": _records(tables["accuracy_differences"]),
        "positions": where,
        "review": review(result.pairs, draws),
        "difficulty": difficulty(result.pairs, result.traces),
        "control": _control(result),
        "sensitivity": _records(tables["sensitivity"]),
        "encoders": _records(tables["encoders"]) if "encoders" in tables else [],
        "provenance": _provenance(result),
        "limits": list(LIMITS),
    }


def _evaluations(
    right: pd.DataFrame, whole: dict[str, object], draws: Resampling
) -> dict[str, object]:
    """Return each dataset and model by itself; where there is one, that is the whole."""
    found = {
        f"{dataset} · {model}": rows
        for (dataset, model), rows in right.groupby(["dataset", "model"])
    }
    if len(found) == 1:
        return dict.fromkeys(found, whole)
    return {name: evaluation(rows, draws) for name, rows in found.items()}


def _by_pair(result: TraceResult) -> dict[str, object]:
    found: dict[str, object] = {}
    keys = ["language_a", "language_b"]
    shuffled = {key: rows for key, rows in result.shuffled.groupby(keys)}  # noqa: C416  frames
    groups = list(result.right.groupby(keys))
    wanted = [(rows, score) for _, rows in groups for score in SCORES]
    estimates = iter(means_of(wanted, result.draws))
    for key, rows in groups:
        means: dict[str, object] = {score: next(estimates) for score in SCORES}
        reference = shuffled.get(key)
        if reference is not None:
            means |= {
                f"{score}_shuffled": Estimate(
                    float(reference[score].mean()),
                    n=len(reference),
                    method="mean, shuffled problems",
                )
                for score in ("S", "H")
            }
        found["-".join(str(part) for part in key)] = means | {"n": len(rows)}
    return found


def _control(result: TraceResult) -> dict[str, object]:
    options = result.options
    if options.control is None:
        return {"reason": "no paraphrase condition was named"}
    return same_language_control(
        result.scored, result.vectors.steps, result.calibrations, result.draws,
        anchor=options.anchor, control=options.control,
    )  # fmt: skip


def _provenance(result: TraceResult) -> dict[str, object]:
    options, (steps, wholes) = result.options, result.encoders
    return {
        "encoder_steps": steps.id,
        "encoder_wholes": wholes.id,
        "seed": options.seed,
        "resamples": options.resamples,
        "anchor": options.anchor,
        "preamble": options.parsing.preamble,
        "unmarked_text": options.parsing.unmarked,
        "step_rules": dict(pd.Series([t.parsed.rule for t in result.traces]).value_counts()),
        "parallel": options.provenance,
        "ceiling": "P90, at most 0.98",
        "floor": "mean over sentences of different problems",
        "directions": "arithmetic mean",
        "power": 3,
    }


def _records(table: pd.DataFrame) -> list[dict[str, object]]:
    rows = table.astype(object).where(table.notna(), None).to_dict("records")
    return [{str(name): cell for name, cell in row.items()} for row in rows]


def _position_figure(where: dict[str, object]) -> dict[str, Figure]:
    profiles = where.get("quintiles_by_language")
    everyone = where.get("quintiles")
    if not isinstance(profiles, dict) or not isinstance(everyone, list):
        return {}
    rows = [
        {"language": language, "fifth": fifth, "best_match": estimate.value}
        for language, profile in [*profiles.items(), ("all", everyone)]
        for fifth, estimate in enumerate(profile, 1)
    ]
    table = pd.DataFrame(rows).astype({"best_match": float})
    return {"positions": position_profile(table)}


def _sections(
    result: TraceResult,
    figures: Mapping[str, Figure],
    tables: Mapping[str, pd.DataFrame],
    document: Mapping[str, Any],
) -> tuple[Section, ...]:
    steps, wholes = (encoder.id for encoder in result.encoders)
    about_pairs = (
        f"{len(result.right):,} pairs of traces with both answers right; the pages under pairs/ show "
        "chosen ones step by step."
    )
    rests_on = (
        f"Steps were encoded by {steps}, whole responses by {wholes}. The calibration is from "
        f"{result.options.provenance}; calibration.csv holds floor and ceiling of every pair."
    )

    def part(heading: str, words: Sequence[str], *names: str) -> Section:
        return section_of(heading, words, names, tables, figures)

    return (
        part("How to read this", LIMITS),
        part("By dataset and model", (), "evaluations"),
        part("By language pair", (about_pairs,), "by_pair", "summary"),
        part("Does the whole answer tell?", dissociation_words(document), "ranks"),
        part("Where traces part", position_words(document["positions"]), "positions"),
        part("What divergence goes with", signal_words(document)),
        part(
            "What was kept",
            ("retention.csv has the same for each language pair.",),
            "kept",
            "accuracy",
        ),
        part("What the numbers rest on", (rests_on,), "sensitivity", "encoders"),
    )
