"""Tables in: CSV, JSONL or Parquet; one file, several or a folder; in chunks, checked cell by cell.

A table is declared once, as a `Table` of `Column`s (see `analysis.frames`), and read with
`read_table(paths, table)` or, where it may be large, `read_chunks(paths, table)`. Whatever the
format, a cell is text first and only then what its column says, so `007` stays `007`. A number
that may be empty and is comes out as NaN, a text as the empty string.

All that is wrong is collected, with its count and the first place, and raised as one `TableError`.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from analysis.table_files import (
    Chunk,
    FileError,
    column_names,
    file_chunks,
    first_row,
    table_files,
)
from analysis.table_keys import Hashes, SeenKeys

Kind = Literal["text", "number", "integer", "binary", "date"]
CHUNK_ROWS = 50_000
SHOWN_PROBLEMS = 20
SHOWN_VALUES = 4


@dataclass(frozen=True)
class Column:
    """One column: its name, what its cells are, and whether it or a cell of it may be missing.

    `prose` is a text as a model wrote it, whatever characters that holds; any other text names
    something, and a name with a NUL character can stand in no database. `advice` says what to do about
    a number outside its range.
    """

    name: str
    kind: Kind = "text"
    required: bool = True
    empty: bool = False
    categories: tuple[str, ...] | None = None
    low: float | None = None
    high: float | None = None
    prose: bool = False
    advice: str = ""


@dataclass(frozen=True)
class Table:
    """A table: its columns, the columns that make a row unique, and whether others are kept.

    With `lists`, a cell may be a list and reads as its JSON: in tables of items, as studies have them.
    """

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...] = ()
    keep_others: bool = False
    lists: bool = False

    def with_categories(self, name: str, categories: tuple[str, ...]) -> "Table":
        """Return the table with these as the only values of one of its columns."""
        columns = tuple(
            replace(column, categories=categories) if column.name == name else column
            for column in self.columns
        )
        return replace(self, columns=columns)


@dataclass(frozen=True)
class Problem:
    """One kind of fault: the first place where it stands, and in how many rows."""

    file: str
    row: int | None
    column: str | None
    message: str
    count: int = 1

    def __str__(self) -> str:
        """Return the sentence: file, row, column, what is wrong, how often."""
        row = None if self.row is None else f"row {self.row}"
        column = None if self.column is None else f"column {self.column!r}"
        place = ", ".join(part for part in (self.file, row, column) if part is not None)
        often = f" ({self.count:,} rows)" if self.count > 1 else ""
        return f"{place}: {self.message}{often}"


class TableError(ValueError):
    """A table that cannot be read as declared; `problems` holds every fault."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        lines = [str(problem) for problem in self.problems[:SHOWN_PROBLEMS]]
        hidden = len(self.problems) - len(lines)
        super().__init__("\n".join([*lines, f"and {hidden} more"] if hidden else lines))


def read_table(paths: Path | Sequence[Path], table: Table) -> pd.DataFrame:
    """Return the whole table, checked."""
    frames = list(read_chunks(paths, table))
    if not frames:
        return _typed(pd.DataFrame(columns=_names(table), dtype=str), table, {})
    whole = pd.concat(frames, ignore_index=True)
    others = [name for name in whole.columns if name not in _names(table)]
    whole[others] = whole[others].fillna("")
    return whole


def read_chunks(
    paths: Path | Sequence[Path], table: Table, rows: int = CHUNK_ROWS
) -> Iterator[pd.DataFrame]:
    """Yield the table in frames of at most `rows` rows.

    Nothing is yielded after the first faulty chunk; the error comes when all files were looked at.
    Doubled keys can only be known at the end, so they are raised after the last chunk.
    """
    problems: dict[tuple[str | None, str], Problem] = {}
    with closing(SeenKeys()) as keys:
        try:
            for chunk in _chunks(paths, table, rows):
                frame = _prepared(chunk, table, problems)
                if problems or frame is None or frame.empty:
                    continue
                keys.add(_key_hashes(chunk.frame, table))
                yield frame
        except FileError as error:
            raise _as_table_error(error) from None
        if not problems:
            _check_keys(paths, table, rows, keys.doubled(), problems)
    if problems:
        raise TableError(list(problems.values()))


def files_of(paths: Path | Sequence[Path]) -> list[Path]:
    """Return the files of a table in the order in which they are read; TableError where one is not there."""
    try:
        return table_files(paths)
    except FileError as error:
        raise _as_table_error(error) from None


def _as_table_error(error: FileError) -> TableError:
    return TableError([Problem(error.file, error.row, error.column, error.message)])


