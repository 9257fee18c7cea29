"""Another corpus beside the primary one, and whether models order the languages alike."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from analysis.pipelines.clcg.gaps import band_grid, by_model
from analysis.pipelines.clcg.grid import Grid
from analysis.pipelines.clcg.population import Population, with_settings
from analysis.pipelines.clcg.stability import SplitHalves, split_halves
from analysis.stats.association import spearman, spearman_interval
from analysis.stats.results import Estimate


@dataclass(frozen=True)
class External:
    """Another corpus: its gap in its band, and the correlation of the two orders of languages.

    `matched` compares both in the external band, `headline` with the primary band.
    """

    micro: Estimate
    gaps: Mapping[str, Estimate]
    matched: Estimate
    headline: Estimate
    primary_matched: Mapping[str, float]
    halves: SplitHalves
    by_model: Mapping[str, Estimate]
    agreement_of_models: Mapping[str, Estimate]


def external_of(primary: Population, other: Population) -> External:
    """Compare the order of the target languages in two corpora."""
    grid = band_grid(other)
    models = by_model(other)
    matched = with_settings(primary, band=other.settings.band)
    gaps = {
        code: grid.estimate(grid.gap(0, code), grid.rows(0, code))
        for code in _shared(primary, other)
    }
    points = {code: e.value for code, e in gaps.items() if e.value is not None}
    same = language_points(matched)
    return External(
        grid.estimate(grid.micro(0), grid.rows(0)),
        gaps,
        _agreement(points, same, primary),
        _agreement(points, language_points(primary), primary),
        {code: same[code] for code in points if code in same},
        split_halves(other),
        {m: models.estimate(models.micro(i), models.rows(i)) for i, m in enumerate(models.groups)},
        model_agreement(models),
    )


def _shared(primary: Population, other: Population) -> tuple[str, ...]:
    return tuple(code for code in primary.panel.targets if code in other.panel.targets)


def language_points(population: Population) -> dict[str, float]:
    """Return the gap of every compared language that has rows in the band."""
    grid = band_grid(population)
    found = {c: float(grid.gap(0, c)(grid.means)[0]) for c in grid.panel.compared}
    return {code: gap for code, gap in found.items() if not np.isnan(gap)}


def _agreement(
    one: Mapping[str, float], two: Mapping[str, float], population: Population
) -> Estimate:
    both = [code for code in one if code in two]
    settings = population.settings
    return spearman_interval(
        [one[code] for code in both],
        [two[code] for code in both],
        np.random.default_rng(settings.seed),
        resamples=settings.resamples,
        confidence=settings.confidence,
    )


def model_agreement(by_model: Grid) -> dict[str, Estimate]:
    """Return the rank correlation of the language gaps of every two models."""
    gaps = by_model.means[0, :, [0]].T - by_model.means[0, :, 1:-1]
    return {
        f"{by_model.groups[i]} x {by_model.groups[j]}": spearman(gaps[i], gaps[j])
        for i, j in combinations(range(len(by_model.groups)), 2)
    }
