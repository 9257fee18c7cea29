"""The bootstrap by problem: one draw of problems for all language pairs, models and scores."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.pipelines.trace.retention import CELL
from analysis.stats.results import Estimate, undefined
from analysis.stats.trace_cells import (
    Cell,
    percentile_interval,
    pooled_means,
    problem_weights,
)
from analysis.stats.trace_scores import Floats

METHOD = "pair-weighted mean, percentile bootstrap over problems"
FEWEST_PROBLEMS = 2


@dataclass(frozen=True)
class Resampling:
    """How often each problem of each dataset enters each resample."""

    weights: Floats
    column: dict[tuple[str, str], int]
    seed: int

    @property
    def problems(self) -> int:
        """How many problems there are over all datasets."""
        return len(self.column)

    def columns_of(self, pairs: pd.DataFrame) -> NDArray[np.intp]:
        """Return the column of the weights that belongs to each row."""
        keys = zip(pairs["dataset"].tolist(), pairs["problem_id"].tolist(), strict=True)
        return np.array([self.column[key] for key in keys], dtype=np.intp)


def resample(pairs: pd.DataFrame, *, resamples: int, seed: int) -> Resampling:
    """Draw problems within each dataset, so that a pooled mean keeps the datasets' sizes."""
    rng = np.random.default_rng(seed)
    known = sorted(set(zip(pairs["dataset"].tolist(), pairs["problem_id"].tolist(), strict=True)))
    column = {key: index for index, key in enumerate(known)}
    blocks = [
        problem_weights(sum(dataset == name for dataset, _ in known), resamples, rng)
        for name in dict.fromkeys(dataset for dataset, _ in known)
    ]
    weights = np.hstack(blocks) if blocks else np.empty((resamples, 0))
    return Resampling(weights, column, seed)


def mean_of(pairs: pd.DataFrame, score: str, draws: Resampling) -> Estimate:
    """Return the mean of a score over the rows where it is defined."""
    return means_of([(pairs, score)], draws)[0]


def means_of(wanted: Sequence[tuple[pd.DataFrame, str]], draws: Resampling) -> list[Estimate]:
    """Return the mean of each score over each table, resampled for all at once."""
    if not wanted:
        return []
    sums, counts = np.array([_by_problem(*one, draws) for one in wanted]).transpose(1, 2, 0)
    means = pooled_means(sums, counts, draws.weights).T
    return [
        _mean(pairs[score], int(np.count_nonzero(count)), drawn, draws.seed)
        for (pairs, score), count, drawn in zip(wanted, counts.T, means, strict=True)
    ]


def _by_problem(pairs: pd.DataFrame, score: str, draws: Resampling) -> Floats:
    """Return, for each problem, the sum of the score and how many pairs have one."""
    values = pairs[score].to_numpy(dtype=float)
    defined = ~np.isnan(values)
    columns = draws.columns_of(pairs)[defined]
    sums = np.bincount(columns, values[defined], draws.problems)
    return np.stack([sums, np.bincount(columns, minlength=draws.problems)])


def _mean(scores: pd.Series, problems: int, drawn: Floats, seed: int) -> Estimate:
    values = scores.to_numpy(dtype=float)
    defined = values[~np.isnan(values)]
    if not defined.size:
        return undefined(f"{scores.name} is undefined for every pair of traces here", n=0)
    mean, n, lost = float(defined.mean()), defined.size, values.size - defined.size
    if problems < FEWEST_PROBLEMS:
        reason = "one problem gives no interval"
        return Estimate(value=mean, n=n, method=METHOD, reason=reason)
    low, high = percentile_interval(drawn)
    notes = (f"undefined for {lost} of {lost + n} pairs",) if lost else ()
    return Estimate(mean, low, high, n=n, method=METHOD, seed=seed, notes=notes)


def cells_of(pairs: pd.DataFrame, draws: Resampling, *, S: str = "S") -> list[Cell]:
    """Return the cells (dataset, model, language pair) with H and some version of S."""
    columns = draws.columns_of(pairs)
    H, values = pairs["H"].to_numpy(dtype=float), pairs[S].to_numpy(dtype=float)
    groups = pairs.groupby(CELL, sort=True).indices.values()
    found = (np.asarray(rows)[~np.isnan(values[rows])] for rows in groups)
    return [Cell(H[rows], values[rows], columns[rows]) for rows in found]
