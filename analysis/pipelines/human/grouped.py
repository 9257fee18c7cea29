"""Means of rows by group with intervals that resample items, each item with all its ratings."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import Ratings
from analysis.pipelines.human.plan import Request
from analysis.pipelines.human.sample import Floats, Sample
from analysis.stats.percentile import with_percentile_interval
from analysis.stats.resample import (
    CALL,
    METHOD,
    cluster_bootstrap,
    cluster_totals,
    replicate_means,
)
from analysis.stats.results import Estimate, undefined

NO_ROWS = "there are no ratings"
FEWEST_ITEMS = 2


def mean_by_items(values: Floats, items: NDArray[np.intp], request: Request) -> Estimate:
    """Return the mean over rows with an item-cluster interval."""
    return group_means(values, items, np.zeros(len(values), dtype=np.int64), 1, request)[0]


def group_means(
    values: Floats,
    items: NDArray[np.intp],
    groups: NDArray[np.int64],
    n_groups: int,
    request: Request,
) -> list[Estimate]:
    """Return each group's mean; all groups share the draws of items."""
    if len(values) == 0:
        return [undefined(NO_ROWS, method=METHOD, n=0) for _ in range(n_groups)]
    totals = cluster_totals(values, items, groups, n_cells=n_groups)
    rng = np.random.default_rng(request["seed"])
    drawn = replicate_means(totals, rng, request["bootstrap"])
    found = []
    for cell in range(n_groups):
        n, clusters = int(totals.counts[:, cell].sum()), int((totals.counts[:, cell] > 0).sum())
        if n == 0:
            found.append(undefined(NO_ROWS, method=METHOD, n=0))
            continue
        value = float(totals.sums[:, cell].sum() / n)
        bare = Estimate(value, n=n, method=f"mean; {METHOD} over items ({CALL})")
        found.append(_limited(bare, drawn[:, cell], clusters, request, rng))
    return found


def _limited(
    bare: Estimate, drawn: Floats, clusters: int, request: Request, rng: np.random.Generator
) -> Estimate:
    if clusters < FEWEST_ITEMS:
        reason = "no interval: all ratings are of one item, and items are resampled"
        return Estimate(bare.value, n=bare.n, method=bare.method, reason=reason)
    return with_percentile_interval(
        bare, drawn, confidence=request["confidence"], units="items", rng=rng
    )


def contrast(
    values: Floats,
    items: NDArray[np.intp],
    groups: NDArray[np.int64],
    statistic: Callable[[Floats], Floats],
    request: Request,
) -> Estimate:
    """Return a function of the group means, taken inside each replicate."""
    totals = cluster_totals(values, items, groups)
    return cluster_bootstrap(
        totals,
        statistic,
        np.random.default_rng(request["seed"]),
        resamples=request["bootstrap"],
        confidence=request["confidence"],
        units="items",
    )


def row_groups(sample: Sample, name: str) -> tuple[NDArray[np.int64], list[str]]:
    """Return, a row an answer, the place of the item's field among its sorted values; and these.

    The place is -1 where the item has none.
    """
    items = sample.ratings[Ratings.ITEM]
    texts = sample.items[name].reindex(items.cat.categories).fillna("").astype(str)
    codes, groups = pd.factorize(texts.mask(texts == ""), sort=True)
    of_rows = codes.astype(np.int64)[np.asarray(items.cat.codes, dtype=np.intp)]
    return of_rows, [str(group) for group in groups]
