"""Figures of the error analysis."""

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures.forest import COLOURS, INK, interval, rows_down
from analysis.stats.results import Estimate

PART, LOSS = "Part of the mean score difference", "Share of pairs that are a loss"


def contribution_and_loss(
    contribution: Mapping[str, Estimate], by_class: Mapping[str, Estimate]
) -> Figure:
    """Draw what each label adds to the mean loss of score, and the loss rate by resource class."""
    rows = max(len(contribution), len(by_class), 4)
    figure = Figure(figsize=(9.5, 1.4 + 0.34 * rows))
    left, right = (
        figure.subplots(1, 2, width_ratios=(3, 2)) if by_class else (figure.subplots(), None)
    )
    _down(left, contribution, COLOURS[0], PART)
    left.axvline(0, color=INK, linewidth=0.9)
    if right is not None:
        _down(right, {f"class {c}": found for c, found in by_class.items()}, COLOURS[1], LOSS)
        right.set_xlim(left=0)
    figure.tight_layout()
    return figure


def _down(axes: Axes, rows: Mapping[str, Estimate], colour: str, label: str) -> None:
    for place, found in enumerate(rows.values()):
        interval(axes, found, place, colour)
    rows_down(axes, list(rows))
    axes.set_xlabel(label)


def transitions(table: Mapping[str, Mapping[str, int]]) -> Figure:
    """Draw how often each label of the reference side goes with each of the target side."""
    names = [x for x in table if sum(table[x].values()) or any(row[x] for row in table.values())]
    counts = [[table[one][other] for other in names] for one in names]
    size = 1.6 + 0.55 * len(names)
    figure = Figure(figsize=(size + 1.6, size))
    panel = figure.subplots()
    most = max(max(row) for row in counts)
    panel.imshow(counts, cmap="Blues", vmin=0, vmax=most)
    for row, cells in enumerate(counts):
        for column, count in enumerate(cells):
            colour = "white" if count > most / 2 else "black"
            panel.text(
                column, row, f"{count:,}", ha="center", va="center", fontsize=7, color=colour
            )
    panel.set_xticks(range(len(names)), names, fontsize=7, rotation=40, ha="right")
    panel.set_yticks(range(len(names)), names, fontsize=7)
    panel.set_xlabel("Target side")
    panel.set_ylabel("Reference side")
    return figure
