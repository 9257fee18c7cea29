"""Figures of the cross-lingual gap."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures.forest import COLOURS, INK, MARKS, SOFT, Forest, forest, rows_down
from analysis.figures.labels import label_points
from analysis.pipelines.clcg.external import External
from analysis.pipelines.clcg.panel import FACTORS, Panel
from analysis.pipelines.clcg.stability import Stability
from analysis.pipelines.clcg.study import Parsing, Study
from analysis.stats.results import Estimate

GAP = "Gap (reference mean less target mean)"
UNCLASSED = "no class"
RULES = ("failures as 0", "failures excluded")
CLASSES = 6
# How far apart two languages of one class stand, in inches: room for a name that is turned.
APART = 0.16


def clcg_figures(study: Study) -> dict[str, Figure]:
    """Return every figure that there is something to draw for."""
    drawn = {name: forest(plot) for name, plot in clcg_forests(study).items()}
    drawn["gap_by_level"] = standardised_levels(study.levels.standardised)
    drawn["parsing_rules"] = parsing_rules(study.parsing)
    if len(study.stability.repetitions) > 1:
        drawn["stability"] = stability(study.stability)
    if any(e.defined for e in study.factors.rank.values()):
        drawn["gap_by_class"] = gap_by_class(study)
    if study.external is not None:
        drawn["external_corpus"] = external_corpus(study.external)
    return drawn


def clcg_forests(study: Study) -> dict[str, Forest]:
    """Return what the forests show, those alone that have something to show."""
    panel, names = study.population.panel, study.population.panel.names
    gaps = {code: found.gap for code, found in study.languages.items()}
    baseline = study.overall.baseline.value
    found = {
        "gap_by_language": _by_class(
            gaps, panel, GAP, lines={} if baseline is None else {"baseline": (baseline,)}
        ),
        "gap_by_model": Forest(_falling({m: g.micro for m, g in study.models.items()}), GAP),
        "hypotheses": Forest(
            {test.key: test.estimate for test in study.family.tests},
            "Difference of mean scores; H3: standard deviations a level",
        ),
    }
    if panel.baseline is not None:
        net = {code: study.languages[code].net for code in panel.targets}
        found["net_by_language"] = _by_class(net, panel, "Gap less the baseline's gap")
    if any(e.defined for e in study.factors.rank.values()):
        found["factors"] = _factors(study)
    if study.exposure.by_model:
        rows = {"pooled": study.exposure.pooled, **study.exposure.by_model}
        found["memorable_and_new"] = Forest(
            {name: contrast.difference for name, contrast in rows.items()},
            "Gap on memorable less gap on new documents",
        )
    if study.context.by_language:
        found["context_gain"] = _context_gain(study)
    if study.scopes.reason is None:
        scopes = {"all": study.scopes.pooled} | {
            names.get(code, code): one for code, one in study.scopes.by_language.items()
        }
        found["scopes"] = Forest(
            {name: one.difference for name, one in scopes.items()},
            "Gap with the whole text less gap with the linked paragraphs",
        )
    return found


def _falling(rows: Mapping[str, Estimate]) -> dict[str, Estimate]:
    known = {name: e for name, e in rows.items() if e.value is not None}
    return dict(sorted(known.items(), key=lambda row: -(row[1].value or 0)))


def _by_class(
    rows: Mapping[str, Estimate],
    panel: Panel,
    label: str,
    lines: Mapping[str, tuple[float, ...]] | None = None,
) -> Forest:
    """Return languages by name, ordered by class and size."""
    classes = {code: f"class {c}" for c, codes in panel.classes.items() for code in codes}
    falling = sorted(_falling(rows).items(), key=lambda row: classes.get(row[0], ""), reverse=True)
    names = {code: panel.names.get(code, code) for code in rows}
    return Forest(
        {names[code]: found for code, found in falling},
        label,
        {names[code]: classes.get(code, UNCLASSED) for code, _ in falling},
        lines or {},
    )


def _factors(study: Study) -> Forest:
    found = study.factors
    guide = f"p = 0.05 with {len(found.languages)} languages"
    return Forest(
        {FACTORS[name]: one for name, one in found.rank.items()},
        "Spearman correlation with the gap",
        lines={} if found.guide is None else {guide: (-found.guide, found.guide)},
        limits=(-1.02, 1.02),
    )


def _context_gain(study: Study) -> Forest:
    names = study.population.panel.names
    languages = {names.get(c, c): e for c, e in _falling(study.context.by_language).items()}
    classes = {f"class {c}": found for c, found in study.context.by_class.items()}
    kinds = dict.fromkeys(languages, "language") | dict.fromkeys(classes, "mean of a class")
    return Forest(languages | classes, "Score with the passage less score without", kinds)


def standardised_levels(levels: Mapping[str, Estimate]) -> Figure:
    """Draw the standardised gap by level."""
    figure = Figure(figsize=(6, 3.8))
    panel = figure.subplots()
    shown = {name: e for name, e in levels.items() if e.value is not None}
    panel.plot(range(len(shown)), [e.value or 0 for e in shown.values()], ":", color=SOFT)
    for place, found in enumerate(shown.values()):
        _upright(panel, found, place)
    panel.set_xticks(range(len(shown)), list(shown))
    panel.axhline(0, color=INK, linewidth=0.9)
    panel.set_xlabel("Level")
    panel.set_ylabel("Gap in standard deviations of the level")
    return figure


def _upright(panel: Axes, found: Estimate, place: float, *, filled: bool = True) -> None:
    if found.value is None:
        return
    colour = COLOURS[0]
    if found.low is not None and found.high is not None:
        panel.plot([place, place], [found.low, found.high], color=colour, linewidth=1.2)
    face = colour if filled else "white"
    panel.plot([place], [found.value], "o", color=colour, markerfacecolor=face, markersize=5)


def stability(found: Stability) -> Figure:
    """Draw the gap of each model over repetitions; the band is the range of the pooled gap."""
    figure = Figure(figsize=(6, 3.8))
    panel = figure.subplots()
    places = np.arange(len(found.repetitions))
    for number, (model, run) in enumerate(found.by_model.items()):
        gaps = [np.nan if gap is None else gap for gap in run.gaps]
        panel.plot(places, gaps, marker=MARKS[number % len(MARKS)], label=model, linewidth=1.2)
    pooled = [gap for gap in found.pooled.gaps if gap is not None]
    if pooled:
        panel.axhspan(min(pooled), max(pooled), color="#d9d5cb", alpha=0.6, label="range of all")
    panel.set_xticks(places, list(found.repetitions))
    panel.set_xlabel("Repetition")
    panel.set_ylabel(GAP)
    panel.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    return figure


def gap_by_class(study: Study) -> Figure:
    """Draw each language's gap against its class; open where the class is of the sensitivity only."""
    panel, gaps = study.population.panel, study.languages
    known = panel.factors.get("resource_class", {})
    of_class = {
        number: [
            code
            for code in gaps
            if known.get(code, panel.sensitivity.get(code)) == number and gaps[code].gap.defined
        ]
        for number in range(CLASSES)
    }
    widest = APART * max(map(len, of_class.values()))
    figure = Figure(figsize=(max(6.4, CLASSES * (widest + 0.1) + 1), 4.2))
    axes = figure.subplots()
    for number, codes in of_class.items():
        middle = (len(codes) - 1) / 2
        step = min(0.8 / max(len(codes), 1), 0.16)
        for order, code in enumerate(codes):
            found, place = gaps[code].gap, number + step * (order - middle)
            _upright(axes, found, place, filled=code in known)
            top = found.value if found.high is None else found.high
            axes.annotate(
                code, (place, top or 0), (0, 4), textcoords="offset points", fontsize=8,
                rotation=90, ha="center", va="bottom",
            )  # fmt: skip
    axes.margins(y=0.14)
    axes.set_xlim(-0.5, CLASSES - 0.5)
    axes.set_xticks(range(CLASSES))
    axes.set_xticks(np.arange(CLASSES - 1) + 0.5, minor=True)
    axes.tick_params(axis="x", which="minor", length=0)
    axes.grid(axis="x", which="minor", color="#e4e1da")
    axes.set_xlabel("Resource class (0 least, 5 most)")
    axes.set_ylabel(GAP)
    return figure


