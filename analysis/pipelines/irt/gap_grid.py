"""The grid of gaps (gap, model, locale), with its bootstrap replicates, and means over its cells."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import frames
from analysis.stats.results import Estimate, undefined

GAPS = ("global", "local", "knowledge")
MOST_LOST = 0.05
LEVEL = 0.95

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class GapGrid:
    """Gaps in logits; NaN where a cell is undefined.

    `points` has shape (3, models, locales), `replicates` (B, 3, models, locales): the gaps of one
    replicate stem from one drawing of items, so any function of them keeps its covariance.
    """

    models: tuple[str, ...]
    locales: tuple[str, ...]
    points: Floats
    replicates: Floats | None = None
    seed: int | None = None

    def of_models(self, models: Sequence[str]) -> "GapGrid":
        """Return the grid of the named models only, in that order."""
        rows = [self.models.index(model) for model in models]
        inner = None if self.replicates is None else self.replicates[:, :, rows]
        return replace(self, models=tuple(models), points=self.points[:, rows], replicates=inner)

    def cells(self, models: Sequence[str], locales: Sequence[str]) -> Bools:
        """Return which cells belong to both lists, shape (models, locales)."""
        return np.outer(np.isin(self.models, models), np.isin(self.locales, locales))

    def both(self) -> tuple[Floats, Floats | None]:
        """Return the point values with a leading axis of one, and the replicates."""
        return self.points[None], self.replicates


def grid_of_table(table: pd.DataFrame) -> GapGrid:
    """Return the grid of a gaps table, models and locales in the order of their first rows."""
    names = frames.Gaps
    models = tuple(table[names.MODEL].unique())
    locales = tuple(table[names.LOCALE].unique())
    rows = table[names.MODEL].map({m: i for i, m in enumerate(models)}).to_numpy()
    columns = table[names.LOCALE].map({x: i for i, x in enumerate(locales)}).to_numpy()
    values = np.full((len(GAPS), len(models), len(locales)), np.nan)
    for i, gap in enumerate((names.GLOBAL, names.LOCAL, names.KNOWLEDGE)):
        values[i, rows, columns] = table[gap].to_numpy(dtype=np.float64)
    return GapGrid(models, locales, values)


def cell_mean(values: Floats, cells: Bools) -> Floats:
    """Return the mean over the marked cells that are defined; NaN where none is."""
    inside = values[..., cells]
    known = np.isfinite(inside)
    count = known.sum(axis=-1)
    total = np.where(known, inside, 0.0).sum(axis=-1)
    mean: Floats = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    return mean


def estimate(
    point: float,
    replicates: Floats | None,
    *,
    n: int | None,
    what: str,
    seed: int | None = None,
    reason: str = "no cell of it is defined",
) -> Estimate:
    """Return the point with the percentile interval of its replicates.

    Undefined replicates (a perfect score in a small set) are left out and counted; where more than
    one in twenty is, what is left would be a biased selection and there is no interval.
    """
    if not np.isfinite(point):
        return undefined(reason, method=what, n=n)
    if replicates is None or replicates.size == 0:
        return Estimate(float(point), n=n, method=what)
    kept = replicates[np.isfinite(replicates)]
    lost = replicates.size - kept.size
    method = f"{what}, {replicates.size:,} item-bootstrap replicates, percentile interval"
    if lost > MOST_LOST * replicates.size:
        words = f"no interval: undefined in {lost:,} of {replicates.size:,} replicates"
        return Estimate(float(point), n=n, method=method, seed=seed, reason=words)
    low, high = np.quantile(kept, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    notes = (f"{lost:,} replicates were undefined and left out",) if lost else ()
    return Estimate(
        float(point), float(low), float(high), n=n, method=method, seed=seed, notes=notes
    )


def mean_estimate(grid: GapGrid, gap: int, cells: Bools) -> Estimate:
    """Return the mean of one gap over the marked cells."""
    point, replicates = grid.both()
    drawn = None if replicates is None else cell_mean(replicates[:, gap], cells)
    n = int(np.isfinite(grid.points[gap][cells]).sum())
    mean = float(cell_mean(point[:, gap], cells)[0])
    return estimate(mean, drawn, n=n, what="mean over cells", seed=grid.seed)


def difference_estimate(grid: GapGrid, gap: int, inside: Bools, outside: Bools) -> Estimate:
    """Return the mean over one set of cells less that over another, within each replicate."""
    point, replicates = grid.both()

    def contrast(values: Floats) -> Floats:
        return cell_mean(values[:, gap], inside) - cell_mean(values[:, gap], outside)

    drawn = None if replicates is None else contrast(replicates)
    n = int(np.isfinite(grid.points[gap][inside | outside]).sum())
    return estimate(
        float(contrast(point)[0]), drawn, n=n, what="difference of means", seed=grid.seed
    )
