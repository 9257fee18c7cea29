"""The report of the gap analysis: in which order a reader needs it, each part with its sentence."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from analysis.figures import irt as figures
from analysis.pipelines.irt.document import document
from analysis.pipelines.irt.gap_grid import GAPS
from analysis.pipelines.irt.posterior import PosteriorGaps
from analysis.pipelines.irt.result_tables import result_tables
from analysis.pipelines.irt.selection import Kept, rejected_words
from analysis.pipelines.irt.study import Study
from analysis.pipelines.irt.summary import Summary, summarise
from analysis.reports.bundle import Report
from analysis.reports.page import Section
from analysis.stats.results import Estimate

LEAST_P = 0.001
_MAP = (
    "in logits by model and locale; blue favours the local language, red the base language, and "
    "colours are full from 2 logits on"
)
CAPTIONS = {
    "gaps": "Every gap with its 95 % interval, in logits",
    "heat_map_global": f"Global gap {_MAP}",
    "heat_map_local": f"Local gap {_MAP}",
    "heat_map_knowledge": f"Knowledge gap {_MAP}",
    "level_means": "Mean gaps by resource level",
    "level_lines": "Mean gaps by resource level, with 95 % intervals",
    "home_advantage": "Models of a region on their home locales (inside) and all others (outside)",
    "adaptation": "Adapted models on their locale (inside) and the baseline there (outside)",
    "locale_means": "Mean gaps by locale",
    "gap_by_size": "Mean gap of each model against its parameters",
    "ability_by_accuracy": "Ability against accuracy, one point a model and language",
    "ability_accuracy": "Correlation of ability and accuracy by block",
    "diagnostics": "Numbers behind the diagnostics",
    "error_rates": "Share of the judged items that people rejected, by locale",
    "posterior": "Local gaps: maximum likelihood beside the posterior",
    "dropped": "Models that did not enter, and why",
}


def irt_report(study: Study) -> Report:
    """Return the report of a study."""
    summary = summarise(study)
    tables = result_tables(study, summary)
    drawn = _figures(study, summary)
    sections = tuple(_sections(study, summary, tables, drawn))
    return Report(
        title="Language proficiency or knowledge?",
        results=document(study, summary),
        tables=tables,
        figures=drawn,
        sections=sections,
        captions=CAPTIONS,
    )


def _figures(study: Study, summary: Summary) -> dict[str, Figure]:
    grid, known = study.gaps.grid, study.background
    drawn = {f"heat_map_{gap}": figures.heat_map(grid, gap) for gap in GAPS}
    if summary.by_level:
        drawn["level_lines"] = figures.level_lines(summary.by_level)
    if any(known.sizes.get(model, 0) > 0 for model in grid.models):
        drawn["gap_by_size"] = figures.gap_by_size(grid, known.sizes, known.families)
    return drawn | {"ability_by_accuracy": figures.ability_by_accuracy(study.fits.each)}


def _sections(
    study: Study, summary: Summary, tables: dict[str, pd.DataFrame], drawn: dict[str, Figure]
) -> list[Section]:
    def part(heading: str, sentences: tuple[str, ...], *names: str) -> Section:
        return Section(
            heading,
            sentences,
            tuple(name for name in names if name in tables),
            tuple(name for name in names if name in drawn),
        )

    maps = (f"heat_map_{gap}" for gap in GAPS)
    sections = [
        part("What was analysed", _sample(study), "dropped"),
        part("The three gaps", _gaps(study, summary), *maps, "locale_means"),
    ]
    if summary.by_level:
        words = tuple(
            f"Level and {gap.capitalize()}: r = {shown(r)}."
            for gap, r in summary.level_correlation.items()
        )
        sections.append(part("By resource level", words, "level_lines", "level_means"))
    if summary.home_advantage:
        words = ("Inside are the models built in the region, outside all others.",)
        sections.append(part("Models at home", words, "home_advantage"))
    if summary.adaptation:
        words = ("The baseline is the mean of the models of the summaries that are not adapted.",)
        sections.append(part("Adapted models", words, "adaptation"))
    if "gap_by_size" in drawn:
        words = tuple(
            f"{gap.capitalize()} changes by {shown(slope)} logits for ten times the parameters."
            for gap, slope in summary.size.items()
        )
        sections.append(part("Size", words, "gap_by_size"))
    sections.append(
        part("What else could look like knowledge", _doubts(study), "diagnostics"),
    )
    if study.kept is not None:
        sections.append(
            part(
                "Items that people judged", _people(study.kept, summary.error_rates), "error_rates"
            )
        )
    if study.posterior:
        sections.append(part("Sampled Local gaps", _sampled(study), "posterior"))
    sections.append(
        part("How well the model fits", _fit(study), "ability_by_accuracy", "ability_accuracy")
    )
    return [*sections, part("Every gap", (), "gaps")]


def shown(found: Estimate) -> str:
    """Return an estimate as a reader sees it, or why there is none."""
    if found.value is None:
        return f"undefined ({found.reason})"
    text = f"{found.value:+.2f}"
    if found.low is not None and found.high is not None:
        text += f" [{found.low:+.2f}, {found.high:+.2f}]"
    if found.p is None:
        return text
    return f"{text}, p < 0.001" if found.p < LEAST_P else f"{text}, p = {found.p:.3f}"


def as_share(found: Estimate) -> str:
    """Return a share in percent."""
    if found.value is None:
        return f"undefined ({found.reason})"
    text = f"{found.value:.0%}"
    if found.low is None or found.high is None:
        return text
    return f"{text} [{found.low:.0%}, {found.high:.0%}]"


def _sample(study: Study) -> tuple[str, ...]:
    answers, settings = study.fits.answers, study.settings
    count = sum(int(block.flat()[1].sum()) for block in answers.blocks)
    items = sum(len(block.items) for block in answers.blocks)
    extreme = sum(fit.fit.extreme_items for fit in study.fits.each)
    sentences = [
        (
            f"{len(answers.models)} models gave {count:,} answers to {items:,} items in "
            f"{len(answers.specific)} locales; {len(study.dropped)} further models did not exceed the "
            f"accuracy of {settings.threshold:g} everywhere."
        ),
        (
            f"{extreme:,} items were answered by everyone or by no one: they carry no information and "
            "were set aside."
        ),
    ]
    if answers.empty:
        sentences.append(f"{answers.empty:,} cells held no answer; they count as not asked.")
    broken = [fit for fit in study.fits.each if not fit.complete]
    if broken:
        names = ", ".join(fit.block.name for fit in broken)
        sentences.append(f"Answers are missing in {names}; these were fitted cell by cell.")
    return tuple(sentences)


def _gaps(study: Study, summary: Summary) -> tuple[str, ...]:
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


def _doubts(study: Study) -> tuple[str, ...]:
    return tuple(f"{d.title}. {d.sentence}" for d in study.diagnostics)


def _people(kept: Kept, rates: Mapping[str, Estimate]) -> tuple[str, ...]:
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


def _sampled(study: Study) -> tuple[str, ...]:
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


def _fit(study: Study) -> tuple[str, ...]:
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
