"""What the cross-lingual gap costs at the paper's sizes, and against resampling rows."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.benches.measure import Row, measure, seconds
from analysis.frames import Scores
from analysis.pipelines.clcg.gaps import band_grid, by_language, gap_set
from analysis.pipelines.clcg.matched import Matches
from analysis.pipelines.clcg.panel import Panel
from analysis.pipelines.clcg.population import Population, Settings, population_of
from analysis.pipelines.clcg.simulate import LANGUAGE_GAPS, REFERENCE, published_sizes, simulate
from analysis.pipelines.clcg.study import analyse
from analysis.pipelines.clcg.sums import ScoreSums, collect
from analysis.reports.bundle import report_files
from analysis.reports.clcg import clcg_report
from analysis.tables import read_chunks

SEED = 42
SIZES = published_sizes()
SHARDS = 10
LIMIT = 20.0
NAIVE = 3
TABLE = Scores.table({Scores.SCORE: (0.0, 1.0)})
SETTINGS = Settings(margin=0.02)
BASELINE = "pt"


def rows() -> list[Row]:
    """Measure reading, the whole analysis, ten times the rows, and the bootstrap."""
    frame = simulate(SIZES, np.random.default_rng(SEED))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        path = place / "scores.parquet"
        frame.to_parquet(path, index=False)
        found = [_report_row(path, len(frame)), _reading_row(path, len(frame), "rows")]
        path.unlink()
        _write_shards(frame, place)
        count = len(frame) * SHARDS
        found.append(_reading_row(place, count, f"rows in {SHARDS} files of the same documents"))
    return [*found, _bootstrap_row(frame)]


def panel() -> Panel:
    """Return the languages of the simulation, the baseline's role included."""
    targets = tuple(code for code in LANGUAGE_GAPS if code != BASELINE)
    return Panel(REFERENCE, BASELINE, targets)


def read(path: Path) -> ScoreSums:
    """Read the scores into sums."""
    return collect(read_chunks(path, TABLE))


def population(sums: ScoreSums) -> Population:
    """Return the population of the sums."""
    return population_of(sums, panel(), SETTINGS)


def report(path: Path) -> dict[str, bytes]:
    """Go from the file to all files of the report, figures left out."""
    nothing = pd.DataFrame(columns=[Scores.MODEL, Scores.LANGUAGE, Scores.LEVEL])
    study = analyse(population(read(path)), Matches(nothing, nothing, 0, 0))
    return report_files(clcg_report(study, figures=False))


def _report_row(path: Path, count: int) -> Row:
    return measure(
        f"from Parquet to the whole report without figures, {count:,} rows",
        count,
        lambda: report(path),
        units={"row": count},
        cpu_limit=LIMIT,
        peak=True,
    )


def _reading_row(path: Path, count: int, words: str) -> Row:
    return measure(
        f"reading into sums, {count:,} {words}",
        count,
        lambda: read(path),
        units={"row": count},
        peak=True,
    )


def _write_shards(frame: pd.DataFrame, folder: Path) -> None:
    """Write the table several times, each with items of its own."""
    items = frame[Scores.ITEM]
    for shard in range(SHARDS):
        renamed = items.cat.rename_categories([f"{shard}{name}" for name in items.cat.categories])
        path = folder / f"scores-{shard}.parquet"
        frame.assign(**{Scores.ITEM: renamed}).to_parquet(path, index=False)


def _bootstrap_row(frame: pd.DataFrame) -> Row:
    found = population(collect([frame]))
    band = frame[frame[Scores.LEVEL].isin(SETTINGS.band)]
    naive = seconds(by_rows(band))[0] / NAIVE * SETTINGS.resamples
    return measure(
        f"gaps of {len(panel().compared)} languages with intervals, {SETTINGS.resamples:,} resamples, "
        f"{len(band):,} rows",
        len(band),
        lambda: (gap_set(grid := band_grid(found)), by_language(grid)),
        units={"resample": SETTINGS.resamples},
        against=(f"resampled rows (from {NAIVE} resamples)", naive),
        repeats=3,
    )


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
