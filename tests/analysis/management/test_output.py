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