def _names(table: Table) -> list[str]:
    return [column.name for column in table.columns]


def _chunks(paths: Path | Sequence[Path], table: Table, rows: int) -> Iterator[Chunk]:
    wanted = None if table.keep_others else frozenset(_names(table))
    for path in table_files(paths):
        yield from file_chunks(path, rows, wanted, lists=table.lists)


def _prepared(
    chunk: Chunk, table: Table, problems: dict[tuple[str | None, str], Problem]
) -> pd.DataFrame | None:
    absent = [c for c in table.columns if c.required and c.name not in chunk.frame.columns]
    for column in absent:
        message = _absent(column, table, chunk.file)
        problems.setdefault((column.name, message), Problem(chunk.file, None, column.name, message))
    if absent:
        return None
    parsed = {
        column.name: _checked(chunk, column, problems)
        for column in table.columns
        if column.name in chunk.frame.columns
    }
    return None if problems else _typed(chunk.frame, table, parsed).reset_index(drop=True)


def _absent(column: Column, table: Table, file: str) -> str:
    """Say that a column is missing, what it would hold, and which name may have been meant for it."""
    message = f"the column is missing; the table {table.name!r} needs it"
    if column.categories is not None:
        message += f" ({', '.join(filter(None, column.categories))})"
    others = {_bare(name): name for name in column_names(Path(file)) if name not in _names(table)}
    near = get_close_matches(_bare(column.name), others, n=1)
    return f"{message}. Is it the column {others[near[0]]!r}?" if near else message


