"""The result as one JSON document: what `irt --json` prints and results.json holds."""

from collections.abc import Mapping
from dataclasses import asdict

from analysis.pipelines.irt.diagnostics import Diagnostic
from analysis.pipelines.irt.fits import BlockFit
from analysis.pipelines.irt.gap_grid import GAPS
from analysis.pipelines.irt.gaps import cell_estimate
from analysis.pipelines.irt.posterior import PosteriorGaps
from analysis.pipelines.irt.selection import rejected_words
from analysis.pipelines.irt.study import Study
from analysis.pipelines.irt.summaries import Contrast
from analysis.pipelines.irt.summary import Contrasts, Summary
from analysis.stats.results import Estimate

Document = dict[str, object]


def document(study: Study, summary: Summary) -> Document:
    """Return the whole document."""
    answers, grid = study.fits.answers, study.gaps.grid
    return {
        "models": len(answers.models),
        "items": sum(len(block.items) for block in answers.blocks),
        "responses": sum(int(block.flat()[1].sum()) for block in answers.blocks),
        "empty_answers": answers.empty,
        "settings": asdict(study.settings),
        "dropped": [asdict(row) for row in study.dropped],
        "blocks": [_block(fit) for fit in study.fits.each],
        "seconds_fit": study.seconds_fit,
        "residual": study.fits.residual,
        "gaps": [
            {"model": model, "locale": locale}
            | {gap: cell_estimate(study.gaps, gap, model, locale) for gap in GAPS}
            for model in grid.models
            for locale in grid.locales
        ],
        "summary": _summary(summary),
        "diagnostics": {d.key: _diagnostic(d) for d in study.diagnostics},
    } | _further(study, summary)


def _block(fit: BlockFit) -> Document:
    queries = fit.block.queries
    return {
        "block": fit.block.name,
        "languages": list(queries),
        "items": len(fit.block.items),
        "extreme_items": fit.fit.extreme_items,
        "extreme_abilities": fit.fit.extreme_persons,
        "without_answer": int((~fit.answered).sum()),
        "complete": fit.complete,
        "residual": fit.fit.residual,
        "sweeps": fit.fit.sweeps,
        "undefined_because": fit.fit.reason,
    }


def _summary(summary: Summary) -> Document:
    return {
        "models": len(summary.models),
        "mean": summary.mean,
        "share_knowledge_positive": summary.share_positive,
        "by_locale": summary.by_locale,
        "by_model": summary.by_model,
        "by_level": summary.by_level,
        "level_correlation": summary.level_correlation,
        "home_advantage": _contrasts(summary.home_advantage),
        "adaptation": _contrasts(summary.adaptation),
        "adaptation_mean": {g: _contrast(c) for g, c in summary.adaptation_mean.items()},
        "slope_on_size": summary.size,
        "ability_and_accuracy": summary.accuracy,
    }


def _contrasts(table: Contrasts) -> Document:
    return {name: {g: _contrast(c) for g, c in row.items()} for name, row in table.items()}


def _contrast(contrast: Contrast) -> dict[str, Estimate]:
    return {
        "inside": contrast.inside,
        "outside": contrast.outside,
        "difference": contrast.difference,
    }


def _diagnostic(diagnostic: Diagnostic) -> Mapping[str, object]:
    return {
        "title": diagnostic.title,
        "sentence": diagnostic.sentence,
        "numbers": diagnostic.numbers,
    }


def _further(study: Study, summary: Summary) -> Document:
    """Return what only some runs have."""
    parts: Document = {}
    if study.kept is not None:
        parts["people"] = {
            "error_rate": summary.error_rates,
            "error_rate_counts": rejected_words(study.kept),
            "locales_left_out": list(study.kept.left_out),
            "kept_items_not_in_responses": study.kept.unknown,
        }
    if study.validation is not None:
        parts["cross_validation"] = study.validation.estimates() | {
            "folds": len(study.validation.folds),
            "parameters_at_the_end_of_the_scale": study.validation.bounded,
        }
    if study.adam is not None:
        parts["adam"] = asdict(study.adam)
    if study.posterior:
        parts["posterior"] = {x: _posterior(p, x, study) for x, p in study.posterior.items()}
    return parts


def _posterior(found: PosteriorGaps, locale: str, study: Study) -> Document:
    exact = {m: cell_estimate(study.gaps, GAPS[1], m, locale) for m in found.local}
    return {
        "local": found.local,
        "local_maximum_likelihood": exact,
        "shrunk_to": found.shrunk_to,
        "divergences": found.divergences,
        "largest_rhat": found.largest_rhat,
        "smallest_ess": found.smallest_ess,
        "settled": found.settled,
    }
