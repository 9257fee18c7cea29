"""Options and input tables of `human`, from files: no database is asked."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd
import yaml
from django.core.management.base import CommandError, CommandParser

from analysis import frames
from analysis.management.numbers import count, count_from
from analysis.pipelines.human.plan import Overrides, Plan, read_plan
from analysis.pipelines.human.reading import sample_of, wide_ratings
from analysis.pipelines.human.sample import Sample
from analysis.table_files import FileError, file_chunks, table_files
from analysis.tables import Table, read_table
from annotation.tasktypes import TASK_TYPES

TABLES = ("ratings", "preferences", "items", "plan")


def add_options(parser: CommandParser) -> None:
    """Declare every option of the command."""
    parser.add_argument("slug", nargs="?", help="a study of the database; or else give tables")
    parser.add_argument("--ratings", type=Path, help="item_id, annotator, a column a dimension")
    parser.add_argument("--preferences", type=Path, help="pair_id, annotator, preferred")
    parser.add_argument("--items", type=Path, help="item_id and fields to analyse by")
    parser.add_argument("--plan", type=Path, help="a plan, a study.yaml, or a release's plan.json")
    parser.add_argument("--out", type=Path, required=True, help="folder for the results")
    parser.add_argument(
        "--force", action="store_true", help="write into a folder that is not empty"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument(
        "--resamples", type=count_from(1), help="instead of the plan's; then post hoc"
    )
    parser.add_argument("--seed", type=count, help="instead of the plan's; then post hoc")


def overrides_of(options: dict[str, Any]) -> Overrides:
    """Return what the options ask for instead of the plan."""
    return Overrides(bootstrap=options["resamples"], seed=options["seed"])


def refuse_mixture(options: dict[str, Any]) -> None:
    """Refuse a study together with tables, and neither."""
    given = [name for name in TABLES if options[name] is not None]
    if options["slug"] and given:
        message = f"A study of the database was named, and --{given[0]} too; give one of them."
        raise CommandError(message)
    if not options["slug"] and options["ratings"] is None and options["preferences"] is None:
        raise CommandError("Name a study, or give --ratings or --preferences.")


def read_files(options: dict[str, Any]) -> tuple[Sample, Plan]:
    """Return the sample and the plan of the given files."""
    document = read_document(options["plan"])
    sample = sample_of(
        _ratings(options["ratings"]),
        items=_items(options["items"]),
        preferences=_optional(options["preferences"], frames.Preferences.TABLE),
        document=document,
    )
    return sample, Plan() if document is None else read_plan(document)


def read_document(path: Path | None) -> dict[str, Any] | None:
    """Return a YAML or JSON file that holds a plan, a study or a lock."""
    if path is None:
        return None
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise CommandError(f"{path} cannot be read as YAML: {error}") from None
    if not isinstance(document, dict):
        raise CommandError(f"{path} must hold keys and values, such as `agreement:`.")
    return with_instruments(document)


def with_instruments(document: dict[str, Any]) -> dict[str, Any]:
    """Return a study file in which every task says what it asks, also where that is what its type asks."""
    tasks = document.get("tasks")
    if not isinstance(tasks, dict):
        return document
    return document | {"tasks": {key: _with_instrument(task) for key, task in tasks.items()}}


def _with_instrument(task: Any) -> Any:
    """Return a task with the dimensions of its type, unless it has a list of its own."""
    kind = TASK_TYPES.get(str(task.get("type"))) if isinstance(task, dict) else None
    listed = task.get("dimensions") if isinstance(task, dict) else None
    if kind is None or isinstance(listed, list):
        return task
    further = (listed or {}).get("extend") or task.get("extend") or []
    own = [asdict(each) for each in (*kind.instrument, *kind.derived_dimensions())]
    return task | {"dimensions": [*own, *further]}


def _ratings(path: Path | None) -> pd.DataFrame | None:
    """Read ratings with a column a dimension, or with a row a dimension as a release has them."""
    if path is None:
        return None
    if {frames.LongJudgments.DIMENSION, frames.LongJudgments.VALUE} <= _columns(path):
        return wide_ratings(read_table(path, frames.LongJudgments.TABLE))
    return read_table(path, frames.Ratings.TABLE)


def _items(path: Path | None) -> pd.DataFrame | None:
    """Read the items of a release, or those of a study folder, whose key is `id`."""
    if path is None:
        return None
    names, columns = frames.JudgedItems, _columns(path)
    if names.ITEM in columns or names.IN_A_FOLDER not in columns:
        return read_table(path, names.TABLE)
    return read_table(path, names.FOLDER_TABLE).rename(columns={names.IN_A_FOLDER: names.ITEM})


def _columns(path: Path) -> set[str]:
    """Return the names of the columns of the first file with a row; none where it cannot be read."""
    try:
        chunks = (
            chunk for file in table_files(path) for chunk in file_chunks(file, 1, None, lists=True)
        )
        first = next(chunks, None)
    except FileError:  # the table's own reader tells what is wrong, and where
        return set()
    return set() if first is None else set(map(str, first.frame.columns))


def _optional(path: Path | None, table: Table) -> pd.DataFrame | None:
    return None if path is None else read_table(path, table)
