"""The whole analysis: answers and what is known of models and locales in, one result out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from analysis.pipelines.irt.adam_check import AdamCheck, compare_with_adam
from analysis.pipelines.irt.background import Background
from analysis.pipelines.irt.bootstrap import Progress, with_replicates
from analysis.pipelines.irt.diagnostics import Diagnostic, diagnose
from analysis.pipelines.irt.fits import Fits, Reading, fit_all
from analysis.pipelines.irt.gaps import Gaps, gaps_of
from analysis.pipelines.irt.posterior import PosteriorGaps, posterior_local_gaps
from analysis.pipelines.irt.responses import Answers
from analysis.pipelines.irt.selection import Dropped, Kept, filter_models
from analysis.pipelines.irt.variants import CrossValidation, cross_validate


@dataclass(frozen=True)
class Settings:
    """The parameters of a run; all of them stand in its result.

    `threshold` is the accuracy that a model must exceed on every set, `resamples` the bootstrap
    replicates (0: closed-form intervals), `floor` the guessing chance of the diagnostic, `folds` of
    the cross-validation (0: none), `nuts` the locales whose Local gap is sampled too.
    """

    base: str = "en"
    threshold: float = 0.35
    reading: Reading = "joint"
    continuous: bool = False
    resamples: int = 1000
    seed: int = 42
    floor: float = 0.25
    folds: int = 5
    adam: bool = False
    nuts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Study:
    """Everything that was computed."""

    settings: Settings
    fits: Fits
    gaps: Gaps
    dropped: list[Dropped]
    background: Background
    diagnostics: list[Diagnostic]
    seconds_fit: float
    kept: Kept | None = None
    validation: CrossValidation | None = None
    adam: AdamCheck | None = None
    posterior: Mapping[str, PosteriorGaps] = field(default_factory=dict)


def analyse(
    answers: Answers,
    settings: Settings,
    *,
    clock: Callable[[], float],
    background: Background | None = None,
    kept: Kept | None = None,
    outcomes: Answers | None = None,
    progress: Progress | None = None,
) -> Study:
    """Filter, fit, take gaps with intervals, diagnose, validate.

    `kept` is the outcome of `keep_items`, whose answers then take the place of `answers`; `outcomes`
    are the yes-or-no answers where the fit is continuous; `clock` tells the seconds of the fit.
    """
    chosen, dropped = filter_models(kept.answers if kept else answers, settings.threshold)
    before = clock()
    fits = fit_all(chosen, settings.reading)
    seconds = clock() - before
    # Before what takes long, so that a sampler that cannot run says so at once.
    posterior = {x: posterior_local_gaps(fits, x, settings.seed) for x in settings.nuts}
    gaps = gaps_of(fits)
    if settings.resamples:
        gaps = with_replicates(gaps, fits, settings.resamples, settings.seed, progress)
    return Study(
        settings,
        fits,
        gaps,
        dropped,
        background or Background(),
        diagnose(fits, gaps, settings.floor),
        seconds,
        kept,
        _validated(chosen, outcomes, settings),
        compare_with_adam(fits, gaps, settings.seed) if settings.adam else None,
        posterior,
    )


def _validated(
    answers: Answers, outcomes: Answers | None, settings: Settings
) -> CrossValidation | None:
    if not settings.folds:
        return None
    if outcomes is not None:
        kept = np.isin(outcomes.models, answers.models)
        outcomes = outcomes.of_models(kept)
    return cross_validate(answers, folds=settings.folds, seed=settings.seed, outcomes=outcomes)
