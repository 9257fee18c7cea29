"""CSV and JSONL hold the text of a cell exactly."""

import csv
import hashlib
import io
import json
from contextlib import closing

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.exports.cells import plain
from annotation.exports.columns import Column, Table
from annotation.exports.files import write_text
from annotation.exports.writers import TableWriter, csv_line

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


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


def written(folder, columns, rows):
    """Write a table; return its writer."""
    with closing(TableWriter(folder, Table("things", "Things.", columns))) as writer:
        writer.write(rows)
    return writer


COLUMNS = (
    Column("id", "text", "A.", ("Item.key",)),
    Column("n", "integer", "A.", ("Item.key",)),
    Column("x", "number", "A.", ("Item.key",)),
    Column("b", "boolean", "A.", ("Item.key",)),
    Column("l", "list", "A.", ("Item.key",)),
)
ROWS = [
    {"id": "007", "n": 1, "x": -1.5, "b": True, "l": ["p", "=q"], "secret": "s"},
    {"id": "1e3", "n": None, "x": 3.0, "b": None, "l": None, "secret": "s"},
    {"id": "12345678901234567890", "n": 3.0, "x": None, "b": False, "l": ["NA"], "secret": "s"},
    {"id": "NA", "n": 0, "x": 0.1, "b": False, "l": [], "secret": "s"},
    {"id": "null\u2028é", "n": 2**60, "x": 2.0, "b": True, "l": ["None"], "secret": "s"},
    {"id": "", "n": 1, "x": 2.0, "b": True, "l": None, "secret": "s"},
]


def test_the_formats_agree_cell_by_cell_and_keep_types(tmp_path):
    """Cases O05: ids and labels stay texts, whole numbers whole, and only what is missing is empty."""
    made = written(tmp_path, COLUMNS, ROWS).written
    assert [(file.path, file.rows) for file in made] == [
        ("things.csv", 6),
        ("things.jsonl", 6),
        ("things.parquet", 6),
        ("spreadsheet/things.csv", 6),
    ]
    for file in made:
        content = (tmp_path / file.path).read_bytes()
        assert hashlib.sha256(content).hexdigest() == file.sha256
        assert len(content) == file.size
        assert b"secret" not in content
    lines = (tmp_path / "things.jsonl").read_text().removesuffix("\n").split("\n")
    exact = [json.loads(line) for line in lines]
    assert pq.read_table(tmp_path / "things.parquet").to_pylist() == exact
    cells = (tmp_path / "things.csv").read_text()
    told = list(csv.reader(io.StringIO(cells, newline=""), strict=True))
    assert told[0] == ["id", "n", "x", "b", "l"]
    assert told[1:] == [[plain(row[name]) for name in told[0]] for row in exact]
    assert [row["id"] for row in exact] == [*(row["id"] for row in ROWS[:5]), None]
    assert [row["n"] for row in exact] == [1, None, 3, 0, 2**60, 1]
    assert told[3][1] == "3"
    assert told[2][2] == "3"


def test_parquet_is_the_same_however_often_and_has_its_types(tmp_path):
    written(tmp_path / "a", COLUMNS, ROWS)
    written(tmp_path / "b", COLUMNS, ROWS)
    one, other = (tmp_path / name / "things.parquet" for name in "ab")
    assert one.read_bytes() == other.read_bytes()
    types = [str(field.type) for field in pq.read_schema(one)]
    assert types == ["string", "int64", "double", "bool", "list<element: string>"]
    assert b"12345678901234567890" in one.read_bytes()


def test_parquet_groups_end_by_what_was_put_in(tmp_path, monkeypatch):
    monkeypatch.setattr("annotation.exports.parquet.GROUP_ROWS", 2)
    written(tmp_path, COLUMNS, ROWS)
    assert pq.ParquetFile(tmp_path / "things.parquet").num_row_groups == 3


@pytest.mark.parametrize(("kind", "cell"), [("number", float("nan")), ("integer", 1.5)])
def test_what_is_no_number_is_refused(tmp_path, kind, cell):
    column = Column("a", kind, "A.", ("Item.key",))
    with pytest.raises(ValueError, match="is no"):
        written(tmp_path, (column,), [{"a": cell}])


def test_a_text_is_written_to_the_byte(tmp_path):
    written = write_text(tmp_path, "plan.json", '{"ä":1}')
    assert (tmp_path / "plan.json").read_bytes() == b'{"\xc3\xa4":1}'
    assert written.rows is None
