"""The whole analysis: scores and what is known of languages, models and documents in, one result out."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from analysis.pipelines.clcg.aggregation import by_aggregation
from analysis.pipelines.clcg.exposure import Exposure, exposure_of
from analysis.pipelines.clcg.external import External, external_of, model_agreement
from analysis.pipelines.clcg.factors import Factors, factors_of
from analysis.pipelines.clcg.gaps import (
    FAILURES_AS_ZERO,
    FAILURES_EXCLUDED,
    ClassGap,
    GapSet,
    LanguageGap,
    band_grid,
    by_class,
    by_group,
    by_language,
    by_model,
    by_parsing_rule,
    by_source,
    gap_set,
    grid_over,
    status_counts,
)
from analysis.pipelines.clcg.grid import Grid, less
from analysis.pipelines.clcg.hypotheses import Family, equivalences, family_of
from analysis.pipelines.clcg.levels import Levels, levels_of
from analysis.pipelines.clcg.matched import Matches
from analysis.pipelines.clcg.mixed import Mixed, mixed_models
from analysis.pipelines.clcg.people import PeopleByClass, people_by_class
from analysis.pipelines.clcg.population import Population
from analysis.pipelines.clcg.scopes import ContextGain, ScopeContrast, context_gain, scope_contrast
from analysis.pipelines.clcg.stability import SplitHalves, Stability, split_halves, stability_of
from analysis.stats.association import spearman
from analysis.stats.results import Estimate


@dataclass(frozen=True)
class Parsing:
    """The gap under both rules for answers that could not be parsed, and the shift between them."""

    counts: Mapping[str, int]
    as_zero: GapSet
    excluded: GapSet
    shift: Estimate
    by_model: Mapping[str, tuple[Estimate, Estimate]]


@dataclass(frozen=True)
class Metric:
    """The gap by another metric, and how its order of the languages agrees with that of the first."""

    gaps: GapSet
    agreement: Estimate


@dataclass(frozen=True)
class Study:
    """Everything that was computed."""

    population: Population
    overall: GapSet
    languages: Mapping[str, LanguageGap]
    classes: Mapping[int, ClassGap]
    models: Mapping[str, GapSet]
    model_grid: Grid
    sources: Mapping[str, GapSet]
    levels: Levels
    exposure: Exposure
    mixed: Mapping[str, Mixed]
    family: Family
    equivalence: Mapping[str, Estimate]
    factors: Factors
    aggregation: Mapping[str, Estimate]
    parsing: Parsing
    stability: Stability
    halves: SplitHalves
    agreement_of_models: Mapping[str, Estimate]
    context: ContextGain
    scopes: ScopeContrast
    metrics: Mapping[str, Metric]
    external: External | None = None
    people: Mapping[str, PeopleByClass] = field(default_factory=dict)


def analyse(
    population: Population,
    matches: Matches,
    external: Population | None = None,
    people: pd.DataFrame | None = None,
) -> Study:
    """Run every analysis on the population.

    `external` is another corpus to compare with, `people` what people gave on average by condition.
    """
    grid, models, sources = band_grid(population), by_model(population), by_source(population)
    overall, levels, exposure = gap_set(grid), levels_of(population), exposure_of(population)
    mixed, per_model = mixed_models(population, levels), by_group(models)
    languages, classes = by_language(grid), by_class(grid)
    gaps = {code: g.gap.value for code, g in languages.items() if g.gap.value is not None}
    return Study(
        population=population,
        overall=overall,
        languages=languages,
        classes=classes,
        models=per_model,
        model_grid=models,
        sources=by_group(sources),
        levels=levels,
        exposure=exposure,
        mixed=mixed,
        family=family_of(overall, per_model, exposure, levels, sources, mixed),
        equivalence=equivalences(grid, sources),
        factors=factors_of(gaps, population.panel, population.settings),
        aggregation=by_aggregation(grid, models),
        parsing=_parsing(population),
        stability=stability_of(population),
        halves=split_halves(population),
        agreement_of_models=model_agreement(models),
        context=context_gain(population, matches),
        scopes=scope_contrast(population, matches),
        metrics=_metrics(population, gaps),
        external=None if external is None else external_of(population, external),
        people=people_by_class(people, classes),
    )


def _parsing(population: Population) -> Parsing:
    grid = by_parsing_rule(population)
    place = {name: i for i, name in enumerate(grid.groups)}
    both = place[FAILURES_AS_ZERO], place[FAILURES_EXCLUDED]
    rows = grid.rows(both[0])
    pairs = {
        m: tuple(place[f"{rule}, {m}"] for rule in (FAILURES_AS_ZERO, FAILURES_EXCLUDED))
        for m in population.models
    }
    return Parsing(
        status_counts(population),
        gap_set(grid, both[0]),
        gap_set(grid, both[1]),
        grid.estimate(less(grid.micro(both[0]), grid.micro(both[1])), rows),
        {
            m: (
                grid.estimate(grid.micro(i), grid.rows(i)),
                grid.estimate(grid.micro(j), grid.rows(j)),
            )
            for m, (i, j) in pairs.items()
        },
    )


def _metrics(population: Population, first: Mapping[str, float]) -> dict[str, Metric]:
    found = {}
    for place, name in enumerate(population.sums.metrics):
        grid = grid_over(population, {"band": population.band}, place)
        gaps = [float(grid.gap(0, code)(grid.means)[0]) for code in first]
        agreement = spearman(np.array(list(first.values())), np.array(gaps))
        found[name] = Metric(gap_set(grid), agreement)
    return found
