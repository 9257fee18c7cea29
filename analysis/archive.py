"""A release as it lies on a disk: its sample, its plan, its numbers; no database is asked."""

import hashlib
import json
import math
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
from numpy.typing import NDArray

from analysis.frames import JudgedItems, Preferences, Ratings
from analysis.pipelines.human.plan import Plan, read_plan
from analysis.pipelines.human.reading import grid_of, recoded
from analysis.pipelines.human.sample import Sample, Scale, empty_preferences
from analysis.pipelines.human.study import analyse
from analysis.reports.bundle import Report, csv_bytes, report_files
from analysis.reports.documents import json_text
from analysis.reports.human import human_report
from annotation.studyfile.plan import OF_FIELDS

ANSWERS, RESULTS = "judgments_wide", "results"
SUMS = "SHA256SUMS"


class ArchiveError(ValueError):
    """An archive that is not one, in a sentence that says what is wrong."""


@contextmanager
def opened(archive: Path) -> Iterator[Path]:
    """Yield the folder of a release; a zip file is unpacked for as long as it is looked at."""
    if archive.is_dir():
        yield archive
        return
    with TemporaryDirectory() as folder:
        try:
            with ZipFile(archive) as packed:
                packed.extractall(folder)
        # A RuntimeError is its word for files under a password or packed in a way it does not know.
        except (OSError, EOFError, BadZipFile, zlib.error, RuntimeError) as fault:
            raise ArchiveError(f"{archive} cannot be read as a zip file: {fault}.") from None
        yield Path(folder)


def archive_plan(folder: Path) -> Plan:
    """Return the plan as it was locked."""
    text = _bytes(folder, "plan.json")
    return read_plan(_parsed("plan.json", text), hashlib.sha256(text).hexdigest())


def archive_sample(folder: Path) -> Sample:
    """Return the analytic sample of a release, from its own tables."""
    codebook = _parsed("codebook.json", _bytes(folder, "codebook.json"))
    ratings, scales = _ratings(folder, _scales(codebook))
    items = _items(folder, codebook)
    return Sample(
        ratings=ratings,
        scales=scales,
        items=items,
        preferences=_preferences(folder),
        funnel=_funnel(folder, ratings, items, codebook),
    )


def archive_report(folder: Path) -> Report:
    """Return the report of the tables."""
    title = str(_parsed("codebook.json", _bytes(folder, "codebook.json"))["title"])
    return human_report(analyse(archive_sample(folder), archive_plan(folder)), title)


def archive_files(folder: Path) -> dict[str, bytes]:
    """Return what an analysis of the tables finds, by its path in the release."""
    files = report_files(archive_report(folder), forms=())
    return {
        f"{RESULTS}/{name}": content
        for name, content in files.items()
        if not name.startswith("figures/")
    }


def made_by(folder: Path) -> str:
    """Return by what a release says that it was made."""
    return str(_parsed("release.json", _bytes(folder, "release.json")).get("software", ""))


def reproduced(folder: Path) -> dict[str, Any]:
    """Return what is broken, and where recomputed numbers differ from the released ones."""
    broken = sums_broken(folder)
    analysed = (folder / RESULTS).exists()
    differ = [] if broken or not analysed else list(_differing(folder))
    return {
        "ok": not broken and not differ,
        "files_broken": broken,
        "analysed": analysed,
        "differences": differ,
    }


def _differing(folder: Path) -> Iterator[str]:
    """Yield where the document differs from what the tables give, then which tables of results do."""
    name = f"{RESULTS}/results.json"
    told = _parsed(name, _bytes(folder, name))
    report = _recomputed(folder)
    yield from differences(told, json.loads(json_text(report.results)))
    for table, found in report.tables.items():
        name = f"{RESULTS}/{table}.csv"
        if _bytes(folder, name) != csv_bytes(found):
            yield f"{name} is not the table that comes out"


def _recomputed(folder: Path) -> Report:
    try:
        return archive_report(folder)
    except (LookupError, TypeError, AttributeError) as fault:
        raise ArchiveError(
            "The sums hold, but the files do not hold what this version reads from a release "
            f"({type(fault).__name__}: {fault})."
        ) from None


