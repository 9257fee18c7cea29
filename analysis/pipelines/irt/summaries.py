"""Tables 1 to 3 and their like, from any grid of gaps: level, home region, adaptation, size.

Every row is a mean or a difference of means over cells; where the grid has replicates, the interval
is taken from the same function of each replicate.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.stats import pearsonr

from analysis.pipelines.irt.gap_grid import (
    GAPS,
    Bools,
    Floats,
    GapGrid,
    cell_mean,
    difference_estimate,
    estimate,
    mean_estimate,
)
from analysis.stats.results import Estimate, undefined

LEAST_FOR_CORRELATION = 3
NO_SHARE_INTERVAL = (
    "no interval: replicates carry the error twice, so their share lies to one side of this one"
)


@dataclass(frozen=True)
class Region:
    """The models built in a region and the locales that are at home there."""

    models: tuple[str, ...]
    locales: tuple[str, ...]


@dataclass(frozen=True)
class Contrast:
    """A group, the rest, and the difference, of one gap."""

    inside: Estimate
    outside: Estimate
    difference: Estimate


ByGap = dict[str, Estimate]


def overall_means(grid: GapGrid) -> ByGap:
    """Return the mean of each gap over all cells."""
    return _means(grid, grid.cells(grid.models, grid.locales))


def locale_means(grid: GapGrid) -> dict[str, ByGap]:
    """Return the mean of each gap over the models, by locale."""
    return {x: _means(grid, grid.cells(grid.models, [x])) for x in grid.locales}


def model_means(grid: GapGrid) -> dict[str, ByGap]:
    """Return the mean of each gap over the locales, by model."""
    return {m: _means(grid, grid.cells([m], grid.locales)) for m in grid.models}


def level_means(grid: GapGrid, levels: Mapping[str, int]) -> dict[int, ByGap]:
    """Return Table 1: the mean of each gap over the cells of each resource level."""
    known = {x: levels[x] for x in grid.locales if x in levels}
    return {
        level: _means(grid, grid.cells(grid.models, [x for x in known if known[x] == level]))
        for level in sorted(set(known.values()))
    }


def level_correlations(grid: GapGrid, levels: Mapping[str, int]) -> ByGap:
    """Return Pearson's r between resource level and the locale means, for each gap.

    The p-value is that of the ordinary test over locales; the interval, where there are replicates,
    speaks only of the sampling of items, not of locales.
    """
    return {gap: _level_correlation(grid, i, levels) for i, gap in enumerate(GAPS)}


def share_positive(grid: GapGrid, gap: str) -> Estimate:
    """Return the share of the defined cells above zero; a zero is not above zero.

    It has no interval: a replicate carries the error of the answers twice, so more of its cells are
    on the wrong side of zero, and percentiles of its share lie to one side of the share itself.
    """
    i = GAPS.index(gap)
    known = np.isfinite(grid.points[i])
    n = int(known.sum())
    if n == 0:
        return undefined("no cell is defined", method="share of cells above zero", n=0)
    what = "share of cells above zero"
    reason = None if grid.replicates is None else NO_SHARE_INTERVAL
    return Estimate(float((grid.points[i][known] > 0).mean()), n=n, method=what, reason=reason)


def home_advantage(grid: GapGrid, regions: Mapping[str, Region]) -> dict[str, dict[str, Contrast]]:
    """Return Table 2: on a region's home locales, its own models against all others."""
    found: dict[str, dict[str, Contrast]] = {}
    for name, region in regions.items():
        others = [m for m in grid.models if m not in region.models]
        inside = grid.cells(region.models, region.locales)
        found[name] = _contrasts(grid, inside, grid.cells(others, region.locales))
    return found


def adaptation_effects(
    grid: GapGrid, adapted: Mapping[str, str], baseline: Sequence[str]
) -> dict[str, dict[str, Contrast]]:
    """Return Table 3: each adapted model on its locale against the mean of the baseline there."""
    return {
        model: _contrasts(grid, grid.cells([model], [locale]), grid.cells(baseline, [locale]))
        for model, locale in adapted.items()
    }


def mean_adaptation(
    grid: GapGrid, adapted: Mapping[str, str], baseline: Sequence[str]
) -> dict[str, Contrast]:
    """Return the last line of Table 3: the plain mean over the adapted models, within each replicate."""
    inside = [grid.cells([model], [locale]) for model, locale in adapted.items()]
    outside = [grid.cells(baseline, [locale]) for locale in adapted.values()]
    if not inside:
        return {}
    return {gap: _mean_contrast(grid, i, inside, outside) for i, gap in enumerate(GAPS)}


