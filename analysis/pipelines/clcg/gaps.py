"""The gap: pooled, as mean of languages, net of the baseline; by language, class, model and so on."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.frames import Scores
from analysis.pipelines.clcg.grid import Grid, grid_of, less, share
from analysis.pipelines.clcg.population import Direction, Population
from analysis.stats.results import Estimate, undefined

Mask = NDArray[np.bool_]
NO_BASELINE = "no language of the panel is the baseline (or it has no rows here)"
FAILURES_AS_ZERO, FAILURES_EXCLUDED = "failures_as_zero", "failures_excluded"


@dataclass(frozen=True)
class GapSet:
    """All gaps of one group of rows.

    `reference` is the mean of the reference language, `micro` that mean less the pooled target mean,
    `relative` the share of the reference mean that this is, `macro` the mean of the target languages'
    gaps, `baseline` the gap of the baseline language, and the two nets `macro` and `micro` less it.
    """

    reference: Estimate
    micro: Estimate
    relative: Estimate
    macro: Estimate
    baseline: Estimate
    net_macro: Estimate
    net_micro: Estimate


@dataclass(frozen=True)
class LanguageGap:
    """One language: its mean, its gap, and its gap less that of the baseline."""

    mean: Estimate
    gap: Estimate
    net: Estimate


def band_grid(population: Population) -> Grid:
    """Return the grid of the primary contrast: one group, the band."""
    return grid_over(population, {"band": population.band})


def grid_over(population: Population, groups: Mapping[str, Mask], metric: int = 0) -> Grid:
    """Return the grid of some groups of the population's cells."""
    return grid_of(population.sums, population.panel, population.settings, groups, metric=metric)


def gap_set(grid: Grid, group: int = 0, alternative: Direction | None = "greater") -> GapSet:
    """Return all gaps of a group; p is one-sided, of no gap."""
    panel = grid.panel
    micro, macro, n = grid.micro(group), grid.macro(group), grid.rows(group)
    mean = grid.mean(group, panel.reference)
    found = (
        grid.estimate(mean, grid.counts[group, 0]),
        grid.estimate(micro, n, alternative),
        grid.estimate(share(micro, mean), n),
        grid.estimate(macro, n, alternative),
    )
    if panel.baseline is None:
        none = undefined(NO_BASELINE)
        return GapSet(*found, none, none, none)
    baseline = grid.gap(group, panel.baseline)
    more = grid.rows(group, panel.baseline)
    all_rows = n + grid.counts[group, grid.place(panel.baseline)]
    return GapSet(
        *found,
        grid.estimate(baseline, more, alternative),
        grid.estimate(less(macro, baseline), all_rows, alternative),
        grid.estimate(less(micro, baseline), all_rows, alternative),
    )


def by_group(grid: Grid) -> dict[str, GapSet]:
    """Return all gaps of every group."""
    return {name: gap_set(grid, i) for i, name in enumerate(grid.groups)}


def by_language(grid: Grid, group: int = 0) -> dict[str, LanguageGap]:
    """Return mean, gap and net gap of every compared language."""
    return {code: language_gap(grid, code, group) for code in grid.panel.compared}


def language_gap(grid: Grid, code: str, group: int = 0) -> LanguageGap:
    """Return mean, gap and net gap of one language."""
    gap, n = grid.gap(group, code), grid.rows(group, code)
    mean = grid.estimate(grid.mean(group, code), grid.counts[group, grid.place(code)])
    return LanguageGap(mean, grid.estimate(gap, n, "greater"), _net(grid, code, group))


def _net(grid: Grid, code: str, group: int) -> Estimate:
    baseline = grid.panel.baseline
    if baseline is None:
        return undefined(NO_BASELINE)
    if baseline == code:
        return undefined("the baseline itself has no net gap")
    net = less(grid.gap(group, code), grid.gap(group, baseline))
    places = [grid.place(code), grid.place(baseline)]
    return grid.estimate(net, grid.counts[group, places].sum(), "greater")


@dataclass(frozen=True)
class ClassGap:
    """One resource class: the mean of its languages' gaps, the same net of the baseline."""

    gap: Estimate
    net: Estimate
    languages: tuple[str, ...]


def by_class(grid: Grid, group: int = 0) -> dict[int, ClassGap]:
    """Return the gaps by resource class: baseline included, languages without a class in none."""
    found = {}
    for number, languages in grid.panel.classes.items():
        macro, n = grid.macro(group, languages), grid.rows(group, *languages)
        net = undefined(NO_BASELINE)
        if grid.panel.baseline is not None:
            net = grid.estimate(less(macro, grid.gap(group, grid.panel.baseline)), n)
        found[number] = ClassGap(grid.estimate(macro, n, "greater"), net, languages)
    return found


def by_model(population: Population) -> Grid:
    """Return the grid with a group a model, in the band."""
    sums, band = population.sums, population.band
    return grid_over(population, {m: band & sums.is_in(Scores.MODEL, m) for m in population.models})


def by_source(population: Population) -> Grid:
    """Return the grid by source: generated items of the band; human ones there or without a level."""
    sums, band = population.sums, population.band
    groups = {
        Scores.GENERATED: band & sums.is_in(Scores.SOURCE, Scores.GENERATED),
        Scores.HUMAN: (band | sums.is_in(Scores.LEVEL, ""))
        & sums.is_in(Scores.SOURCE, Scores.HUMAN),
    }
    return grid_over(population, groups)


def by_parsing_rule(population: Population) -> Grid:
    """Return the grid by rule: answers that failed to parse as 0, or left out; then rule x model."""
    sums, band = population.sums, population.band
    parsed = band & sums.is_in(Scores.STATUS, Scores.OK)
    groups = {FAILURES_AS_ZERO: band, FAILURES_EXCLUDED: parsed}
    for model in population.models:
        own = sums.is_in(Scores.MODEL, model)
        groups[f"{FAILURES_AS_ZERO}, {model}"] = band & own
        groups[f"{FAILURES_EXCLUDED}, {model}"] = parsed & own
    return grid_over(population, groups)


def status_counts(population: Population) -> dict[str, int]:
    """Return the rows of the primary contrast by parse status."""
    sums, panel = population.sums, population.panel
    primary = population.band & sums.is_in(Scores.LANGUAGE, panel.reference, *panel.targets)
    found = sums.only(primary).rows_by(Scores.STATUS)
    return {status: found.get(status, 0) for status in Scores.STATUSES}
