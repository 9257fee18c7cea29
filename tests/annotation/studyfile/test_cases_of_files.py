"""Files as researchers really save them: marks, line ends, long cells, doubled ids (O01–O08)."""

import csv
import io

import pytest

from annotation.studyfile import StudyFolderInvalid, inspect_study, read_study
from annotation.studyfile.csv_records import CsvError, records
from tests.annotation.studyfile.folders import RESPONSES, errors_of, write_folder

HEADER = "id,question,response,model,article\n"
MARK = "\ufeff"


def responses(tmp_path, table):
    """Return the items of the first task of a folder with this table."""
    data = table if isinstance(table, bytes) else table.encode()
    return read_study(write_folder(tmp_path / "study", {"responses.csv": data})).tasks[0].items


@pytest.mark.parametrize("mark", ["", MARK])
def test_o01_a_mark_before_the_header_changes_nothing(tmp_path, mark):
    items = responses(tmp_path, f"{mark}{HEADER}1,Q,hello,m,a\r\n")
    assert [item.id for item in items] == ["1"]
    assert set(items[0].fields) == {"question", "response", "model", "article"}


@pytest.mark.parametrize("name", ["study.yaml", "pairs.jsonl", "passages.jsonl", "consent.md"])
def test_o01_a_mark_before_any_other_file_changes_nothing(tmp_path, name):
    plain = read_study(write_folder(tmp_path / "plain"))
    content = (tmp_path / "plain" / name).read_text()
    marked = read_study(write_folder(tmp_path / "marked", {name: MARK + content}))
    assert marked == plain


def test_o01_a_mark_inside_a_cell_is_kept(tmp_path):
    items = responses(tmp_path, f"{HEADER}1,Q,a{MARK}b,m,a\n2,Q,{MARK},m,a\n")
    assert [item.fields["response"] for item in items] == [f"a{MARK}b", MARK]


def test_o02_line_ends_and_quotes_in_a_cell_are_kept(tmp_path):
    cell = 'para one\r\n\r\npara two, with comma and "quote"\rend'
    quoted = cell.replace('"', '""')
    table = f'{HEADER}1,Q,"{quoted}",m,a\r\n2,Q,b,m,a\r\n\r\n\r\n'
    items = responses(tmp_path, table)
    assert [item.fields["response"] for item in items] == [cell, "b"]
    # The second row begins behind the line ends of the first: CRLF, CRLF, CR and its own.
    assert [item.line for item in items] == [2, 6]


def test_o02_a_raw_line_end_in_json_is_refused_with_its_line(tmp_path):
    pairs = (
        '{"id": "1", "question": "a\\nb", "response_1": "x", "response_2": "y"}\n'
        '{"id": "2", "question": "a\nb", "response_1": "x", "response_2": "y"}\n'
    )
    told = errors_of(write_folder(tmp_path / "study", {"pairs.jsonl": pairs}))
    refused = [error for error in told if error.startswith("pairs.jsonl, line 2")]
    assert len(refused) == 1
    assert "Row 2 is not valid JSON: Unterminated string" in refused[0]


def test_o02_nothing_is_read_where_one_row_is_wrong(tmp_path):
    folder = write_folder(tmp_path / "study", {"responses.csv": RESPONSES + "r4,Who?\n"})
    with pytest.raises(StudyFolderInvalid, match=r"responses.csv, line 5: Row 4 has 2 cells"):
        read_study(folder)
    assert inspect_study(folder).study is None


def test_o02_line_separators_of_unicode_do_not_end_a_row(tmp_path):
    cell = "a\u2028b\x0bc\x0cd\x85e"
    items = responses(tmp_path, f"{HEADER}1,Q,{cell},m,a\n")
    assert items[0].fields["response"] == cell


def test_o03_nul_is_refused_with_its_row_and_field(tmp_path):
    folder = write_folder(tmp_path / "study", {"responses.csv": f"{HEADER}1,Q,a\x00b,m,a\n"})
    assert errors_of(folder) == [
        (
            "responses.csv, line 2, response: Row 1: the field holds a NUL character (U+0000), "
            "as character 2; remove it."
        )
    ]


def test_o03_nul_in_a_text_is_refused_with_its_line(tmp_path):
    folder = write_folder(tmp_path / "study", {"consent.md": "one\ntwo \x00\n"})
    assert errors_of(folder) == [
        "consent.md, line 2: The text holds a NUL character (U+0000), as character 9; remove it."
    ]


