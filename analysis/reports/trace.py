"""The report of the trace pipeline: document, tables, figures, page."""

import json
from collections.abc import Mapping
from types import MappingProxyType

import pandas as pd
from matplotlib.figure import Figure

from analysis.figures.trace import pair_means, position_profile, rank_scatter
from analysis.pipelines.trace.agreement import cell_table, evaluation, sensitivity
from analysis.pipelines.trace.analyse import TraceResult
from analysis.pipelines.trace.control import same_language_control
from analysis.pipelines.trace.encoder_sensitivity import encoder_sensitivity
from analysis.pipelines.trace.encoders import EncoderError
from analysis.pipelines.trace.outcomes import accuracy, accuracy_differences, difficulty, review
from analysis.pipelines.trace.positions import positions
from analysis.pipelines.trace.resampling import Resampling, means_of
from analysis.pipelines.trace.retention import CELL
from analysis.pipelines.trace.scoring import SCORES
from analysis.reports.bundle import Report, report_files
from analysis.reports.estimates import bracketed
from analysis.reports.page import Section
from analysis.reports.trace_pairs import pair_pages, telling_rows
from analysis.stats.results import Estimate
from analysis.stats.trace_cells import SMALLEST_CELL

PUBLISHED_COLUMNS = [
    "dataset", "model", "problem_id", "language_a", "language_b", "S", "tau", "H",
    "coverage_a", "coverage_b", "steps_a", "steps_b",
]  # fmt: skip
LIMITS = (
    "S and τ are read as ranks within one language pair: their level depends on the encoder.",
    (
        "τ depends on the floor of the calibration, and a trace whose own steps are alike stays "
        "below 1 even with itself. tau_self shows that under the calibration of the pair; sentences "
        "of one language lie closer together than translations do, so it is no upper limit."
    ),
    "The encoder hardly sees numbers: two steps that differ in a figure only count as alike.",
    "A language is checked by its script only; two languages in Latin script are not told apart.",
    "The traces are what the models wrote, not how they came to the answer.",
)
CAPTIONS = {
    "by_pair": "S of answers to the same problem, and of unrelated ones, by language pair",
    "ranks": "Pairs high in H and not in S: the answers look alike and are reasoned differently",
    "positions": "How well each fifth of the trace is met in the other language",
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
    where = positions(result.scored, result.options.anchor)
    figures = {"by_pair": pair_means(tables["cells"])}
    if (tables["cells"]["n"] >= SMALLEST_CELL).any():
        figures["ranks"] = rank_scatter(result.right)
    figures |= _position_figure(where)
    document = trace_document(result, tables, where)
    return Report(
        title="Reasoning traces across languages",
        results=document,
        tables=tables,
        figures=figures,
        sections=_sections(result, figures, tables, document["dissociation"]),
        captions=CAPTIONS,
    )


def trace_tables(result: TraceResult) -> dict[str, pd.DataFrame]:
    """Return the tables: pairs as published, everything about them, and the summaries."""
    cells = cell_table(result.right, result.shuffled, result.draws)
    return {
        "summary": _summary(cells),
        "pairs": result.pairs[PUBLISHED_COLUMNS],
        "pairs_full": result.pairs,
        "cells": cells,
        "calibration": calibration_table(result),
        "kept": kept_table(result.retention.funnel),
        "retention": result.retention.funnel,
        "accuracy": accuracy(result.traces),
        "accuracy_differences": accuracy_differences(result.retention.funnel, result.traces),
        "sensitivity": sensitivity(result.right, result.draws),
    }


def _summary(cells: pd.DataFrame) -> pd.DataFrame:
    names = {"mean_S": "S", "S_shuffled": "S, unrelated", "mean_tau": "τ", "mean_H": "H"}
    pair = cells["language_a"] + "–" + cells["language_b"]
    keys = ["dataset", "model", "pair", "n"]
    table = cells.assign(pair=pair)[[*keys, *names, "spearman_H_S", "dissociation"]]
    table = table.rename(columns=names)
    return table.astype({"S, unrelated": float, "spearman_H_S": float, "dissociation": float})


def kept_table(funnel: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs left at each stage, a row a dataset and model; stages without a pair are left out."""
    total = funnel.drop(columns=["language_a", "language_b"]).groupby(CELL[:2]).sum()
    total = total.loc[:, (total != 0).any()].reset_index()
    return total.rename(columns=lambda name: str(name).replace("_", " "))


def calibration_table(result: TraceResult) -> pd.DataFrame:
    """Return one row a dataset and pair: floor, ceiling, and where they are from."""
    return pd.DataFrame(
        [
            {
                "dataset": one.dataset,
                "language_a": one.pair[0],
                "language_b": one.pair[1],
                "floor": one.main.floor if one.main else None,
                "ceiling": one.main.ceiling if one.main else None,
                "floor_pairs": one.floor_n,
                "parallel_texts": one.ceiling_n,
                "encoder": one.encoder,
                "provenance": one.provenance,
                "seed": one.seed,
                "note": one.reason or one.note or "",
            }
            for one in result.calibrations.values()
        ]
    )


def trace_document(
    result: TraceResult, tables: Mapping[str, pd.DataFrame], where: dict[str, object]
) -> dict[str, object]:
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


def _told(found: object) -> str:
    return bracketed(found, ".3f") if isinstance(found, Estimate) else "undefined"


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
    result: TraceResult, figures: Mapping[str, Figure], tables: Mapping[str, pd.DataFrame],
    dissociation: object,
) -> tuple[Section, ...]:  # fmt: skip
    right = len(result.right)
    return (
        Section("How to read this", LIMITS),
        Section(
            "By language pair",
            ((f"{right:,} pairs of traces with both answers right; the pages under pairs/ show "
             "chosen ones step by step."),),
            tables=("summary",), figures=("by_pair",),
        ),
        Section(
            "Does the whole answer tell?",
            (("Dissociation is the share of the top quarter by H that is not in the top quarter by "
             "S. If H and S had nothing to do with each other it would be 0.75."),
             f"Here it is {_told(dissociation)}."),
            figures=tuple(name for name in ("ranks",) if name in figures),
        ),
        Section("Where traces part", figures=tuple(name for name in ("positions",) if name in figures)),
        Section(
            "What was kept", ("retention.csv has the same for each language pair.",), tables=("kept",)
        ),
        Section(
            "What the numbers rest on",
            ((f"Steps were encoded by {result.encoders[0].id}, whole responses by "
             f"{result.encoders[1].id}. The calibration is from {result.options.provenance}; "
             "calibration.csv holds floor and ceiling of every pair."),),
            tables=tuple(name for name in ("sensitivity", "encoders") if name in tables),
        ),
    )  # fmt: skip
