"""The report of the gap analysis: in which order a reader needs it, each part with its sentence."""

import pandas as pd
from matplotlib.figure import Figure

from analysis.figures import irt as figures
from analysis.pipelines.irt.document import document
from analysis.pipelines.irt.gap_grid import GAPS
from analysis.pipelines.irt.result_tables import result_tables
from analysis.pipelines.irt.study import Study
from analysis.pipelines.irt.summary import Summary, summarise
from analysis.reports.bundle import Report
from analysis.reports.irt_words import (
    doubt_words,
    fit_words,
    gap_words,
    map_words,
    people_words,
    sample_words,
    sampled_words,
    shown,
)
from analysis.reports.page import Section, section_of

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
    "posterior": "Local gaps: the posterior, and beside it the exact maximum likelihood (local)",
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
        alternatives={f"heat_map_{gap}": map_words(study.gaps.grid, gap) for gap in GAPS},
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
        return section_of(heading, sentences, names, tables, drawn)

    maps = (f"heat_map_{gap}" for gap in GAPS)
    sections = [
        part("What was analysed", sample_words(study), "dropped"),
        part("The three gaps", gap_words(study, summary), *maps, "locale_means"),
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
        part("What else could look like knowledge", doubt_words(study), "diagnostics"),
    )
    if study.kept is not None:
        sections.append(
            part(
                "Items that people judged",
                people_words(study.kept, summary.error_rates),
                "error_rates",
            )
        )
    if study.posterior:
        sections.append(part("Sampled Local gaps", sampled_words(study), "posterior"))
    sections.append(
        part("How well the model fits", fit_words(study), "ability_by_accuracy", "ability_accuracy")
    )
    return [*sections, part("Every gap", (), "gaps")]
