"""Answers, chunk by chunk, into dense blocks: one for the agnostic items, one a locale.

A block is an array (model, query language, item). Blocks share no item and, since a model has an
ability of its own in each, no parameter: each is fitted by itself.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import Responses as Names

NO_ANSWER = 2
SHOWN = 5


class ResponsesError(ValueError):
    """Answers that cannot be analysed, with what to do about it."""


@dataclass(frozen=True)
class Block:
    """The answers to one set of items.

    `answers` has shape (models, queries, items): uint8 with 2 for no answer, or float32 with NaN.
    """

    name: str
    locale: str
    queries: tuple[str, ...]
    items: tuple[str, ...]
    answers: NDArray[Any]

    def flat(self) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Return answers and which were given, one row a model and query: (models x queries, items)."""
        flat = self.answers.reshape(-1, len(self.items))
        given = np.isfinite(flat) if flat.dtype.kind == "f" else flat != NO_ANSWER
        return flat, given

    def only(
        self, *, queries: tuple[str, ...] | None = None, items: NDArray[np.bool_] | None = None
    ) -> "Block":
        """Return the block with some of its queries or items."""
        block = self
        if queries is not None:
            places = [self.queries.index(query) for query in queries]
            block = replace(block, queries=queries, answers=block.answers[:, places])
        if items is not None:
            kept = tuple(np.array(self.items, dtype=object)[items])
            block = replace(block, items=kept, answers=block.answers[:, :, items])
        return block


@dataclass(frozen=True)
class Answers:
    """All blocks, with the language in which each locale was asked beside the base language."""

    models: tuple[str, ...]
    base: str
    agnostic: Block
    specific: dict[str, Block]
    local_query: dict[str, str]
    given: int
    empty: int
    notes: tuple[str, ...] = field(default=())

    @property
    def blocks(self) -> list[Block]:
        """The agnostic block first, then the locales."""
        return [self.agnostic, *self.specific.values()]

    def of_models(self, kept: NDArray[np.bool_]) -> "Answers":
        """Return the answers of some of the models."""
        models = tuple(np.array(self.models, dtype=object)[kept])
        agnostic = replace(self.agnostic, answers=self.agnostic.answers[kept])
        specific = {x: replace(b, answers=b.answers[kept]) for x, b in self.specific.items()}
        return replace(self, models=models, agnostic=agnostic, specific=specific)


def collect(
    chunks: Iterable[pd.DataFrame], *, base: str = "en", continuous: bool = False
) -> Answers:
    """Return the answers of all chunks.

    Parameters
    ----------
    chunks
        Frames with the columns of `frames.Responses`.
    base
        The query language that every locale is compared with.
    continuous
        Take `p_correct` instead of `correct`.
    """
    gathered = _Gathered(continuous=continuous)
    for chunk in chunks:
        gathered.add(chunk)
    gathered.check()
    blocks = [gathered.block(place) for place in list(gathered.parts)]
    agnostic = [block for block in blocks if not block.locale]
    if not agnostic:
        words = f"no row has the subset {Names.AGNOSTIC}: without them there is no Global gap"
        raise ResponsesError(words)
    specific = {block.locale: block for block in sorted(blocks, key=_by_locale) if block.locale}
    if not specific:
        words = f"no row has the subset {Names.SPECIFIC}: without them there is no Local gap"
        raise ResponsesError(words)
    _check_base(base, agnostic[0], specific)
    local = {x: q for x, block in specific.items() if (q := _local_query(block, base))}
    models, given = tuple(gathered.models), gathered.given
    empty = gathered.rows - given
    return Answers(models, base, agnostic[0], specific, local, given=given, empty=empty)


def _by_locale(block: Block) -> str:
    return block.locale


def _check_base(base: str, agnostic: Block, specific: dict[str, Block]) -> None:
    without = [b.name for b in [agnostic, *specific.values()] if base not in b.queries]
    if without:
        asked = sorted({query for b in [agnostic, *specific.values()] for query in b.queries})
        words = (
            f"{_listed(without)} was never asked in the base language {base!r}; languages found: "
            f"{', '.join(asked)}. Name another with --base, or leave the set out"
        )
        raise ResponsesError(words)


def _local_query(block: Block, base: str) -> str | None:
    """Return the other language of a locale; None where it was asked in the base language only."""
    others = [query for query in block.queries if query != base]
    if len(others) > 1:
        words = (
            f"{block.name} was asked in {', '.join(others)} beside {base}; "
            "a locale has one language of its own"
        )
        raise ResponsesError(words)
    return others[0] if others else None


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


