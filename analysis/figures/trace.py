"""Figures of the trace pipeline: result tables in, Figures out."""

from collections.abc import Iterable

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.pipelines.trace.retention import CELL
from analysis.pipelines.trace.scoring import SCORES
from analysis.stats.trace_cells import SMALLEST_CELL, TOP

# Height of a name beside a line, and of its row, in points of type.
NAME, ROW = 8, 9.5
INK, FAINT, ACCENT, SECOND = "#1b1f23", "#b9b4a8", "#b5472f", "#2f6f8f"


def pair_means(cells: pd.DataFrame) -> Figure:
    """Draw S of true pairs beside S of unrelated traces, one line a language pair."""
    names = cells["language_a"] + "–" + cells["language_b"]
    columns = ["mean_S", "S_shuffled", "mean_H", "mean_tau"]
    table = cells[columns].astype(float).groupby(names).mean().sort_values("mean_S")
    place = np.arange(len(table))
    figure = Figure(figsize=(6.5, 1.4 + 0.2 * len(table)))
    axes = figure.subplots()
    axes.hlines(place, table["S_shuffled"], table["mean_S"], color=FAINT, linewidth=1)
    axes.plot(table["mean_S"], place, "o", color=ACCENT, label="S, same problem")
    axes.plot(table["S_shuffled"], place, "o", mfc="white", color=ACCENT, label="S, unrelated")
    axes.plot(table["mean_H"], place, "|", color=SECOND, markersize=9, label="H, same problem")
    axes.set_yticks(place, table.index, fontsize=8)
    axes.set(xlim=(-0.05, 1.05), ylim=(-0.7, len(table) - 0.3), xlabel="mean over pairs")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, frameon=False, fontsize=8)
    return _plain(figure)


def rank_scatter(pairs: pd.DataFrame) -> Figure:
    """Draw the rank of S against the rank of H within cells; what dissociates stands out.

    Ranks of a few pairs are a few steps: smaller cells than dissociation takes are left out.
    """
    pairs = pairs[pairs.groupby(CELL)["S"].transform("size") >= SMALLEST_CELL]
    ranks = pairs.groupby(CELL)[["H", "S"]].rank(pct=True)
    apart = (ranks["H"] > TOP) & (ranks["S"] <= TOP)
    figure = Figure(figsize=(5, 5))
    axes = figure.subplots()
    for rows, colour, label in ((~apart, FAINT, "other pairs"), (apart, ACCENT, "high H, lower S")):
        axes.plot(ranks["H"][rows], ranks["S"][rows], ".", color=colour, label=label, markersize=4)
    axes.axvline(TOP, color=INK, linewidth=0.7)
    axes.axhline(TOP, color=INK, linewidth=0.7)
    axes.set(xlabel="rank of H in its cell", ylabel="rank of S in its cell")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False, fontsize=8)
    return _plain(figure)


def position_profile(profiles: pd.DataFrame) -> Figure:
    """Draw how well each fifth of the anchor's trace is met, by the other language."""
    figure = Figure(figsize=(6, 4))
    axes = figure.subplots()
    for language, rows in profiles.groupby("language"):
        every = language == "all"
        axes.plot(
            rows["fifth"], rows["best_match"], marker="o", markersize=4 if every else 2,
            color=ACCENT if every else FAINT, linewidth=2 if every else 1, label=str(language),
            zorder=3 if every else 2,
        )  # fmt: skip
    low = np.nan_to_num(float(profiles["best_match"].min()))
    axes.set_xticks(range(1, 6))
    axes.set(
        xlabel="fifth of the trace", ylabel="mean best match", xlim=(0.8, 5.6),
        ylim=(max(0.0, low - 0.1), 1.02),
    )  # fmt: skip
    _plain(figure)
    ends = profiles.dropna(subset="best_match").groupby("language", sort=False).tail(1)
    _names_at_ends(
        axes, ends[["fifth", "best_match", "language"]].itertuples(index=False, name=None)
    )
    return figure


def _names_at_ends(axes: Axes, ends: Iterable[tuple[float, float, str]]) -> None:
    """Write each name beside the end of its line; where ends lie close, one above the other."""
    low, high = axes.get_ylim()
    step = (high - low) * ROW / (axes.get_window_extent().height * 72 / axes.figure.dpi)
    top = np.inf
    for fifth, value, name in sorted(ends, key=lambda end: -end[1]):
        top = min(value, top - step)
        axes.annotate(
            name, (fifth, value), (fifth + 0.14, top), fontsize=NAME, va="center",
            arrowprops={"arrowstyle": "-", "color": FAINT, "linewidth": 0.6},
        )  # fmt: skip


def perturbation_bars(table: pd.DataFrame) -> Figure:
    """Draw S, tau and H of what was done to a translated trace, in the order of the table."""
    figure = Figure(figsize=(7.5, 3.6))
    axes = figure.subplots(1, 3, sharey=True)
    place = np.arange(len(table))[::-1]
    for panel, score, colour in zip(axes, SCORES, (ACCENT, INK, SECOND), strict=True):
        spread = [f"{score}_low", f"{score}_high"]
        panel.hlines(place, table[spread[0]], table[spread[1]], color=FAINT, linewidth=4)
        panel.plot(table[score], place, "o", color=colour)
        panel.axvline(0, color=INK, linewidth=0.7)
        panel.set_title({"tau": "τ"}.get(score, score), fontsize=11)
        panel.set_xlim((-1.05, 1.05) if score == "tau" else (-0.05, 1.05))
    axes[0].set_yticks(place, table["done"])
    return _plain(figure)


def _plain(figure: Figure) -> Figure:
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    return figure
