"""Synthetic answers with known truth, at the size and with the gaps that are asked for."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import Responses as Names
from analysis.pipelines.irt.gap_grid import GapGrid
from analysis.pipelines.irt.responses import NO_ANSWER, Answers, Block

Floats = NDArray[np.float64]

# The sets of "The Masked Advantage", Table 6: culture-agnostic items, and specific ones by locale.
PAPER_AGNOSTIC = 2058
PAPER_SPECIFIC = {
    "ZH": 1000,
    "AR": 999,
    "FR": 139,
    "JA": 73,
    "NL": 136,
    "HI": 1000,
    "KO": 1000,
    "FA": 185,
    "PL": 75,
    "BN": 342,
    "EL": 785,
    "NE": 230,
    "TE": 129,
}


@dataclass(frozen=True)
class World:
    """What the synthetic answers depart from.

    `discrimination` is that of the specific items (agnostic ones have 1), `floor` a chance of
    guessing, `interaction` the deviation of a model on an item in all languages alike (of the specific
    items too, unless `specific_interaction` says otherwise), `translation` that of an item in one
    language for all models alike (all standard deviations in logits). A
    model's ability is raised where its lowest one would be under `least`, as a study's filter does.
    """

    ability_mean: float = 1.0
    ability_sd: float = 0.6
    difficulty_sd: float = 1.45
    discrimination: float = 1.0
    floor: float = 0.0
    interaction: float = 0.0
    specific_interaction: float | None = None
    translation: float = 0.0
    specific_shift: float = 0.0
    least: float = -0.1


def simulate(
    truth: GapGrid,
    agnostic_items: int,
    specific_items: Mapping[str, int],
    rng: np.random.Generator,
    world: World | None = None,
) -> Answers:
    """Return answers whose true gaps are those of `truth` (Global and Local; Knowledge follows)."""
    world = world or World()
    models, locales = len(truth.models), truth.locales
    ability = rng.normal(world.ability_mean, world.ability_sd, models)
    agnostic_truth = np.column_stack([np.zeros(models), truth.points[0]])
    queries = ("en", *(locale.lower() for locale in locales))
    base = _raised(ability, agnostic_truth, world.least)
    agnostic = _block("", queries, base, agnostic_items, rng, world, slope=1.0)
    specific = {}
    for k, locale in sorted(enumerate(locales), key=lambda place: place[1]):
        own = ability + rng.normal(world.specific_shift, world.ability_sd / 2, models)
        gap = np.column_stack([np.zeros(models), truth.points[1, :, k]])
        pair = _raised(own, gap, world.least)
        count, slope = specific_items[locale], world.discrimination
        specific[locale] = _block(
            locale, ("en", locale.lower()), pair, count, rng, world, slope=slope
        )
    local = {locale: locale.lower() for locale in locales}
    blocks = [agnostic, *specific.values()]
    given = sum(block.answers.size for block in blocks)
    return Answers(truth.models, "en", agnostic, specific, local, given=given, empty=0)


def _raised(ability: Floats, gaps: Floats, least: float) -> Floats:
    """Return ability plus gaps, shape (models, queries), with no value under `least`."""
    raised: Floats = np.maximum(ability, least - gaps.min(axis=1))[:, None] + gaps
    return raised


def _block(
    locale: str,
    queries: tuple[str, ...],
    ability: Floats,
    count: int,
    rng: np.random.Generator,
    world: World,
    *,
    slope: float,
) -> Block:
    difficulty = rng.normal(0, world.difficulty_sd, count)
    logits = slope * (ability[:, :, None] - difficulty)
    own = world.specific_interaction if locale else None
    interaction = world.interaction if own is None else own
    if interaction:
        logits += rng.normal(0, interaction, (ability.shape[0], 1, count))
    if world.translation:
        logits += rng.normal(0, world.translation, (1, ability.shape[1], count))
    chance = world.floor + (1 - world.floor) / (1 + np.exp(-logits))
    answers = (rng.random(chance.shape) < chance).astype(np.uint8)
    name = f"{Names.SPECIFIC}_{locale}" if locale else Names.AGNOSTIC
    items = tuple(f"{name.lower()}-{i:04d}" for i in range(count))
    return Block(name, locale, queries, items, answers)


def answers_table(answers: Answers) -> pd.DataFrame:
    """Return the long table that `collect` would read; cells without an answer are left out."""
    return pd.concat([_long(answers.models, block) for block in answers.blocks], ignore_index=True)


def _long(models: tuple[str, ...], block: Block) -> pd.DataFrame:
    model, query, item = (index.ravel() for index in np.indices(block.answers.shape))
    subset = Names.SPECIFIC if block.locale else Names.AGNOSTIC
    table = pd.DataFrame(
        {
            Names.MODEL: np.array(models)[model],
            Names.ITEM: np.array(block.items)[item],
            Names.SUBSET: subset,
            Names.LOCALE: block.locale,
            Names.QUERY: np.array(block.queries)[query],
            Names.CORRECT: block.answers.ravel(),
        }
    )
    return table[table[Names.CORRECT] != NO_ANSWER]
