"""Whether the gap comes again: over repetitions, and over halves of the documents."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from analysis.frames import Scores
from analysis.pipelines.clcg.gaps import band_grid, grid_over
from analysis.pipelines.clcg.grid import Grid, less
from analysis.pipelines.clcg.population import Population
from analysis.stats.association import spearman
from analysis.stats.concordance import Concordance, kendall_w
from analysis.stats.results import Estimate, undefined

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Run:
    """Gaps of one group over repetitions: each, with mean, sample SD and range."""

    gaps: tuple[float | None, ...]
    mean: float | None
    sd: float | None
    spread: float | None


@dataclass(frozen=True)
class Stability:
    """Gaps by repetition over the documents that have all of them, pooled and by model.

    `w` and `pairwise` say how the order of the models agrees, `pairwise_mean` is the mean of the
    latter. `first_only` is the gap from repetition 0 of all documents, `shift` all repetitions less that.
    """

    repetitions: tuple[str, ...]
    documents: int
    pooled: Run
    estimates: Mapping[str, Estimate]
    by_model: Mapping[str, Run]
    w: Concordance | Estimate
    pairwise: Mapping[str, Estimate]
    pairwise_mean: float | None
    first_only: Estimate
    shift: Estimate


def stability_of(population: Population) -> Stability:
    """Return how the gap varies over repetitions of the same calls."""
    repetitions = tuple(population.sums.rows_by(Scores.REP))
    repeated = _repeated(population, repetitions)
    grid = grid_over(population, _groups(population, repetitions, repeated))
    size = len(repetitions)
    pooled = [grid.estimate(grid.micro(i), grid.rows(i)) for i in range(size)]
    by_model = {
        model: [_point(grid, (1 + m) * size + i) for i in range(size)]
        for m, model in enumerate(population.models)
    }
    ranks = np.array([[gaps[i] for gaps in by_model.values()] for i in range(size)], dtype=float)
    pairwise = _pairwise(ranks, repetitions)
    known = [e.value for e in pairwise.values() if e.value is not None]
    return Stability(
        repetitions,
        _documents(population, repeated),
        _run([e.value for e in pooled]),
        dict(zip(repetitions, pooled, strict=True)),
        {model: _run(gaps) for model, gaps in by_model.items()},
        _concordance(ranks),
        pairwise,
        float(np.mean(known)) if known else None,
        *_first(population, repetitions),
    )


def _repeated(population: Population, repetitions: tuple[str, ...]) -> Mask:
    """Return the cells of documents that have every repetition in the band."""
    sums = population.sums
    inside = population.band
    pairs = np.unique(
        np.column_stack([sums.codes[Scores.DOCUMENT], sums.codes[Scores.REP]])[inside], axis=0
    )
    have = np.bincount(pairs[:, 0], minlength=len(sums.labels[Scores.DOCUMENT]))
    return np.asarray(have[sums.codes[Scores.DOCUMENT]] == len(repetitions))


def _groups(
    population: Population, repetitions: tuple[str, ...], repeated: Mask
) -> dict[str, Mask]:
    sums, inside = population.sums, population.band & repeated
    groups = {f"all {r}": inside & sums.is_in(Scores.REP, r) for r in repetitions}
    for model in population.models:
        own = inside & sums.is_in(Scores.MODEL, model)
        groups |= {f"{model} {r}": own & sums.is_in(Scores.REP, r) for r in repetitions}
    return groups


def _documents(population: Population, repeated: Mask) -> int:
    return len(population.sums.only(repeated & population.band).rows_by(Scores.DOCUMENT))


def _point(grid: Grid, group: int) -> float | None:
    value = float(grid.micro(group)(grid.means)[0])
    return None if np.isnan(value) else value


def _run(gaps: list[float | None]) -> Run:
    known = [gap for gap in gaps if gap is not None]
    if len(known) < 2:  # noqa: PLR2004 - a deviation needs two values
        return Run(tuple(gaps), known[0] if known else None, None, None)
    return Run(
        tuple(gaps), float(np.mean(known)), float(np.std(known, ddof=1)), max(known) - min(known)
    )


def _concordance(ranks: Floats) -> Concordance | Estimate:
    if len(ranks) < 2:  # noqa: PLR2004 - one repetition agrees with nothing
        return undefined("there is one repetition, and nothing to compare it with")
    return kendall_w(ranks)


def _pairwise(ranks: Floats, repetitions: tuple[str, ...]) -> dict[str, Estimate]:
    return {
        f"{repetitions[i]} x {repetitions[j]}": spearman(ranks[i], ranks[j])
        for i, j in combinations(range(len(repetitions)), 2)
    }


def _first(population: Population, repetitions: tuple[str, ...]) -> tuple[Estimate, Estimate]:
    first = population.band & population.sums.is_in(Scores.REP, repetitions[0])
    grid = grid_over(population, {"all": population.band, "first": first})
    shift = less(grid.micro(0), grid.micro(1))
    return grid.estimate(grid.micro(1), grid.rows(1)), grid.estimate(shift, grid.rows(0))


@dataclass(frozen=True)
class SplitHalves:
    """Rank correlation of language gaps between random halves of the documents.

    `mean` over the splits with the middle 95 % of them, and stepped up to the full length by Spearman
    and Brown's formula.
    """

    mean: Estimate
    stepped_up: Estimate


def split_halves(population: Population) -> SplitHalves:
    """Return how well halves of the documents agree on the order of the languages."""
    settings = population.settings
    grid = band_grid(population)
    method = f"mean of {settings.splits} random halves of the documents, seed {settings.seed}"
    documents = grid.documents
    if documents < 4 or len(grid.panel.compared) < 3:  # noqa: PLR2004 - two documents a half, three languages
        none = undefined("split halves need four documents and three languages", method=method)
        return SplitHalves(none, none)
    rng = np.random.default_rng(settings.seed)
    found = [_half(grid, rng.permutation(documents)) for _ in range(settings.splits)]
    values = np.array([rho for rho in found if rho is not None])
    if not values.size:
        none = undefined("no half has rows in every language", method=method)
        return SplitHalves(none, none)
    low, high = np.quantile(values, [0.025, 0.975]).tolist()
    mean = float(values.mean())
    return SplitHalves(
        Estimate(mean, low, high, n=documents, method=method, seed=settings.seed,
                 notes=("the limits are the middle 95 % of the splits, not a confidence interval",)),
        Estimate(2 * mean / (1 + mean), n=documents, method="Spearman-Brown of that mean"),
    )  # fmt: skip


def _half(grid: Grid, order: NDArray[np.intp]) -> float | None:
    middle = len(order) // 2
    sides = [_language_gaps(grid, order[:middle]), _language_gaps(grid, order[middle:])]
    return spearman(*sides).value


def _language_gaps(grid: Grid, documents: NDArray[np.intp]) -> Floats:
    total, count = (part[documents, 0].sum(axis=0) for part in (grid.total, grid.count))
    means = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
    return np.asarray(means[0] - means[1:-1])
