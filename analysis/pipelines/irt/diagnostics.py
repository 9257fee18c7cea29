"""What could make Knowledge positive without any knowledge, measured, each with a plain sentence."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analysis.pipelines.irt.fits import BlockFit, Fits
from analysis.pipelines.irt.gap_grid import Floats, GapGrid, cell_mean, estimate
from analysis.pipelines.irt.gaps import Gaps, gap_points
from analysis.stats.rasch_floor import fit_with_floor
from analysis.stats.results import Estimate, undefined

LEAST_CELLS = 3
DISCRIMINATIONS = (0.5, 0.7, 0.85)
NOTICED = 0.05


@dataclass(frozen=True)
class Diagnostic:
    """One finding: named numbers and what they do to the conclusion."""

    key: str
    title: str
    numbers: dict[str, Estimate]
    sentence: str


def diagnose(fits: Fits, gaps: Gaps, floor: float) -> list[Diagnostic]:
    """Return all diagnostics of a fitted study."""
    return [
        slope_of_local(gaps.grid),
        residual_correlation(fits),
        unequal_discrimination(fits, gaps.grid),
        guessing_floor(fits, gaps.grid, floor),
    ]


def slope_of_local(grid: GapGrid) -> Diagnostic:
    """Regress Local on Global over cells: Knowledge takes the slope to be one."""
    point, replicates = grid.both()
    known = np.isfinite(grid.points[2])
    n, what = int(known.sum()), "least squares over cells"
    if n < LEAST_CELLS or np.ptp(grid.points[0][known]) == 0:
        none = undefined("fewer than three cells with different Global gaps", method=what, n=n)
        sentence = "The slope of Local on Global is not defined here, so it says nothing."
        return Diagnostic("slope", _SLOPE, {"slope": none}, sentence)
    lines = _lines(point, known)
    drawn = None if replicates is None else _lines(replicates, known)
    names = ("slope", "intercept")
    numbers = {
        name: estimate(
            float(lines[0, i]),
            None if drawn is None else drawn[:, i],
            n=n,
            what=f"{name}, {what}",
            seed=grid.seed,
        )
        for i, name in enumerate(names)
    }
    return Diagnostic("slope", _SLOPE, numbers, _slope_sentence(lines[0], grid))


_SLOPE = "Slope of Local on Global"


def _lines(values: Floats, known: NDArray[np.bool_]) -> Floats:
    """Return slope and intercept of each replicate over its defined cells, shape (B, 2)."""
    x, y = values[:, 0][:, known], values[:, 1][:, known]
    both = np.isfinite(x) & np.isfinite(y)
    count = both.sum(axis=1, keepdims=True)
    x, y = np.where(both, x, 0), np.where(both, y, 0)
    mean_x, mean_y = (v.sum(axis=1, keepdims=True) / np.maximum(count, 1) for v in (x, y))
    dx, dy = np.where(both, x - mean_x, 0), np.where(both, y - mean_y, 0)
    spread = (dx * dx).sum(axis=1)
    slope = np.where(spread > 0, (dx * dy).sum(axis=1) / np.where(spread > 0, spread, 1), np.nan)
    return np.stack([slope, mean_y[:, 0] - slope * mean_x[:, 0]], axis=1)


def _slope_sentence(line: Floats, grid: GapGrid) -> str:
    slope, intercept = line
    mean = float(cell_mean(grid.points[2], np.isfinite(grid.points[2])))
    start = f"Local rises by {slope:.2f} for each logit of Global"
    if abs(slope - 1) < NOTICED:
        return f"{start}, as the subtraction takes it; Knowledge does not lean on that assumption."
    part = "credits" if (mean - intercept) > 0 else "takes from"
    return (
        f"{start}, while Knowledge takes it to be 1: the subtraction {part} Knowledge "
        f"{abs(mean - intercept):.2f} of its mean of {mean:.2f} to the size of the proficiency gap "
        f"(at Global zero the line gives {intercept:.2f}). A description over cells, not a cause."
    )


def residual_correlation(fits: Fits) -> Diagnostic:
    """Correlate the residuals of one model on one item between its own and the base language."""
    numbers = {fit.block.name: _pair_correlation(fit, fits) for fit in fits.each}
    agnostic = [n.value for name, n in numbers.items() if name.startswith("CA") and n.defined]
    specific = [n.value for name, n in numbers.items() if name.startswith("CS") and n.defined]
    means = [_mean_or_none(values) for values in (agnostic, specific)]
    return Diagnostic(
        "residual_correlation",
        "Residual correlation of an item across languages",
        numbers,
        _residual_sentence(*means),
    )


def _mean_or_none(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def _residual_sentence(agnostic: float | None, specific: float | None) -> str:
    if agnostic is None or specific is None:
        return (
            "Too few answers in two languages to say whether a model's answers to one item agree."
        )
    start = (
        f"What a model gets unexpectedly right in one language it tends to get right in the other "
        f"(mean correlation {agnostic:+.2f} on agnostic, {specific:+.2f} on specific items)"
    )
    if min(agnostic, specific) < -NOTICED:
        return (
            f"{start}. Below zero is what few models or few items make by themselves, since the fit "
            "uses up part of what varies; here it says nothing about strengths by item."
        )
    if max(agnostic, specific) < NOTICED:
        return f"{start}: small, so the answers are close to independent, as the model takes them."
    if specific - agnostic > NOTICED:
        return (
            f"{start}: a model's own strengths by item are larger among the specific items, which "
            "shrinks Local towards zero more than Global and so adds to Knowledge by itself."
        )
    return (
        f"{start}: closed-form intervals of single cells are then too wide, and both gaps are shrunk "
        "towards zero; the item bootstrap allows for the first, nothing here for the second."
    )


def _pair_correlation(fit: BlockFit, fits: Fits) -> Estimate:
    """Return the correlation of standardised residuals over model-item pairs, base against others."""
    what = "correlation of standardised residuals, base and other languages"
    base = fit.block.queries.index(fits.answers.base)
    x = standardised_residuals(fit, base).ravel()
    # Count and moments, added up language by language: the residuals of all would fill the memory.
    sums = np.zeros(6)
    for k in range(len(fit.block.queries)):
        if k != base:
            y = standardised_residuals(fit, k).ravel()
            both = np.isfinite(x) & np.isfinite(y)
            u, v = x[both], y[both]
            sums += [u.size, u.sum(), v.sum(), u @ u, v @ v, u @ v]
    n, sum_x, sum_y, xx, yy, xy = sums
    if n < LEAST_CELLS:
        return undefined("fewer than three answers to one item in two languages", method=what, n=0)
    spread = (xx - sum_x**2 / n) * (yy - sum_y**2 / n)
    if spread <= 0:
        return undefined("the residuals do not vary", method=what, n=int(n))
    r = (xy - sum_x * sum_y / n) / np.sqrt(spread)
    return Estimate(float(r), n=int(n), method=what)


def standardised_residuals(fit: BlockFit, query: int) -> Floats:
    """Return (y - p) / sqrt(p q) in one language, shape (models, items); NaN where there is no fit."""
    flat, given = replace(fit.block, answers=fit.block.answers[:, [query]]).flat()
    ability, difficulty = fit.ability[:, [query]], fit.fit.difficulty
    usable = given & np.isfinite(ability) & np.isfinite(difficulty)
    logits = np.where(usable, ability, 0) - np.where(usable, difficulty, 0)
    p = 1 / (1 + np.exp(-logits))
    residual: Floats = np.where(
        usable, (np.where(usable, flat, 0) - p) / np.sqrt(p - p * p), np.nan
    )
    return residual


def unequal_discrimination(fits: Fits, grid: GapGrid) -> Diagnostic:
    """Ask what Knowledge would be if the specific items discriminate less than the agnostic ones."""
    local, base = _mean_gap(grid, 1), _mean_gap(grid, 0)
    numbers = {
        f"knowledge_if_{a:g}": _rescaled(grid, a) for a in DISCRIMINATIONS if local is not None
    }
    numbers["ability_spread_ratio"] = spread_ratio(fits)
    if local is not None and base is not None and local < 0 and base < 0:
        turning = local / base
        numbers["knowledge_is_zero_at"] = Estimate(turning, method="mean Local over mean Global")
        sentence = (
            f"The model gives all items one discrimination. If specific items had {turning:.2f} of "
            "the discrimination of agnostic ones, the mean Knowledge would be zero with nothing "
            "else happening; the ratio of ability spreads hints at the true value."
        )
    else:
        sentence = (
            "The model gives all items one discrimination. Since the mean Local is not negative "
            "where Global is, weaker specific items alone could not produce the mean Knowledge, "
            "though they would enlarge single cells."
        )
    title = "Unequal discrimination of the two pools"
    return Diagnostic("discrimination", title, numbers, sentence)


def _mean_gap(grid: GapGrid, gap: int) -> float | None:
    mean = float(cell_mean(grid.points[gap], np.isfinite(grid.points[gap])))
    return mean if np.isfinite(mean) else None


def _rescaled(grid: GapGrid, discrimination: float) -> Estimate:
    """Return the mean of Local / a - Global: Local put on the scale of the agnostic items."""
    every = np.ones(grid.points.shape[1:], dtype=bool)

    def mean(values: Floats) -> Floats:
        return cell_mean(values[:, 1] / discrimination - values[:, 0], every)

    point, replicates = grid.both()
    drawn = None if replicates is None else mean(replicates)
    what = f"mean Knowledge, specific items discriminating {discrimination:g} times as much"
    n = int(np.isfinite(grid.points[2]).sum())
    return estimate(float(mean(point)[0]), drawn, n=n, what=what, seed=grid.seed)


def spread_ratio(fits: Fits) -> Estimate:
    """Return the spread of abilities in the base language, specific over agnostic items.

    Standard deviations over models with the error variance taken out; mean over locales. It is the
    relative discrimination if models differ as much in culture as in the rest, which no data show.
    """
    what = "ratio of ability spreads in the base language, mean over locales"
    ratios = [
        ours / theirs
        for locale, fit in fits.specific.items()
        if (ours := _true_spread(fit, fits.answers.base)) is not None
        and (theirs := _true_spread(fits.agnostic[locale], fits.answers.base)) is not None
    ]
    if not ratios:
        words = "needs three models whose abilities differ by more than their errors"
        return undefined(words, method=what, n=0)
    return Estimate(float(np.mean(ratios)), n=len(ratios), method=what)


def _true_spread(fit: BlockFit, base: str) -> float | None:
    place = fit.block.queries.index(base)
    ability, information = fit.ability[:, place], fit.information[:, place]
    known = np.isfinite(ability) & (information > 0)
    if known.sum() < LEAST_CELLS:
        return None
    variance = ability[known].var(ddof=1) - (1 / information[known]).mean()
    return float(np.sqrt(variance)) if variance > 0 else None


def guessing_floor(fits: Fits, grid: GapGrid, floor: float) -> Diagnostic:
    """Fit again with a fixed chance of guessing right, and compare the mean Knowledge."""
    title = f"Guessing floor of {floor:g}"
    refitted = _with_floor(fits, floor)
    points, _ = gap_points(refitted)
    both = np.isfinite(points[2]) & np.isfinite(grid.points[2])
    n, what = int(both.sum()), f"mean over cells, guessing floor {floor:g}"
    if n == 0:
        none = undefined("no cell is defined with the floor", method=what, n=0)
        return Diagnostic(
            "floor", title, {"knowledge": none}, "The floor leaves no cell to compare."
        )
    with_floor, plain = float(points[2][both].mean()), float(grid.points[2][both].mean())
    numbers = {
        "knowledge": Estimate(with_floor, n=n, method=what),
        "knowledge_without_floor": Estimate(plain, n=n, method="mean over the same cells"),
        "undefined_cells": Estimate(
            float((~np.isfinite(points[2])).sum()), method="cells without a finite estimate"
        ),
    }
    change = with_floor - plain
    weight = "little" if abs(change) < NOTICED else "noticeably"
    sentence = (
        f"With a chance of {floor:g} of guessing right, the mean Knowledge is {with_floor:.2f} "
        f"instead of {plain:.2f}: guessing changes the conclusion {weight}."
    )
    return Diagnostic("floor", title, numbers, sentence)


def _with_floor(fits: Fits, floor: float) -> Fits:
    made: dict[str, BlockFit] = {}
    for fit in fits.each:
        flat, given = fit.block.flat()
        answered = np.logical_or.reduce(given, axis=1)
        refit = fit_with_floor(flat, given, floor)
        made[fit.block.name] = BlockFit(fit.block, refit, complete=False, answered=answered)
    agnostic = {x: made[fit.block.name] for x, fit in fits.agnostic.items()}
    specific = {x: made[fit.block.name] for x, fit in fits.specific.items()}
    return Fits(fits.answers, agnostic, specific)
