"""What an analysis of a release finds, without holding in the process that asks what it needs."""

from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

import pyarrow.parquet as pq

# Of so many answers, the analysis fits beside whatever the process holds.
FEW_ANSWERS = 20_000


def archive_files_apart(folder: Path) -> dict[str, bytes]:
    """Return `archive_files` of a folder, computed in a process of its own where there are many answers.

    What the analysis needs is given back with it, and the process that makes a release stays small.
    """
    if pq.read_metadata(folder / "judgments_wide.parquet").num_rows <= FEW_ANSWERS:
        return _files(folder)
    # Spawned, not forked: a connection to a database does not survive a fork.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_files, folder).result()


def _files(folder: Path) -> dict[str, bytes]:
    """Load the analysis where it is made: its libraries alone are a hundred megabytes."""
    files: dict[str, bytes] = import_module("analysis.archive").archive_files(folder)
    return files
