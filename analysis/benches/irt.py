"""The gap analysis at the published size: 79 models, 13 locales, 3.2 million answers."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from analysis.benches.measure import Row, measure, seconds
from analysis.pipelines.irt.bootstrap import with_replicates
from analysis.pipelines.irt.fits import Fits, fit_all
from analysis.pipelines.irt.gap_grid import GapGrid
from analysis.pipelines.irt.gaps import gaps_of
from analysis.pipelines.irt.responses import Answers
from analysis.pipelines.irt.simulate import (
    PAPER_AGNOSTIC,
    PAPER_SPECIFIC,
    answers_table,
    simulate,
)
from analysis.pipelines.irt.variants import cross_validate
from analysis.stats.rasch_adam import (
    Gradient,
    adam,
    batch_gradient,
    dense_gradient,
    listed,
    listed_gradient,
)
from analysis.stats.threads import one_thread

MODELS, SEED = 79, 1
ADAM_STEPS, BATCH = 600, 65_536
# A step of each kind, timed; a whole run of the slowest would take minutes and say no more.
TIMED_STEPS = {"dense": 20, "look-up": 2, "mini-batch": 20}
REPLICATES = 1_000


def published_size() -> Answers:
    """Return answers at the published size: Global -0.79, Knowledge 0.75 in the mean."""
    rng = np.random.default_rng(SEED)
    shape = (MODELS, len(PAPER_SPECIFIC))
    base, knowledge = rng.normal(-0.79, 0.4, shape), rng.normal(0.75, 0.35, shape)
    names = tuple(f"model-{i:02d}" for i in range(MODELS))
    points = np.stack([base, base + knowledge, knowledge])
    return simulate(
        GapGrid(names, tuple(PAPER_SPECIFIC), points), PAPER_AGNOSTIC, PAPER_SPECIFIC, rng
    )


def rows() -> list[Row]:
    """Measure the whole command, bootstrap and folds, then the fit against its competitors."""
    # First, while this process is small: a new process is counted with what its parent holds.
    commands = whole_commands()
    answers = published_size()
    fits = fit_all(answers)
    n = answers.given
    with one_thread():
        slow = {kind: adam_seconds(answers, kind) for kind in TIMED_STEPS}
    exact = [
        measure(
            f"exact joint fit, margins met to {fits.residual:.0e}",
            n,
            lambda: fit_all(answers),
            against=(f"{kind} Adam, {ADAM_STEPS} steps", spent),
            repeats=5,
        )
        for kind, spent in slow.items()
    ]
    competitors = [
        Row(f"{kind} Adam, {ADAM_STEPS} steps (time of a step x steps)", n, spent, spent)
        for kind, spent in slow.items()
    ]
    return [*exact, *competitors, *_intervals_and_folds(answers, fits), *commands]


def _intervals_and_folds(answers: Answers, fits: Fits) -> list[Row]:
    gaps, n = gaps_of(fits), answers.given
    return [
        measure(
            f"item bootstrap of the whole study, {REPLICATES} replicates",
            n,
            lambda: with_replicates(gaps, fits, REPLICATES, SEED),
            units={"replicate": REPLICATES},
        ),
        measure(
            "five-fold cross-validation, every cell fitted and predicted",
            n,
            lambda: cross_validate(answers, folds=5, seed=SEED),
            units={"fold": 5},
        ),
    ]


def adam_seconds(answers: Answers, kind: str) -> float:
    """Return the CPU seconds of all steps over all blocks, from the time of a few."""
    steps, total = TIMED_STEPS[kind], 0.0
    for block in answers.blocks:
        flat, _ = block.flat()
        persons, items = flat.shape
        gradient = _gradient(kind, flat)
        spent, _ = seconds(lambda g=gradient, p=persons, i=items: adam(g, p, i, steps=steps))  # type: ignore[misc]
        total += spent / steps * ADAM_STEPS
    return total


def _gradient(kind: str, flat: NDArray[np.uint8]) -> Gradient:
    persons, items = flat.shape
    if kind == "dense":
        return dense_gradient(flat)
    if kind == "look-up":
        return listed_gradient(listed(flat), persons, items)
    rng = np.random.default_rng(SEED)
    return batch_gradient(listed(flat), persons, items, BATCH, rng)


def write_tables(folder: Path) -> None:
    """Write the answers as tables of both formats."""
    table = answers_table(published_size())
    table.to_parquet(folder / "responses.parquet", index=False)
    table.to_csv(folder / "responses.csv", index=False)


def whole_commands() -> list[Row]:
    """Run `irt` with all defaults on a table of each format, in a process of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = f"from analysis.benches.irt import *; write_tables(Path({name!r}))"
        _run("shell", "--verbosity", "0", "--command", script)
        return [_whole_command(folder, form) for form in ("parquet", "csv")]


def _whole_command(folder: Path, form: str) -> Row:
    before = time.perf_counter()
    source, out = folder / f"responses.{form}", folder / form
    used = _run("irt", str(source), "--out", str(out), "--json")
    wall, cpu = time.perf_counter() - before, used.ru_utime + used.ru_stime
    # Linux counts kilobytes, macOS bytes.
    held = used.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    name = f"whole command, {form}, all defaults; peak {held:.0f} MiB"
    answers = MODELS * (
        PAPER_AGNOSTIC * (len(PAPER_SPECIFIC) + 1) + 2 * sum(PAPER_SPECIFIC.values())
    )
    return Row(name, answers, cpu, wall, peak_mib=held)


def _run(*arguments: str) -> resource.struct_rusage:
    """Run a command of manage.py; return what its process used."""
    manage = str(settings.BASE_DIR / "manage.py")
    command = [sys.executable, manage, *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as child:  # noqa: S603  our own
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, arguments)
    return used