def _mean_contrast(
    grid: GapGrid, gap: int, inside: Sequence[Bools], outside: Sequence[Bools]
) -> Contrast:
    point, replicates = grid.both()

    def over_models(values: Floats, sets: Sequence[Bools]) -> Floats:
        means: Floats = np.mean([cell_mean(values[:, gap], cells) for cells in sets], axis=0)
        return means

    def made(contrast: Callable[[Floats], Floats]) -> Estimate:
        return estimate(
            float(contrast(point)[0]),
            None if replicates is None else contrast(replicates),
            n=len(inside),
            what="mean over adapted models",
            seed=grid.seed,
            reason="one of the models has no defined cell",
        )

    return Contrast(
        made(lambda values: over_models(values, inside)),
        made(lambda values: over_models(values, outside)),
        made(lambda values: over_models(values, inside) - over_models(values, outside)),
    )


def size_trend(grid: GapGrid, sizes: Mapping[str, float], gap: str) -> Estimate:
    """Return the least-squares slope of a model's mean gap on log10 of its parameters."""
    i, what = GAPS.index(gap), "slope on log10 of the parameters"
    rows = [k for k, model in enumerate(grid.models) if sizes.get(model, 0) > 0]
    logs = np.log10([sizes[grid.models[k]] for k in rows])
    if len(rows) < LEAST_FOR_CORRELATION or np.ptp(logs) == 0:
        return undefined(
            "fewer than three models of different known size", method=what, n=len(rows)
        )
    centred = logs - logs.mean()

    def slope(values: Floats) -> Floats:
        means = np.stack([cell_mean(values[:, i, k], _all(grid)) for k in rows], axis=-1)
        slopes: Floats = means @ centred / (centred @ centred)
        return slopes

    point, replicates = grid.both()
    drawn = None if replicates is None else slope(replicates)
    return estimate(float(slope(point)[0]), drawn, n=len(rows), what=what, seed=grid.seed)


def _all(grid: GapGrid) -> Bools:
    return np.ones(len(grid.locales), dtype=bool)


def _means(grid: GapGrid, cells: Bools) -> ByGap:
    return {gap: mean_estimate(grid, i, cells) for i, gap in enumerate(GAPS)}


def _contrasts(
    grid: GapGrid,
    inside: Bools,
    outside: Bools,
) -> dict[str, Contrast]:
    return {
        gap: Contrast(
            mean_estimate(grid, i, inside),
            mean_estimate(grid, i, outside),
            difference_estimate(grid, i, inside, outside),
        )
        for i, gap in enumerate(GAPS)
    }


def _level_correlation(grid: GapGrid, gap: int, levels: Mapping[str, int]) -> Estimate:
    what = "Pearson correlation of resource level and locale mean"
    point, replicates = grid.both()
    columns = [k for k, locale in enumerate(grid.locales) if locale in levels]
    level = np.array([levels[grid.locales[k]] for k in columns], dtype=np.float64)
    means = _column_means(point[:, gap], columns)[0]
    known = np.isfinite(means)
    n = int(known.sum())
    if n < LEAST_FOR_CORRELATION or np.ptp(level[known]) == 0 or np.ptp(means[known]) == 0:
        words = "needs three locales with a level, and levels and means that differ"
        return undefined(words, method=what, n=n)
    r, p = pearsonr(level[known], means[known])
    drawn = None
    if replicates is not None:
        drawn = _correlations(level[known], _column_means(replicates[:, gap], columns)[:, known])
    found = estimate(float(r), drawn, n=n, what=what, seed=grid.seed)
    return replace(found, p=float(p))


def _column_means(values: Floats, columns: Sequence[int]) -> Floats:
    models = np.ones(values.shape[-2], dtype=bool)
    return np.stack([cell_mean(values[..., k], models) for k in columns], axis=-1)


def _correlations(level: Floats, means: Floats) -> Floats:
    """Return the correlation of the levels with each row of means."""
    x = level - level.mean()
    y = means - means.mean(axis=1, keepdims=True)
    size = np.sqrt((x @ x) * (y * y).sum(axis=1))
    r: Floats = np.where(size > 0, y @ x / np.where(size > 0, size, 1.0), np.nan)
    return r
