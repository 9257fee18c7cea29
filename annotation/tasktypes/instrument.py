"""An instrument: the questions that are asked of an item, as data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Scale(StrEnum):
    """The level of measurement of a dimension."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    MULTIPLE = "multiple"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Option:
    """One answer that can be chosen; `anchor` says in words what it stands for."""

    value: str
    label: str
    anchor: str = ""
    # The key that chooses it; without one, options are chosen by their number.
    shortcut: str = ""


@dataclass(frozen=True, slots=True)
class Dimension:
    """One question.

    Values of nominal and ordinal dimensions are option values (text; ordinal options stand in
    order), of multiple ones a list of them, of interval ones a number.
    """

    key: str
    ask: str
    scale: Scale
    hint: str = ""
    options: tuple[Option, ...] = ()
    # Options that come from a list field of the item, one an entry, valued "1", "2", …
    options_from: str = ""
    minimum: float | None = None
    maximum: float | None = None
    step: float | None = None
    required: bool = True
    # Asked only where the answers to other dimensions are among the values given.
    when: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Asked only of items in which this field is true (a passage may also be given by its id).
    only_if: str = ""
    # Asked after every other question, on a page of its own, so that it cannot colour the others.
    last: bool = False
    # Asked once a form, with the last item of the task, over the whole set.
    once: bool = False

    def option_values(self, fields: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the values that can be chosen for an item."""
        return tuple(option.value for option in self.options_for(fields))

    def options_for(self, fields: Mapping[str, Any]) -> tuple[Option, ...]:
        """Return the options for an item; those of `options_from` are the entries of its list."""
        if not self.options_from:
            return self.options
        entries = fields.get(self.options_from) or []
        return tuple(Option(str(n), entry) for n, entry in enumerate(entries, start=1))

    def asked_of(self, fields: Mapping[str, Any], *, closes_form: bool) -> bool:
        """Whether an item is asked this, whatever is answered elsewhere."""
        if self.once and not closes_form:
            return False
        steers = fields.get(self.only_if) or fields.get(f"{self.only_if}_id")
        if self.only_if and not steers:
            return False
        return not (self.options_from and not fields.get(self.options_from))

    def called_for(self, values: Mapping[str, Any]) -> bool:
        """Whether the other answers call for this one (`when`)."""
        return all(holds(values.get(key), wanted) for key, wanted in self.when.items())


def holds(value: Any, wanted: tuple[str, ...]) -> bool:
    """Whether a value is one of those wanted; of several choices one suffices, none counts as "none"."""
    if isinstance(value, list | tuple):
        return any(str(chosen) in wanted for chosen in value or ("none",))
    return str(value) in wanted


def called_for_only(dimensions: Sequence[Dimension], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values without the answers to questions that the other answers do not call for.

    Dropping one answer may make another uncalled for, so this goes on until nothing changes.
    """
    kept = {d.key: values[d.key] for d in dimensions if d.key in values}
    while dropped := [d.key for d in dimensions if d.key in kept and not d.called_for(kept)]:
        kept = {key: value for key, value in kept.items() if key not in dropped}
    return kept
