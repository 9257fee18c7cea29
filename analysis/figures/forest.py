"""A forest: estimates down, their intervals across."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.stats.results import Estimate

COLOURS = ("#0b5d7a", "#b4552d", "#3d7a3a", "#7a4b8c", "#8a6d1d", "#555f6b")
# Beside its colour a group has a mark, for print without colours and for eyes that mix them up.
MARKS = "os^Dv<>P"
LINE_STYLES = ("--", ":")
INK, GRID, SOFT = "#444444", "#e4e1da", "#8a8f94"


@dataclass(frozen=True)
class Forest:
    """What is drawn: one row an estimate, from top to bottom, over an axis with a label.

    `groups` gives rows a colour and a mark by group, with a legend; `lines` are named values to compare
    with; `limits` are those of the axis.
    """

    rows: Mapping[str, Estimate]
    label: str
    groups: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    limits: tuple[float, float] | None = None


def forest(plot: Forest) -> Figure:
    """Draw a forest; a row without a value says so in its place."""
    figure = Figure(figsize=(6.4, 1.2 + 0.27 * max(len(plot.rows), 2)))
    panel = figure.subplots()
    names = list(dict.fromkeys(plot.groups.get(name, "") for name in plot.rows))
    for place, (name, found) in enumerate(plot.rows.items()):
        group = names.index(plot.groups.get(name, ""))
        interval(panel, found, place, COLOURS[group % len(COLOURS)], MARKS[group % len(MARKS)])
    rows_down(panel, list(plot.rows))
    panel.axvline(0, color=INK, linewidth=0.9)
    for style, (name, values) in zip(LINE_STYLES, plot.lines.items(), strict=False):
        for number, value in enumerate(values):
            label = None if number else name
            panel.axvline(value, color=COLOURS[2], linestyle=style, linewidth=0.9, label=label)
    for group, name in enumerate(names if plot.groups else ()):
        colour, mark = COLOURS[group % len(COLOURS)], MARKS[group % len(MARKS)]
        panel.plot([], [], mark, color=colour, markersize=4.5, label=name)
    if plot.groups or plot.lines:
        panel.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    if plot.limits is not None:
        panel.set_xlim(*plot.limits)
    panel.set_xlabel(plot.label)
    panel.grid(axis="x", color=GRID, linewidth=0.6)
    panel.set_axisbelow(True)
    return figure


def rows_down(panel: Axes, names: list[str]) -> None:
    """Name the rows 0, 1 and so on of an axis, from top to bottom, with half a row around them."""
    panel.set_yticks(range(len(names)), names, fontsize=8)
    panel.set_ylim(max(len(names), 1) - 0.5, -0.5)


def interval(panel: Axes, found: Estimate, place: float, colour: str, mark: str = "o") -> None:
    """Draw one estimate with its interval, where it has one."""
    if found.value is None:
        panel.annotate(
            "undefined", (0.02, place), xycoords=("axes fraction", "data"), va="center",
            fontsize=7, color=SOFT,
        )  # fmt: skip
        return
    if found.low is not None and found.high is not None:
        panel.plot([found.low, found.high], [place, place], color=colour, linewidth=1.4)
    panel.plot([found.value], [place], mark, color=colour, markersize=4.5)
