"""The published mini-batch Adam beside the exact fit: how much noise its estimates keep."""

from dataclasses import dataclass

import numpy as np

from analysis.pipelines.irt.fits import BlockFit, Fits
from analysis.pipelines.irt.gaps import Gaps, gap_points
from analysis.pipelines.irt.variants import adam_fit
from analysis.stats.rasch import RaschFit

STEPS = 1_000


@dataclass(frozen=True)
class AdamCheck:
    """Differences of Knowledge over cells, in logits, after a number of steps a block."""

    rms: float
    largest: float
    steps: int


def compare_with_adam(fits: Fits, gaps: Gaps, seed: int, steps: int = STEPS) -> AdamCheck:
    """Fit every block again by mini-batch Adam at a constant rate, and compare Knowledge."""
    rng = np.random.default_rng(seed)
    made: dict[str, BlockFit] = {}
    for fit in fits.each:
        flat, given = fit.block.flat()
        ability, difficulty = adam_fit(rng, steps=steps)(flat, given)
        rough = RaschFit(
            np.where(np.isfinite(fit.fit.ability), ability, fit.fit.ability),
            difficulty,
            fit.fit.information,
            np.inf,
            steps,
        )
        made[fit.block.name] = BlockFit(fit.block, rough, fit.complete, fit.answered)
    agnostic = {x: made[fit.block.name] for x, fit in fits.agnostic.items()}
    specific = {x: made[fit.block.name] for x, fit in fits.specific.items()}
    points, _ = gap_points(Fits(fits.answers, agnostic, specific))
    difference = (points[2] - gaps.grid.points[2])[np.isfinite(gaps.grid.points[2])]
    return AdamCheck(float(np.sqrt(np.mean(difference**2))), float(np.abs(difference).max()), steps)
