"""The analysis of many answers is computed in another process, and comes out the same."""

import multiprocessing
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analysis import apart


def archive_files(folder: Path) -> dict[str, bytes]:
    """Stand for an analysis, and tell which process made it."""
    return {f"results/{folder.name}": str(os.getpid()).encode()}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a release of four answers, which are many."""
    monkeypatch.setattr(apart, "FEW_ANSWERS", 3)
    monkeypatch.setattr(apart, "ANALYSIS", __name__)
    written(tmp_path, 4)
    return tmp_path


def written(folder: Path, rows: int) -> None:
    pq.write_table(pa.table({"item_id": ["a"] * rows}), folder / "judgments_wide.parquet")


def test_few_answers_are_analysed_here(folder):
    written(folder, 3)
    assert apart.archive_files_apart(folder) == archive_files(folder)


def test_many_answers_are_analysed_in_a_process_of_their_own_also_for_a_daemon(folder, monkeypatch):
    """A worker of Celery's pool is a daemon, to which `multiprocessing` refuses children."""
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)
    ((name, made),) = apart.archive_files_apart(folder).items()
    assert name == f"results/{folder.name}"
    assert int(made) != os.getpid()


def test_what_broke_off_says_why(folder, monkeypatch):
    monkeypatch.setattr(apart, "ANALYSIS", "analysis.nowhere")
    with pytest.raises(apart.BrokenOffError, match=r"No module named 'analysis\.nowhere'"):
        apart.archive_files_apart(folder)
