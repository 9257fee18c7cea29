"""`manage.py irt_worlds`: the table that docs/explanation/irt.md shows."""

import json
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from analysis.management.commands.irt_worlds import HEADINGS, line, two
from analysis.pipelines.irt.worlds import WORLDS

PAGE = Path(__file__).resolve().parents[4] / "docs" / "explanation" / "irt.md"
NUMBER = r"-?\d+\.\d\d"
# Of the cells beside the name of a world.
SHAPES = (*[NUMBER] * 4, r"\d+%", NUMBER, f"{NUMBER}, {NUMBER}", NUMBER)
FEW = ("--models", "6", "--locales", "2", "--items", "40")


def printed(*arguments):
    out = StringIO()
    call_command("irt_worlds", *FEW, *arguments, stdout=out)
    return out.getvalue()


def table(text):
    """The cells of the table with these headings in a text, by the world of their row."""
    lines = text.splitlines()
    first = lines.index(line(HEADINGS))
    rows = []
    for row in lines[first + 2 :]:
        if not row.startswith("|"):
            break
        rows.append([cell.strip() for cell in row.strip("|").split("|")])
    return {world: cells for world, *cells in rows}


@pytest.fixture(scope="module")
def small():
    return printed()


def test_the_page_shows_the_worlds_and_columns_of_the_command(small):
    tables = table(PAGE.read_text()), table(small)
    for shown in tables:
        assert list(shown) == list(WORLDS)
        for cells in shown.values():
            assert all(map(re.fullmatch, SHAPES, cells)), cells
    assert [cells[0] for cells in tables[0].values()] == [cells[0] for cells in tables[1].values()]


def test_the_page_says_with_which_command_it_was_made():
    assert "manage.py irt_worlds" in PAGE.read_text()


def test_json_holds_the_numbers_behind_the_cells(small):
    document = json.loads(printed("--json"))
    assert document["seed"] == 1
    by_name = {row["world"]: row for row in document["worlds"]}
    for world, cells in table(small).items():
        assert float(cells[1]) == pytest.approx(by_name[world]["global"], abs=0.005)
        assert float(cells[3]) == pytest.approx(by_name[world]["knowledge"], abs=0.005)


def test_another_seed_gives_other_numbers(small):
    assert table(printed("--seed", "2")) != table(small)


def test_a_rounded_minus_zero_is_zero():
    assert [two(number) for number in (-0.004, -0.006, 0.0)] == ["0.00", "-0.01", "0.00"]


@pytest.mark.parametrize("few", [("--models", "4"), ("--locales", "1"), ("--items", "9")])
def test_a_study_too_small_to_say_anything_is_refused(few):
    with pytest.raises(CommandError, match="is not a whole number from"):
        printed(*few)
