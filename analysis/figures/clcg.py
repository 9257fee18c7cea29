"""Figures of the cross-lingual gap."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures.forest import COLOURS, forest
from analysis.pipelines.clcg.panel import Panel
from analysis.pipelines.clcg.study import Study
from analysis.stats.results import Estimate

GAP = "Gap (reference mean less target mean)"
UNCLASSED = "no class"


def clcg_figures(study: Study) -> dict[str, Figure]:
    """Return every figure that there is something to draw for."""
    panel = study.population.panel
    drawn = {
        "gap_by_language": gap_by_language(study),
        "gap_by_model": forest(_falling({m: g.micro for m, g in study.models.items()}), GAP),
        "gap_by_level": standardised_levels(study.levels.standardised),
        "parsing_rules": parsing_rules(study),
        "hypotheses": forest({t.key: t.estimate for t in study.family.tests}, "Estimate"),
    }
    if panel.baseline is not None:
        drawn["net_by_language"] = net_by_language(study)
    if len(study.stability.repetitions) > 1:
        drawn["stability"] = stability(study)
    if any(e.defined for e in study.factors.rank.values()):
        drawn["gap_by_class"] = gap_by_class(study)
        drawn["factors"] = forest(study.factors.rank, "Spearman correlation with the gap")
    if study.exposure.by_model:
        drawn["memorable_and_new"] = memorable_and_new(study)
    if study.context.by_language:
        drawn["context_gain"] = context_gain(study)
    if study.scopes.reason is None:
        rows = {"all": study.scopes.pooled, **study.scopes.by_language}
        drawn["scopes"] = forest(
            {name: found.difference for name, found in rows.items()},
            "Gap with the whole text less gap with the linked paragraphs",
        )
    if study.external is not None:
        drawn["external_corpus"] = external_corpus(study)
    return drawn


def _falling(rows: Mapping[str, Estimate]) -> dict[str, Estimate]:
    known = {name: e for name, e in rows.items() if e.value is not None}
    return dict(sorted(known.items(), key=lambda row: -(row[1].value or 0)))


def _class_names(panel: Panel) -> dict[str, str]:
    return {code: f"class {c}" for c, codes in panel.classes.items() for code in codes}


def _by_class(
    rows: Mapping[str, Estimate], panel: Panel
) -> tuple[dict[str, Estimate], dict[str, str]]:
    """Return the rows by name, ordered by class and size, and the class of each name."""
    classes = _class_names(panel)
    falling = sorted(_falling(rows).items(), key=lambda row: classes.get(row[0], ""), reverse=True)
    names = {code: panel.names.get(code, code) for code in rows}
    ordered = {names[code]: found for code, found in falling}
    return ordered, {names[code]: classes.get(code, UNCLASSED) for code, _ in falling}


def gap_by_language(study: Study) -> Figure:
    """Draw the raw gap of every compared language, by class, with the baseline's as a line."""
    panel = study.population.panel
    rows, classes = _by_class({c: g.gap for c, g in study.languages.items()}, panel)
    return forest(rows, GAP, groups=classes, lines={"baseline": study.overall.baseline.value})


def net_by_language(study: Study) -> Figure:
    """Draw the gap of every target language less that of the baseline."""
    panel = study.population.panel
    rows, classes = _by_class({c: study.languages[c].net for c in panel.targets}, panel)
    return forest(rows, "Gap less the baseline's gap", groups=classes)


def standardised_levels(levels: Mapping[str, Estimate]) -> Figure:
    """Draw the standardised gap by level."""
    figure = Figure(figsize=(6, 3.8))
    panel = figure.subplots()
    shown = {name: e for name, e in levels.items() if e.value is not None}
    panel.plot(range(len(shown)), [e.value or 0 for e in shown.values()], ":", color="#8a8f94")
    for place, found in enumerate(shown.values()):
        _upright(panel, found, place, COLOURS[0])
    panel.set_xticks(range(len(shown)), list(shown))
    panel.axhline(0, color="#444444", linewidth=0.9)
    panel.set_xlabel("Level")
    panel.set_ylabel("Gap in standard deviations of the level")
    return figure


def _upright(
    panel: Axes, found: Estimate, place: float, colour: str, *, filled: bool = True
) -> None:
    if found.value is None:
        return
    if found.low is not None and found.high is not None:
        panel.plot([place, place], [found.low, found.high], color=colour, linewidth=1.2)
    face = colour if filled else "white"
    panel.plot([place], [found.value], "o", color=colour, markerfacecolor=face, markersize=5)