def _bare(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def _checked(
    chunk: Chunk, column: Column, problems: dict[tuple[str | None, str], Problem]
) -> pd.Series:
    """Return the column as its kind says, having noted all that is wrong with it."""
    cells = chunk.frame[column.name]
    blank = cells == ""
    if not column.empty:
        _note(chunk, column.name, "the cell is empty", blank, problems)
    if column.kind == "text":
        if column.categories is not None:
            unknown = ~cells.isin(column.categories) & ~blank
            allowed = ", ".join(column.categories)
            _note_values(chunk, column, f"is not one of {allowed}", unknown, problems)
        elif not column.prose:
            nul = cells.str.contains("\0", regex=False)
            _note(chunk, column.name, "the text holds a NUL character", nul, problems)
        return cells
    parsed = _parsed(cells, column.kind)
    wrong = parsed.isna() & ~blank
    nothing = "; a cell without one stays empty" if column.empty else ""
    _note_values(chunk, column, f"is not {_WORDS[column.kind]}{nothing}", wrong, problems)
    if column.low is not None or column.high is not None:
        outside = _outside(parsed, column) & ~wrong
        message = f"is not {_range_words(column)}"
        advice = f"; {column.advice}" if column.advice else ""
        _note_values(chunk, column, message + advice, outside, problems)
    return parsed


_WORDS: dict[Kind, str] = {
    "number": "a finite number (decimals with a point)",
    "integer": "a whole number",
    "binary": "0 or 1",
    "date": "a date of the form 2026-01-31",
}


def _parsed(cells: pd.Series, kind: Kind) -> pd.Series:
    """Return the cells as numbers or dates; NaN or NaT where a cell is empty or cannot be one."""
    if kind == "date":
        return pd.to_datetime(cells, format="%Y-%m-%d", errors="coerce")
    if kind == "binary":
        return _parsed_binary(cells)
    numbers = pd.to_numeric(cells, errors="coerce").astype("float64")
    good = np.isfinite(numbers)
    if kind == "integer":
        good &= numbers == numbers.round()
    numbers = numbers.where(good)
    if kind == "number" and not good.all():
        numbers = numbers.mask(cells.isin(_TRUE), 1.0).mask(cells.isin(_FALSE), 0.0)
    return numbers


# As JSON, pandas and spreadsheets write them.
_TRUE, _FALSE = ("true", "True", "TRUE"), ("false", "False", "FALSE")


def _parsed_binary(cells: pd.Series) -> pd.Series:
    one, zero = (cells.isin(words) for words in (("1", "1.0", *_TRUE), ("0", "0.0", *_FALSE)))
    return pd.Series(np.select([one, zero], [1.0, 0.0], np.nan), index=cells.index)


def _outside(numbers: pd.Series, column: Column) -> pd.Series:
    low = -np.inf if column.low is None else column.low
    high = np.inf if column.high is None else column.high
    return (numbers < low) | (numbers > high)


def _range_words(column: Column) -> str:
    low = None if column.low is None else f"at least {column.low:g}"
    high = None if column.high is None else f"at most {column.high:g}"
    return " and ".join(part for part in (low, high) if part is not None)


def _note_values(
    chunk: Chunk,
    column: Column,
    message: str,
    bad: pd.Series,
    problems: dict[tuple[str | None, str], Problem],
) -> None:
    """Note some different wrong values, each with its own count, and the others together.

    So a stray label is named, and a column of numbers on another scale does not fill the page.
    """
    if not bad.any():
        return
    name = column.name
    cells = chunk.frame[name]
    shown = SHOWN_VALUES if column.kind in {"text", "binary"} else 1
    room = shown - sum(known == name for known, _ in problems)
    for value in cells[bad].unique():
        told = f"{str(value)[:60]!r} {message}"
        if (name, told) not in problems:
            if room <= 0:
                continue
            room -= 1
        here = bad & (cells == value)
        _note(chunk, name, told, here, problems)
        bad = bad & ~here
    _note(chunk, name, f"a further value {message}", bad, problems)


def _note(
    chunk: Chunk,
    column: str,
    message: str,
    bad: pd.Series,
    problems: dict[tuple[str | None, str], Problem],
) -> None:
    if not bad.any():
        return
    count, first = int(bad.sum()), first_row(bad)
    seen = problems.get((column, message))
    if seen is None:
        problems[column, message] = Problem(chunk.file, first, column, message, count)
    else:
        count += seen.count
        problems[column, message] = Problem(seen.file, seen.row, column, message, count)


def _typed(frame: pd.DataFrame, table: Table, parsed: dict[str, pd.Series]) -> pd.DataFrame:
    columns: dict[str, pd.Series] = {}
    for column in table.columns:
        if column.name not in parsed:
            fill = "" if column.kind == "text" else np.nan
            columns[column.name] = pd.Series(fill, index=frame.index)
        else:
            whole = column.kind in {"integer", "binary"} and not column.empty
            found = parsed[column.name]
            columns[column.name] = found.astype("int64") if whole else found
    for other in frame.columns:
        columns.setdefault(str(other), frame[other])
    return pd.DataFrame(columns)


def _key_hashes(frame: pd.DataFrame, table: Table) -> Hashes:
    """Hash each row's key; without a key there is nothing to hash."""
    parts = _key_cells(frame, table)
    if parts.shape[1] == 0:
        return np.empty(0, dtype=np.uint64)
    return np.asarray(pd.util.hash_pandas_object(parts, index=False), dtype=np.uint64)


def _key_cells(frame: pd.DataFrame, table: Table) -> pd.DataFrame:
    """Return the columns of the key, numbers as such: 0 in one file is 0.0 in another."""
    kinds = {column.name: column.kind for column in table.columns}
    names = [name for name in table.key if name in frame.columns]
    cells = {
        name: frame[name] if kinds[name] == "text" else _parsed(frame[name], kinds[name])
        for name in names
    }
    return pd.DataFrame(cells, index=frame.index)


def _check_keys(
    paths: Path | Sequence[Path],
    table: Table,
    rows: int,
    doubled: Hashes,
    problems: dict[tuple[str | None, str], Problem],
) -> None:
    """Look again, where the hashes of two rows' keys are equal, at the rows themselves."""
    if doubled.size == 0:
        return
    suspects = []
    for chunk in _chunks(paths, table, rows):
        found = chunk.frame[np.isin(_key_hashes(chunk.frame, table), doubled)]
        suspects.append(found.assign(_file=chunk.file, _row=found.index))
    _note_doubled(pd.concat(suspects, ignore_index=True), table, problems)


def _note_doubled(
    suspects: pd.DataFrame, table: Table, problems: dict[tuple[str | None, str], Problem]
) -> None:
    """Compare the suspected rows themselves: equal hashes alone do not convict."""
    key = [name for name in table.key if name in suspects.columns]
    cells = _key_cells(suspects, table)
    again = cells.duplicated()
    if not again.any():
        return
    named = [name for name in _names(table) if name in suspects.columns]
    differing = int(again.sum() - suspects.duplicated(named).sum())
    place = int(again.to_numpy().argmax())
    later = suspects.iloc[place]
    own = cells.iloc[place]
    same = ((cells == own) | (cells.isna() & own.isna())).all(axis=1)
    first = suspects[same].iloc[0]
    values = ", ".join(f"{name} {later[name]!r}" for name in key)
    message = (
        f"the row repeats {first['_file']}, row {first['_row']} ({values}); a row must be unique "
        f"in {', '.join(key)}; keep one of them. Rows that repeat an earlier one: {int(again.sum()):,}, of which "
        f"with different values: {differing:,}"
    )
    problems[key[0], message] = Problem(later["_file"], int(later["_row"]), key[0], message)
