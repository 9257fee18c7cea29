"""Figures of the gap analysis: heat maps, gap against size, ability against accuracy."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.pipelines.irt.fits import BlockFit
from analysis.pipelines.irt.gap_grid import GAPS, GapGrid, cell_mean
from analysis.pipelines.irt.selection import accuracies
from analysis.pipelines.irt.summaries import ByGap

TITLES = {"global": "Global gap", "local": "Local gap", "knowledge": "Knowledge gap"}
LARGEST_SHOWN = 2.0
DARK = 1.2


def heat_maps(grid: GapGrid) -> Figure:
    """Draw the three gaps side by side, models down and locales across, with the numbers written."""
    height = 1.3 + 0.24 * len(grid.models)
    figure = Figure(figsize=(3.2 + 0.46 * len(grid.locales) * len(GAPS), height))
    panels = figure.subplots(1, len(GAPS), sharey=True)
    for i, (panel, gap) in enumerate(zip(panels, GAPS, strict=True)):
        _heat_map(panel, grid, i)
        panel.set_title(TITLES[gap], fontsize=10)
    panels[0].set_yticks(range(len(grid.models)), grid.models, fontsize=7)
    figure.subplots_adjust(wspace=0.04)
    return figure


def _heat_map(panel: Axes, grid: GapGrid, gap: int) -> None:
    points = grid.points[gap]
    panel.set_facecolor("#d9d9d9")
    panel.imshow(
        np.ma.masked_invalid(points),
        cmap="RdBu",
        vmin=-LARGEST_SHOWN,
        vmax=LARGEST_SHOWN,
        aspect="auto",
    )
    for (row, column), value in np.ndenumerate(points):
        known = bool(np.isfinite(value))
        written = panel.text(
            column,
            row,
            f"{value:+.2f}" if known else "none",
            ha="center",
            va="center",
            fontsize=6,
            color="white" if known and abs(value) > DARK else "black",
        )
        # It stands inside the panel: thousands of them need not be measured to find the margins.
        written.set_in_layout(False)
    panel.set_xticks(range(len(grid.locales)), grid.locales, fontsize=7)
    panel.xaxis.tick_top()
    panel.tick_params(length=0)


def gap_by_size(grid: GapGrid, sizes: Mapping[str, float], families: Mapping[str, str]) -> Figure:
    """Draw each model's mean Local and Knowledge against its parameters, a line a family."""
    figure = Figure(figsize=(7, 6))
    every = np.ones(len(grid.locales), dtype=bool)
    shown = [m for m in grid.models if sizes.get(m, 0) > 0]
    for panel, gap in zip(figure.subplots(2, 1, sharex=True), GAPS[1:], strict=True):
        i = GAPS.index(gap)
        means = {m: float(cell_mean(grid.points[i, grid.models.index(m)], every)) for m in shown}
        for number, family in enumerate(dict.fromkeys(families.get(m, "other") for m in shown)):
            members = sorted((sizes[m], m) for m in shown if families.get(m, "other") == family)
            marker = "os^Dv<>pP*Xh"[number % 12]
            x, y = [size for size, _ in members], [means[m] for _, m in members]
            panel.plot(x, y, marker=marker, label=family, linewidth=1, markersize=4)
        panel.axhline(0, color="#888888", linewidth=0.8)
        panel.set_ylabel(f"Mean {TITLES[gap]} (logits)")
        panel.set_xscale("log")
    panel.set_xlabel("Parameters (billions)")
    panel.legend(fontsize=7, ncols=4, loc="best")
    return figure


def level_lines(by_level: Mapping[int, ByGap]) -> Figure:
    """Draw the mean gaps by resource level with their intervals."""
    figure = Figure(figsize=(6, 4))
    panel = figure.subplots()
    for number, gap in enumerate(GAPS):
        rows = [(level, row[gap]) for level, row in by_level.items() if row[gap].defined]
        x = np.array([level for level, _ in rows], dtype=np.float64) + (number - 1) * 0.06
        y = np.array([e.value for _, e in rows], dtype=np.float64)
        low, high = (_limits(rows, y, end) for end in ("low", "high"))
        panel.errorbar(
            x, y, yerr=[y - low, high - y], marker="os^"[number], capsize=3, label=TITLES[gap]
        )
    panel.axhline(0, color="#888888", linewidth=0.8)
    panel.set_xticks(list(by_level))
    panel.set_xlabel("Resource level")
    panel.set_ylabel("Mean gap (logits)")
    panel.legend(fontsize=8)
    return figure


def _limits(rows: Sequence[tuple[int, object]], y: np.ndarray, end: str) -> np.ndarray:
    ends = [getattr(found, end) for _, found in rows]
    return np.array([v if e is None else e for e, v in zip(ends, y, strict=True)])


def ability_by_accuracy(fits: Sequence[BlockFit]) -> Figure:
    """Draw each ability against the accuracy it came from, a panel a block."""
    columns = min(4, len(fits))
    lines = -(-len(fits) // columns)
    figure = Figure(figsize=(2.4 * columns, 2.2 * lines + 0.4))
    panels = figure.subplots(lines, columns, squeeze=False)
    for panel in panels.ravel()[len(fits) :]:
        panel.axis("off")
    for panel, fit in zip(panels.ravel(), fits, strict=False):
        ability = np.where(np.isfinite(fit.ability), fit.ability, np.nan)
        panel.plot(accuracies(fit.block).ravel(), ability.ravel(), ".", markersize=3)
        panel.set_title(fit.block.name, fontsize=8)
        panel.tick_params(labelsize=6)
    figure.supxlabel("Accuracy", fontsize=9)
    figure.supylabel("Ability (logits)", fontsize=9)
    figure.tight_layout()
    return figure
