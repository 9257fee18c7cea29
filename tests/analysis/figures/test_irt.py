"""The heat maps write every number, and say where there is none; no mark of a size hides another."""

import numpy as np

from analysis.figures.irt import gap_by_size, heat_map
from analysis.pipelines.irt.gap_grid import GAPS, GapGrid

POINTS = np.stack([np.full((2, 3), -0.5), np.full((2, 3), 0.25), np.full((2, 3), 0.75)])


def test_each_cell_shows_its_number_or_that_there_is_none():
    points = POINTS.copy()
    points[1, 0, 2] = np.nan
    grid = GapGrid(("a", "b"), ("X", "Y", "Z"), points)
    panels = [heat_map(grid, gap).axes[0] for gap in GAPS]
    words = [[text.get_text() for text in panel.texts] for panel in panels]
    assert words[0] == ["\N{MINUS SIGN}0.50"] * 6
    assert words[1] == ["+0.25", "+0.25", "none", "+0.25", "+0.25", "+0.25"]
    assert [panel.get_title() for panel in panels] == ["Global gap", "Local gap", "Knowledge gap"]
    assert [label.get_text() for label in panels[0].get_yticklabels()] == ["a", "b"]


def test_a_map_of_the_published_size_fits_a_page_without_shrinking():
    grid = GapGrid(tuple("abc"), tuple(map(str, range(13))), np.zeros((3, 3, 13)))
    # The report is 64 rem wide; a figure has 72 points an inch, a page 96.
    assert heat_map(grid, "local").get_size_inches()[0] * 96 < 64 * 16


def test_models_of_unknown_size_are_not_drawn():
    grid = GapGrid(("a", "b"), ("X", "Y", "Z"), POINTS)
    figure = gap_by_size(grid, {"a": 7.0}, {"a": "F"})
    (line,) = (x for x in figure.axes[0].get_lines() if x.get_label() == "F")
    assert list(line.get_xdata()) == [7.0]
    assert list(line.get_ydata()) == [0.25]


def test_two_models_of_one_size_are_two_marks_and_one_corner_of_the_line():
    points = np.stack([np.zeros((3, 1)), [[0.1], [0.3], [0.6]], np.ones((3, 1))])
    grid = GapGrid(("base", "tuned", "large"), ("X",), points)
    figure = gap_by_size(grid, {"base": 7.0, "tuned": 7.0, "large": 70.0}, {})
    marks, joined = figure.axes[0].get_lines()[:2]
    assert list(marks.get_xdata()) == [7, 7, 70]
    assert list(marks.get_ydata()) == [0.1, 0.3, 0.6]
    assert list(joined.get_xdata()) == [7, 70]
    assert list(joined.get_ydata()) == [0.2, 0.6]


def test_no_family_has_the_mark_and_colour_of_another():
    names = tuple(f"m{k}" for k in range(20))
    grid = GapGrid(names, ("X",), np.zeros((3, 20, 1)))
    figure = gap_by_size(grid, dict.fromkeys(names, 1.0), {name: name for name in names})
    drawn = [line for line in figure.axes[0].get_lines() if line.get_label() in names]
    assert len({(line.get_marker(), tuple(line.get_color())) for line in drawn}) == 20


def test_sizes_are_written_as_numbers():
    grid = GapGrid(("a", "b", "c"), ("X",), np.zeros((3, 3, 1)))
    figure = gap_by_size(grid, {"a": 1.7, "b": 8.0, "c": 70.0}, {})
    figure.draw_without_rendering()
    shown = [text.get_text() for text in figure.axes[1].get_xticklabels(which="both")]
    assert {"2", "5", "10", "20", "50"} <= set(shown)
    assert not any("mathdefault" in text for text in shown)
