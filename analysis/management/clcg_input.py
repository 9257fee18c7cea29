"""Options and input tables of `clcg`."""

from argparse import ArgumentTypeError
from math import inf
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from analysis.frames import Scores
from analysis.management.numbers import between, count
from analysis.pipelines.clcg.population import Settings
from analysis.pipelines.clcg.reading import Inputs


def add_options(parser: CommandParser) -> None:
    """Declare every option of the command."""
    standard = Settings()
    parser.add_argument("scores", nargs="+", type=Path, help="CSV, JSONL, Parquet, or folder")
    parser.add_argument("--languages", type=Path, required=True, help="table of languages: roles")
    parser.add_argument("--models", type=Path, help="table of models: knowledge cutoff")
    parser.add_argument("--documents", type=Path, help="table of documents: first availability")
    parser.add_argument("--external", nargs="+", type=Path, help="scores of another corpus")
    parser.add_argument("--items", type=Path, help="table of the items that alone are analysed")
    parser.add_argument("--people", type=Path, help="conditions.csv of `human`: ratings by class")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--out", type=Path, help="folder for the results")
    where.add_argument(
        "--background", action="store_true", help="queue it for a worker, and say its number"
    )
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
        "--margin", type=between(0, inf), help="difference that counts as none, for equivalence"
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


def inputs_of(options: dict[str, Any]) -> Inputs:
    """Return what the options say is to be read."""
    metrics = metrics_of(options)
    low, high = metrics[options["score"]]
    if (options["margin"] or 0) > high - low:
        raise CommandError(
            f"The margin {options['margin']:g} is wider than the range of {options['score']}, {low:g} to "
            f"{high:g}."
        )
    return Inputs(
        tuple(options["scores"]),
        metrics,
        settings_of(options),
        options["languages"],
        options["models"],
        options["documents"],
        tuple(options["external"] or ()),
        options["items"],
        options["people"],
    )