def stability(study: Study) -> Figure:
    """Draw the gap of each model over repetitions; the band is the range of the pooled gap."""
    found = study.stability
    figure = Figure(figsize=(6, 3.8))
    panel = figure.subplots()
    places = np.arange(len(found.repetitions))
    for number, (model, run) in enumerate(found.by_model.items()):
        gaps = [np.nan if gap is None else gap for gap in run.gaps]
        panel.plot(places, gaps, marker="os^Dv<>p"[number % 8], label=model, linewidth=1.2)
    pooled = [gap for gap in found.pooled.gaps if gap is not None]
    if pooled:
        panel.axhspan(min(pooled), max(pooled), color="#d9d5cb", alpha=0.6, label="range of all")
    panel.set_xticks(places, list(found.repetitions))
    panel.set_xlabel("Repetition")
    panel.set_ylabel(GAP)
    panel.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.01, 1))
    return figure


def gap_by_class(study: Study) -> Figure:
    """Draw each language's gap against its class; open where the class is of the sensitivity only."""
    panel = study.population.panel
    known = panel.factors.get("resource_class", {})
    figure = Figure(figsize=(6.4, 4.2))
    axes = figure.subplots()
    taken: dict[int, int] = {}
    for code, found in study.languages.items():
        value = known.get(code, panel.sensitivity.get(code))
        if value is None or found.gap.value is None:
            continue
        place = value + 0.09 * taken.get(int(value), 0) - 0.2
        taken[int(value)] = taken.get(int(value), 0) + 1
        _upright(axes, found.gap, place, COLOURS[0], filled=code in known)
        axes.annotate(
            code, (place, found.gap.value), fontsize=6, xytext=(3, 3), textcoords="offset points"
        )
    axes.set_xticks(range(6))
    axes.set_xlabel("Resource class (0 least, 5 most)")
    axes.set_ylabel(GAP)
    return figure


def memorable_and_new(study: Study) -> Figure:
    """Draw the gap on memorable less that on new documents, pooled and by model."""
    rows = {"pooled": study.exposure.pooled, **study.exposure.by_model}
    return forest(
        {name: found.difference for name, found in rows.items()},
        "Gap on memorable less gap on new documents",
    )


def context_gain(study: Study) -> Figure:
    """Draw what the passage adds, by language, then by class."""
    names = study.population.panel.names
    rows = _falling(study.context.by_language)
    shown = {names.get(code, code): found for code, found in rows.items()}
    shown |= {f"class {c}": found for c, found in study.context.by_class.items()}
    return forest(shown, "Score with the passage less score without")


def external_corpus(study: Study) -> Figure:
    """Draw the language gaps of two corpora against each other."""
    figure = Figure(figsize=(5.2, 4.6))
    panel = figure.subplots()
    external = study.external
    for code, primary in (external.primary_matched if external else {}).items():
        other = external.gaps[code].value if external else None
        if other is None:
            continue
        panel.plot([primary], [other], "o", color=COLOURS[0], markersize=4.5)
        panel.annotate(
            code, (primary, other), fontsize=7, xytext=(3, 3), textcoords="offset points"
        )
    panel.set_xlabel("Gap in this corpus, levels matched")
    panel.set_ylabel("Gap in the other corpus")
    return figure


def parsing_rules(study: Study) -> Figure:
    """Draw the gap of each model and of all under both rules, joined by a line."""
    found = study.parsing
    rows = {"all models": (found.as_zero.micro, found.excluded.micro), **found.by_model}
    figure = Figure(figsize=(6.4, 1.2 + 0.4 * len(rows)))
    panel = figure.subplots()
    for place, (zero, excluded) in enumerate(rows.values()):
        if zero.value is None or excluded.value is None:
            continue
        panel.plot([zero.value, excluded.value], [place, place], color="#8a8f94", linewidth=1)
        for value, colour in ((zero.value, COLOURS[0]), (excluded.value, COLOURS[1])):
            panel.plot([value], [place], "o", color=colour, markersize=5)
    for colour, name in zip(COLOURS, ("failures as 0", "failures excluded"), strict=False):
        panel.plot([], [], "o", color=colour, label=name)
    panel.set_yticks(range(len(rows)), list(rows), fontsize=8)
    panel.invert_yaxis()
    panel.set_xlabel(GAP)
    panel.legend(fontsize=7)
    return figure
