"""Global, Local and Knowledge of each model and locale: contrasts within a block, so anchor-free."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.pipelines.irt.fits import BlockFit, Fits
from analysis.pipelines.irt.gap_grid import GAPS, GapGrid, estimate
from analysis.stats.results import Estimate, undefined

Floats = NDArray[np.float64]
NORMAL_95 = 1.959963984540054
INDEPENDENCE = "assumes local independence; too narrow for means where translations differ by item"


@dataclass(frozen=True)
class Gaps:
    """The grid, closed-form standard errors (3, models, locales), and reasons of undefined cells."""

    grid: GapGrid
    errors: Floats
    reasons: dict[tuple[str, str, str], str]


def gaps_of(fits: Fits) -> Gaps:
    """Return the gaps of every model and locale from the fitted abilities."""
    points, errors = gap_points(fits)
    grid = GapGrid(fits.answers.models, tuple(fits.specific), points)
    reasons = {
        (GAPS[i], grid.models[j], grid.locales[k]): _reason(fits, i, j, grid.locales[k])
        for i, j, k in zip(*np.nonzero(~np.isfinite(points)), strict=True)
    }
    return Gaps(grid, errors, reasons)


def gap_points(fits: Fits) -> tuple[Floats, Floats]:
    """Return the three gaps and their closed-form standard errors, each (3, models, locales)."""
    shape = (len(GAPS), len(fits.answers.models), len(fits.specific))
    points, variances = np.full(shape, np.nan), np.full(shape, np.nan)
    for k, locale in enumerate(fits.specific):
        pair = _query_pair(fits, locale)
        for i, fit in enumerate((fits.agnostic[locale], fits.specific[locale])):
            points[i, :, k], variances[i, :, k] = contrast(fit, *pair)
    points[2], variances[2] = points[1] - points[0], variances[0] + variances[1]
    return points, np.sqrt(variances)


def contrast(fit: BlockFit, base: str, local: str | None) -> tuple[Floats, Floats]:
    """Return ability in the local less in the base language, and its variance; NaN if undefined."""
    queries = fit.block.queries
    nothing = np.full(fit.ability.shape[0], np.nan)
    if local not in queries or base not in queries:
        return nothing, nothing
    places = [queries.index(local), queries.index(base)]
    ability, information = fit.ability[:, places], fit.information[:, places]
    defined = np.logical_and.reduce(np.isfinite(ability), axis=1)
    safe = np.where(defined[:, None], ability, 0.0)
    variance = (1 / np.where(defined[:, None], information, 1.0)).sum(axis=1)
    return (
        np.where(defined, safe[:, 0] - safe[:, 1], np.nan),
        np.where(defined, variance, np.nan),
    )


def _query_pair(fits: Fits, locale: str) -> tuple[str, str | None]:
    return fits.answers.base, fits.answers.local_query.get(locale)


def _reason(fits: Fits, gap: int, model: int, locale: str) -> str:
    """Return why a gap is undefined; Knowledge is so where either part is."""
    pair = _query_pair(fits, locale)
    parts = ((fits.agnostic, fits.specific), (fits.agnostic,), (fits.specific,))[(gap + 1) % 3]
    words = [_block_reason(part[locale], model, *pair) for part in parts]
    return "; ".join(dict.fromkeys(word for word in words if word))


def _block_reason(fit: BlockFit, model: int, base: str, local: str | None) -> str:
    if local is None:
        return "the locale was asked in the base language only"
    absent = [query for query in (local, base) if query not in fit.block.queries]
    if absent:
        return f"{fit.block.name} was not asked in {absent[0]}"
    words = [fit.reason(model, query) for query in (local, base)]
    return "; ".join(dict.fromkeys(word for word in words if word))


def cell_estimate(gaps: Gaps, gap: str, model: str, locale: str) -> Estimate:
    """Return one cell with its interval: of the item bootstrap, or in closed form without one."""
    grid = gaps.grid
    place = GAPS.index(gap), grid.models.index(model), grid.locales.index(locale)
    what = f"{gap} gap in logits, joint maximum likelihood"
    if (gap, model, locale) in gaps.reasons:
        return undefined(gaps.reasons[gap, model, locale], method=what)
    point, error = float(grid.points[place]), float(gaps.errors[place])
    if grid.replicates is not None:
        drawn = grid.replicates[(slice(None), *place)]
        return estimate(point, drawn, n=None, what=what, seed=grid.seed)
    half = NORMAL_95 * error
    method = f"{what}, normal interval from the information"
    return Estimate(point, point - half, point + half, method=method, notes=(INDEPENDENCE,))
