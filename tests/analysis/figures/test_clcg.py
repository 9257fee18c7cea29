"""Figures of the cross-lingual gap: names cover nothing, and every figure is told in words."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from analysis.figures.clcg import clcg_figures, gap_by_class
from analysis.figures.labels import label_points
from analysis.pipelines.clcg.population import Settings
from analysis.pipelines.clcg.simulate import Sizes, closed_book, grounded
from analysis.pipelines.clcg.study import analyse
from analysis.reports.clcg_alternatives import alternatives
from tests.analysis.pipelines.clcg.worlds import matches, population, simulated, wide_panel


@pytest.fixture(scope="module")
def study():
    rng = np.random.default_rng(3)
    frame = simulated(sizes=Sizes(documents=6, repeated=2, per_level=1, human=1))
    frame = pd.concat([frame, grounded(frame, rng), closed_book(frame, rng, 2)], ignore_index=True)
    whole = population(frame, wide_panel(), Settings(resamples=40, splits=4, external_band=("L3",)))
    return analyse(whole, matches(frame), whole)


def overlapping(figure):
    """Return the pairs of names in a figure that cover each other."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    texts = [text for axes in figure.axes for text in axes.texts]
    # Of the name alone, without the line that leads to it.
    boxes = {text.get_text(): Text.get_window_extent(text) for text in texts}
    assert len(boxes) == len(texts) > 1
    return [(a, b) for a, b in combinations(boxes, 2) if boxes[a].overlaps(boxes[b])]


def test_names_of_points_that_lie_close_do_not_cover_each_other():
    figure = Figure(figsize=(6.4, 5.4))
    axes = figure.subplots()
    rng = np.random.default_rng(4)
    points = [(x, y, f"l{i}") for i, (x, y) in enumerate(rng.normal(0, 0.08, (16, 2)).tolist())]
    axes.plot([x for x, _, _ in points], [y for _, y, _ in points], "o")
    axes.set_xlim(-1, 1)
    axes.set_ylim(-1, 1)
    label_points(axes, points)
    assert overlapping(figure) == []


def test_names_of_languages_of_one_class_do_not_cover_each_other(study):
    assert overlapping(gap_by_class(study)) == []


def test_every_figure_is_told_in_words_with_its_numbers(study):
    told = alternatives(study)
    assert set(clcg_figures(study)) <= set(told)
    assert f"fon {study.languages['fon'].gap.value:.3f} [" in told["gap_by_language"]
    assert f"{study.external.gaps['sw'].value:.3f}" in told["external_corpus"]
    assert all(" and nan" not in words and "None" not in words for words in told.values())
