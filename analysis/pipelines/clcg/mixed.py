"""Mixed models beside the bootstrap: they support a finding, and never carry it alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.frames import Scores
from analysis.pipelines.clcg.exposure import MEMORABLE, kinds
from analysis.pipelines.clcg.levels import Levels
from analysis.pipelines.clcg.population import Population
from analysis.stats.fixed_part import Grouped
from analysis.stats.mixed import CrossedLinear, crossed_linear
from analysis.stats.results import Estimate, undefined

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
METHOD = "linear mixed model, REML"


@dataclass(frozen=True)
class Mixed:
    """One model: its formula, the coefficient that tells of the gap, and the whole fit."""

    formula: str
    coefficient: Estimate
    fit: CrossedLinear | None
    supports: bool


def mixed_models(population: Population, levels: Levels) -> dict[str, Mixed]:
    """Fit the models of H1 to H4; one that did not converge is shown as such and supports nothing."""
    sums, panel = population.sums, population.panel
    primary = sums.is_in(Scores.LANGUAGE, panel.reference, *panel.targets)
    english = sums.is_in(Scores.LANGUAGE, panel.reference).astype(np.float64)
    band = primary & population.band
    kind = kinds(population)
    human = sums.is_in(Scores.SOURCE, Scores.HUMAN).astype(np.float64)
    either = primary & (population.band | (sums.is_in(Scores.LEVEL, "") & (human == 1)))
    return {
        "H1": _fit(population, band, {"english": english}),
        "H2": _fit(
            population,
            band & (kind >= 0),
            _crossed(english, "memorable", (kind == MEMORABLE).astype(np.float64)),
        ),
        "H3": _by_level(population, primary, english, levels),
        "H4": _fit(population, either, _crossed(english, "human", human)),
    }


def _crossed(english: Floats, name: str, other: Floats) -> dict[str, Floats]:
    return {"english": english, name: other, f"english:{name}": english * other}


def _by_level(population: Population, primary: Mask, english: Floats, levels: Levels) -> Mixed:
    sums = population.sums
    used = [level for level, deviation in levels.deviations.items() if deviation > 0]
    number = np.maximum(sums.places(Scores.LEVEL, Scores.LEVELS), 0).astype(np.float64)
    deviations = np.array([levels.deviations.get(level, 0) or 1.0 for level in Scores.LEVELS])
    scale = deviations[number.astype(np.int64)]
    inside = primary & sums.is_in(Scores.LEVEL, *used)
    return _fit(population, inside, _crossed(english, "level", number), scale=scale)


def _fit(
    population: Population, inside: Mask, columns: Mapping[str, Floats], scale: Floats | None = None
) -> Mixed:
    """Fit score ~ 1 + columns + (1 | document) + (1 | model); the last column tells of the gap."""
    names = ("intercept", *columns)
    formula = f"score ~ {' + '.join(('1', *columns))} + (1 | document) + (1 | model)"
    if not inside.any():
        return Mixed(formula, undefined("no rows", method=METHOD), None, supports=False)
    found = _entries(population, inside, list(columns.values()), scale)
    fit = crossed_linear(
        found.y, found.X, found.document, found.model, names=names, grouped=found.grouped
    )
    coefficient = fit.coefficients[-1]
    return Mixed(formula, coefficient, fit, supports=fit.converged and coefficient.defined)


@dataclass(frozen=True)
class _Entries:
    """Means of the rows that share document, model and columns, and how many rows they are."""

    y: Floats
    X: Floats
    document: Ints
    model: Ints
    grouped: Grouped


def _entries(
    population: Population, inside: Mask, columns: Sequence[Floats], scale: Floats | None
) -> _Entries:
    """Return means, counts and what is left within: all that the likelihood sees of the scores."""
    sums = population.sums
    divisor = np.ones(len(inside)) if scale is None else scale
    key = np.column_stack([sums.codes[Scores.DOCUMENT], sums.codes[Scores.MODEL], *columns])[inside]
    cells, place = np.unique(key, axis=0, return_inverse=True)
    place = place.ravel()

    def added(values: Floats) -> Floats:
        return np.bincount(place, values[inside], minlength=len(cells)).astype(np.float64)

    count = added(sums.count[:, 0])
    there = count > 0
    cells, count = cells[there], count[there]
    total, squares = added(sums.total[:, 0] / divisor), added(sums.squares[:, 0] / divisor**2)
    mean = total[there] / count
    within = float(np.maximum(squares[there] - count * mean**2, 0).sum())
    X = np.column_stack([np.ones(len(mean)), cells[:, 2:]])
    document, model = (cells[:, i].astype(np.int64) for i in (0, 1))
    return _Entries(mean, X, document, model, Grouped(count, within))
