"""The gap under other weights: each row, language, model or document the same."""

import numpy as np

from analysis.pipelines.clcg.grid import Floats, Grid
from analysis.stats.resample import cluster_bootstrap, cluster_totals
from analysis.stats.results import Estimate, undefined


def by_aggregation(grid: Grid, by_model: Grid) -> dict[str, Estimate]:
    """Return the gap by what has equal weight: rows (micro), languages (macro), models, documents.

    Of models and of documents it is the mean of their own gaps, reference mean less pooled target mean;
    one without rows on either side has none.
    """
    return {
        "rows": grid.estimate(grid.micro(0), grid.rows(0)),
        "languages": grid.estimate(grid.macro(0), grid.rows(0)),
        "models": by_model.estimate(_mean_of_groups, grid.rows(0)),
        "documents": _of_documents(grid),
    }


def _mean_of_groups(means: Floats) -> Floats:
    return np.asarray((means[:, :, 0] - means[:, :, -1]).mean(axis=1))


def _of_documents(grid: Grid) -> Estimate:
    means = grid.document_means[:, 0]
    gaps = means[:, 0] - means[:, -1]
    known = np.flatnonzero(~np.isnan(gaps))
    if not known.size:
        return undefined("no document has rows in the reference and in a target language")
    settings = grid.settings
    return cluster_bootstrap(
        cluster_totals(gaps[known], known),
        lambda drawn: drawn[:, 0],
        np.random.default_rng(settings.seed),
        resamples=settings.resamples,
        confidence=settings.confidence,
        units="documents",
    )