def sums_broken(folder: Path) -> list[str]:
    """Return the files that are missing, not those whose sums were written down, or not named there."""
    sums = _sums(folder)
    present = {one.relative_to(folder).as_posix() for one in folder.rglob("*") if one.is_file()}
    broken = []
    for name, digest in sums.items():
        if name not in present:
            broken.append(f"{name} is missing")
        elif _digest(folder / name) != digest:
            broken.append(f"{name} is not the file that was released")
    unnamed = sorted(present - sums.keys() - {SUMS})
    return broken + [
        f"{name} is no file of the release: {SUMS} does not name it" for name in unnamed
    ]


def _sums(folder: Path) -> dict[str, str]:
    """Return the sums by file, as they were written down."""
    try:
        lines = _bytes(folder, SUMS).decode().splitlines()
    except UnicodeDecodeError as fault:
        raise ArchiveError(f"{SUMS} is no text: {fault}.") from None
    sums = {}
    for number, line in enumerate(lines, start=1):
        digest, _, name = line.partition("  ")
        if not name:
            raise ArchiveError(f"{SUMS}, line {number}, is not a sum, two spaces and a file.")
        sums[name] = digest
    if not sums:
        raise ArchiveError(f"{SUMS} names no file; this is no release, or not all of one.")
    return sums


def differences(told: Any, found: Any, place: str = "") -> Iterator[str]:
    """Yield every place where two documents differ, to the last digit."""
    if isinstance(told, Mapping) and isinstance(found, Mapping):
        for key in [*told, *(key for key in found if key not in told)]:
            inner = f"{place}.{key}" if place else str(key)
            if key not in told or key not in found:
                yield f"{inner} stands in one of the two only"
            else:
                yield from differences(told[key], found[key], inner)
    elif isinstance(told, list) and isinstance(found, list) and len(told) == len(found):
        for number, pair in enumerate(zip(told, found, strict=True)):
            yield from differences(*pair, f"{place}[{number}]")
    elif told != found or type(told) is not type(found):
        yield f"{place}: released {_shown(told)}, recomputed {_shown(found)}"


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:80]


def _scales(codebook: Mapping[str, Any]) -> dict[str, Scale]:
    scales: dict[str, Scale] = {}
    for one in codebook["dimensions"]:
        labels = tuple(str(option["value"]) for option in one["options"])
        scale = Scale(one["column"], one["scale"], labels, one["task"], grid_of(one))
        scales.setdefault(scale.column, scale)
    return scales


def _ratings(folder: Path, declared: Mapping[str, Scale]) -> tuple[pd.DataFrame, dict[str, Scale]]:
    """Return the ratings and their scales, read a column at a time: all texts at once take much room."""
    columns: dict[str, Any] = {
        name: recoded(*_coded(folder, name)) for name in (Ratings.ITEM, Ratings.ANNOTATOR)
    }
    scales: dict[str, Scale] = {}
    for name, scale in declared.items():
        scales[name], columns[name] = _column(folder, scale)
    return pd.DataFrame(columns), scales


def _column(folder: Path, scale: Scale) -> tuple[Scale, Any]:
    """Return the scale of a column and its values: numbers, or categories in their order."""
    if scale.kind == "interval":
        numbers = _table(folder, ANSWERS, [scale.column])[scale.column]
        return scale, pd.to_numeric(numbers).to_numpy(dtype=np.float64)
    codes, met = _coded(folder, scale.column)
    labels = tuple(sorted(met)) if scale.kind == "multiple" else scale.labels
    return replace(scale, labels=labels), recoded(codes, met, labels)


def _coded(folder: Path, name: str) -> tuple[NDArray[np.int32], list[str]]:
    """Return a column of answers as places among the texts met, -1 where it is empty; and these."""
    met: dict[str, int] = {}
    parts = [np.empty(0, dtype=np.int32)]
    try:
        with pq.ParquetFile(folder / f"{ANSWERS}.parquet", read_dictionary=[name]) as file:
            for batch in file.iter_batches(columns=[name], use_threads=False):
                (column,) = batch.columns
                moved = [met.setdefault(t, len(met)) for t in column.dictionary.to_pylist()]
                places = column.indices.fill_null(-1).to_numpy()
                parts.append(np.array([*moved, -1], dtype=np.int32)[places])
    except (OSError, ValueError) as fault:
        raise _unreadable(ANSWERS, fault) from None
    return np.concatenate(parts), list(met)