@pytest.mark.parametrize("length", [131_072, 131_073, 3_000_000])
def test_o04_a_cell_of_any_length_is_read_whole(tmp_path, length):
    items = responses(tmp_path, f"{HEADER}1,Q,{'x' * length},m,a\n")
    assert items[0].fields["response"] == "x" * length


def test_o04_an_open_quote_is_told_where_it_opened(tmp_path):
    rows = "".join(f"{n},Q,{'y' * 200},m,a\n" for n in range(2, 1000))
    table = f'{HEADER}0,Q,"two\nlines",m,a\n1,Q,"open quote,m,a\n{rows}'
    folder = write_folder(tmp_path / "study", {"responses.csv": table})
    assert errors_of(folder) == [
        "responses.csv, line 4, response: Row 2 opens a quotation mark that is never closed."
    ]


def test_o04_a_later_quote_does_not_close_an_open_one_unseen():
    with pytest.raises(CsvError, match="closes in the middle of a text") as told:
        list(records('id,text\n1,"open\n2,"fine"\n'))
    assert (told.value.line, told.value.cell) == (2, 2)


def test_o05_what_looks_like_a_number_or_a_gap_stays_text(tmp_path):
    ids = ["007", "010", "1e3", "12345678901234567890"]
    labels = ["NA", "None", "null", ""]
    rows = "".join(f"{i},Q,R,{label},a\n" for i, label in zip(ids, labels, strict=True))
    items = responses(tmp_path, HEADER + rows)
    assert [item.id for item in items] == ids
    assert [item.fields.get("model") for item in items] == ["NA", "None", "null", None]
    assert "model" not in items[3].fields


def test_o06_two_rows_with_one_id_are_both_named(tmp_path):
    table = f"{HEADER}a,Q,first,m,a\nb,Q,x,m,a\na,Q,second,m,a\n"
    told = errors_of(write_folder(tmp_path / "study", {"responses.csv": table}))
    assert told == [
        'responses.csv, line 4, id: Row 3: the id "a" is already that of row 1 of responses.csv.'
    ]


@pytest.mark.parametrize(
    ("first", "second"), [("a", " a"), ("a", "a\u00a0"), ("caf\u00e9", "cafe\u0301")]
)
def test_o06_ids_that_look_the_same_are_the_same(tmp_path, first, second):
    table = f"{HEADER}{first},Q,x,m,a\n{second},Q,y,m,a\n"
    folder = write_folder(tmp_path / "study", {"responses.csv": table})
    (error,) = inspect_study(folder).errors
    assert (error.line, error.field) == (3, "id")
    assert error.message.endswith("is already that of row 1 of responses.csv.")


@pytest.mark.parametrize(
    "cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "a\x0bb", "\x0c", "x" * 40_000]
)
def test_o07_o08_what_a_spreadsheet_would_change_is_kept(tmp_path, cell):
    items = responses(tmp_path, f"{HEADER}1,Q,{cell}.,m,a\n")
    assert items[0].fields["response"] == cell + "."


def test_a_blank_at_the_edge_and_a_composed_letter_are_kept(tmp_path):
    cells = [" a ", "e\u0301", "\u00e9", "\u202eabc", "\U0001f469\u200d\U0001f680"]
    rows = "".join(f"{n},Q,{cell},m,a\n" for n, cell in enumerate(cells))
    assert [i.fields["response"] for i in responses(tmp_path, HEADER + rows)] == cells


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (
            HEADER.encode() + "1,Q,caf\u00e9,m,a\n".encode("latin-1"),
            "line 2: Byte 43 (0xe9) is not UTF-8. Save",
        ),
        (HEADER.encode("utf-16"), "line 1: Byte 1 (0xff) is not UTF-8. It looks like UTF-16. Save"),
        (b"\xef\xbb\xbfid\n\xff", "line 2: Byte 7 (0xff) is not UTF-8. Save"),
    ],
)
def test_another_encoding_is_refused_with_its_byte(tmp_path, data, told):
    (error,) = errors_of(write_folder(tmp_path / "study", {"responses.csv": data}))
    assert error == f"responses.csv, {told} the file as UTF-8."


@pytest.mark.parametrize("text", ["", HEADER, "\n\n"])
def test_a_table_without_rows_is_refused(tmp_path, text):
    told = errors_of(write_folder(tmp_path / "study", {"responses.csv": text}))
    assert told == ["responses.csv: The table has no rows."]


def test_records_of_csv_are_those_of_the_standard_reader():
    text = 'a,b\r\n"1, ""x""","line\nend"\n,\n"",last'
    expected = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert [record.cells for record in records(text)] == expected
