"""The rule about an existing folder."""

from pathlib import Path

import pytest
from django.core.management.base import CommandError

from analysis.management.output import prepare_folder, write_files


def test_a_new_and_an_empty_folder_are_taken(tmp_path: Path) -> None:
    prepare_folder(tmp_path, force=False)
    prepare_folder(tmp_path / "new", force=False)


def test_a_folder_with_something_in_it_is_refused_unless_forced(tmp_path: Path) -> None:
    write_files(tmp_path, {"figures/old.svg": b"x"})
    with pytest.raises(CommandError, match="is not empty; name another folder, or add --force"):
        prepare_folder(tmp_path, force=False)
    prepare_folder(tmp_path, force=True)
    assert (tmp_path / "figures" / "old.svg").read_bytes() == b"x"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    write_files(tmp_path, {"out": b""})
    with pytest.raises(CommandError, match="is a file; --out must name a folder"):
        prepare_folder(tmp_path / "out", force=True)


def test_a_place_where_no_folder_can_be_is_refused_before_any_work(tmp_path: Path) -> None:
    write_files(tmp_path, {"file": b""})
    with pytest.raises(CommandError, match="file is no folder"):
        prepare_folder(tmp_path / "file" / "out", force=False)
    with pytest.raises(CommandError, match="cannot be written: File name too long"):
        prepare_folder(tmp_path / ("n" * 300), force=False)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_folder_that_may_not_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(CommandError, match="does not allow it"):
        prepare_folder(tmp_path / "new" / "out", force=True)


def test_a_disk_that_fails_is_told(tmp_path: Path) -> None:
    (tmp_path / "report.html").mkdir()
    with pytest.raises(CommandError, match="cannot be written: Is a directory"):
        write_files(tmp_path, {"report.html": b""})
