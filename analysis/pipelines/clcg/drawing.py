"""Draw responses for people: even over strata, lower scores more often, no document too often.

Every response keeps the probability with which its place in the design takes it, so that what is
estimated from the sample can be weighted back to the pool.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import Scores
from analysis.pipelines.clcg.sample_spec import BINS, Spec
from analysis.stats.trace_review import allocate

SHALLOW, DEEP, HUMAN = "llm_shallow", "llm_deep", "human"
CATEGORY, BIN, ARM, PROBABILITY = "category", "score_bin", "arm", "inclusion_probability"
JUDGED, CORE = "judged", "core"
SHALLOW_LEVELS = ("L0", "L1", "L2")
Rng = np.random.Generator


def pool_of(chunk: pd.DataFrame, spec: Spec) -> pd.DataFrame:
    """Return the rows that people may see: parsed, scored, of the whole text and one repetition."""
    kept = (
        (chunk[Scores.SCOPE] == Scores.FULL)
        & (chunk[Scores.STATUS] == Scores.OK)
        & (chunk[Scores.REP] == spec.rep)
        & chunk[spec.score].notna()
        & ~((chunk[Scores.SOURCE] == Scores.GENERATED) & (chunk[Scores.LEVEL] == ""))
    )
    rows = chunk[kept]
    shallow = rows[Scores.LEVEL].isin(SHALLOW_LEVELS)
    category = np.where(
        rows[Scores.SOURCE] == Scores.HUMAN, HUMAN, np.where(shallow, SHALLOW, DEEP)
    )
    return rows.assign(**{CATEGORY: category})


def stratum_names(rows: pd.DataFrame, columns: Sequence[str]) -> "pd.Series[str]":
    """Return the name of each row's stratum: its values of the columns, joined column by column."""
    return reduce(lambda left, right: left + " | " + right, (rows[c].astype(str) for c in columns))


@dataclass
class Draws:
    """What was drawn, and where the design could not be met."""

    rows: pd.DataFrame
    shortfall: list[dict[str, object]] = field(default_factory=list)


def draw_responses(
    pool: pd.DataFrame, judged: NDArray[np.bool_], spec: Spec, used: Counter[str]
) -> Draws:
    """Draw the quota of judged responses, then the others.

    `pool` is in a fixed order, `judged` says of each of its rows whether all judges labelled it, and
    `used` counts items by document.
    """
    rng = np.random.default_rng(spec.seed)
    stratum, names = pd.factorize(stratum_names(pool, spec.strata), sort=True)
    bins = _thirds(pool[spec.score].to_numpy(dtype=np.float64), stratum, rng)
    taken = np.zeros(len(pool), dtype=bool)
    probability = np.zeros(len(pool))
    arm = np.full(len(pool), CORE, dtype=object)
    shortfall: list[dict[str, object]] = []
    for name, able, wanted in (
        (JUDGED, judged, spec.judged_quota),
        (CORE, np.ones(len(pool), dtype=bool), spec.responses - spec.judged_quota),
    ):
        drawer = _Drawer(pool, stratum, bins, able & ~taken, used, spec)
        chosen, own = drawer.draw(wanted, rng)
        # Whoever was not taken before has another chance.
        probability += (1 - probability) * own
        taken[chosen] = True
        arm[chosen] = name
        shortfall += [
            {"arm": name, "stratum": names[cell], "missing": count}
            for cell, count in sorted(drawer.missing.items())
        ]
    found = pool.assign(
        **{BIN: np.array(BINS)[bins], ARM: arm, PROBABILITY: np.minimum(probability, 1.0)}
    )
    return Draws(found[taken].reset_index(drop=True), shortfall)


