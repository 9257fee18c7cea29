"""Folders that are none, files that are none, paths that lead elsewhere, and limits."""

import os
from pathlib import Path

import pytest

from annotation.studyfile import StudyFolderInvalid, files, inspect_study, read_study, tables
from annotation.studyfile.errors import LISTED_PER_FILE
from tests.annotation.studyfile.folders import (
    RESPONSES,
    STUDY,
    errors_of,
    spoiled,
    write_folder,
)


def test_a_sound_folder_has_no_error_and_no_warning(tmp_path):
    inspection = inspect_study(write_folder(tmp_path / "study"))
    assert (inspection.errors, inspection.warnings) == ((), ())
    assert inspection.items == {"response": 3, "comparison": 2}


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(StudyFolderInvalid, match=r"is not there; give the path of a folder"):
        read_study(tmp_path / "nowhere")


def test_a_file_instead_of_a_folder(tmp_path):
    (tmp_path / "study").write_text("x")
    (told,) = errors_of(tmp_path / "study")
    assert "is a file, not a folder; give the path of a folder that holds study.yaml" in told


def test_a_path_that_no_system_can_open(tmp_path):
    (told,) = errors_of(tmp_path / "a\x00b")
    assert "is not there" in told or "cannot be reached" in told


def test_an_empty_folder(tmp_path):
    assert errors_of(tmp_path) == ['study.yaml: The file "study.yaml" is not in the folder.']


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n"])
def test_an_empty_study_file(tmp_path, text):
    (told,) = errors_of(write_folder(tmp_path / "study", {"study.yaml": text}))
    assert told == "study.yaml: The file is empty; it must describe the study."


@pytest.mark.parametrize("text", ["- a\n- b\n", "just words\n"])
def test_a_study_file_that_is_no_mapping(tmp_path, text):
    (told,) = errors_of(write_folder(tmp_path / "study", {"study.yaml": text}))
    assert told.startswith("study.yaml, line 1: Here stands a")


def test_a_folder_named_like_a_table(tmp_path):
    folder = write_folder(tmp_path / "study")
    (folder / "responses.csv").unlink()
    (folder / "responses.csv").mkdir()
    assert errors_of(folder) == [
        'study.yaml, line 21, tasks.response.items: "responses.csv" is a folder, not a file.'
    ]


def test_a_pipe_is_not_waited_for(tmp_path):
    folder = write_folder(tmp_path / "study")
    (folder / "consent.md").unlink()
    os.mkfifo(folder / "consent.md")
    assert errors_of(folder) == [
        'study.yaml, line 4, texts.consent: "consent.md" is not an ordinary file.'
    ]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    folder = write_folder(tmp_path / "study")
    (tmp_path / "secret.md").write_text("secret")
    (folder / "consent.md").unlink()
    (folder / "consent.md").symlink_to(tmp_path / "secret.md")
    (told,) = errors_of(folder)
    assert told.endswith('"consent.md" leads out of the folder; a study uses only its own files.')


def test_a_link_to_itself(tmp_path):
    folder = write_folder(tmp_path / "study")
    (folder / "consent.md").unlink()
    (folder / "consent.md").symlink_to("consent.md")
    (told,) = errors_of(folder)
    assert 'The file "consent.md" cannot be read' in told


def test_a_link_within_the_folder_is_followed(tmp_path):
    folder = write_folder(tmp_path / "study")
    (folder / "consent.md").rename(folder / "other.md")
    (folder / "consent.md").symlink_to("other.md")
    assert errors_of(folder) == []


def test_a_file_that_may_not_be_read(tmp_path, monkeypatch):
    opened = Path.open

    def guarded(path, *args, **kwargs):
        if path.name == "responses.csv":
            raise PermissionError(13, "Permission denied")
        return opened(path, *args, **kwargs)

    folder = write_folder(tmp_path / "study")
    monkeypatch.setattr(Path, "open", guarded)
    assert errors_of(folder) == [
        (
            'study.yaml, line 21, tasks.response.items: The file "responses.csv" cannot be read: '
            "Permission denied."
        )
    ]


