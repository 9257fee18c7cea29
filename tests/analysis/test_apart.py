"""The analysis of many answers is computed in another process, and comes out the same."""

import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analysis import apart


def where(folder: Path) -> dict[str, bytes]:
    """Stand for an analysis, and tell which process made it."""
    return {folder.name: str(os.getpid()).encode()}


@pytest.mark.parametrize(("rows", "here"), [(3, True), (4, False)])
def test_many_answers_are_analysed_in_a_process_of_their_own(tmp_path, monkeypatch, rows, here):
    monkeypatch.setattr(apart, "FEW_ANSWERS", 3)
    monkeypatch.setattr(apart, "_files", where)
    pq.write_table(pa.table({"item_id": ["a"] * rows}), tmp_path / "judgments_wide.parquet")
    (made,) = apart.archive_files_apart(tmp_path).values()
    assert (int(made) == os.getpid()) is here
