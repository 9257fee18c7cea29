"""Which properties of a language go with its gap. Languages are few and properties overlap: it describes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from analysis.pipelines.clcg.panel import FACTORS, Panel
from analysis.pipelines.clcg.population import Settings
from analysis.stats.association import (
    correlation_of,
    partial_spearman,
    spearman,
    spearman_interval,
)
from analysis.stats.results import Estimate, undefined

Floats = NDArray[np.float64]
CLASS = "resource_class"
PARTIAL = ("fertility", "non_latin")
OLS = ("resource_class", "fertility", "non_latin")


@dataclass(frozen=True)
class Regression:
    """Least squares of the standardised gap on standardised factors: a description, no inference."""

    coefficients: Mapping[str, float]
    r_squared: float | None
    n: int
    reason: str | None = None


@dataclass(frozen=True)
class Factors:
    """Rank correlations of the gap with each factor, with an interval over languages.

    `sensitivity` repeats the class correlation with the declared further classes. `partial` holds
    each factor given the class, with p by n - 2 - k degrees of freedom and, named so, by n - 2.
    `among` are the rank correlations of the factors with each other. `guide` is the size from which a
    rank correlation of so many languages has p at most 0.05.
    """

    languages: tuple[str, ...]
    rank: Mapping[str, Estimate]
    sensitivity: Estimate
    partial: Mapping[str, Mapping[str, Estimate]]
    regression: Regression
    among: Mapping[str, Estimate] = field(default_factory=dict)
    guide: float | None = None


def factors_of(gaps: Mapping[str, float], panel: Panel, settings: Settings) -> Factors:
    """Relate the gaps of the languages that have a class (baseline and targets) to their factors."""
    classes = panel.factors.get(CLASS, {})
    used = tuple(code for code in panel.compared if code in classes and code in gaps)
    values = {name: _values(panel.factors.get(name, {}), used) for name in FACTORS}
    gap = np.array([gaps[code] for code in used])
    return Factors(
        used,
        {name: _rank(values[name], gap, settings) for name in FACTORS},
        _sensitivity(gaps, panel, settings),
        {name: _partial(values[name], gap, values[CLASS]) for name in PARTIAL},
        _regression(gap, {name: values[name] for name in OLS}),
        _among(values),
        correlation_of(0.05, len(used) - 2),
    )


def _values(known: Mapping[str, float], languages: Sequence[str]) -> Floats:
    return np.array([known.get(code, np.nan) for code in languages], dtype=np.float64)


def _rank(factor: Floats, gap: Floats, settings: Settings) -> Estimate:
    if np.isnan(factor).all():
        return undefined("the factor is known of no language")
    rng = np.random.default_rng(settings.seed)
    return spearman_interval(
        factor, gap, rng, resamples=settings.resamples, confidence=settings.confidence
    )


def _sensitivity(gaps: Mapping[str, float], panel: Panel, settings: Settings) -> Estimate:
    if not panel.sensitivity:
        return undefined("no language was declared a class for the sensitivity analysis")
    known = {**panel.factors.get(CLASS, {}), **panel.sensitivity}
    used = [code for code in panel.compared if code in known and code in gaps]
    gap = np.array([gaps[code] for code in used])
    return _rank(_values(known, used), gap, settings)


def _partial(factor: Floats, gap: Floats, control: Floats) -> dict[str, Estimate]:
    return {
        "n-2-k": partial_spearman(factor, gap, control, df="n-2-k"),
        "n-2": partial_spearman(factor, gap, control, df="n-2"),
    }


def _among(values: Mapping[str, Floats]) -> dict[str, Estimate]:
    names = list(values)
    return {
        f"{one} x {other}": spearman(values[one], values[other])
        for i, one in enumerate(names)
        for other in names[i + 1 :]
    }


def _regression(gap: Floats, columns: Mapping[str, Floats]) -> Regression:
    table = np.column_stack([gap, *columns.values()])
    table = table[~np.isnan(table).any(axis=1)]
    n = len(table)
    if n < len(columns) + 2:
        return Regression({}, None, n, f"{n} languages have all {len(columns)} factors: too few")
    deviation = table.std(axis=0)
    if (deviation == 0).any():
        return Regression({}, None, n, "the gap or a factor does not vary")
    standard = (table - table.mean(axis=0)) / deviation
    found, _, rank, _ = np.linalg.lstsq(standard[:, 1:], standard[:, 0], rcond=None)
    if rank < len(columns):
        return Regression({}, None, n, "the factors are collinear")
    left = standard[:, 0] - standard[:, 1:] @ found
    r_squared = 1 - float(left @ left) / float(standard[:, 0] @ standard[:, 0])
    return Regression(dict(zip(columns, found.tolist(), strict=True)), r_squared, n)
