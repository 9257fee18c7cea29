"""Means of every language in every group, with their replicates: gaps are functions of these.

A group is what is compared: a model, a level, a source, a parsing rule. Each has a cell a language and
one for all target rows pooled. All cells of a replicate share its draw of documents, so that a contrast
of any two keeps their covariance.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analysis.frames import Scores
from analysis.pipelines.clcg.panel import Panel
from analysis.pipelines.clcg.population import Direction, Settings
from analysis.pipelines.clcg.sums import ScoreSums
from analysis.stats.percentile import seed_of, with_percentile_interval
from analysis.stats.resample import CALL, ClusterTotals, bootstrap_p, replicate_means
from analysis.stats.results import Estimate, undefined

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Statistic = Callable[[Floats], Floats]
METHOD = f"cluster bootstrap over documents ({CALL})"
EMPTY = "a group or language that the contrast needs has no rows"


@dataclass(frozen=True)
class Grid:
    """Means (1, groups, languages + 1) and their replicates (B, groups, languages + 1).

    The last cell of a group is the pooled target mean; `counts` are the rows of each cell. `total` and
    `count` (documents, groups, languages + 1) are what they come from.
    """

    groups: tuple[str, ...]
    panel: Panel
    settings: Settings
    means: Floats
    drawn: Floats
    counts: Floats
    documents: int
    n: int
    total: Floats
    count: Floats

    def estimate(
        self, statistic: Statistic, n: float | None = None, alternative: Direction | None = None
    ) -> Estimate:
        """Return a function of the means with its percentile interval and, if asked for, p."""
        rows = self.n if n is None else int(n)
        value = float(statistic(self.means)[0])
        if np.isnan(value):
            return undefined(EMPTY, method=METHOD, n=rows)
        found = Estimate(value, n=rows, method=METHOD)
        if self.documents == 1:
            return replace(found, reason="no interval: there is one document")
        rng = np.random.default_rng(self.settings.seed)
        drawn = statistic(self.drawn)
        found = with_percentile_interval(
            found, drawn, confidence=self.settings.confidence, units="documents", rng=rng
        )
        if alternative is None or found.low is None:
            return replace(found, seed=seed_of(rng))
        return replace(found, p=bootstrap_p(drawn[~np.isnan(drawn)], alternative))

    @property
    def document_means(self) -> Floats:
        """Means of each document (documents, groups, languages + 1), NaN where it has no rows."""
        empty = np.full(self.total.shape, np.nan)
        return np.asarray(np.divide(self.total, self.count, out=empty, where=self.count > 0))

    def place(self, language: str) -> int:
        """Return the cell of a language."""
        return self.panel.languages.index(language)

    def mean(self, group: int, language: str) -> Statistic:
        """Return the mean of a language."""
        place = self.place(language)
        return lambda means: means[:, group, place]

    def micro(self, group: int) -> Statistic:
        """Return reference mean less pooled target mean."""
        return lambda means: means[:, group, 0] - means[:, group, -1]

    def gap(self, group: int, language: str) -> Statistic:
        """Return reference mean less that of a language."""
        place = self.place(language)
        return lambda means: means[:, group, 0] - means[:, group, place]

    def macro(self, group: int, languages: Sequence[str] | None = None) -> Statistic:
        """Return the mean of language gaps: of all targets with rows in the group, or of the given."""
        wanted = self.panel.targets if languages is None else languages
        places = [self.place(x) for x in wanted if self.counts[group, self.place(x)]]
        if not places:
            return lambda means: np.full(len(means), np.nan)
        return lambda means: means[:, group, 0] - means[:, group][:, places].mean(axis=1)

    def rows(self, group: int, *languages: str) -> int:
        """Return the rows of the reference and of these languages, or of all targets."""
        if not languages:
            return int(self.counts[group, 0] + self.counts[group, -1])
        places = [self.place(x) for x in languages]
        return int(self.counts[group, 0] + self.counts[group, places].sum())


def less(one: Statistic, other: Statistic) -> Statistic:
    """Return the difference of two statistics, taken inside each replicate."""
    return lambda means: one(means) - other(means)


def share(part: Statistic, whole: Statistic) -> Statistic:
    """Return a statistic as a share of a mean, inside each replicate; NaN where that is 0."""

    def of_whole(means: Floats) -> Floats:
        found = whole(means)
        empty = np.full(len(found), np.nan)
        return np.asarray(np.divide(part(means), found, out=empty, where=found != 0))

    return of_whole


def grid_of(
    sums: ScoreSums,
    panel: Panel,
    settings: Settings,
    groups: Mapping[str, Mask],
    *,
    metric: int = 0,
) -> Grid:
    """Return the grid of some groups of cells, which may overlap."""
    language = sums.places(Scores.LANGUAGE, panel.languages)
    there = (language >= 0) & (sums.count[:, metric] > 0)
    used = there & np.any(list(groups.values()), axis=0)
    documents = np.unique(sums.codes[Scores.DOCUMENT][used])
    row = np.searchsorted(documents, sums.codes[Scores.DOCUMENT])
    width = len(panel.languages)
    shape = (len(documents), len(groups), width)
    total, count = np.zeros(shape), np.zeros(shape)
    for i, group in enumerate(groups.values()):
        inside = there & group
        place = row[inside] * width + language[inside]
        for target, values in ((total, sums.total), (count, sums.count)):
            added = np.bincount(place, values[inside, metric], minlength=shape[0] * width)
            target[:, i] = added.reshape(-1, width)
    pooled = with_pooled(total, panel), with_pooled(count, panel)
    return grid_from(*pooled, tuple(groups), panel, settings)


def grid_from(
    total: Floats, count: Floats, groups: Sequence[str], panel: Panel, settings: Settings
) -> Grid:
    """Return the grid of sums and counts (documents, groups, languages + 1)."""
    documents, shape = len(total), total.shape[1:]
    flat = (documents, shape[0] * shape[1])
    totals = ClusterTotals(total.reshape(flat), count.reshape(flat), tuple(range(documents)))
    rows = count.sum(axis=0)
    empty = np.full(shape, np.nan)
    means = np.divide(total.sum(axis=0), rows, out=empty, where=rows > 0)
    drawn = np.empty((0, *shape))
    if documents > 1:
        rng = np.random.default_rng(settings.seed)
        drawn = replicate_means(totals, rng, settings.resamples).reshape(-1, *shape)
    n = int(rows[:, :-1].sum())
    return Grid(
        tuple(groups), panel, settings, means[None], drawn, rows, documents, n, total, count
    )


def with_pooled(by_language: Floats, panel: Panel) -> Floats:
    """Add the cell of all target rows to sums or counts (documents, groups, languages)."""
    targets = [panel.languages.index(code) for code in panel.targets]
    pooled = by_language[:, :, targets].sum(axis=2, keepdims=True)
    return np.concatenate([by_language, pooled], axis=2)
