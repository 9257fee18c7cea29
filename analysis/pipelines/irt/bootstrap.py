"""Item bootstrap of the whole study: one drawing of items a block and replicate, for all gaps."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from analysis.pipelines.irt.fits import BlockFit, Fits
from analysis.pipelines.irt.gap_grid import GapGrid
from analysis.pipelines.irt.gaps import Gaps
from analysis.stats.rasch_bootstrap import bootstrap_abilities, bootstrap_observed, item_draws
from analysis.stats.threads import one_thread

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]


def with_replicates(
    gaps: Gaps, fits: Fits, replicates: int, seed: int, progress: Progress | None = None
) -> Gaps:
    """Return the gaps with their bootstrap replicates.

    Items are the unit: an item drawn is drawn in all its languages and for all models. Each block
    has a random stream of its own (spawned from the seed, agnostic items first, then the locales by
    name), so that more replicates leave the first ones as they were.
    """
    grid = gaps.grid
    drawn = np.full((replicates, *grid.points.shape), np.nan)
    found = _abilities(fits, replicates, seed, progress)
    for k, locale in enumerate(grid.locales):
        base, local = fits.answers.base, fits.answers.local_query.get(locale)
        for i, fit in enumerate((fits.agnostic[locale], fits.specific[locale])):
            drawn[:, i, :, k] = _contrast(fit, found[fit.block.name], base, local)
    drawn[:, 2] = drawn[:, 1] - drawn[:, 0]
    drawn[:, ~np.isfinite(grid.points)] = np.nan
    made = GapGrid(grid.models, grid.locales, grid.points, drawn, seed)
    return replace(gaps, grid=made)


def _abilities(
    fits: Fits, replicates: int, seed: int, progress: Progress | None
) -> dict[str, Floats]:
    each = fits.each
    streams = np.random.default_rng(seed).spawn(len(each))
    found: dict[str, Floats] = {}
    with one_thread():
        for done, (fit, rng) in enumerate(zip(each, streams, strict=True)):
            if progress is not None:
                progress(done, len(each))
            found[fit.block.name] = block_replicates(fit, replicates, rng)
    return found


def block_replicates(fit: BlockFit, replicates: int, rng: np.random.Generator) -> Floats:
    """Return the abilities of each replicate, shape (replicates, models, queries)."""
    flat, given = fit.block.flat()
    draws = item_draws(len(fit.block.items), replicates, rng)
    shape = (replicates, *fit.ability.shape)
    if not fit.complete:
        return bootstrap_observed(flat, given, draws).reshape(shape)
    found = np.full((replicates, flat.shape[0]), np.nan)
    rows, columns = fit.answered, given.any(axis=0)
    inner = replace(fit.fit, ability=fit.fit.ability[rows], difficulty=fit.fit.difficulty[columns])
    if rows.any() and columns.any():
        cells = flat[np.ix_(rows, columns)]
        found[:, rows] = bootstrap_abilities(cells, draws[:, columns], inner)
    return found.reshape(shape)


def _contrast(fit: BlockFit, abilities: Floats, base: str, local: str | None) -> Floats:
    queries = fit.block.queries
    if local is None or local not in queries:
        return np.full(abilities.shape[:2], np.nan)
    ours, theirs = (abilities[:, :, queries.index(query)] for query in (local, base))
    both = np.isfinite(ours) & np.isfinite(theirs)
    return np.where(both, np.where(both, ours, 0) - np.where(both, theirs, 0), np.nan)
