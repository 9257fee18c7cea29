"""Each block fitted by itself: abilities of every model in every language, item difficulties."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from analysis.pipelines.irt.responses import Answers, Block
from analysis.stats.rasch import RaschFit, fit_complete
from analysis.stats.rasch_masked import fit_observed
from analysis.stats.rasch_warm import warm_abilities
from analysis.stats.threads import one_thread

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Reading = Literal["joint", "per-locale"]


@dataclass(frozen=True)
class BlockFit:
    """A fitted block. Arrays of shape (models, queries) follow the block's order."""

    block: Block
    fit: RaschFit
    complete: bool
    answered: Bools

    @property
    def ability(self) -> Floats:
        """Abilities, (models, queries); infinite for none or all correct, NaN for no answer."""
        return self.fit.ability.reshape(self._shape)

    @property
    def information(self) -> Floats:
        """Information of each ability, (models, queries)."""
        return self.fit.information.reshape(self._shape)

    @property
    def _shape(self) -> tuple[int, int]:
        return self.block.answers.shape[0], self.block.answers.shape[1]

    def reason(self, model: int, query: str) -> str | None:
        """Return in words why a model has no finite ability here, or None where it has one."""
        place = model, self.block.queries.index(query)
        ability = self.ability[place]
        where = f"{self.block.name} in {query}"
        if np.isfinite(ability):
            return None
        if not self.answered.reshape(self._shape)[place]:
            return f"no answer to {where}"
        if np.isinf(ability):
            return f"{'every' if ability > 0 else 'no'} answer to {where} is correct"
        return f"{self.block.name}: {self.fit.reason}"

    def warm(self) -> Floats:
        """Return Warm's estimates (models, queries), finite also for none or all correct."""
        flat, given = self.block.flat()
        finite = np.isfinite(self.fit.difficulty)
        if not finite.any():
            return np.full(self._shape, np.nan)
        inner, difficulty = given[:, finite], self.fit.difficulty[finite]
        scores = np.where(inner, flat[:, finite], 0).sum(axis=1, dtype=np.float64)
        if not inner.all():
            return warm_abilities(scores, difficulty, inner.astype(np.float64)).reshape(self._shape)
        # Where everyone saw every item, one score is one ability.
        unique, places = np.unique(scores, return_inverse=True)
        return warm_abilities(unique, difficulty, np.ones(difficulty.size))[places].reshape(
            self._shape
        )


@dataclass(frozen=True)
class Fits:
    """All fits of one reading; `agnostic[locale]` is the fit that gives the locale's Global gap."""

    answers: Answers
    agnostic: dict[str, BlockFit]
    specific: dict[str, BlockFit]

    @property
    def each(self) -> list[BlockFit]:
        """Every fit once, agnostic ones first."""
        once = {fit.block.name: fit for fit in self.agnostic.values()}
        return [*once.values(), *self.specific.values()]

    @property
    def residual(self) -> float:
        """Largest margin residual of all blocks."""
        return max(fit.fit.residual for fit in self.each)


def fit_all(answers: Answers, reading: Reading = "joint") -> Fits:
    """Fit every block.

    `joint` takes the agnostic answers of all languages as one block; `per-locale` fits them anew for
    each locale with its own language and the base. Only Global differs between the two.
    """
    with one_thread():
        specific = {x: fit_block(block) for x, block in answers.specific.items()}
        if reading == "joint":
            whole = fit_block(answers.agnostic)
            return Fits(answers, dict.fromkeys(specific, whole), specific)
        return Fits(answers, {x: fit_block(_pair(answers, x)) for x in specific}, specific)


def _pair(answers: Answers, locale: str) -> Block:
    """Return the agnostic answers in the base language and in that of the locale."""
    block, local = answers.agnostic, answers.local_query.get(locale)
    queries = [answers.base, *([local] if local and local in block.queries else [])]
    paired = block.only(queries=tuple(queries))
    return Block(f"{block.name}_{locale}", "", paired.queries, paired.items, paired.answers)


def fit_block(block: Block) -> BlockFit:
    """Fit one block: through its margins where it is complete, cell by cell where it is not."""
    flat, given = block.flat()
    answered, asked = np.logical_or.reduce(given, axis=1), np.logical_or.reduce(given, axis=0)
    if answered.all() and asked.all() and given.all():
        return BlockFit(block, fit_complete(flat), complete=True, answered=answered)
    if given[np.ix_(answered, asked)].all() and answered.any():
        inner = fit_complete(flat[np.ix_(answered, asked)])
        return BlockFit(block, _spread(inner, answered, asked), complete=True, answered=answered)
    return BlockFit(block, fit_observed(flat, given), complete=False, answered=answered)


def _spread(fit: RaschFit, answered: Bools, asked: Bools) -> RaschFit:
    """Return the fit of the answered part with NaN for those who answered nothing."""
    ability, information = np.full(answered.size, np.nan), np.zeros(answered.size)
    difficulty = np.full(asked.size, np.nan)
    ability[answered], information[answered] = fit.ability, fit.information
    difficulty[asked] = fit.difficulty
    return RaschFit(ability, difficulty, information, fit.residual, fit.sweeps, fit.reason)
