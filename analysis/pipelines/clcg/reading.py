"""From files to the population: each file into sums of its own, which are added in the files' order.

A file is a shard: whoever reads it, and wherever, its part is the same, and so is the result.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import (
    ChosenItems,
    ConditionMeans,
    Cutoffs,
    Documents,
    Languages,
    Scores,
)
from analysis.pipelines.clcg.matched import FurtherScopes, Matches, matches_of
from analysis.pipelines.clcg.panel import Dates, Panel, dates_of, panel_of
from analysis.pipelines.clcg.population import (
    Population,
    Settings,
    UnknownLanguageError,
    population_of,
)
from analysis.pipelines.clcg.sums import DIMENSIONS, ClcgError, ScoreSums, collect, merged
from analysis.table_keys import SeenKeys
from analysis.tables import Table, TableError, files_of, read_chunks, read_table

Progress = Callable[[int, int], None]
SUMMED = ("count", "total", "squares")
COUNTED = ("rows", "unscored", "fallback")
SINGLE = ("languages", "models", "documents", "items", "people")


@dataclass(frozen=True)
class Inputs:
    """What is read, and how: files, metric columns with their ranges (the gap's first), settings."""

    scores: tuple[Path, ...]
    ranges: Mapping[str, tuple[float, float]]
    settings: Settings
    languages: Path
    models: Path | None = None
    documents: Path | None = None
    external: tuple[Path, ...] = ()
    items: Path | None = None
    people: Path | None = None

    @property
    def table(self) -> Table:
        """The table of scores with these metrics."""
        return Scores.table(self.ranges)

    def absolute(self) -> "Inputs":
        """Return the same inputs under paths that hold wherever they are read from."""
        single: dict[str, Any] = {
            name: path.absolute() for name, path in vars(self).items() if isinstance(path, Path)
        }
        return replace(
            self,
            scores=tuple(path.absolute() for path in self.scores),
            external=tuple(path.absolute() for path in self.external),
            **single,
        )

    def as_dict(self) -> dict[str, Any]:
        """Return what JSON can hold; `inputs_from` is its inverse."""
        paths = {name: str(path) for name, path in vars(self).items() if isinstance(path, Path)}
        return paths | {
            "scores": [str(path) for path in self.scores],
            "external": [str(path) for path in self.external],
            "ranges": [[name, *limits] for name, limits in self.ranges.items()],
            "settings": asdict(self.settings),
        }


def inputs_from(stored: Mapping[str, Any]) -> Inputs:
    """Return the inputs that `as_dict` wrote, also after JSON has made lists of tuples."""
    settings: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in stored["settings"].items()
    }
    return Inputs(
        tuple(map(Path, stored["scores"])),
        {name: (low, high) for name, low, high in stored["ranges"]},
        Settings(**settings),
        external=tuple(map(Path, stored["external"])),
        **{name: Path(stored[name]) for name in SINGLE if name in stored},
    )


@dataclass(frozen=True)
class Part:
    """What one file holds: its sums, a hash of each row's key, and whether it has a further scope."""

    sums: ScoreSums
    keys: NDArray[np.uint64]
    further: bool

    def as_bytes(self) -> bytes:
        """Return the part as an archive of arrays without objects; `part_from` is its inverse."""
        sums = self.sums
        arrays: dict[str, Any] = {"keys": self.keys, "further": self.further}
        arrays |= {name: getattr(sums, name) for name in (*SUMMED, *COUNTED)}
        arrays |= {f"code {name}": sums.codes[name] for name in DIMENSIONS}
        arrays |= {f"label {name}": np.array(sums.labels[name], dtype=str) for name in DIMENSIONS}
        target = BytesIO()
        np.savez_compressed(target, metrics=np.array(sums.metrics, dtype=str), **arrays)
        return target.getvalue()


def part_from(stored: bytes) -> Part:
    """Return the part that `as_bytes` wrote."""
    with np.load(BytesIO(stored), allow_pickle=False) as found:
        sums = ScoreSums(
            tuple(map(str, found["metrics"])),
            {name: tuple(map(str, found[f"label {name}"])) for name in DIMENSIONS},
            {name: found[f"code {name}"] for name in DIMENSIONS},
            *(found[name] for name in SUMMED),
            *(int(found[name]) for name in COUNTED),
        )
        return Part(sums, found["keys"], bool(found["further"]))


def score_files(inputs: Inputs) -> list[Path]:
    """Return the files of the scores in the order in which their sums are added."""
    return files_of(inputs.scores)


def input_files(inputs: Inputs) -> list[Path]:
    """Return every file that is read; TableError where one is not there."""
    single = [path for name in SINGLE if (path := getattr(inputs, name)) is not None]
    return [*score_files(inputs), *files_of(inputs.external), *files_of(single)]


def read_part(inputs: Inputs, file: Path, progress: Progress | None = None) -> Part:
    """Read one file; `progress` is told the rows so far after each chunk and may raise to stop."""
    keys: list[NDArray[np.uint64]] = []
    further: list[bool] = []

    def watched() -> Iterator[pd.DataFrame]:
        for chunk in _chunks(inputs, file):
            key = chunk[list(Scores.KEY)]
            keys.append(np.asarray(pd.util.hash_pandas_object(key, index=False), np.uint64))
            further.append(bool((chunk[Scores.SCOPE] != Scores.FULL).any()))
            yield chunk

    try:
        sums = collect(watched(), tuple(inputs.ranges), progress)
    except ClcgError as error:
        raise ClcgError(f"{file}: {error}") from None
    return Part(sums, np.concatenate(keys), any(further))


