"""One table in three formats is one table; each format's own traps are told."""

import io
import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from annotation.studyfile import folder_digest, read_study
from tests.annotation.studyfile.folders import STUDY, errors_of, write_folder

ROWS: list[dict[str, Any]] = [
    {"id": "007", "question": "Q", "response": "R\r\nr", "facts": ["a", "b"], "ask_error": True},
    {"id": "1e3", "question": "Q", "response": "NA", "model": "m", "article": "x"},
]
CSV = (
    "id,question,response,facts,ask_error,model,article\r\n"
    '007,Q,"R\r\nr","[""a"", ""b""]",true,,\r\n'
    "1e3,Q,NA,,,m,x\r\n"
)


def parquet(rows: list[dict[str, Any]]) -> bytes:
    """Return rows as a Parquet file."""
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), buffer)
    return buffer.getvalue()


def every_column(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows in which each has every column, as Parquet wants them."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return [{name: row.get(name) for name in names} for row in rows]


def folder_with(tmp_path, name, data):
    """Write a folder whose first task has this table."""
    study = STUDY.replace("responses.csv", name)
    return write_folder(tmp_path / name, {"study.yaml": study, name: data})


FORMATS = {
    "rows.csv": CSV.encode(),
    "rows.CSV": CSV.encode(),
    "rows.jsonl": "".join(json.dumps(row) + "\r\n\n" for row in ROWS).encode(),
    "rows.parquet": parquet(every_column(ROWS)),
}


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_gives_the_same_items(tmp_path, name):
    study = read_study(folder_with(tmp_path, name, FORMATS[name]))
    items = study.tasks[0].items
    assert [(item.id, dict(item.fields)) for item in items] == [
        (
            "007",
            {"question": "Q", "response": "R\r\nr", "facts": ["a", "b"], "ask_error": True},
        ),
        ("1e3", {"question": "Q", "response": "NA", "model": "m", "article": "x"}),
    ]


def test_each_format_gives_the_same_digest(tmp_path):
    digests = {
        folder_digest(read_study(folder_with(tmp_path, name, data)))
        for name, data in FORMATS.items()
    }
    assert len(digests) == 1


@pytest.mark.parametrize("word", ["true", "TRUE", "True"])
def test_a_flag_is_read_as_spreadsheets_write_it(tmp_path, word):
    table = CSV.replace("true", word).encode()
    assert read_study(folder_with(tmp_path, "a.csv", table)).tasks[0].items[0].fields["ask_error"]


@pytest.mark.parametrize("word", ["yes", "1", "wahr"])
def test_another_word_for_a_flag_is_refused(tmp_path, word):
    table = CSV.replace("true", word).encode()
    (told,) = errors_of(folder_with(tmp_path, "a.csv", table))
    assert told == (
        f'a.csv, line 2, ask_error: Row 1: the field holds "{word}"; true or false is wanted.'
    )


def test_numbers_are_text_as_written_in_json_and_whole_where_whole_in_parquet(tmp_path):
    line = '{"id": 7, "question": "Q", "response": 1.50, "model": 3, "article": false}\n'
    items = read_study(folder_with(tmp_path, "a.jsonl", line.encode())).tasks[0].items
    assert items[0].id == "7"
    assert [items[0].fields[n] for n in ("response", "model", "article")] == ["1.50", "3", "false"]
    rows = [
        {"id": 1.0, "question": "Q", "response": "R", "model": 3.0, "article": 0.1},
        {"id": 2.0, "question": "Q", "response": "R", "model": float("nan"), "article": None},
    ]
    items = read_study(folder_with(tmp_path, "a.parquet", parquet(rows))).tasks[0].items
    assert [item.id for item in items] == ["1", "2"]
    assert [item.fields.get("model") for item in items] == ["3", None]
    assert [item.fields.get("article") for item in items] == ["0.1", None]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"PAR1 and no more PAR1", "This is not a readable Parquet file"),
        (b"", "This is not a readable Parquet file"),
        (parquet([{"id": "a", "model": float("inf")}]), "holds an infinite number"),
        (parquet([{"id": "a", "model": b"x"}]), "holds bytes values; store them as text"),
        (parquet([{"id": "a", "model": {"b": 1}}]), "holds dict values; store them as text"),
    ],
)
def test_what_parquet_cannot_give_as_items_is_told(tmp_path, data, told):
    errors = errors_of(folder_with(tmp_path, "a.parquet", data))
    assert len(errors) == 1
    assert errors[0].startswith("a.parquet: ")
    assert told in errors[0]


@pytest.mark.parametrize("cut", range(0, 900, 90))
def test_a_damaged_parquet_file_is_told_and_never_a_crash(tmp_path, cut):
    whole = bytearray(parquet(every_column(ROWS)))
    whole[cut % len(whole)] ^= 0xFF
    for error in errors_of(folder_with(tmp_path, "a.parquet", bytes(whole))):
        assert error.startswith(("a.parquet", "study.yaml"))


def test_a_row_of_parquet_is_named_by_its_number(tmp_path):
    rows = [
        {"id": "a", "question": "Q", "response": "R", "model": "m", "article": "x"},
        {"id": "a", "question": "Q", "response": "R", "model": "m", "article": "x"},
    ]
    assert errors_of(folder_with(tmp_path, "a.parquet", parquet(rows))) == [
        'a.parquet, id: Row 2: the id "a" is already that of row 1 of a.parquet.'
    ]


def test_an_empty_list_is_an_absent_field(tmp_path):
    line = '{"id": "a", "question": "Q", "response": "R", "facts": [], "model": "m", "article": ""}'
    items = read_study(folder_with(tmp_path, "a.jsonl", line.encode())).tasks[0].items
    assert set(items[0].fields) == {"question", "response", "model"}
