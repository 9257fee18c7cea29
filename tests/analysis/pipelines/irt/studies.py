"""Studies to test with: a small one, and one of the published size with the published gaps."""

from functools import cache
from pathlib import Path

import numpy as np

from analysis import frames
from analysis.pipelines.irt.gap_grid import GapGrid, grid_of_table
from analysis.pipelines.irt.simulate import (
    PAPER_AGNOSTIC,
    PAPER_SPECIFIC,
    World,
    answers_table,
    simulate,
)
from analysis.tables import read_table

FIGURE_5 = Path(__file__).resolve().parents[3] / "oracles" / "irt_figure5.csv"
SMALL = {"FR": 120, "ZH": 160}


@cache
def published_truth():
    """The gaps of the published figure, with Knowledge as the exact difference."""
    grid = grid_of_table(read_table(FIGURE_5, frames.Gaps.TABLE))
    order = np.argsort(grid.locales)
    base, local = grid.points[0][:, order], grid.points[1][:, order]
    locales = tuple(grid.locales[k] for k in order)
    return GapGrid(grid.models, locales, np.stack([base, local, local - base]))


def paper_sized(seed):
    return simulate(published_truth(), PAPER_AGNOSTIC, PAPER_SPECIFIC, np.random.default_rng(seed))


def small_truth(models=12):
    rng = np.random.default_rng(5)
    shape = (models, len(SMALL))
    base, knowledge = rng.normal(-0.7, 0.2, shape), rng.normal(0.8, 0.2, shape)
    names = tuple(f"m{i:02d}" for i in range(models))
    return GapGrid(names, tuple(SMALL), np.stack([base, base + knowledge, knowledge]))


def small(seed=1, models=12, **world):
    rng = np.random.default_rng(seed)
    return simulate(small_truth(models), 200, SMALL, rng, World(**world))


def small_table(seed=1, models=12):
    return answers_table(small(seed, models))
