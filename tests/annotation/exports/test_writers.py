"""CSV and JSONL hold the text of a cell exactly."""

import csv
import hashlib
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.exports.columns import Column, Table
from annotation.exports.writers import csv_line, write_table, write_text

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


def table(*names):
    columns = tuple(Column(name, "text", "A column.", ("Item.key",)) for name in names)
    return Table("things", "Things.", columns)


@given(st.lists(texts, min_size=2, max_size=5))
def test_any_text_comes_back_as_it_was(cells):
    assert next(csv.reader(io.StringIO(csv_line(cells), newline=""), strict=True)) == cells


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        (3.0, "3"),
        (3, "3"),
        (-1.5, "-1.5"),
        (0.1, "0.1"),
        (None, ""),
        (True, "true"),
        (False, "false"),
        ("007", "007"),
        ("1e3", "1e3"),
        ("NA", "NA"),
        ("=1+1", "=1+1"),
        ("a\rb", '"a\rb"'),
        ("a\nb", '"a\nb"'),
        ('say "a"', '"say ""a"""'),
        ("a,b", '"a,b"'),
        (["é", 'b"'], '"[""é"", ""b\\""""]"'),
    ],
)
def test_a_cell_is_written_so(cell, written):
    assert csv_line([cell, "z"]) == f"{written},z\n"


def test_a_table_is_written_twice_with_its_sums(tmp_path):
    rows = [{"a": "x\u2028é", "b": 2.0, "secret": "s"}, {"a": None, "b": ["p", "q"], "secret": "s"}]
    written = write_table(tmp_path, table("a", "b"), rows)
    assert [(file.path, file.rows) for file in written] == [("things.csv", 2), ("things.jsonl", 2)]
    for file in written:
        content = (tmp_path / file.path).read_bytes()
        assert hashlib.sha256(content).hexdigest() == file.sha256
        assert b"secret" not in content
        assert b"\r" not in content
    assert (tmp_path / "things.csv").read_text() == 'a,b\nx\u2028é,2\n,"[""p"", ""q""]"\n'
    lines = (tmp_path / "things.jsonl").read_text().removesuffix("\n").split("\n")
    assert [json.loads(line) for line in lines] == [
        {"a": "x\u2028é", "b": 2},
        {"a": None, "b": ["p", "q"]},
    ]


def test_what_is_no_number_is_refused(tmp_path):
    with pytest.raises(ValueError, match="JSON"):
        write_table(tmp_path, table("a"), [{"a": float("nan")}])


def test_a_text_is_written_to_the_byte(tmp_path):
    written = write_text(tmp_path, "plan.json", '{"ä":1}')
    assert (tmp_path / "plan.json").read_bytes() == b'{"\xc3\xa4":1}'
    assert written.rows is None
