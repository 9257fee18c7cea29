"""A release lies in its place whole, or not at all."""

import json

import pytest

from annotation.errors import Refused
from annotation.exports.folder import MANIFEST, folder_made


def make(target, *, force=False, **files):
    """Make a release of these files."""
    with folder_made(target, force=force) as folder:
        for name, text in files.items():
            (folder / name).write_text(text)
        (folder / MANIFEST).write_text(json.dumps({"files": [{"path": name} for name in files]}))


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_new_folder_is_made_with_its_parents(tmp_path):
    make(tmp_path / "a" / "out", one="1")
    assert names(tmp_path / "a") == ["out"]
    assert names(tmp_path / "a" / "out") == ["one", MANIFEST]


def test_an_empty_folder_is_taken(tmp_path):
    make(tmp_path, one="1")
    assert names(tmp_path) == ["one", MANIFEST]


def test_a_folder_with_something_in_it_is_refused(tmp_path):
    (tmp_path / "mine").write_text("!")
    with pytest.raises(Refused, match="is not empty; name another folder, or add --force"):
        make(tmp_path, one="1")
    assert names(tmp_path) == ["mine"]


def test_a_file_is_refused_even_when_forced(tmp_path):
    (tmp_path / "out").write_text("!")
    with pytest.raises(Refused, match="is a file"):
        make(tmp_path / "out", force=True, one="1")


def test_forced_the_old_release_goes_and_all_else_stays(tmp_path):
    out = tmp_path / "out"
    make(out, one="1", two="2")
    (out / "mine").mkdir()
    make(out, force=True, one="new")
    assert names(out) == ["mine", "one", MANIFEST]
    assert (out / "one").read_text() == "new"
    assert names(tmp_path) == ["out"]


def test_what_fails_leaves_everything_as_it_was(tmp_path):
    out = tmp_path / "out"
    make(out, one="1")

    def fail():
        with folder_made(out, force=True) as folder:
            (folder / "one").write_text("half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert (out / "one").read_text() == "1"
    assert names(tmp_path) == ["out"]
