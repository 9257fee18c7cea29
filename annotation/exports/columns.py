"""A released table as it is declared: what each column means, and which stored ones it is made from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from annotation.exports.classification import CLASSES, Kind
from annotation.tasktypes.instrument import Option

Cell = str | int | float | bool | list[str] | None
Row = Mapping[str, Cell]
Type = Literal["text", "integer", "number", "boolean", "list"]

NEVER_EMPTY = "never empty"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a released table.

    `made` says what was done to sources that may not leave as they are; a column that has such
    sources and does not say it stays behind. `of_person` says that it tells something of the person as
    such, and not of one answer; people are counted by all of these together.
    """

    name: str
    type: Type
    description: str
    sources: tuple[str, ...]
    level: str = ""
    values: tuple[Option, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    missing: str = NEVER_EMPTY
    made: str = ""
    of_person: bool = False

    def leaves(self) -> bool:
        """Whether every source has a class, and one that lets the column out."""
        kinds = [CLASSES.get(source) for source in self.sources]
        if not kinds or None in kinds:
            return False
        return bool(self.made) or all(kind is Kind.PUBLIC for kind in kinds)


@dataclass(frozen=True, slots=True)
class Reference:
    """A column whose cells are keys of another table."""

    column: str
    table: str
    key: str


@dataclass(frozen=True, slots=True)
class Table:
    """A released table with all columns that it would have, if each of them may leave.

    `key` names the columns that tell its rows apart; `refers` says which column holds keys of which
    other table.
    """

    name: str
    description: str
    declared: tuple[Column, ...]
    key: tuple[str, ...] = ()
    refers: tuple[Reference, ...] = ()

    @property
    def columns(self) -> tuple[Column, ...]:
        """Return the columns that leave."""
        return tuple(column for column in self.declared if column.leaves())

    def left_behind(self) -> list[str]:
        """Return the declared columns that do not leave."""
        return [f"{self.name}.{c.name}" for c in self.declared if not c.leaves()]


def options(**labels: str) -> tuple[Option, ...]:
    """Return the values a column can have, each with what it stands for."""
    return tuple(Option(value, label) for value, label in labels.items())
