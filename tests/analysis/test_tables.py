"""Reading tables: the same rows from every format, and every fault named with its place."""

import csv
import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analysis.frames import JudgedItems
from analysis.tables import Column, Table, TableError, read_chunks, read_table

TABLE = Table(
    "responses",
    (
        Column("model"),
        Column("subset", categories=("CA", "CS")),
        Column("locale", empty=True),
        Column("correct", kind="binary"),
        Column("score", kind="number", required=False, empty=True, low=0, high=1),
    ),
    key=("model", "subset", "locale"),
)
ROWS = [
    {"model": "007", "subset": "CA", "locale": "", "correct": "1", "score": "0.25"},
    {"model": "007", "subset": "CS", "locale": "ZH", "correct": "0", "score": ""},
]


def write_csv(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_text(text, encoding=encoding)
    return path


def as_csv(folder: Path) -> Path:
    pd.DataFrame(ROWS).to_csv(folder / "t.csv", index=False)
    return folder / "t.csv"


def as_csv_with_bom(folder: Path) -> Path:
    pd.DataFrame(ROWS).to_csv(folder / "t.csv", index=False, encoding="utf-8-sig")
    return folder / "t.csv"


def as_jsonl(folder: Path) -> Path:
    lines = (
        '{"model": "007", "subset": "CA", "locale": null, "correct": true, "score": 0.25}\n\n'
        '{"model": "007", "subset": "CS", "locale": "ZH", "correct": 0}\n'
    )
    return write_csv(folder / "t.jsonl", lines)


def as_parquet(folder: Path) -> Path:
    frame = pd.DataFrame(ROWS)
    frame["score"] = [0.25, None]
    frame["correct"] = [1.0, 0.0]
    frame["subset"] = frame["subset"].astype("category")
    frame.to_parquet(folder / "t.parquet", index=False)
    return folder / "t.parquet"


def as_folder(folder: Path) -> Path:
    inside = folder / "parts"
    inside.mkdir()
    pd.DataFrame(ROWS[:1]).to_csv(inside / "a.csv", index=False)
    pd.DataFrame(ROWS[1:]).to_parquet(inside / "b.parquet", index=False)
    write_csv(inside / "README.md", "not a table")
    return inside


@pytest.mark.parametrize("write", [as_csv, as_csv_with_bom, as_jsonl, as_parquet, as_folder])
def test_every_format_gives_the_same_table(write, tmp_path):
    frame = read_table(write(tmp_path), TABLE)
    assert list(frame.columns) == ["model", "subset", "locale", "correct", "score"]
    assert frame["model"].tolist() == ["007", "007"]
    assert frame["locale"].tolist() == ["", "ZH"]
    assert frame["correct"].tolist() == [1, 0]
    assert frame["correct"].dtype == "int64"
    assert frame["score"][0] == 0.25
    assert pd.isna(frame["score"][1])


def test_chunks_add_up_to_the_table(tmp_path):
    chunks = list(read_chunks(as_csv(tmp_path), TABLE, rows=1))
    assert [len(chunk) for chunk in chunks] == [1, 1]
    pd.testing.assert_frame_equal(
        pd.concat(chunks, ignore_index=True), read_table(as_csv(tmp_path), TABLE)
    )


def test_an_optional_column_may_be_missing_and_others_are_dropped_unless_kept(tmp_path):
    path = write_csv(tmp_path / "t.csv", "model,subset,locale,correct,extra\na,CA,,1,9\n")
    assert "extra" not in read_table(path, TABLE).columns
    kept = Table("t", TABLE.columns, keep_others=True)
    assert read_table(path, kept)["extra"].tolist() == ["9"]


def test_blank_lines_are_passed_over_and_do_not_shift_row_numbers(tmp_path):
    text = "model,subset,locale,correct\na,CA,,1\n\nb,XX,,1\n\n"
    with pytest.raises(TableError) as caught:
        read_table(write_csv(tmp_path / "t.csv", text), TABLE)
    assert [p.row for p in caught.value.problems] == [4]


FAULTS = {
    "missing column": ("model,subset,locale\na,CA,\n", "column 'correct': the column is missing"),
    "header only": ("model,subset,locale\n", "column 'correct': the column is missing"),
    "unknown category": (
        "model,subset,locale,correct\na,CA,,1\nb,XX,,1\nc,XX,,1\n",
        "row 3, column 'subset': 'XX' is not one of CA, CS (2 rows)",
    ),
    "wrong type": (
        "model,subset,locale,correct\na,CA,,yes\n",
        "row 2, column 'correct': 'yes' is not 0 or 1",
    ),
    "outside": (
        "model,subset,locale,correct,score\na,CA,,1,1.5\n",
        "row 2, column 'score': '1.5' is not at least 0 and at most 1",
    ),
    "not finite": (
        "model,subset,locale,correct,score\na,CA,,1,nan\n",
        "row 2, column 'score': 'nan' is not a finite number",
    ),
    "empty cell": (
        "model,subset,locale,correct\n,CA,,1\n",
        "row 2, column 'model': the cell is empty",
    ),
    "short row": ("model,subset,locale,correct\na\n", "row 2: the row has 1 fields, the header 4"),
    "long row": (
        "model,subset,locale,correct\na,CA,,1,2,3\n",
        "row 2: the row has 6 fields, the header 4",
    ),
    "doubled header": ("model,model\na,b\n", "row 1, column 'model': the header names the column"),
    "open quote": ('model,subset,locale,correct\n"a,CA,,1\nb,CA,,1\n', "row 2: a quote opens"),
    "open quote at the end": (
        'model,subset,locale,correct\na,CA,,1\nb,CA,,"1\n',
        "row 3: a quote opens here and is never closed",
    ),
    "empty file": ("", "the file is empty"),
    "NUL in a name": (
        "model,subset,locale,correct\na,CA,,1\nb\0,CA,,1\n",
        "row 3, column 'model': the text holds a NUL character",
    ),
    "NUL in the name of a column": (
        "model,subset,locale,correct,sc\0re\na,CA,,1,2\n",
        "column 'sc\\x00re': the name of the column holds a NUL character",
    ),
}


@pytest.mark.parametrize(("text", "sentence"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_is_named_with_file_row_and_column(text, sentence, tmp_path):
    path = write_csv(tmp_path / "t.csv", text)
    with pytest.raises(TableError) as caught:
        read_table(path, replace(TABLE, keep_others=True))
    assert str(caught.value).startswith(str(path))
    assert sentence in str(caught.value)


def test_true_and_false_are_one_and_zero_however_they_are_written(tmp_path):
    rows = "".join(f"a{i},CA,,{word},{word}\n" for i, word in enumerate(("True", "FALSE", "true")))
    found = read_table(
        write_csv(tmp_path / "t.csv", f"model,subset,locale,correct,score\n{rows}"), TABLE
    )
    assert found["correct"].tolist() == found["score"].tolist() == [1, 0, 1]


def test_numbers_on_another_scale_do_not_fill_the_page(tmp_path):
    rows = "".join(f"a{i},CA,,1,{i}\n" for i in range(100))
    path = write_csv(tmp_path / "t.csv", f"model,subset,locale,correct,score\n{rows}")
    with pytest.raises(TableError) as caught:
        list(read_chunks(path, TABLE, 40))
    told = [(p.row, p.message.split(" is not")[0], p.count) for p in caught.value.problems]
    assert told == [(4, "'2'", 1), (5, "a further value", 97)]


def test_a_missing_column_says_what_it_would_hold_and_which_may_be_meant(tmp_path):
    path = write_csv(tmp_path / "t.csv", "Model,locale,Correct?\na,,1\n")
    with pytest.raises(TableError) as caught:
        read_table(path, TABLE)
    assert [p.message for p in caught.value.problems] == [
        f"the column is missing; the table {TABLE.name!r} needs it{rest}"
        for rest in (". Is it the column 'Model'?", " (CA, CS)", ". Is it the column 'Correct?'?")
    ]


def test_doubled_keys_name_both_rows_and_count_those_that_differ(tmp_path):
    first = write_csv(tmp_path / "a.csv", "model,subset,locale,correct\na,CA,,1\nb,CA,,1\n")
    second = write_csv(tmp_path / "b.csv", "model,subset,locale,correct\na,CA,,0\nb,CA,,1\n")
    with pytest.raises(TableError) as caught:
        read_table([first, second], TABLE)
    (problem,) = caught.value.problems
    assert (problem.file, problem.row, problem.column) == (str(second), 2, "model")
    assert f"repeats {first}, row 2 (model 'a', subset 'CA', locale '')" in problem.message
    assert "repeat an earlier one: 2, of which with different values: 1" in problem.message


def test_a_key_is_doubled_also_where_its_number_is_written_otherwise(tmp_path):
    table = Table("runs", (Column("model"), Column("rep", kind="integer")), key=("model", "rep"))
    first = write_csv(tmp_path / "a.csv", "model,rep\na,0\na,1\n")
    second = write_csv(tmp_path / "b.csv", "model,rep\na,2.0\na,1.0\n")
    with pytest.raises(TableError, match=r"b\.csv, row 3, .* repeats .*a\.csv, row 3"):
        read_table([first, second], table)


def test_faults_of_several_files_are_told_together(tmp_path):
    first = write_csv(tmp_path / "a.csv", "model,subset,locale,correct\na,QQ,,1\n")
    second = write_csv(tmp_path / "b.csv", "model,subset,locale,correct\na,QQ,,2\n")
    with pytest.raises(TableError) as caught:
        read_table([first, second], TABLE)
    assert [(p.column, p.count) for p in caught.value.problems] == [("subset", 2), ("correct", 1)]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        (
            "t.csv",
            "model,subset\n\nä,CA\nb,é\n".encode("latin-1"),
            "row 3, column 'model': the file is not UTF-8 here",
        ),
        ("t.csv", "modél,subset\nb,CA\n".encode("latin-1"), "row 1: the file is not UTF-8 here"),
        ("t.jsonl", '{"model": "a"}\n{"model": "ä"}\n'.encode("latin-1"), "row 2: the file is not"),
        ("t.csv", b"model;subset\na;CA\n", "row 1: the columns are separated by ';'"),
        ("t.csv", b"model\tsubset\na\tCA\n", "row 1: the columns are separated by"),
        ("t.csv.gz", b"", "unpack or convert the file first"),
        ("t.jsonl", b"{]\n", "row 1: the line is not JSON"),
        ("t.jsonl", b"[1]\n", "row 1: the line must be a JSON object"),
        ("t.jsonl", b'{"model": ["a"]}\n', "row 1, column 'model': the value must be a text"),
        ("t.jsonl", b"[" * 200_000, "row 1: the line is not JSON: it is nested too deeply"),
        ("t.jsonl", b"\n", "the file is empty; every line must be a JSON object"),
        ("t.jsonl", b'{"model": "\\ud800"}\n', "row 1, column 'model': the text holds half of a"),
        ("t.parquet", b"PAR2", "the file is not Parquet"),
        ("t.xlsx", b"", "the name must end in .csv, .jsonl or .parquet"),
    ],
)
def test_a_file_that_is_no_table_is_refused(name, content, sentence, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(TableError, match=sentence):
        read_table(tmp_path / name, TABLE)


def test_a_header_beyond_reason_is_refused(tmp_path, request):
    request.addfinalizer(partial(csv.field_size_limit, csv.field_size_limit(10)))
    path = write_csv(tmp_path / "t.csv", "a name of many letters\nx\n")
    with pytest.raises(TableError, match="row 1: the names of the columns cannot be read"):
        read_table(path, TABLE)


def test_prose_may_hold_what_a_model_wrote(tmp_path):
    path = write_csv(tmp_path / "t.csv", "answer\na\0b\n")
    assert read_table(path, Table("t", (Column("answer", prose=True),)))["answer"][0] == "a\0b"


def test_what_may_not_be_read_is_refused(tmp_path, monkeypatch):
    """Permissions are played, since the tests may run as one who may read all."""

    def denied(*_, **__):
        raise PermissionError(13, "Permission denied")

    path = write_csv(tmp_path / "t.csv", "model\na\n")
    monkeypatch.setattr(Path, "open", denied)
    monkeypatch.setattr(Path, "iterdir", denied)
    for place in (path, tmp_path):
        with pytest.raises(TableError, match="it cannot be read: Permission denied"):
            read_table(place, TABLE)


def test_a_missing_file_and_an_empty_folder_are_refused(tmp_path):
    with pytest.raises(TableError, match="no such file or folder"):
        read_table(tmp_path / "none.csv", TABLE)
    with pytest.raises(TableError, match=r"the folder holds no \.csv"):
        read_table(tmp_path, TABLE)


def test_a_table_without_rows_keeps_its_columns(tmp_path):
    path = write_csv(tmp_path / "t.csv", "model,subset,locale,correct\n")
    frame = read_table(path, TABLE)
    assert frame.empty
    assert list(frame.columns) == ["model", "subset", "locale", "correct", "score"]


def test_a_quoted_field_may_hold_line_ends_and_quotes_and_counts_as_one_row(tmp_path):
    text = 'model,subset,locale,correct\n"a\n""b"", 5"" tall",CA,,1\nc,QQ,,1\n'
    path = write_csv(tmp_path / "t.csv", text)
    with pytest.raises(TableError) as caught:
        read_table(path, TABLE)
    assert [p.row for p in caught.value.problems] == [3]
    kept = write_csv(tmp_path / "u.csv", text.replace("QQ", "CA"))
    assert read_table(kept, TABLE)["model"][0] == 'a\n"b", 5" tall'


def test_a_bare_quote_inside_a_field_is_text(tmp_path):
    path = write_csv(tmp_path / "t.csv", 'model,subset,locale,correct\n5" tall,CA,,1\n')
    assert read_table(path, TABLE)["model"].tolist() == ['5" tall']


def test_whole_numbers_in_a_text_column_of_parquet_are_as_in_csv(tmp_path):
    frame = pd.DataFrame({"model": [17.0, None, 3.0], "correct": [1.0, 0.0, None]})
    frame.to_parquet(tmp_path / "t.parquet", index=False)
    columns = (Column("model", empty=True), Column("correct", kind="binary", empty=True))
    table = read_table(tmp_path / "t.parquet", Table("t", columns))
    assert table["model"].tolist() == ["17", "", "3"]
    assert table["correct"].tolist()[:2] == [1, 0]
    assert pd.isna(table["correct"][2])


def test_dates_are_checked(tmp_path):
    table = Table("models", (Column("model"), Column("cutoff", kind="date")))
    good = write_csv(tmp_path / "a.csv", "model,cutoff\na,2026-01-31\n")
    assert read_table(good, table)["cutoff"][0] == pd.Timestamp("2026-01-31")
    bad = write_csv(tmp_path / "b.csv", "model,cutoff\na,31.01.2026\n")
    with pytest.raises(TableError, match=r"'31\.01\.2026' is not a date of the form 2026-01-31"):
        read_table(bad, table)


def test_a_row_of_many_megabytes_is_refused_in_csv_and_read_from_jsonl(tmp_path):
    table, huge = Table("t", (Column("text"), Column("n", kind="integer"))), "x" * (9 * 2**20)
    csv = write_csv(tmp_path / "t.csv", f"text,n\nshort,1\n{huge},2\n")
    with pytest.raises(TableError, match="a row is longer than 4 MB; use JSONL or Parquet"):
        read_table(csv, table)
    jsonl = write_csv(tmp_path / "t.jsonl", f'{{"text": "{huge}", "n": 1}}\n')
    assert len(read_table(jsonl, table)["text"][0]) == len(huge)


def test_a_list_is_read_as_its_json_in_a_table_of_items_and_refused_in_others(tmp_path):
    rows = [{"item_id": "a", "facts": ["x", "ü"]}, {"item_id": "b", "facts": None}]
    lines, parquet = tmp_path / "i.jsonl", tmp_path / "i.parquet"
    lines.write_text("\n".join(json.dumps(row) for row in rows))
    pq.write_table(pa.Table.from_pylist(rows), parquet)
    for path in (lines, parquet):
        found = read_table(path, JudgedItems.TABLE)
        assert found["facts"].tolist() == ['["x", "ü"]', ""]
        with pytest.raises(TableError, match="list"):
            read_table(path, replace(JudgedItems.TABLE, lists=False))
