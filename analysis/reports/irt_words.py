"""What the report of the gap analysis says, in sentences."""

from collections.abc import Mapping

import numpy as np

from analysis.pipelines.irt.gap_grid import GAPS, GapGrid
from analysis.pipelines.irt.posterior import PosteriorGaps
from analysis.pipelines.irt.selection import NO_ANSWERS, Kept, rejected_words
from analysis.pipelines.irt.study import Study
from analysis.pipelines.irt.summary import Summary
from analysis.reports.estimates import bracketed
from analysis.stats.results import Estimate

LEAST_P = 0.001


def shown(found: Estimate) -> str:
    """Return an estimate as a reader sees it, or why there is none."""
    text = bracketed(found, "+.2f")
    if found.p is None:
        return text
    return f"{text}, p < 0.001" if found.p < LEAST_P else f"{text}, p = {found.p:.3f}"


def as_share(found: Estimate) -> str:
    """Return a share in percent."""
    return bracketed(found, ".0%")


def sample_words(study: Study) -> tuple[str, ...]:
    """Say what entered, what did not, and what is undefined, each by name."""
    answers, each = study.fits.answers, study.fits.each
    count = sum(int(block.flat()[1].sum()) for block in answers.blocks)
    items = sum(len(block.items) for block in answers.blocks)
    sentences = [
        (
            f"{len(answers.models)} models gave {count:,} answers to {items:,} items in "
            f"{len(answers.specific)} locales."
        ),
        *_left_out(study),
    ]
    extreme = sum(fit.fit.extreme_items for fit in each)
    if extreme:
        were = "item was" if extreme == 1 else "items were"
        sentences.append(
            f"{extreme:,} {were} answered correctly by all or by none and set aside, since that carries "
            "no information; items.csv names each, with an infinite difficulty."
        )
    perfect = sum(fit.fit.extreme_persons for fit in each)
    if perfect:
        times = "time" if perfect == 1 else "times"
        sentences.append(
            f"{perfect:,} {times} a model had all or none of a set right in a language: what rests on "
            "that is undefined; abilities.csv names each, with its reason."
        )
    sentences += [
        f"{fit.block.name} ({_items(len(fit.block.items))}) has no estimates: {fit.fit.reason}."
        for fit in each
        if fit.fit.reason
    ]
    if answers.empty:
        sentences.append(f"{answers.empty:,} cells held no answer; they count as not asked.")
    broken = [fit.block.name for fit in each if not fit.complete]
    if broken:
        sentences.append(
            f"Answers are missing in {', '.join(broken)}; these were fitted cell by cell."
        )
    return tuple(sentences)


def _items(count: int) -> str:
    return f"{count:,} {'item' if count == 1 else 'items'}"


def _left_out(study: Study) -> list[str]:
    silent = [d.model for d in study.dropped if d.reason == NO_ANSWERS]
    low = [d.model for d in study.dropped if d.reason != NO_ANSWERS]
    everywhere = f"did not exceed the accuracy of {study.settings.threshold:g} everywhere"
    return [
        f"{len(models)} more {what} and did not enter: {', '.join(models)}."
        for models, what in ((silent, NO_ANSWERS), (low, everywhere))
        if models
    ]


def gap_words(study: Study, summary: Summary) -> tuple[str, ...]:
    """Say what the gaps are and what they come to."""
    settings = study.settings
    interval = (
        f"Intervals are percentiles of {settings.resamples:,} item-bootstrap replicates (seed "
        f"{settings.seed}), an item's languages drawn together."
        if settings.resamples
        else "Intervals are in closed form and assume local independence."
    )
    means = ", ".join(f"{gap.capitalize()} {shown(summary.mean[gap])}" for gap in GAPS)
    return (
        (
            "Global is the ability in the local language less that in the base language on "
            "culture-agnostic items, Local the same on culture-specific ones, Knowledge their difference."
        ),
        (
            f"Means over {len(summary.models)} models: {means}. Knowledge is above zero in "
            f"{as_share(summary.share_positive)} of the cells; a share of signs is fragile and has no "
            "interval."
        ),
        interval,
    )


def doubt_words(study: Study) -> tuple[str, ...]:
    """Say what else could look like knowledge."""
    return tuple(f"{d.title}. {d.sentence}" for d in study.diagnostics)


def people_words(kept: Kept, rates: Mapping[str, Estimate]) -> tuple[str, ...]:
    """Say which items were kept, and how many were rejected."""
    sentences = ["Only the culture-specific items that people kept were used."]
    if kept.left_out:
        sentences.append(f"No item was kept of {', '.join(kept.left_out)}; they are left out.")
    if kept.unknown:
        sentences.append(f"{kept.unknown:,} kept items do not occur in the responses.")
    if rates:
        told = "; ".join(
            f"{locale} {as_share(rate) if rate.defined else 'none judged'}"
            for locale, rate in rates.items()
        )
        what = rejected_words(kept)
        sentences.append(f"Rates of {what} among the judged items, by locale: {told}.")
    if rates and not kept.of_translations:
        words = "The table of items does not say which translations are wrong, so these are not error rates."
        sentences.append(words)
    return tuple(sentences)


def sampled_words(study: Study) -> tuple[str, ...]:
    """Say how the chains behaved, and how far they shrink."""
    return tuple(_chains(locale, found) for locale, found in study.posterior.items())


def _chains(locale: str, found: PosteriorGaps) -> str:
    rhat = "undefined" if found.largest_rhat is None else f"{found.largest_rhat:.3f}"
    text = (
        f"{locale}: {found.divergences} divergent transitions, largest R-hat {rhat}, smallest "
        f"effective sample {found.smallest_ess:,.0f}."
    )
    if not found.settled:
        return f"{text} The chains have not settled: do not use these intervals."
    if found.shrunk_to is None:
        return text
    return f"{text} The priors shrink the gaps to {found.shrunk_to:.2f} of the maximum likelihood ones."


def fit_words(study: Study) -> tuple[str, ...]:
    """Say how well the model fits."""
    sentences = [f"The largest difference of a fitted margin is {study.fits.residual:.1e} answers."]
    if study.validation is not None:
        found = study.validation.estimates()
        scores = ", ".join(f"{name} {e.value:.3f}" for name, e in found.items() if e.value)
        sentences.append(
            f"Cross-validation over {len(study.validation.folds)} random folds of cells: {scores}. "
            "Cells are held out, not items or models; infinite estimates were put at 8 logits."
        )
    if study.adam is not None:
        sentences.append(
            f"Mini-batch Adam ({study.adam.steps:,} steps) differs from the exact optimum by "
            f"{study.adam.rms:.2f} logits (root mean square) in Knowledge; it is shown for comparison."
        )
    return tuple(sentences)


def map_words(grid: GapGrid, gap: str) -> str:
    """Say what a heat map shows, for those who do not see it."""
    values = grid.points[GAPS.index(gap)]
    size = f"{gap.capitalize()} gap of {len(grid.models)} models in {len(grid.locales)} locales"
    if not np.isfinite(values).any():
        return f"{size}: none is defined."
    ends = []
    for place in (np.nanargmin(values), np.nanargmax(values)):
        model, locale = np.unravel_index(place, values.shape)
        found = values[model, locale]
        ends.append(f"{found:+.2f} ({grid.models[model]}, {grid.locales[locale]})")
    return f"{size}: from {ends[0]} to {ends[1]}; gaps.csv holds every number."
