"""Options and input tables of `clcg`."""

from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
from django.core.management.base import CommandParser

from analysis.frames import Cutoffs, Documents, Languages, Scores
from analysis.management.irt_input import between, count
from analysis.pipelines.clcg.matched import FurtherScopes, Matches, second_reading
from analysis.pipelines.clcg.panel import Dates, Panel, dates_of, panel_of
from analysis.pipelines.clcg.population import Population, Settings, population_of
from analysis.pipelines.clcg.sums import collect
from analysis.tables import Table, read_chunks, read_table

Progress = Callable[[int, int], None]


def add_options(parser: CommandParser) -> None:
    """Declare every option of the command."""
    standard = Settings()
    parser.add_argument("scores", nargs="+", type=Path, help="CSV, JSONL, Parquet, or folder")
    parser.add_argument("--languages", type=Path, required=True, help="table of languages: roles")
    parser.add_argument("--models", type=Path, help="table of models: knowledge cutoff")
    parser.add_argument("--documents", type=Path, help="table of documents: first availability")
    parser.add_argument("--external", nargs="+", type=Path, help="scores of another corpus")
    parser.add_argument("--out", type=Path, required=True, help="folder for the results")
    parser.add_argument("--force", action="store_true", help="write over what is in the folder")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--no-figures", action="store_true", help="leave the figures out")
    parser.add_argument("--score", default=standard.score, help="the metric of the gap")
    parser.add_argument(
        "--metric",
        action="append",
        default=[],
        type=metric,
        metavar="NAME[:LOW:HIGH]",
        help="a further metric column, with its range (0 to 1)",
    )
    parser.add_argument("--band", nargs="+", choices=Scores.LEVELS, default=list(standard.band))
    parser.add_argument(
        "--external-band", nargs="+", choices=Scores.LEVELS, default=list(standard.external_band)
    )
    parser.add_argument(
        "--margin", type=between(0, 1), help="difference that counts as none, for equivalence"
    )
    parser.add_argument("--resamples", type=count, default=standard.resamples)
    parser.add_argument("--splits", type=count, default=standard.splits, help="random halves")
    parser.add_argument("--seed", type=count, default=standard.seed)


def metric(text: str) -> tuple[str, tuple[float, float]]:
    """Return the name of a metric and its range."""
    name, *limits = text.split(":")
    if not limits:
        return name, (0.0, 1.0)
    try:
        low, high = map(float, limits)
    except ValueError:
        message = f"{text!r} is not NAME or NAME:LOW:HIGH, such as bertscore:-1:1"
        raise ArgumentTypeError(message) from None
    return name, (low, high)


def settings_of(options: dict[str, Any]) -> Settings:
    """Return the settings that the options state."""
    return Settings(
        score=options["score"],
        metrics=tuple(name for name, _ in options["metric"]),
        band=tuple(options["band"]),
        resamples=max(1, options["resamples"]),
        seed=options["seed"],
        margin=options["margin"] or None,
        external_band=tuple(options["external_band"]),
        splits=max(1, options["splits"]),
    )


def metrics_of(options: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Return every metric column with its range, that of the gap first."""
    further = dict(options["metric"])
    first = further.pop(options["score"], (0.0, 1.0))
    return {options["score"]: first} | further


def read_population(
    options: dict[str, Any], progress: Progress | None = None
) -> tuple[Population, Matches]:
    """Read the scores in chunks into sums, and again for items that a further scope has too."""
    metrics = metrics_of(options)
    table = Scores.table(metrics)

    def chunks() -> Iterator[pd.DataFrame]:
        return read_chunks(options["scores"], table)

    further = FurtherScopes(options["score"])
    sums = collect(further.watched(chunks()), tuple(metrics), progress)
    panel, dates = _known(options)
    population = population_of(sums, panel, settings_of(options), dates)
    return population, second_reading(chunks, further)


def read_external(options: dict[str, Any], primary: Population) -> Population | None:
    """Read the other corpus, where there is one, under the same panel and its own band."""
    if options["external"] is None:
        return None
    table = Scores.table({options["score"]: metrics_of(options)[options["score"]]})
    sums = collect(read_chunks(options["external"], table), (options["score"],))
    stated = dict(vars(primary.settings), band=primary.settings.external_band)
    panel, dates = _known(options)
    return population_of(sums, panel, Settings(**stated), dates)


def _known(options: dict[str, Any]) -> tuple[Panel, Dates]:
    languages = read_table(options["languages"], Languages.TABLE)
    models = _optional(options["models"], Cutoffs.TABLE)
    return panel_of(languages), dates_of(models, _optional(options["documents"], Documents.TABLE))


def _optional(path: Path | None, table: Table) -> pd.DataFrame | None:
    return None if path is None else read_table(path, table)
