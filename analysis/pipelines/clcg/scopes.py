"""What the passage adds (against none at all), and what a shorter passage changes."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import Scores
from analysis.pipelines.clcg.grid import Grid, Statistic, grid_from, less, with_pooled
from analysis.pipelines.clcg.matched import SCORE, Matches, of_models
from analysis.pipelines.clcg.population import Population
from analysis.stats.results import Estimate, undefined

Floats = NDArray[np.float64]
OTHER = f"{SCORE}_other"


@dataclass(frozen=True)
class ContextGain:
    """Score with the passage less score without, on matched models and items of the band.

    `coverage` counts matched rows, items and models of each language.
    """

    closed_mean: Estimate
    by_language: Mapping[str, Estimate]
    by_class: Mapping[int, Estimate]
    coverage: Mapping[str, tuple[int, int, int]]
    unmatched: int
    reason: str | None = None


def context_gain(population: Population, matches: Matches) -> ContextGain:
    """Return what reading the passage adds, by language and by class (mean of languages)."""
    rows = of_models(matches.closed, population.models, population.panel.languages)
    rows = rows[rows[Scores.LEVEL].isin(population.settings.band)]
    if rows.empty:
        reason = (
            "no closed-book row matches a model and item of the band"
            if matches.closed_rows
            else f"the scores have no row of the scope {Scores.CLOSED!r}"
        )
        return ContextGain(undefined(reason), {}, {}, {}, matches.closed_rows, reason)
    grid = paired_grid(rows, population, {"all": np.ones(len(rows), dtype=bool)})
    languages = [x for x in population.panel.languages if grid.counts[0, grid.place(x)]]
    found = rows.drop_duplicates([Scores.MODEL, Scores.ITEM])
    unmatched = matches.closed_rows - len(found)
    classes = {
        c: [x for x in known if x in languages] for c, known in population.panel.classes.items()
    }
    return ContextGain(
        Estimate(float(found[OTHER].mean()), n=len(found), method="mean over models and items"),
        {x: grid.estimate(_gain(grid, [x]), grid.counts[0, grid.place(x)]) for x in languages},
        {c: _of_class(grid, known) for c, known in classes.items() if known},
        {x: _coverage(rows, x) for x in languages},
        unmatched,
    )


def _of_class(grid: Grid, languages: list[str]) -> Estimate:
    rows = grid.counts[0, [grid.place(x) for x in languages]].sum()
    return grid.estimate(_gain(grid, languages), rows)


def _gain(grid: Grid, languages: list[str]) -> Statistic:
    places = [grid.place(x) for x in languages]
    return lambda means: (means[:, 0][:, places] - means[:, 1][:, places]).mean(axis=1)


def _coverage(rows: pd.DataFrame, language: str) -> tuple[int, int, int]:
    own = rows[rows[Scores.LANGUAGE] == language]
    return len(own), own[Scores.ITEM].nunique(), own[Scores.MODEL].nunique()


@dataclass(frozen=True)
class ScopeGap:
    """The gap with the whole text, with the linked paragraphs alone, and the first less the second."""

    full: Estimate
    grounded: Estimate
    difference: Estimate


@dataclass(frozen=True)
class ScopeContrast:
    """The contrast on rows that both scopes have: pooled, by language, class, level and source."""

    pooled: ScopeGap
    by_language: Mapping[str, ScopeGap]
    by_class: Mapping[int, ScopeGap]
    by_level: Mapping[str, ScopeGap]
    by_source: Mapping[str, ScopeGap]
    documents: int
    reason: str | None = None


def scope_contrast(population: Population, matches: Matches) -> ScopeContrast:
    """Compare the gaps of the two scopes on matched model, language and item, at all levels."""
    rows = of_models(matches.grounded, population.models, population.panel.languages)
    if rows.empty:
        reason = (
            "no grounded row matches a row of the primary scope"
            if matches.grounded_rows
            else f"the scores have no row of the scope {Scores.GROUNDED!r}"
        )
        none = ScopeGap(*[undefined(reason)] * 3)
        return ScopeContrast(none, {}, {}, {}, {}, 0, reason)
    levels = [v for v in Scores.LEVELS if (rows[Scores.LEVEL] == v).any()]
    sources = sorted(set(rows[Scores.SOURCE]))
    groups = {"all": np.ones(len(rows), dtype=bool)}
    groups |= {v: (rows[Scores.LEVEL] == v).to_numpy() for v in levels}
    groups |= {s: (rows[Scores.SOURCE] == s).to_numpy() for s in sources}
    grid = paired_grid(rows, population, groups)
    panel = grid.panel
    start = 1 + len(levels)
    return ScopeContrast(
        _pooled(grid, 0),
        {x: _of(grid, 0, (x,)) for x in panel.compared if grid.counts[0, grid.place(x)]},
        {c: _of(grid, 0, known) for c, known in panel.classes.items()},
        {v: _pooled(grid, 1 + i) for i, v in enumerate(levels)},
        {s: _pooled(grid, start + i) for i, s in enumerate(sources)},
        grid.documents,
    )


def _pooled(grid: Grid, group: int) -> ScopeGap:
    return _gap(grid, grid.micro(2 * group), grid.micro(2 * group + 1), grid.rows(2 * group))


def _of(grid: Grid, group: int, languages: tuple[str, ...]) -> ScopeGap:
    full, grounded = (grid.macro(2 * group + i, languages) for i in (0, 1))
    return _gap(grid, full, grounded, grid.rows(2 * group, *languages))


def _gap(grid: Grid, full: Statistic, grounded: Statistic, n: int) -> ScopeGap:
    difference = grid.estimate(less(full, grounded), n, "two-sided")
    return ScopeGap(grid.estimate(full, n), grid.estimate(grounded, n), difference)


def paired_grid(
    rows: pd.DataFrame, population: Population, groups: Mapping[str, NDArray[np.bool_]]
) -> Grid:
    """Return a grid with two groups for each given: the primary score, then that of the match."""
    panel = population.panel
    language = rows[Scores.LANGUAGE].map({x: i for i, x in enumerate(panel.languages)}).to_numpy()
    document, names = pd.factorize(rows[Scores.DOCUMENT], sort=True)
    width = len(panel.languages)
    shape = (len(names), 2 * len(groups), width)
    total, count = np.zeros(shape), np.zeros(shape)
    place = document * width + language
    for i, inside in enumerate(groups.values()):
        size = len(names) * width
        n = np.bincount(place[inside], minlength=size).reshape(-1, width)
        for side, column in enumerate((SCORE, OTHER)):
            values = rows[column].to_numpy(dtype=np.float64)[inside]
            added = np.bincount(place[inside], values, minlength=size)
            total[:, 2 * i + side] = added.reshape(-1, width)
            count[:, 2 * i + side] = n
    names_of = [f"{name} {side}" for name in groups for side in ("primary", "match")]
    pooled = with_pooled(total, panel), with_pooled(count, panel)
    return grid_from(*pooled, names_of, panel, population.settings)
