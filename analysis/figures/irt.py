"""Figures of the gap analysis: a heat map a gap, gap against size, ability against accuracy."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from analysis.pipelines.irt.fits import BlockFit
from analysis.pipelines.irt.gap_grid import GAPS, GapGrid, cell_mean
from analysis.pipelines.irt.selection import accuracies
from analysis.pipelines.irt.summaries import ByGap

TITLES = {"global": "Global gap", "local": "Local gap", "knowledge": "Knowledge gap"}
LARGEST_SHOWN = 2.0
DARK = 1.2
MINUS = "\N{MINUS SIGN}"
# Twenty, so that a family's colour is not that of another: dark ones first.
COLOURS = [colormaps["tab20"](k) for k in (*range(0, 20, 2), *range(1, 20, 2))]


def heat_map(grid: GapGrid, gap: str) -> Figure:
    """Draw one gap, models down and locales across, with the numbers written.

    A figure for each of the three: side by side they would have to shrink to fit a page, and the
    numbers with them.
    """
    cells = 0.46 * len(grid.locales), 0.24 * len(grid.models)
    figure = Figure(figsize=(1.6 + cells[0], 0.8 + cells[1]))
    panel = figure.subplots()
    _heat_map(panel, grid, GAPS.index(gap))
    panel.set_title(TITLES[gap], fontsize=11)
    panel.set_yticks(range(len(grid.models)), grid.models, fontsize=8)
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
            f"{value:+.2f}".replace("-", MINUS) if known else "none",
            ha="center",
            va="center",
            fontsize=7,
            color="white" if known and abs(value) > DARK else "black",
        )
        # It stands inside the panel: thousands of them need not be measured to find the margins.
        written.set_in_layout(False)
    panel.set_xticks(range(len(grid.locales)), grid.locales, fontsize=8)
    panel.xaxis.tick_top()
    panel.tick_params(length=0)


def gap_by_size(grid: GapGrid, sizes: Mapping[str, float], families: Mapping[str, str]) -> Figure:
    """Draw each model's mean Local and Knowledge against its parameters, a mark a family.

    A line joins a family's mean at each size: models of one size (a base and a tuned one) would make
    it jump up and down.
    """
    figure = Figure(figsize=(7, 6))
    every = np.ones(len(grid.locales), dtype=bool)
    shown = [m for m in grid.models if sizes.get(m, 0) > 0]
    panels = figure.subplots(2, 1, sharex=True)
    for panel, gap in zip(panels, GAPS[1:], strict=True):
        i = GAPS.index(gap)
        means = {m: float(cell_mean(grid.points[i, grid.models.index(m)], every)) for m in shown}
        for number, family in enumerate(dict.fromkeys(families.get(m, "other") for m in shown)):
            members = [m for m in shown if families.get(m, "other") == family]
            _family(panel, [(sizes[m], means[m]) for m in members], number, family)
        panel.axhline(0, color="#888888", linewidth=0.8)
        panel.set_ylabel(f"Mean {TITLES[gap]} (logits)")
        panel.set_xscale("log")
    panels[1].set_xlabel("Parameters (billions)")
    panels[1].xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    panels[1].xaxis.set_major_formatter(FuncFormatter(lambda size, _: f"{size:g}"))
    panels[1].xaxis.set_minor_locator(NullLocator())
    panels[0].legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1))
    return figure


def _family(panel: Axes, places: Sequence[tuple[float, float]], number: int, name: str) -> None:
    mark = {"marker": "os^Dv<>pP*Xh"[number % 12], "color": COLOURS[number % len(COLOURS)]}
    x, y = zip(*sorted(places), strict=True)
    panel.plot(x, y, linestyle="none", markersize=5, label=name, **mark)
    by_size = pd.Series(y).groupby(np.array(x)).mean()
    panel.plot(by_size.index, by_size, linewidth=1, color=mark["color"], alpha=0.6)


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
        panel.tick_params(labelsize=7)
    figure.supxlabel("Accuracy", fontsize=9)
    figure.supylabel("Ability (logits)", fontsize=9)
    figure.tight_layout()
    return figure
