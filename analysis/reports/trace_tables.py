"""The tables of the trace report: pairs, cells, evaluations, calibration, and what was kept."""

from collections.abc import Mapping

import pandas as pd

from analysis.pipelines.trace.agreement import cell_table, sensitivity
from analysis.pipelines.trace.analyse import TraceResult
from analysis.pipelines.trace.outcomes import accuracy, accuracy_differences
from analysis.pipelines.trace.retention import CELL
from analysis.pipelines.trace.scoring import SCORES
from analysis.stats.results import Estimate

PUBLISHED_COLUMNS = [
    "dataset", "model", "problem_id", "language_a", "language_b", "S", "tau", "H",
    "coverage_a", "coverage_b", "steps_a", "steps_b",
]  # fmt: skip


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


def evaluation_table(evaluations: Mapping[str, Mapping[str, Estimate]]) -> pd.DataFrame:
    """Return means and dissociation of each dataset and model with their intervals."""
    rows = []
    for name, found in evaluations.items():
        row: dict[str, object] = {"evaluation": name, "pairs": found["S"].n}
        for score in (*SCORES, "dissociation"):
            one = found[score]
            row |= {score: one.value, f"{score}_low": one.low, f"{score}_high": one.high}
        rows.append(row)
    numbers = [name for name in (rows[0] if rows else {}) if name not in {"evaluation", "pairs"}]
    return pd.DataFrame(rows).astype(dict.fromkeys(numbers, float))
