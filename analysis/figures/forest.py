"""A forest: estimates down, their intervals across."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.stats.results import Estimate

COLOURS = ("#0b5d7a", "#b4552d", "#3d7a3a", "#7a4b8c", "#8a6d1d", "#555f6b")


def forest(
    rows: Mapping[str, Estimate],
    label: str,
    *,
    groups: Mapping[str, str] | None = None,
    lines: Mapping[str, float | None] | None = None,
) -> Figure:
    """Draw one row an estimate, from top to bottom; those without a value are left out.

    `groups` gives rows a colour by group, with a legend; `lines` are named dashed reference values.
    """
    shown = {name: e for name, e in rows.items() if e.value is not None}
    figure = Figure(figsize=(6.4, 1.2 + 0.27 * max(len(shown), 2)))
    panel = figure.subplots()
    names = list(dict.fromkeys((groups or {}).get(name, "") for name in shown))
    for place, (name, found) in enumerate(shown.items()):
        group = names.index((groups or {}).get(name, ""))
        interval(panel, found, place, COLOURS[group % len(COLOURS)])
    panel.set_yticks(range(len(shown)), list(shown), fontsize=8)
    panel.set_ylim(max(len(shown), 1) - 0.5, -0.5)
    panel.axvline(0, color="#444444", linewidth=0.9)
    for name, value in (lines or {}).items():
        if value is not None:
            panel.axvline(value, color="#3d7a3a", linestyle="--", linewidth=0.9, label=name)
    _legend(panel, names if groups else (), bool(lines))
    panel.set_xlabel(label)
    panel.grid(axis="x", color="#e4e1da", linewidth=0.6)
    panel.set_axisbelow(True)
    return figure


def interval(panel: Axes, found: Estimate, place: float, colour: str) -> None:
    """Draw one estimate with its interval, where it has one."""
    if found.value is None:
        return
    if found.low is not None and found.high is not None:
        panel.plot([found.low, found.high], [place, place], color=colour, linewidth=1.4)
    panel.plot([found.value], [place], "o", color=colour, markersize=4.5)


def _legend(panel: Axes, groups: Sequence[str], lines: bool) -> None:  # noqa: FBT001  whether there are any
    for number, name in enumerate(groups):
        panel.plot([], [], "o", color=COLOURS[number % len(COLOURS)], markersize=4.5, label=name)
    if groups or lines:
        panel.legend(fontsize=7, loc="best")