def population_from(inputs: Inputs, parts: Iterable[Part]) -> tuple[Population, Matches]:
    """Return the population of the parts of all files, in their order, and its matched rows.

    One part is held at a time, so that many files need no more memory than one.
    """
    files = score_files(inputs)
    sums, holding = _added(inputs, zip(files, parts, strict=True))
    chosen = _chosen(inputs)
    if chosen is not None and not sums.rows:
        raise ClcgError(
            f"None of the {len(chosen):,} items of {inputs.items} occurs in the scores."
        )
    settings = replace(inputs.settings, items=None if chosen is None else len(chosen))
    try:
        population = population_of(sums, *_known(inputs, settings))
    except UnknownLanguageError as error:
        raise ClcgError(f"{error}\n{_unknown_rows(inputs)}") from None
    scopes = FurtherScopes(inputs.settings.score)
    for _ in scopes.watched(_chunks(inputs, holding)):
        pass
    chunks: Iterable[pd.DataFrame] = _chunks(inputs, files) if holding else ()
    return population, matches_of(chunks, scopes)


def _chunks(inputs: Inputs, files: Path | Sequence[Path]) -> Iterator[pd.DataFrame]:
    """Yield the rows of files, those of the chosen items alone where some were chosen."""
    chosen = _chosen(inputs)
    for chunk in read_chunks(files, inputs.table):
        yield chunk if chosen is None else chunk[chunk[Scores.ITEM].isin(chosen)]


def _chosen(inputs: Inputs) -> set[str] | None:
    """Return the items that are to be analysed: of a release's table those that the scores name."""
    if inputs.items is None:
        return None
    table = read_table(inputs.items, ChosenItems.TABLE)
    for name in (ChosenItems.SOURCE_ITEM, Scores.ITEM):
        if chosen := set(table[name]) - {""}:
            return chosen
    raise ClcgError(f"{inputs.items} names no item: it needs the column {Scores.ITEM!r}.")


def _added(inputs: Inputs, parts: Iterable[tuple[Path, Part]]) -> tuple[ScoreSums, list[Path]]:
    """Return the sums of all parts, and the files that hold a further scope."""
    sums: list[ScoreSums] = []
    holding = []
    with closing(SeenKeys()) as keys:
        for file, part in parts:
            keys.add(part.keys)
            sums = [merged([*sums, part.sums])] if sums else [part.sums]
            holding += [file] if part.further else []
        if keys.doubled().size:
            _read_as_one(inputs)
    return sums[0], holding


def _unknown_rows(inputs: Inputs) -> str:
    """Read again with the languages of the panel as the only ones, which names the rows of others."""
    known = panel_of(read_table(inputs.languages, Languages.TABLE)).languages
    try:
        for _ in read_chunks(inputs.scores, inputs.table.with_categories(Scores.LANGUAGE, known)):
            pass
    except TableError as error:
        return str(error)
    return ""


def _read_as_one(inputs: Inputs) -> None:
    """Read all files as one table, which names every row that is wrong in it."""
    for _ in read_chunks(inputs.scores, inputs.table):
        pass


def read_population(inputs: Inputs, progress: Progress | None = None) -> tuple[Population, Matches]:
    """Read every file here, one after another."""
    return population_from(inputs, _parts_here(inputs, progress))


def _parts_here(inputs: Inputs, progress: Progress | None) -> Iterator[Part]:
    before = 0
    for file in score_files(inputs):
        try:
            part = read_part(inputs, file, _after(before, progress))
        except TableError:
            # What is wrong in one file may be in others: the whole table says all of it at once.
            _read_as_one(inputs)
            raise
        before += part.sums.rows
        yield part


def _after(before: int, progress: Progress | None) -> Progress | None:
    return None if progress is None else lambda rows, _: progress(before + rows, 0)


def read_external(inputs: Inputs, primary: Population) -> Population | None:
    """Read the other corpus, where there is one, under the same panel and its own band."""
    if not inputs.external:
        return None
    score = inputs.settings.score
    table = Scores.table({score: inputs.ranges[score]})
    sums = collect(read_chunks(inputs.external, table), (score,))
    stated = replace(primary.settings, band=primary.settings.external_band)
    return population_of(sums, *_known(inputs, stated))


def read_people(inputs: Inputs) -> pd.DataFrame | None:
    """Read what people gave on average by condition, where that is told."""
    return _optional(inputs.people, ConditionMeans.TABLE)


def _known(inputs: Inputs, settings: Settings) -> tuple[Panel, Settings, Dates]:
    languages = read_table(inputs.languages, Languages.TABLE)
    dates = dates_of(
        _optional(inputs.models, Cutoffs.TABLE), _optional(inputs.documents, Documents.TABLE)
    )
    return panel_of(languages), settings, dates


def _optional(path: Path | None, table: Table) -> pd.DataFrame | None:
    return None if path is None else read_table(path, table)
