"""Memorable against new: whether a document could be had before a model's knowledge ends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from analysis.frames import Scores
from analysis.pipelines.clcg.gaps import grid_over
from analysis.pipelines.clcg.grid import Grid, less
from analysis.pipelines.clcg.population import Population
from analysis.stats.results import Estimate, undefined

Mask = NDArray[np.bool_]
MEMORABLE, NEW = 0, 1


@dataclass(frozen=True)
class Contrast:
    """The gap on memorable and on new documents, and their difference; p of "not below 0"."""

    memorable: Estimate
    new: Estimate
    difference: Estimate


@dataclass(frozen=True)
class Exposure:
    """The contrast pooled over models with both kinds, by model and by class, with the coverage.

    `coverage` gives each model's memorable, new and undated documents; `reasons` says why a model has
    no contrast of its own.
    """

    pooled: Contrast
    all_models: Contrast
    by_model: Mapping[str, Contrast]
    by_class: Mapping[int, Contrast]
    coverage: Mapping[str, tuple[int, int, int]]
    reasons: Mapping[str, str] = field(default_factory=dict)


def kinds(population: Population) -> NDArray[np.int64]:
    """Return 0 where a cell is memorable, 1 where it is new, -1 where a date is missing."""
    sums, dates = population.sums, population.dates
    models, documents = sums.labels[Scores.MODEL], sums.labels[Scores.DOCUMENT]
    table = np.full((len(models), len(documents)), -1, dtype=np.int64)
    for i, model in enumerate(models):
        if model not in dates.cutoffs:
            continue
        for j, document in enumerate(documents):
            new = dates.is_new(model, document)
            table[i, j] = -1 if new is None else int(new)
    return np.asarray(table[sums.codes[Scores.MODEL], sums.codes[Scores.DOCUMENT]])


def exposure_of(population: Population) -> Exposure:
    """Return all contrasts, or the reason why there is none."""
    sums, band, kind = population.sums, population.band, kinds(population)
    coverage = {m: _coverage(population, m, kind) for m in population.models}
    reasons = {m: why for m in population.models if (why := _reason(population, m, coverage[m]))}
    both = [m for m in population.models if m not in reasons]
    masks: dict[str, Mask] = {}
    for name, chosen in {
        "pooled": both,
        "all": population.models,
        **{m: [m] for m in both},
    }.items():
        own = band & sums.is_in(Scores.MODEL, *chosen)
        masks[f"{name} memorable"] = own & (kind == MEMORABLE)
        masks[f"{name} new"] = own & (kind == NEW)
    grid = grid_over(population, masks)
    none = undefined("no model has both memorable and new documents")
    nothing = Contrast(none, none, none)
    pooled = _contrast(grid, 0) if both else nothing
    return Exposure(
        pooled,
        _contrast(grid, 2) if both else nothing,
        {m: _contrast(grid, 4 + 2 * i) for i, m in enumerate(both)},
        _by_class(grid) if both else {},
        coverage,
        reasons,
    )


def _coverage(population: Population, model: str, kind: NDArray[np.int64]) -> tuple[int, int, int]:
    sums = population.sums
    own = population.band & sums.is_in(Scores.MODEL, model)
    documents = sums.codes[Scores.DOCUMENT]
    return (
        len(np.unique(documents[own & (kind == MEMORABLE)])),
        len(np.unique(documents[own & (kind == NEW)])),
        len(np.unique(documents[own & (kind < 0)])),
    )


def _reason(population: Population, model: str, coverage: tuple[int, int, int]) -> str | None:
    memorable, new, _ = coverage
    if model not in population.dates.cutoffs:
        return "the model's knowledge cutoff is not given"
    if not population.dates.available:
        return "the dates of the documents are not given"
    if not memorable + new:
        return "none of its documents has a date"
    if not new:
        return f"all {memorable} dated documents appeared before its cutoff: none is new to it"
    if not memorable:
        return f"all {new} dated documents appeared after its cutoff: none is memorable"
    return None


def _contrast(grid: Grid, first: int, languages: Sequence[str] | None = None) -> Contrast:
    if languages is None:
        old, new = grid.micro(first), grid.micro(first + 1)
        rows = grid.rows(first), grid.rows(first + 1)
    else:
        old, new = grid.macro(first, languages), grid.macro(first + 1, languages)
        rows = grid.rows(first, *languages), grid.rows(first + 1, *languages)
    return Contrast(
        grid.estimate(old, rows[0]),
        grid.estimate(new, rows[1]),
        grid.estimate(less(old, new), sum(rows), "less"),
    )


def _by_class(grid: Grid) -> dict[int, Contrast]:
    return {number: _contrast(grid, 0, codes) for number, codes in grid.panel.classes.items()}
