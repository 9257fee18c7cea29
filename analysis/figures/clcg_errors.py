"""Figures of the error analysis."""

from collections.abc import Mapping

from matplotlib.figure import Figure

from analysis.figures.forest import COLOURS, interval
from analysis.stats.results import Estimate


def contribution_and_loss(
    contribution: Mapping[str, Estimate], by_class: Mapping[str, Estimate]
) -> Figure:
    """Draw what each label adds to the mean loss of score, and the loss rate by resource class."""
    figure = Figure(figsize=(9.5, 1.4 + 0.34 * max(len(contribution), 4)))
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    for place, found in enumerate(contribution.values()):
        interval(left, found, place, COLOURS[0])
    left.set_yticks(range(len(contribution)), list(contribution), fontsize=8)
    left.invert_yaxis()
    left.axvline(0, color="#444444", linewidth=0.9)
    left.set_xlabel("Part of the mean score difference")
    for place, found in enumerate(by_class.values()):
        interval(right, found, place, COLOURS[1])
    right.set_yticks(range(len(by_class)), [f"class {c}" for c in by_class], fontsize=8)
    right.invert_yaxis()
    right.set_xlabel("Share of pairs that are a loss")
    figure.tight_layout()
    return figure


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
