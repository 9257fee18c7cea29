"""Cases O07 and O08: the variant for spreadsheets runs nothing, cuts nothing, and can be undone."""

import csv
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.exports.columns import Column, Table
from annotation.exports.spreadsheet import LONGEST, exact_text, safe_text
from annotation.exports.writers import TableWriter

COMMENTS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'quoted", "plain", "a=1"]


def sheet(folder, names, rows):
    """Write a table whose last column is a number; return the writer and the rows of the sheet."""
    columns = tuple(Column(name, "text", "A.", ("Item.key",)) for name in names)
    columns += (Column("x", "number", "A.", ("Item.key",)),)
    with closing(TableWriter(folder, Table("things", "Things.", columns))) as writer:
        writer.write(rows)
    path = folder / "spreadsheet" / "things.csv"
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    with path.open(encoding="utf-8-sig", newline="") as file:
        return writer, list(csv.reader(file, strict=True))


def test_no_text_is_run_numbers_stay_and_all_can_be_undone(tmp_path):
    _, found = sheet(tmp_path, ["=c"], [{"=c": text, "x": -1.5} for text in COMMENTS])
    assert found[0] == ["'=c", "x"]
    assert [exact_text(row[0]) for row in found[1:]] == COMMENTS
    assert all(row[0][0] not in "=+-@\t\r" for row in found[1:])
    assert {row[1] for row in found[1:]} == {"-1.5"}
    exact = (tmp_path / "things.csv").read_text().splitlines()
    assert exact[1] == "=1+1,-1.5"


def test_controls_are_replaced_and_counted_and_the_exact_files_keep_them(tmp_path):
    texts = ["a\x0bb", "\x0c", "\x00=1", "a\nb\tc"]
    writer, found = sheet(tmp_path, ["c"], [{"c": text, "x": 1} for text in texts])
    assert [row[0] for row in found[1:]] == ["a\ufffdb", "\ufffd", "'\ufffd=1", "a\nb\tc"]
    assert writer.replaced == 3
    assert b"a\x0bb" in (tmp_path / "things.csv").read_bytes()


def test_a_long_cell_is_not_cut_but_lies_in_a_file(tmp_path):
    texts = ["x" * 40_000, "y" * (LONGEST - 1), "💩" * 17_000]
    writer, found = sheet(tmp_path, ["c"], [{"c": text, "x": 1} for text in texts])
    assert found[1][0] == "[40,000 characters: spreadsheet/long/things-1-1.txt]"
    assert (tmp_path / "spreadsheet/long/things-1-1.txt").read_text() == texts[0]
    assert found[2][0] == texts[1]
    assert found[3][0].endswith("things-3-1.txt]")
    assert writer.moved == 2
    paths = {file.path for file in writer.written}
    assert "spreadsheet/long/things-1-1.txt" in paths


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20))
def test_any_text_comes_back(text):
    safe, replaced = safe_text(text)
    if not replaced:
        assert exact_text(safe) == text


@pytest.mark.parametrize("text", COMMENTS)
def test_the_rule(text):
    assert safe_text(text)[0] == ("'" + text if text[0] in "=+-@'\t\r" else text)
