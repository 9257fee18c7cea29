"""Options and input tables of `irt`."""

from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
from django.core.management.base import CommandParser

from analysis import frames
from analysis.management.numbers import between, count
from analysis.pipelines.irt.background import Background, background
from analysis.pipelines.irt.responses import Answers, collect
from analysis.pipelines.irt.selection import Kept, keep_items
from analysis.pipelines.irt.study import Settings
from analysis.tables import Table, read_chunks, read_table


def add_options(parser: CommandParser) -> None:
    """Declare every option of the command."""
    standard = Settings()
    parser.add_argument("responses", nargs="+", type=Path, help="CSV, JSONL, Parquet, or folder")
    parser.add_argument("--out", type=Path, required=True, help="folder for the results")
    parser.add_argument(
        "--force", action="store_true", help="write into a folder that is not empty"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--models", type=Path, help="table of models: main, family, size, region")
    parser.add_argument("--locales", type=Path, help="table of locales: resource level")
    parser.add_argument("--regions", type=Path, help="table of regions and their home locales")
    parser.add_argument("--items", type=Path, help="table of the items that people kept")
    parser.add_argument("--base", default=standard.base, help="query language to compare with")
    parser.add_argument(
        "--threshold",
        type=between(0, 1),
        default=standard.threshold,
        help="accuracy that a model must exceed on every set",
    )
    parser.add_argument("--reading", choices=["joint", "per-locale"], default=standard.reading)
    parser.add_argument("--continuous", action="store_true", help="fit p_correct, not correct")
    _add_numbers(parser, standard)


def _add_numbers(parser: CommandParser, standard: Settings) -> None:
    parser.add_argument(
        "--resamples",
        type=count,
        default=standard.resamples,
        help="bootstrap replicates; 0 gives closed-form intervals",
    )
    parser.add_argument("--seed", type=count, default=standard.seed)
    parser.add_argument(
        "--floor", type=between(0, 0.99), default=standard.floor, help="guessing floor tried"
    )
    parser.add_argument(
        "--folds", type=count, default=standard.folds, help="of the cross-validation; 0 for none"
    )
    parser.add_argument("--adam", action="store_true", help="compare with mini-batch Adam")
    parser.add_argument(
        "--nuts", nargs="+", default=[], metavar="LOCALE", help="sample these locales' Local gaps"
    )


def settings_of(options: dict[str, Any]) -> Settings:
    """Return the settings that the options state."""
    names = ("base", "threshold", "reading", "continuous", "resamples", "seed", "floor", "adam")
    stated = {name: options[name] for name in names}
    folds = options["folds"] if options["folds"] != 1 else 0
    return Settings(**stated, folds=folds, nuts=tuple(options["nuts"]))


def read_answers(options: dict[str, Any], *, continuous: bool) -> Answers:
    """Read the responses in chunks into blocks."""
    # The system's allocator gives back what the reader held; Arrow's own keeps some 60 MB of it.
    pa.set_memory_pool(pa.system_memory_pool())
    chunks = read_chunks(options["responses"], frames.Responses.TABLE)
    return collect(chunks, base=options["base"], continuous=continuous)


def read_outcomes(options: dict[str, Any], settings: Settings) -> Answers | None:
    """Read the yes-or-no answers that a continuous fit is scored against, on the same items."""
    if not (settings.continuous and settings.folds):
        return None
    outcomes = read_answers(options, continuous=False)
    kept = read_kept(options, outcomes)
    return outcomes if kept is None else kept.answers


def read_background(options: dict[str, Any]) -> Background:
    """Read what was given about models, locales and regions."""
    return background(
        _optional(options["models"], frames.IrtModels.TABLE),
        _optional(options["locales"], frames.IrtLocales.TABLE),
        _optional(options["regions"], frames.IrtRegions.TABLE),
    )


def read_kept(options: dict[str, Any], answers: Answers) -> Kept | None:
    """Apply the table of kept items, where there is one."""
    table = _optional(options["items"], frames.KeptItems.TABLE)
    return None if table is None else keep_items(answers, table)


def _optional(path: Path | None, table: Table) -> pd.DataFrame | None:
    return None if path is None else read_table(path, table)
