"""The heat maps write every number, and say where there is none."""

import numpy as np

from analysis.figures.irt import gap_by_size, heat_maps
from analysis.pipelines.irt.gap_grid import GapGrid

POINTS = np.stack([np.full((2, 3), -0.5), np.full((2, 3), 0.25), np.full((2, 3), 0.75)])


def test_each_cell_shows_its_number_or_that_there_is_none():
    points = POINTS.copy()
    points[1, 0, 2] = np.nan
    figure = heat_maps(GapGrid(("a", "b"), ("X", "Y", "Z"), points))
    words = [[text.get_text() for text in panel.texts] for panel in figure.axes]
    assert words[0] == ["-0.50"] * 6
    assert words[1] == ["+0.25", "+0.25", "none", "+0.25", "+0.25", "+0.25"]
    assert [panel.get_title() for panel in figure.axes] == [
        "Global gap",
        "Local gap",
        "Knowledge gap",
    ]


def test_models_of_unknown_size_are_not_drawn():
    grid = GapGrid(("a", "b"), ("X", "Y", "Z"), POINTS)
    figure = gap_by_size(grid, {"a": 7.0}, {"a": "F"})
    (line,) = (x for x in figure.axes[0].get_lines() if x.get_label() == "F")
    assert list(line.get_xdata()) == [7.0]
    assert list(line.get_ydata()) == [0.25]