class _Gathered:
    """Answers as they come in, in blocks that grow: a row costs two bytes, or five if continuous."""

    def __init__(self, *, continuous: bool) -> None:
        self.models: dict[str, int] = {}
        self.queries: dict[str, int] = {}
        self.parts: dict[str, _Growing] = {}
        self.rows = self.given = 0
        self._continuous = continuous
        self._column = Names.P_CORRECT if continuous else Names.CORRECT

    def add(self, chunk: pd.DataFrame) -> None:
        """Take in one chunk."""
        self.rows += len(chunk)
        places = _places(chunk)
        columns = (
            _codes(chunk[Names.MODEL], self.models),
            _codes(chunk[Names.QUERY], self.queries),
            self._answers(chunk),
        )
        for place in places.unique():
            here = (places == place).to_numpy()
            part = self.parts.setdefault(place, _Growing(self._empty))
            items = _codes(chunk[Names.ITEM][here], part.items)
            model, query, answers = (column[here] for column in columns)
            part.fill((model, query, items), answers)

    @property
    def _empty(self) -> np.generic:
        return np.float32(np.nan) if self._continuous else np.uint8(NO_ANSWER)

    def _answers(self, chunk: pd.DataFrame) -> NDArray[Any]:
        if self._column not in chunk.columns:
            raise ResponsesError(self._no_answers())
        values = chunk[self._column]
        self.given += int(values.notna().sum())
        if self._continuous:
            return values.to_numpy(dtype=np.float32)
        return values.fillna(NO_ANSWER).to_numpy(dtype=np.uint8)

    def check(self) -> None:
        """Refuse a table in which nothing is answered."""
        if not self.rows:
            raise ResponsesError("the table of responses has no row")
        if not self.given:
            raise ResponsesError(self._no_answers())

    def _no_answers(self) -> str:
        other = Names.CORRECT if self._continuous else Names.P_CORRECT
        return f"no row has a {self._column!r}; the other variant takes {other!r}"

    def block(self, place: str) -> Block:
        """Return the dense block of one place; a cell answered twice is an error."""
        part = self.parts.pop(place)
        shape = (len(self.models), len(self.queries), len(part.items))
        answers, met = part.of_shape(shape)
        _check_once(place, part.rows - int(met.sum()))
        asked = np.flatnonzero(met.any(axis=(0, 2)))
        names = list(self.queries)
        queries = tuple(names[i] for i in asked)
        name = f"{Names.SPECIFIC}_{place}" if place else Names.AGNOSTIC
        return Block(
            name, place, queries, tuple(part.items), np.ascontiguousarray(answers[:, asked])
        )


class _Growing:
    """The cells of one place, (model, query, item): answers, and which were met in any row."""

    def __init__(self, empty: np.generic) -> None:
        self.items: dict[str, int] = {}
        self.rows = 0
        self._empty = empty
        self._answers: NDArray[Any] = np.full((0, 0, 0), empty)
        self._met: NDArray[np.bool_] = np.zeros((0, 0, 0), dtype=bool)

    def fill(self, cells: tuple[NDArray[np.int64], ...], answers: NDArray[Any]) -> None:
        """Take in answers at their cells."""
        self.rows += answers.size
        had = self._met.shape
        needed = tuple(int(codes.max()) + 1 for codes in cells)
        # By a quarter more than is needed, so that a block is copied a few times, not every time.
        room = (n if n <= h else max(n, h + h // 4) for n, h in zip(needed, had, strict=True))
        self._grow(tuple(max(n, h) for n, h in zip(room, had, strict=True)))
        self._answers[cells], self._met[cells] = answers, True

    def of_shape(self, shape: tuple[int, ...]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Return answers and what was met, cut or filled to this shape."""
        self._grow(tuple(max(n, h) for n, h in zip(shape, self._met.shape, strict=True)))
        inside = tuple(slice(n) for n in shape)
        return self._answers[inside], self._met[inside]

    def _grow(self, shape: tuple[int, ...]) -> None:
        had = self._met.shape
        if shape == had:
            return
        inside = tuple(slice(n) for n in had)
        answers: NDArray[Any] = np.full(shape, self._empty)
        met: NDArray[np.bool_] = np.zeros(shape, dtype=bool)
        answers[inside], met[inside] = self._answers, self._met
        self._answers, self._met = answers, met


def _check_once(place: str, doubled: int) -> None:
    if doubled:
        name = f"{Names.SPECIFIC} of {place}" if place else Names.AGNOSTIC
        words = f"{doubled:,} rows of {name} repeat a model, item and query that came before"
        raise ResponsesError(words)


def _places(chunk: pd.DataFrame) -> pd.Series:
    """Return the locale of each row, empty for agnostic items, after checking that it fits."""
    specific = chunk[Names.SUBSET] == Names.SPECIFIC
    named = chunk[Names.LOCALE] != ""
    for wrong, words in (
        (specific & ~named, f"{Names.SPECIFIC} rows have no locale; say of which culture they are"),
        (~specific & named, f"{Names.AGNOSTIC} rows name a locale; leave it empty"),
    ):
        if wrong.any():
            first = chunk[wrong].iloc[0]
            example = f"model {first[Names.MODEL]!r}, item {first[Names.ITEM]!r}"
            raise ResponsesError(f"{int(wrong.sum()):,} {words} (first: {example})")
    return chunk[Names.LOCALE]


def _codes(values: pd.Series, known: dict[str, int]) -> NDArray[np.int64]:
    """Return a number for each value; `known` grows by those not met before."""
    local, unique = pd.factorize(values)
    numbers = np.array([known.setdefault(str(value), len(known)) for value in unique])
    return numbers[local]
