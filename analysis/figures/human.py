"""Figures of a human study: estimates with intervals on a line each, and the funnel as bars."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.stats.results import Estimate

INK, FAINT, ACCENT, SECOND = "#1b1f23", "#b9b4a8", "#b5472f", "#2f6f8f"
# Wide enough for a page of print, large enough in type for a phone.
WIDTH, TEXT = 6.0, 10
MARKS = "os^Dv<>P*X"


@dataclass(frozen=True)
class Line:
    """One estimate with its label; lines of one `group` share a mark."""

    label: str
    found: Estimate
    group: str = ""


def forest(
    lines: Sequence[Line],
    *,
    xlabel: str,
    reference: float | None = None,
    reference_label: str = "",
    limits: tuple[float, float] | None = None,
) -> Figure:
    """Draw each estimate with its interval; one without a value says so in its place."""
    figure = Figure(figsize=(WIDTH, 1.2 + 0.34 * max(len(lines), 1)))
    axes = figure.subplots()
    groups = list(dict.fromkeys(line.group for line in lines))
    for place, line in enumerate(reversed(lines)):
        _draw(axes, place, line, MARKS[groups.index(line.group) % len(MARKS)])
    if reference is not None:
        axes.axvline(reference, color=INK, linewidth=0.9, linestyle="--")
        if reference_label:
            axes.annotate(
                reference_label, (reference, 1.0), (0, 3), xycoords=("data", "axes fraction"),
                textcoords="offset points", ha="center", va="bottom", fontsize=TEXT - 1,
            )  # fmt: skip
    if limits is not None:
        axes.set_xlim(*limits)
    axes.set_yticks(range(len(lines)), [line.label for line in reversed(lines)], fontsize=TEXT)
    axes.set_ylim(-0.6, len(lines) - 0.4)
    axes.set_xlabel(xlabel, fontsize=TEXT)
    return _plain(figure)


def _draw(axes: Axes, place: int, line: Line, mark: str) -> None:
    found = line.found
    if found.value is None:
        axes.annotate(
            "undefined", (0.02, place), xycoords=("axes fraction", "data"),
            va="center", fontsize=TEXT - 1, color="#5b636b",
        )  # fmt: skip
        return
    if found.low is not None and found.high is not None:
        axes.hlines(place, found.low, found.high, color=SECOND, linewidth=2)
    axes.plot(found.value, place, mark, color=ACCENT, markersize=6, zorder=3)


def side_by_side(samples: Mapping[str, Sequence[Line]], *, xlabel: str) -> Figure:
    """Draw the same quantities in several samples, one band a quantity and one mark a sample."""
    labels = [line.label for line in next(iter(samples.values()))]
    figure = Figure(figsize=(WIDTH, 1.6 + 0.5 * len(labels)))
    axes = figure.subplots()
    step = 0.6 / max(len(samples), 1)
    for number, (name, lines) in enumerate(samples.items()):
        mark, colour = MARKS[number % len(MARKS)], (SECOND, ACCENT, INK, FAINT)[number % 4]
        places = {label: len(labels) - 1 - n - step * number for n, label in enumerate(labels)}
        shown = [line for line in lines if line.found.value is not None]
        for line in shown:
            if line.found.low is not None and line.found.high is not None:
                limits = line.found.low, line.found.high
                axes.hlines(places[line.label], *limits, color=colour, linewidth=2)
        values = [line.found.value for line in shown if line.found.value is not None]
        axes.plot(values, [places[line.label] for line in shown], mark, color=colour, label=name)
    middle = step * (len(samples) - 1) / 2
    axes.set_yticks([len(labels) - 1 - n - middle for n in range(len(labels))], labels)
    axes.set_xlabel(xlabel, fontsize=TEXT)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), frameon=False, fontsize=TEXT - 1)
    return _plain(figure)


def funnel_bars(stages: Sequence[Mapping[str, Any]]) -> Figure:
    """Draw annotators and judgments left after each stage."""
    figure = Figure(figsize=(WIDTH, 1.4 + 0.4 * len(stages)))
    panels = figure.subplots(1, 2, sharey=True)
    place = np.arange(len(stages))[::-1]
    for panel, what in zip(panels, ("annotators", "judgments"), strict=True):
        left = [int(stage[f"left_{what}"]) for stage in stages]
        panel.barh(place, left, color=SECOND, height=0.6)
        for y, count in zip(place, left, strict=True):
            panel.annotate(
                f"{count:,}", (count, y), (3, 0), textcoords="offset points",
                va="center", fontsize=TEXT - 1,
            )  # fmt: skip
        panel.set_xlim(0, max([*left, 1]) * 1.25)
        panel.set_title(what, fontsize=TEXT)
        panel.xaxis.set_visible(False)
    panels[0].set_yticks(place, [str(stage["stage"]) for stage in stages], fontsize=TEXT)
    return _plain(figure)


def tercile_lines(means: Mapping[str, Sequence[float | None]], human: str) -> Figure:
    """Draw the mean human judgment in each third of each score."""
    figure = Figure(figsize=(WIDTH, 3.2))
    axes = figure.subplots()
    for number, (score, thirds) in enumerate(means.items()):
        values = [np.nan if mean is None else mean for mean in thirds]
        axes.plot(
            range(len(values)), values, marker=MARKS[number % len(MARKS)], label=score,
            color=(ACCENT, SECOND, INK, FAINT)[number % 4],
        )  # fmt: skip
    axes.set_xticks(range(3), ["lowest third", "middle", "highest third"], fontsize=TEXT)
    axes.set_ylabel(f"mean {human}", fontsize=TEXT)
    axes.legend(frameon=False, fontsize=TEXT)
    return _plain(figure)


def _plain(figure: Figure) -> Figure:
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=TEXT - 1)
    figure.tight_layout()
    return figure
