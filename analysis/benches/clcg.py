"""What the cross-lingual gap costs at the paper's sizes, and against resampling rows."""

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
from django.conf import settings

from analysis.benches.apart import run_apart
from analysis.benches.measure import Limit, Row, measure, seconds
from analysis.frames import Scores
from analysis.pipelines.clcg.gaps import band_grid, by_language, gap_set
from analysis.pipelines.clcg.panel import Panel
from analysis.pipelines.clcg.population import Population, Settings, population_of
from analysis.pipelines.clcg.reading import Inputs, read_population
from analysis.pipelines.clcg.simulate import (
    LANGUAGE_GAPS,
    REFERENCE,
    Sizes,
    published_sizes,
    simulate,
)
from analysis.pipelines.clcg.sums import collect

SEED = 42
SIZES = published_sizes()
SHARDS = 10
NAIVE = 3
SETTINGS = Settings(margin=0.02)
BASELINE = "pt"
LANGUAGES = settings.BASE_DIR / "fixtures" / "clcg" / "languages.csv"
# What is claimed: of the command on the published sizes; of ten times the rows, against the same on
# one tenth of them; of the bootstrap, against one that resamples rows.
CPU_SECONDS, PEAK_MIB = 20.0, 1024.0
TIMES_THE_READING, TIMES_THE_MEMORY, TIMES_AS_FAST = 12.0, 1.25, 100.0


def rows() -> list[Row]:
    """Measure the whole command, ten times the rows, the reading of both, and the bootstrap."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        # First, while this process is small: a new process is counted with what its parent holds.
        script = f"write_tables(Path({name!r}), {SIZES!r}, {SHARDS})"
        run_apart(
            "shell",
            "--verbosity",
            "0",
            "--command",
            f"from analysis.benches.clcg import *; {script}",
        )
        once, many = place / "once", place / "many"
        commands = _more(_command(once), _command(many))
        reading = _slower(_reading(once), _reading(many))
    return [*commands, *reading, _bootstrap_row(simulate(SIZES, np.random.default_rng(SEED)))]


def write_tables(place: Path, sizes: Sizes, shards: int) -> None:
    """Write a table of these sizes, and some of the same documents, each with items of its own."""
    frame = simulate(sizes, np.random.default_rng(SEED))
    items = frame[Scores.ITEM]
    for name in ("once", "many"):
        (place / name).mkdir()
    frame.to_parquet(place / "once" / "scores.parquet", index=False)
    for shard in range(shards):
        renamed = items.cat.rename_categories([f"{shard}{name}" for name in items.cat.categories])
        path = place / "many" / f"scores-{shard}.parquet"
        frame.assign(**{Scores.ITEM: renamed}).to_parquet(path, index=False)


def panel() -> Panel:
    """Return the languages of the simulation, the baseline's role included."""
    targets = tuple(code for code in LANGUAGE_GAPS if code != BASELINE)
    return Panel(REFERENCE, BASELINE, targets)


def population(frame: pd.DataFrame) -> Population:
    """Return the population of the table."""
    return population_of(collect([frame]), panel(), SETTINGS)


def _command(folder: Path) -> Row:
    """Run `clcg` without figures on a folder, in a process of its own."""
    out = str(folder.with_name(f"{folder.name}-out"))
    options = {
        "margin": SETTINGS.margin,
        "resamples": SETTINGS.resamples,
        "splits": SETTINGS.splits,
    }
    named = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    used = run_apart(
        "clcg", str(folder), "--languages", str(LANGUAGES), "--out", out, "--no-figures", *named
    )
    count = _count(folder)
    held = used.peak_bytes / 2**20
    name = f"from Parquet to the whole report without figures, {count:,} rows, a process of its own"
    return Row(
        name,
        count,
        used.cpu_seconds,
        used.wall_seconds,
        {"row": used.cpu_seconds / count},
        peak_mib=held,
        limits=(Limit("MiB at the peak", held, PEAK_MIB),),
    )


def _more(once: Row, many: Row) -> tuple[Row, Row]:
    """Hold the command to its seconds, and that on many rows to the memory of the other."""
    spent = Limit("CPU-s", once.cpu_seconds, CPU_SECONDS)
    times = (many.peak_mib or 0.0) / (once.peak_mib or 1.0)
    memory = Limit(f"x the memory of {once.n:,} rows", times, TIMES_THE_MEMORY)
    return (
        replace(once, limits=(spent, *once.limits)),
        replace(many, limits=(*many.limits, memory)),
    )


def _reading(folder: Path) -> Row:
    inputs = Inputs((folder,), {Scores.SCORE: (0.0, 1.0)}, SETTINGS, LANGUAGES)
    count = _count(folder)
    name = f"reading into sums, {count:,} rows"
    return measure(name, count, lambda: read_population(inputs), units={"row": count})


def _slower(once: Row, many: Row) -> tuple[Row, Row]:
    """Hold the reading of many rows to that of the others."""
    times = many.cpu_seconds / once.cpu_seconds
    limit = Limit(f"x the reading of {once.n:,} rows", times, TIMES_THE_READING)
    return once, replace(many, limits=(limit,))


def _count(folder: Path) -> int:
    return sum(pq.read_metadata(path).num_rows for path in folder.iterdir())


def _bootstrap_row(frame: pd.DataFrame) -> Row:
    found = population(frame)
    band = frame[frame[Scores.LEVEL].isin(SETTINGS.band)]
    naive = seconds(by_rows(band))[0] / NAIVE * SETTINGS.resamples
    other = f"resampled rows (from {NAIVE} resamples)"
    row = measure(
        f"gaps of {len(panel().compared)} languages with intervals, {SETTINGS.resamples:,} resamples, "
        f"{len(band):,} rows",
        len(band),
        lambda: (gap_set(grid := band_grid(found)), by_language(grid)),
        units={"resample": SETTINGS.resamples},
        against=(other, naive),
        repeats=3,
    )
    least = Limit(f"x against {other}", naive / row.cpu_seconds, TIMES_AS_FAST, at_least=True)
    return replace(row, limits=(least,))


def by_rows(band: pd.DataFrame) -> Callable[[], list[float]]:
    """Return the bootstrap that gathers the rows of the drawn documents each time."""
    score = band[Scores.SCORE].to_numpy()
    language, names = pd.factorize(band[Scores.LANGUAGE])
    document, documents = pd.factorize(band[Scores.DOCUMENT])
    members = [np.flatnonzero(document == k) for k in range(len(documents))]
    draws = np.random.default_rng(SEED).integers(0, len(members), size=(NAIVE, len(members)))
    english = list(names).index(REFERENCE)

    def work() -> list[float]:
        found = []
        for draw in draws:
            chosen = np.concatenate([members[k] for k in draw])
            count = np.bincount(language[chosen], minlength=len(names))
            means = np.bincount(language[chosen], score[chosen], minlength=len(names)) / count
            found.append(float(means[english] - means.mean()))
        return found

    return work