def _thirds(score: NDArray[np.float64], stratum: NDArray[np.intp], rng: Rng) -> NDArray[np.int64]:
    """Return 0, 1 or 2 by rank within the stratum; equal scores are ordered by lot."""
    order = np.lexsort([rng.random(len(score)), score, stratum])
    sizes = np.bincount(stratum)
    first = np.cumsum(sizes) - sizes
    rank = np.empty(len(score), dtype=np.int64)
    rank[order] = np.arange(len(score)) - first[stratum[order]]
    return np.asarray(rank * len(BINS) // sizes[stratum])


class _Drawer:
    """Draws one arm; `missing` counts by stratum what could not be drawn."""

    def __init__(
        self,
        pool: pd.DataFrame,
        stratum: NDArray[np.intp],
        bins: NDArray[np.int64],
        able: NDArray[np.bool_],
        used: Counter[str],
        spec: Spec,
    ) -> None:
        self.document = pool[Scores.DOCUMENT].to_numpy()
        self.stratum, self.bins, self.able = stratum, bins, able
        self.used, self.spec = used, spec
        self.missing: Counter[int] = Counter()

    def draw(self, wanted: int, rng: Rng) -> tuple[list[int], NDArray[np.float64]]:
        """Return the places drawn and the probability of every place of the pool."""
        cells = np.arange(int(self.stratum.max(initial=-1)) + 1)
        sizes = np.bincount(self.stratum[self.able], minlength=len(cells))
        counts = even_shares(sizes.tolist(), wanted, rng)
        shares = [round(self.spec.weights[name] * 10**6) for name in BINS]
        queue = self._queue(rng)
        bin_of_draw = np.repeat(np.arange(len(BINS)), allocate(shares, wanted) if wanted else 0)
        slots = [(int(c), int(b)) for c, b in zip(
            np.repeat(cells, counts), rng.permutation(bin_of_draw)[: sum(counts)], strict=True
        )]  # fmt: skip
        chosen = [place for c, b in rng.permutation(np.array(slots or np.empty((0, 2)), dtype=np.int64))
                  if (place := self._take(queue, int(c), int(b))) is not None]  # fmt: skip
        if (short := wanted - sum(counts)) > 0:
            self.missing[-1] += short
        return chosen, self._probability(counts)

    def _queue(self, rng: Rng) -> dict[tuple[int, int], list[int]]:
        queue: dict[tuple[int, int], list[int]] = {}
        for place in rng.permutation(np.flatnonzero(self.able)):
            queue.setdefault((int(self.stratum[place]), int(self.bins[place])), []).append(
                int(place)
            )
        return queue

    def _take(self, queue: dict[tuple[int, int], list[int]], cell: int, wanted: int) -> int | None:
        """Take the next place of the bin, or of the nearest one, whose document has room."""
        for nearest in sorted(range(len(BINS)), key=lambda other: (abs(other - wanted), other)):
            waiting = queue.get((cell, nearest), [])
            for i, place in enumerate(waiting):
                if self.used[self.document[place]] < self.spec.cap_per_document:
                    self.used[self.document[place]] += 1
                    return waiting.pop(i)
        self.missing[cell] += 1
        return None

    def _probability(self, counts: Sequence[int]) -> NDArray[np.float64]:
        """Return draws x share of the bin / places of stratum and bin, at most 1."""
        width = len(BINS)
        cell = self.stratum * width + self.bins
        sizes = np.bincount(cell[self.able], minlength=len(counts) * width)
        share = np.array([self.spec.weights[name] for name in BINS])
        expected = np.asarray(counts, dtype=np.float64)[self.stratum] * share[self.bins]
        own = np.divide(expected, sizes[cell], out=np.zeros(len(cell)), where=sizes[cell] > 0)
        return np.asarray(np.where(self.able, np.minimum(own, 1.0), 0.0))


def even_shares(sizes: Sequence[int], wanted: int, rng: Rng) -> list[int]:
    """Return equal numbers for all strata, and the rest by lot; what one lacks goes to the others."""
    found = [0] * len(sizes)
    left = min(wanted, sum(sizes))
    while left:
        open_cells = [i for i, size in enumerate(sizes) if found[i] < size]
        each, rest = divmod(left, len(open_cells))
        lucky = set(rng.permutation(open_cells)[:rest].tolist()) if not each else set()
        for i in open_cells:
            more = min(each or int(i in lucky), sizes[i] - found[i])
            found[i] += more
            left -= more
    return found
