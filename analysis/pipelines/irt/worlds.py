"""Worlds in which the model does not hold: what Knowledge comes out as where the truth is known."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis.pipelines.irt.diagnostics import Diagnostic, diagnose
from analysis.pipelines.irt.fits import fit_all
from analysis.pipelines.irt.gap_grid import GapGrid
from analysis.pipelines.irt.gaps import gaps_of
from analysis.pipelines.irt.simulate import World, simulate

MEAN_GLOBAL, SPREAD = -0.77, 0.35
GUESSING = 0.25
LEAST = -9.0


@dataclass(frozen=True)
class Setting:
    """A world and the Knowledge that is true in it."""

    world: World
    knowledge: float = 0.0


@dataclass(frozen=True)
class Outcome:
    """What one simulated study in a world says: means over cells, and its diagnostics."""

    mean_global: float
    mean_local: float
    mean_knowledge: float
    share_positive: float
    diagnostics: dict[str, Diagnostic]

    def number(self, diagnostic: str, name: str) -> float:
        """Return one number of a diagnostic; NaN where it is undefined."""
        value = self.diagnostics[diagnostic].numbers[name].value
        return float("nan") if value is None else value

    @property
    def specific_correlation(self) -> float:
        """The residual correlation across languages, mean over the culture-specific sets."""
        numbers = self.diagnostics["residual_correlation"].numbers
        found = [n.value for name, n in numbers.items() if name.startswith("CS") and n.defined]
        return float(np.mean(np.array(found, dtype=np.float64)))


@dataclass(frozen=True)
class Size:
    """How large the simulated studies are: models, locales, and items in every set."""

    models: int = 79
    locales: int = 13
    items: int = 1000


WORLDS: Mapping[str, Setting] = {
    "well specified": Setting(World(least=LEAST)),
    "interaction sd 1 in both": Setting(World(least=LEAST, interaction=1.0)),
    "interaction sd 0.5 in CA, 1.5 in CS": Setting(
        World(least=LEAST, interaction=0.5, specific_interaction=1.5)
    ),
    "discrimination of CS 0.7": Setting(World(least=LEAST, discrimination=0.7)),
    "discrimination of CS 0.5": Setting(World(least=LEAST, discrimination=0.5)),
    "guessing floor 0.25 in both": Setting(World(least=LEAST, floor=GUESSING)),
    "guessing 0.25, CS harder by 1 logit": Setting(
        World(least=LEAST, floor=GUESSING, specific_shift=-1.0)
    ),
    "true Knowledge 0.75, well specified": Setting(World(least=LEAST), 0.75),
    "true Knowledge 0.75, discrimination of CS 0.7": Setting(
        World(least=LEAST, discrimination=0.7), 0.75
    ),
}


def world_row(name: str, size: Size, seed: int) -> dict[str, str | float]:
    """Return what a world's study says, by the names of a table's columns."""
    setting = WORLDS[name]
    found = outcome(setting, size, seed)
    return {
        "world": name,
        "true_knowledge": setting.knowledge,
        "global": found.mean_global,
        "local": found.mean_local,
        "knowledge": found.mean_knowledge,
        "share_positive": found.share_positive,
        "slope": found.number("slope", "slope"),
        "correlation_agnostic": found.number("residual_correlation", "CA"),
        "correlation_specific": found.specific_correlation,
        "knowledge_with_floor": found.number("floor", "knowledge"),
    }


def outcome(setting: Setting, size: Size, seed: int) -> Outcome:
    """Simulate one study in a world and analyse it."""
    rng, items = np.random.default_rng(seed), size.items
    base = rng.normal(MEAN_GLOBAL, SPREAD, (size.models, size.locales))
    points = np.stack([base, base + setting.knowledge, np.full_like(base, setting.knowledge)])
    names = tuple(f"L{k:02d}" for k in range(size.locales))
    truth = GapGrid(tuple(f"m{j:02d}" for j in range(size.models)), names, points)
    answers = simulate(truth, items, dict.fromkeys(names, items), rng, setting.world)
    fits = fit_all(answers)
    gaps = gaps_of(fits)
    means = np.nanmean(gaps.grid.points, axis=(1, 2))
    known = gaps.grid.points[2][np.isfinite(gaps.grid.points[2])]
    return Outcome(
        mean_global=float(means[0]),
        mean_local=float(means[1]),
        mean_knowledge=float(means[2]),
        share_positive=float((known > 0).mean()),
        diagnostics={found.key: found for found in diagnose(fits, gaps, GUESSING)},
    )
