"""What an analysis of a release finds, without holding in the process that asks what it needs."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow.parquet as pq

# Of so many answers, the analysis fits beside whatever the process holds.
FEW_ANSWERS = 20_000
ANALYSIS = "analysis.archive"
ROOT = Path(__file__).resolve().parent.parent


class BrokenOffError(RuntimeError):
    """The other process did not come to its end; its own words are in the notes."""


def archive_files_apart(folder: Path) -> dict[str, bytes]:
    """Return `archive_files` of a folder, computed in a process of its own where there are many answers.

    What the analysis needs is given back with it, and the process that makes a release stays small.
    """
    if pq.read_metadata(folder / "judgments_wide.parquet").num_rows <= FEW_ANSWERS:
        return _files(ANALYSIS, folder)
    with TemporaryDirectory() as name:
        out = Path(name)
        _run_apart(ANALYSIS, str(folder.resolve()), name)
        paths = sorted(path for path in out.rglob("*") if path.is_file())
        return {path.relative_to(out).as_posix(): path.read_bytes() for path in paths}


def write_files(module: str, folder: Path, out: Path) -> None:
    """Write what the analysis finds, each file at its path below `out`."""
    for name, content in _files(module, folder).items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _run_apart(*arguments: str) -> None:
    """Run this module as a program: a child of `multiprocessing` is refused to Celery's workers."""
    command = [sys.executable, "-m", __name__, *arguments]
    done = subprocess.run(  # noqa: S603  our own
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        said = done.stderr.strip()
        last = said.rpartition("\n")[2] or f"status {done.returncode}"
        fault = BrokenOffError(f"The analysis of the tables broke off: {last}")
        fault.add_note(said)
        raise fault


def _files(module: str, folder: Path) -> dict[str, bytes]:
    """Load the analysis where it is made: its libraries alone are a hundred megabytes."""
    files: dict[str, bytes] = import_module(module).archive_files(folder)
    return files


if __name__ == "__main__":
    write_files(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