def test_a_gigabyte_of_zeros_is_refused_unread(tmp_path):
    folder = write_folder(tmp_path / "study")
    os.truncate(folder / "responses.csv", 2**30)
    assert errors_of(folder) == [
        (
            'study.yaml, line 21, tasks.response.items: The file "responses.csv" has 1,024.0 MB; '
            "the limit is 256 MB."
        )
    ]


def test_a_megabyte_of_zeros_is_told_in_a_line(tmp_path):
    (told,) = errors_of(write_folder(tmp_path / "study", {"responses.csv": bytes(10**6)}))
    assert told.startswith('responses.csv, line 1: The column name "\\x00\\x00')
    assert len(told) < 400


def test_too_many_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "MAX_ROWS", 2)
    told = errors_of(write_folder(tmp_path / "study"))
    assert "responses.csv: The table has more than 2 rows." in told


def test_a_text_that_is_too_long(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_TEXT_BYTES", 2**20)
    (told,) = errors_of(write_folder(tmp_path / "study", {"consent.md": "x" * (2**20 + 1)}))
    assert told.endswith('The file "consent.md" has 1.0 MB; the limit is 1 MB.')


@pytest.mark.parametrize("text", ["", " \n\t\n"])
def test_an_empty_text(tmp_path, text):
    (told,) = errors_of(write_folder(tmp_path / "study", {"consent.md": text}))
    assert told == "consent.md: The text is empty; write it or take it out."


def test_every_fault_is_told_in_reading_order(tmp_path):
    study = STUDY.replace("title: A tiny study", "titel: A").replace("seed: 7", "seed: x")
    responses = RESPONSES.replace("Here", "").replace("r3,", "r1,")
    changed = {"study.yaml": study, "responses.csv": responses, "consent.md": ""}
    errors = inspect_study(write_folder(tmp_path / "study", changed)).errors
    assert [(e.file, e.line, e.field) for e in errors] == [
        ("study.yaml", 1, "title"),
        ("study.yaml", 2, "titel"),
        ("study.yaml", 3, "seed"),
        ("consent.md", None, ""),
        ("responses.csv", 3, "response"),
        ("responses.csv", 4, "id"),
    ]


def test_a_table_that_is_wrong_everywhere_says_so_once(tmp_path):
    rows = "".join(f"x{n},Q,\n" for n in range(LISTED_PER_FILE + 50))
    folder = write_folder(tmp_path / "study", {"responses.csv": f"id,question,response\n{rows}"})
    errors = [e for e in inspect_study(folder).errors if e.file == "responses.csv"]
    assert len(errors) == LISTED_PER_FILE + 1
    assert errors[-1].message == "50 more errors in this file."


def test_passages_that_cannot_be_read_are_one_fault(tmp_path):
    changed = spoiled("study.yaml", "passages: passages.jsonl", "passages: pasages.jsonl")
    assert errors_of(write_folder(tmp_path / "study", changed)) == [
        'study.yaml, line 17, passages: The file "pasages.jsonl" is not in the folder.'
    ]


def test_a_passage_id_without_a_table_of_passages(tmp_path):
    changed = spoiled("study.yaml", "passages: passages.jsonl\n", "")
    told = errors_of(write_folder(tmp_path / "study", changed))
    assert told[0] == (
        'responses.csv, line 2, passage_id: Row 1: "passage_id" needs a table of passages: '
        "name it in study.yaml."
    )


def test_errors_print_as_a_list_and_as_documents(tmp_path):
    with pytest.raises(StudyFolderInvalid) as told:
        read_study(write_folder(tmp_path / "study", spoiled("study.yaml", "seed: 7\n", "")))
    assert str(told.value) == 'study.yaml, line 1, seed: "seed" is missing.'
    assert told.value.errors[0].as_dict() == {
        "file": "study.yaml",
        "line": 1,
        "field": "seed",
        "message": '"seed" is missing.',
    }


def test_names_from_the_folder_obey_no_terminal(tmp_path):
    column = "\x1b[2Jred\u202e" + "x" * 5000
    folder = write_folder(tmp_path / "study", {"responses.csv": f"id,{column}\n1,2\n"})
    told = next(error for error in errors_of(folder) if "red" in error)
    assert told.startswith("responses.csv, line 1, \\x1b[2Jred\\u202exxx")
    assert told.isprintable()
    assert len(told) < 800
