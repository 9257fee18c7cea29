"""Whether H and S pick out the same pairs, by cell, by evaluation, and under every variant."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from analysis.pipelines.trace.calibration import VARIANTS
from analysis.pipelines.trace.resampling import Resampling, cells_of, means_of
from analysis.pipelines.trace.retention import CELL
from analysis.pipelines.trace.scoring import ORDER_VARIANTS, SCORES
from analysis.stats.association import spearman
from analysis.stats.results import Estimate, undefined
from analysis.stats.trace_cells import SMALLEST_CELL, dissociation

MEANS = (*SCORES, "coverage_a", "coverage_b")


def cell_table(pairs: pd.DataFrame, shuffled: pd.DataFrame, draws: Resampling) -> pd.DataFrame:
    """Return one row a cell: means, the shuffled reference, rank correlation, dissociation."""
    reference = {key: float(cell["S"].mean()) for key, cell in _cells(shuffled)}
    return pd.DataFrame([_cell_row(key, cell, reference, draws) for key, cell in _cells(pairs)])


def _cells(pairs: pd.DataFrame) -> Iterator[tuple[tuple[str, ...], pd.DataFrame]]:
    if pairs.empty:
        return
    for key, cell in pairs.groupby(CELL, sort=True):
        yield tuple(str(part) for part in key), cell


def _cell_row(
    key: tuple[str, ...],
    cell: pd.DataFrame,
    reference: dict[tuple[str, ...], float],
    draws: Resampling,
) -> dict[str, object]:
    share = dissociation(cells_of(cell, draws)).not_top
    rank = spearman(cell["H"], cell["S"])
    return dict(zip(CELL, key, strict=True)) | {
        "n": len(cell),
        **{f"mean_{score}": cell[score].mean() for score in MEANS},
        "mean_tau_self": cell[["tau_self_a", "tau_self_b"]].to_numpy(dtype=float).mean(),
        "S_shuffled": reference.get(key),
        "spearman_H_S": rank.value,
        "dissociation": share.value,
        "undefined": share.reason or "",
    }


def evaluation(pairs: pd.DataFrame, draws: Resampling) -> dict[str, object]:
    """Return means and dissociation over the cells of one evaluation, or of all."""
    cells = cells_of(pairs, draws)
    large = [cell for cell in cells if cell.H.size >= SMALLEST_CELL]
    shares = [dissociation([cell]).not_top.value for cell in large]
    whole = dissociation(cells, draws.weights)
    matched = pairs[pairs["steps_a"] == pairs["steps_b"]]
    ranks = [spearman(cell["H"], cell["S"]).value for _, cell in _cells(pairs)]
    return {
        **dict(zip(SCORES, means_of([(pairs, score) for score in SCORES], draws), strict=True)),
        "dissociation": whole.not_top,
        "dissociation_bottom": whole.bottom,
        "dissociation_macro": _mean([share for share in shares if share is not None], "cells"),
        "dissociation_equal_steps": dissociation(cells_of(matched, draws), draws.weights).not_top,
        "spearman_H_S_within_cells": _mean([rank for rank in ranks if rank is not None], "cells"),
        "cells": len(cells),
        "cells_large_enough": len(large),
    }


def _mean(values: list[float], of: str) -> Estimate:
    if not values:
        return undefined(f"no {of} are large enough", n=0)
    return Estimate(value=float(np.mean(values)), n=len(values), method=f"mean over {of}")


def sensitivity(pairs: pd.DataFrame, draws: Resampling) -> pd.DataFrame:
    """Return how results move with the ceiling, the floor and the sharpening."""
    rows = [_sensitivity_row("published choices", pairs, "S", "tau", draws)]
    rows += [
        _sensitivity_row(name, pairs, f"S, {name}", f"tau, {name}", draws)
        for name in VARIANTS
        if f"S, {name}" in pairs
    ]
    rows += [_sensitivity_row(name, pairs, "S", f"tau, {name}", draws) for name in ORDER_VARIANTS]
    return pd.DataFrame(rows)


def _sensitivity_row(
    name: str, pairs: pd.DataFrame, S: str, tau: str, draws: Resampling
) -> dict[str, object]:
    share = dissociation(cells_of(pairs, draws, S=S)).not_top
    return {
        "variant": name,
        "mean_S": pairs[S].mean(),
        "mean_tau": pairs[tau].mean(),
        "dissociation": share.value,
        "spearman_S": spearman(pairs["S"], pairs[S]).value,
        "spearman_tau": spearman(pairs["tau"], pairs[tau]).value,
        "undefined": share.reason or "",
    }