def external_corpus(found: External) -> Figure:
    """Draw the language gaps of two corpora against each other."""
    figure = Figure(figsize=(6.4, 5.4))
    axes = figure.subplots()
    points = both_corpora(found)
    for one, other, _ in points:
        axes.plot([one], [other], "o", color=COLOURS[0], markersize=4.5)
    axes.margins(0.08)
    axes.set_xlabel("Gap in this corpus, levels matched")
    axes.set_ylabel("Gap in the other corpus")
    label_points(axes, points)
    return figure


def both_corpora(found: External) -> list[tuple[float, float, str]]:
    """Return the gaps of each language in this and in the other corpus, where both are known."""
    gaps = {code: found.gaps[code].value for code in found.primary_matched}
    return [
        (found.primary_matched[code], other, code)
        for code, other in gaps.items()
        if other is not None
    ]


def parsing_rules(found: Parsing) -> Figure:
    """Draw the gap of each model and of all under both rules, joined by a line."""
    rows = both_rules(found)
    figure = Figure(figsize=(6.4, 1.2 + 0.4 * len(rows)))
    panel = figure.subplots()
    for place, pair in enumerate(rows.values()):
        values = [one.value for one in pair if one.value is not None]
        if len(values) < len(pair):
            continue
        panel.plot(values, [place, place], color=SOFT, linewidth=1)
        for value, colour, mark in zip(values, COLOURS, MARKS, strict=False):
            panel.plot([value], [place], mark, color=colour, markersize=5)
    for name, colour, mark in zip(RULES, COLOURS, MARKS, strict=False):
        panel.plot([], [], mark, color=colour, label=name)
    rows_down(panel, list(rows))
    panel.set_xlabel(GAP)
    panel.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    return figure


def both_rules(found: Parsing) -> dict[str, tuple[Estimate, Estimate]]:
    """Return the gap with failures as 0 and without failures, of all models and of each."""
    return {"all models": (found.as_zero.micro, found.excluded.micro), **found.by_model}
