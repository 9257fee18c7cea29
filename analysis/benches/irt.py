"""The gap analysis at the published size: 79 models, 13 locales, 3.2 million answers."""

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.benches.apart import run_apart
from analysis.benches.measure import Limit, Row, measure, seconds
from analysis.pipelines.irt.bootstrap import with_replicates
from analysis.pipelines.irt.fits import fit_all
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
# What is claimed: how many times faster than which Adam, CPU seconds, margins, memory.
LEAST_RATIOS = {"dense": 30, "look-up": 300}
FIT_SECONDS, BOOTSTRAP_SECONDS, FOLD_SECONDS = 0.1, 30.0, 15.0
MARGIN_RESIDUAL, PEAK_MB = 1e-8, 500.0


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
    return [*fit_rows(answers), *intervals_and_folds(answers), *commands]


def fit_rows(answers: Answers) -> list[Row]:
    """Measure the exact fit by itself and against each Adam."""
    with one_thread():
        slow = {kind: adam_seconds(answers, kind) for kind in TIMED_STEPS}
    competitors = [
        Row(
            f"{kind} Adam, {ADAM_STEPS} steps (time of a step x steps)", answers.given, spent, spent
        )
        for kind, spent in slow.items()
    ]
    return [_alone(answers), *(_faster(answers, *other) for other in slow.items()), *competitors]


def _alone(answers: Answers) -> Row:
    residual = fit_all(answers).residual
    name = "exact joint fit of all blocks"
    row = measure(name, answers.given, lambda: fit_all(answers), repeats=5, cpu_limit=FIT_SECONDS)
    margins = Limit("answers between a margin and its fit", residual, MARGIN_RESIDUAL)
    return replace(row, limits=(*row.limits, margins))


def _faster(answers: Answers, kind: str, spent: float) -> Row:
    other = f"{kind} Adam, {ADAM_STEPS} steps"
    row = measure(
        "exact joint fit",
        answers.given,
        lambda: fit_all(answers),
        against=(other, spent),
        repeats=5,
    )
    if row.against is None or kind not in LEAST_RATIOS:
        return row
    least = Limit(f"x against {other}", row.against[1], LEAST_RATIOS[kind], at_least=True)
    return replace(row, limits=(least,))


def intervals_and_folds(answers: Answers) -> list[Row]:
    """Measure the item bootstrap and the cross-validation."""
    fits, n = fit_all(answers), answers.given
    gaps = gaps_of(fits)
    return [
        measure(
            f"item bootstrap of the whole study, {REPLICATES} replicates",
            n,
            lambda: with_replicates(gaps, fits, REPLICATES, SEED),
            units={"replicate": REPLICATES},
            cpu_limit=BOOTSTRAP_SECONDS,
        ),
        measure(
            "five-fold cross-validation, every cell fitted and predicted",
            n,
            lambda: cross_validate(answers, folds=5, seed=SEED),
            units={"fold": 5},
            cpu_limit=FOLD_SECONDS,
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
        run_apart("shell", "--verbosity", "0", "--command", script)
        return [whole_command(folder, form) for form in ("parquet", "csv")]


def whole_command(folder: Path, form: str) -> Row:
    """Run `irt` on the table of one format, and hold what its process took to the limit."""
    source, out = folder / f"responses.{form}", folder / form
    used = run_apart("irt", str(source), "--out", str(out), "--json")
    name = f"whole command, {form}, all defaults, a process of its own"
    answers = MODELS * (
        PAPER_AGNOSTIC * (len(PAPER_SPECIFIC) + 1) + 2 * sum(PAPER_SPECIFIC.values())
    )
    peak = Limit("MB at the peak", used.peak_bytes / 1e6, PEAK_MB)
    held = used.peak_bytes / 2**20
    return Row(name, answers, used.cpu_seconds, used.wall_seconds, peak_mib=held, limits=(peak,))