def _items(folder: Path, codebook: Mapping[str, Any]) -> pd.DataFrame:
    """Return the fields to analyse by as texts: the hidden ones, and those that the plan names."""
    fields = codebook["fields"]
    wanted = {name for name, told in fields.items() if told["hidden"]} | _named_fields(folder)
    of_field = {name: fields.get(name, {}).get("column") for name in sorted(wanted)}
    read = {JudgedItems.ITEM, JudgedItems.TASK, *filter(None, of_field.values())}
    table = _table(folder, "items", sorted(read))
    columns: dict[str, Any] = {JudgedItems.TASK: table[JudgedItems.TASK].astype(object).tolist()}
    for name, column in of_field.items():
        columns[name] = [""] * len(table) if column is None else list(map(_text, table[column]))
    index = pd.Index(table[JudgedItems.ITEM].tolist(), name=JudgedItems.ITEM, dtype=object)
    return pd.DataFrame(columns, index=index, dtype=str)


def _named_fields(folder: Path) -> set[str]:
    named: set[str] = set()
    for entries in archive_plan(folder).entries.values():
        for entry in entries:
            for names in (entry.get(key) for key in OF_FIELDS):
                named |= {names} if isinstance(names, str) else set(names or ())
    return named


def _text(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return str(value).lower()
    if isinstance(value, list | np.ndarray):
        return json.dumps(list(value), ensure_ascii=False)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return str(value)


def _preferences(folder: Path) -> pd.DataFrame:
    if not (folder / "preferences.parquet").exists():
        return empty_preferences()
    table = _table(folder, "preferences")
    first = table[Preferences.SHOWN_FIRST].map(lambda one: str(int(one)))
    texts = table.assign(**{Preferences.SHOWN_FIRST: first}).fillna("").astype(str)
    return pd.concat([empty_preferences(), texts], ignore_index=True).fillna("")


def _funnel(
    folder: Path, ratings: pd.DataFrame, items: pd.DataFrame, codebook: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the funnel: its steps from their table, its end counted in the judgments."""
    steps: list[dict[Any, Any]] = _table(folder, "funnel").to_dict("records")
    counts = ("removed_annotators", "removed_judgments", "left_annotators", "left_judgments")
    stages = [
        {
            "stage": one["stage"],
            "rule": None if pd.isna(one["rule_version"]) else one["rule_version"],
        }
        | {name: int(one[name]) for name in counts}
        for one in steps
    ]
    typed = _parsed("funnel.json", _bytes(folder, "funnel.json"))["typed_values"]
    judged = ratings[Ratings.ITEM].value_counts()
    rated = [name for name in ratings.columns if name not in (Ratings.ITEM, Ratings.ANNOTATOR)]
    final = {
        "annotators": stages[-1]["left_annotators"],
        "judgments": len(ratings),
        "items": int((judged > 0).sum()),
        "items_2plus": int((judged > 1).sum()),
        "records": sum(int(ratings[name].notna().sum()) for name in rated) + typed,
        "decisive": _decisive(folder, ratings, items, codebook),
    }
    return {"stages": stages, "final": final}


def _decisive(
    folder: Path, ratings: pd.DataFrame, items: pd.DataFrame, codebook: Mapping[str, Any]
) -> int:
    """Count the comparisons of ranked conditions that name a winner."""
    instruments = _parsed("plan.json", _bytes(folder, "plan.json"))["instruments"]
    ranked = {task for task, one in instruments.items() if one.get("higher")}
    item = ratings[Ratings.ITEM].cat
    tasks = items[JudgedItems.TASK].reindex(item.categories).to_numpy()
    return sum(
        int((ratings[one["column"]].notna() & (tasks == one["task"])[item.codes]).sum())
        for one in codebook["dimensions"]
        if one["derived"] and one["task"] in ranked
    )


def _table(folder: Path, name: str, columns: list[str] | None = None) -> pd.DataFrame:
    """Read a table, or some columns of it."""
    try:
        with pq.ParquetFile(folder / f"{name}.parquet") as file:
            table: pd.DataFrame = file.read(columns=columns, use_threads=False).to_pandas()
    except (OSError, ValueError) as fault:
        raise _unreadable(name, fault) from None
    return table


def _unreadable(name: str, fault: Exception) -> ArchiveError:
    return ArchiveError(f"{name}.parquet cannot be read: {fault}.")


def _parsed(name: str, content: bytes) -> dict[str, Any]:
    try:
        document = json.loads(content)
    except ValueError as fault:
        raise ArchiveError(f"{name} is no JSON: {fault}.") from None
    if not isinstance(document, dict):
        raise ArchiveError(f"{name} holds no JSON object.")
    return document


def _bytes(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except OSError:
        raise ArchiveError(f"{name} is missing; this is no release, or not all of one.") from None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
