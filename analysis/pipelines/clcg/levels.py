"""The gap by level of comprehension, raw and standardised, and its slope."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.frames import Scores
from analysis.pipelines.clcg.gaps import GapSet, by_group, grid_over
from analysis.pipelines.clcg.grid import Grid, Statistic
from analysis.pipelines.clcg.population import Population
from analysis.stats.results import Estimate, undefined

Floats = NDArray[np.float64]
FEWEST_LEVELS = 2


@dataclass(frozen=True)
class Levels:
    """Raw gaps, standardised gaps, the deviations they were divided by, and the slope on 0…5."""

    raw: dict[str, GapSet]
    standardised: dict[str, Estimate]
    deviations: dict[str, float]
    slope: Estimate
    slope_raw: Estimate


def levels_of(population: Population) -> Levels:
    """Return the gap of every level that has rows.

    Scores are standardised within a level by the mean and the population standard deviation of all its
    rows, once, before resampling. The slope is that of ordinary least squares on the level's number,
    taken inside each replicate.
    """
    sums = population.sums
    present = [level for level in Scores.LEVELS if level in sums.rows_by(Scores.LEVEL)]
    grid = grid_over(population, {level: sums.is_in(Scores.LEVEL, level) for level in present})
    deviations = {level: _deviation(population, level) for level in present}
    standardised = {
        level: _standardised(grid, i, deviations[level]) for i, level in enumerate(present)
    }
    return Levels(
        by_group(grid),
        standardised,
        deviations,
        _slope(grid, deviations),
        _slope(grid, dict.fromkeys(present, 1.0)),
    )


def _deviation(population: Population, level: str) -> float:
    inside = population.sums.is_in(Scores.LEVEL, level)
    count, total, squares = (
        float(part[inside, 0].sum())
        for part in (population.sums.count, population.sums.total, population.sums.squares)
    )
    mean = total / count
    return float(np.sqrt(max(squares / count - mean**2, 0.0)))


def _standardised(grid: Grid, group: int, deviation: float) -> Estimate:
    if deviation == 0:
        return undefined("all scores of the level are equal, so they cannot be standardised")
    return grid.estimate(_divided(grid.micro(group), deviation), grid.rows(group), "greater")


def _divided(statistic: Statistic, by: float) -> Statistic:
    return lambda means: statistic(means) / by


def _slope(grid: Grid, deviations: dict[str, float]) -> Estimate:
    used = [
        (i, Scores.LEVELS.index(level), deviations[level])
        for i, level in enumerate(grid.groups)
        if deviations[level] > 0 and grid.counts[i, 0] and grid.counts[i, -1]
    ]
    if len(used) < FEWEST_LEVELS:
        return undefined(f"{len(used)} levels have a gap; a slope needs two")
    number = np.array([place for _, place, _ in used], dtype=np.float64)
    weights = (number - number.mean()) / ((number - number.mean()) ** 2).sum()

    def slope(means: Floats) -> Floats:
        gaps = [grid.micro(i)(means) / deviation for i, _, deviation in used]
        return np.asarray(np.column_stack(gaps) @ weights)

    return grid.estimate(slope, None, "greater")
