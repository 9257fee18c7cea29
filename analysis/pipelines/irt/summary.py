"""All summaries of one study, from one grid with its replicates."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import pearsonr, spearmanr

from analysis.pipelines.irt import summaries
from analysis.pipelines.irt.fits import BlockFit
from analysis.pipelines.irt.gap_grid import GAPS, GapGrid
from analysis.pipelines.irt.selection import accuracies
from analysis.pipelines.irt.study import Study
from analysis.pipelines.irt.summaries import ByGap, Contrast
from analysis.stats.proportions import clopper_pearson
from analysis.stats.results import Estimate, undefined

LEAST_MODELS = 3

ByName = dict[str, ByGap]
Contrasts = dict[str, dict[str, Contrast]]


@dataclass(frozen=True)
class Summary:
    """Means and contrasts of the gaps. `models` says how many entered all but the adapted ones."""

    models: tuple[str, ...]
    mean: ByGap
    share_positive: Estimate
    by_locale: ByName
    by_model: ByName
    by_level: dict[int, ByGap]
    level_correlation: ByGap
    home_advantage: Contrasts
    adaptation: Contrasts
    adaptation_mean: dict[str, Contrast]
    size: ByGap
    accuracy: dict[str, Estimate]
    error_rates: dict[str, Estimate]


def summarise(study: Study) -> Summary:
    """Return every summary that the study's background allows."""
    known = study.background
    whole = study.gaps.grid
    chosen = known.main_of(whole.models)
    grid = whole.of_models(chosen)
    adapted = {m: x for m, x in known.adapted.items() if m in whole.models}
    baseline = [model for model in chosen if model not in adapted]
    return Summary(
        models=chosen,
        mean=summaries.overall_means(grid),
        share_positive=summaries.share_positive(grid, GAPS[2]),
        by_locale=summaries.locale_means(grid),
        by_model=summaries.model_means(whole),
        by_level=summaries.level_means(grid, known.levels),
        level_correlation=_level_correlation(grid, known.levels),
        home_advantage=summaries.home_advantage(grid, known.regions),
        adaptation=summaries.adaptation_effects(whole, adapted, baseline),
        adaptation_mean=summaries.mean_adaptation(whole, adapted, baseline),
        size=_size(whole, known.sizes),
        accuracy={fit.block.name: accuracy_correlation(fit) for fit in study.fits.each},
        error_rates=_error_rates(study),
    )


def _level_correlation(grid: GapGrid, levels: dict[str, int]) -> ByGap:
    return summaries.level_correlations(grid, levels) if levels else {}


def _size(grid: GapGrid, sizes: dict[str, float]) -> ByGap:
    return {gap: summaries.size_trend(grid, sizes, gap) for gap in GAPS} if sizes else {}


def accuracy_correlation(fit: BlockFit) -> Estimate:
    """Return Pearson's r between ability and accuracy over models and languages of a block."""
    what = "Pearson correlation of ability and accuracy"
    ability, accuracy = fit.ability.ravel(), accuracies(fit.block).ravel()
    known = np.isfinite(ability) & np.isfinite(accuracy)
    n = int(known.sum())
    if n < LEAST_MODELS or np.ptp(ability[known]) == 0 or np.ptp(accuracy[known]) == 0:
        return undefined("fewer than three different finite abilities", method=what, n=n)
    ranks = float(spearmanr(ability[known], accuracy[known])[0])
    r = float(pearsonr(ability[known], accuracy[known])[0])
    return Estimate(r, n=n, method=what, notes=(f"Spearman {ranks:.4f}",))


def _error_rates(study: Study) -> dict[str, Estimate]:
    """Return the share of judged items that people rejected, by locale."""
    found: dict[str, Estimate] = {}
    for row in study.kept.judged if study.kept else ():
        found[row.locale] = clopper_pearson(row.rejected, row.judged)
    return found
