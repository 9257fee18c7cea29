"""Recomputes the printed aggregates of a figure of model-by-locale gaps from its cells."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from analysis.pipelines.reproduce import Check, all_known_used, compared
from analysis.stats.association import correlation_p

GAPS = ["global", "local", "knowledge"]
COLUMNS = ["model", "locale", *GAPS]


def figure_checks(document: Mapping[str, Any], cells: pd.DataFrame) -> tuple[Check, ...]:
    """Recompute every aggregate of a document in the form of tests/oracles/published_irt.json.

    Parameters
    ----------
    document : mapping
        "models" that enter the aggregates, "level" of each locale, "regions", "adapted" models,
        the published "expect", "tol", and "known": what does not recompute, with the reason.
    cells : DataFrame
        One row a model and locale with the columns model, locale, global, local, knowledge, as
        printed; -0.0 is a printed "-.00".
    """
    missing = sorted(set(COLUMNS) - set(cells.columns))
    if missing:
        raise ValueError(f"The cells of the figure lack the columns {missing}.")
    general = cells[cells["model"].isin(document["models"])]
    absent = sorted(set(document["models"]) - set(general["model"]))
    if absent:
        raise ValueError(f"The figure has no cells of the models {absent}.")
    recomputed = {
        "mean_global": general["global"].mean(),
        "column_means": _means(general, "locale"),
        "table1": _by_level(general, document["level"]),
        "pearson_with_level": _correlations(general, document["level"]),
        "pearson_local_p": _local_p(general, document["level"]),
        "table2": {name: _home(general, region) for name, region in document["regions"].items()},
        "table3": _adapted(cells, general, document["adapted"]),
        "figure3_gpt54": _means(general, "model")["GPT-5.4"],
        "share_knowledge_positive": 1 - np.signbit(general["knowledge"]).mean(),
    }
    tolerance = document["tol"]
    known = {f"irt.{name}": reason for name, reason in document["known"].items()}
    found = [
        check
        for name, expected in document["expect"].items()
        for check in compared(f"irt.{name}", expected, recomputed[name], tolerance, known)
    ]
    return all_known_used(found, known)


def _means(cells: pd.DataFrame, by: str) -> dict[str, dict[str, float]]:
    """Return the mean of each gap in each group."""
    means = cells.groupby(by)[GAPS].mean()
    return {str(name): {gap: float(row[gap]) for gap in GAPS} for name, row in means.iterrows()}


def _by_level(cells: pd.DataFrame, level: Mapping[str, int]) -> dict[str, dict[str, float]]:
    named = cells.assign(level=cells["locale"].map(level).astype(str))
    return _means(named, "level")


def _correlations(cells: pd.DataFrame, level: Mapping[str, int]) -> dict[str, float]:
    """Return Pearson's correlation of each gap's locale means with the resource level."""
    means = cells.groupby("locale")[GAPS].mean()
    levels = means.index.map(level).to_numpy(dtype=float)
    return {gap: float(np.corrcoef(means[gap], levels)[0, 1]) for gap in GAPS}


def _local_p(cells: pd.DataFrame, level: Mapping[str, int]) -> float:
    p = correlation_p(_correlations(cells, level)["local"], len(level) - 2)
    if p is None:
        raise ValueError("The local gap follows the resource level exactly; it has no p by t.")
    return p


def _home(cells: pd.DataFrame, region: Mapping[str, list[str]]) -> dict[str, Any]:
    """Return the home-language gaps of a region's models, of all others, and the difference."""
    there = cells[cells["locale"].isin(region["locales"])]
    home = there["model"].isin(region["models"])
    own, others = there[home][GAPS].mean(), there[~home][GAPS].mean()
    rows = {gap: [own[gap], others[gap], own[gap] - others[gap]] for gap in GAPS}
    return {"n": there[home]["model"].nunique()} | rows


def _adapted(
    cells: pd.DataFrame, general: pd.DataFrame, adapted: Mapping[str, str]
) -> dict[str, dict[str, list[float]]]:
    """Return each adapted model's gaps in its language, and their distance from the general mean."""
    baseline = _means(general, "locale")
    found = {}
    for model, locale in adapted.items():
        own = cells[(cells["model"] == model) & (cells["locale"] == locale)]
        if len(own) != 1:
            raise ValueError(
                f"The figure has {len(own)} cells of {model} in {locale}; one is needed."
            )
        row = own.iloc[0]
        found[model] = {gap: [row[gap], row[gap] - baseline[locale][gap]] for gap in GAPS}
    return found
