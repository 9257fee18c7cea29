"""The contract of a task type: all that the rest of Parallax knows of a kind of judgment."""

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

from annotation.tasktypes.instrument import Dimension, Scale, holds

# What the page's own form calls its fields, and a property that its scripts read of the form.
RESERVED_KEYS = frozenset({"key", "active_ms", "csrfmiddlewaretoken", "dataset"})

Fields = Mapping[str, Any]
Values = Mapping[str, Any]


class FieldKind(StrEnum):
    """What the cell of an item table holds."""

    TEXT = "text"
    TEXTS = "texts"
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class ItemField:
    """A field of an item that the task type knows; one that is not shown only steers."""

    name: str
    kind: FieldKind = FieldKind.TEXT
    required: bool = True
    shown: bool = True


@dataclass(frozen=True, slots=True)
class Presentation:
    """How an item was laid out for one person: enough to replay the page.

    `order` is the order of the item's alternatives (1-based: `(2, 1)` shows the second first); empty
    where a type has none. `asked` are the keys of the dimensions that were asked.
    """

    order: tuple[int, ...] = ()
    asked: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the stored form."""
        return {"order": list(self.order), "asked": list(self.asked)}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "Presentation":
        """Read the stored form back."""
        return cls(order=tuple(document["order"]), asked=tuple(document["asked"]))


@dataclass(frozen=True, slots=True)
class Judgment:
    """One dimension of one answer: a row of the tidy table. `missing` says why there is no value."""

    dimension: str
    scale: Scale
    value: str | float | None
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Which of two conditions ranks higher (`higher:` of a task): `order` runs from low to high."""

    field: str
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SimulatedPerson:
    """What steers a simulated annotator's answers: see `annotation.simulation`."""

    ability: float = 0.8
    leniency: float = 0.0
    careless: bool = False


class TaskType(ABC):
    """One kind of judgment. A subclass states its fields and its instrument and overrides little."""

    key: ClassVar[str]
    label: ClassVar[str]
    template_name: ClassVar[str]
    fields: ClassVar[tuple[ItemField, ...]]
    instrument: ClassVar[tuple[Dimension, ...]]
    # The item fields, in order, that stand side by side and are shuffled.
    alternatives: ClassVar[tuple[str, ...]] = ()
    # Combinations of answers that cannot all hold; a task may declare its own instead.
    contradictions: ClassVar[tuple[Mapping[str, tuple[str, ...]], ...]] = ()
    # The hidden field from which simulated annotators know how good an item is, from 0 to 1.
    planted: ClassVar[str] = ""

    def shown_fields(self) -> frozenset[str]:
        """Return the names of the fields that annotators see."""
        return frozenset(f.name for f in self.fields if f.shown)

    def present(
        self,
        fields: Fields,
        dimensions: Sequence[Dimension],
        *,
        flipped: bool,
        closes_form: bool,
    ) -> Presentation:
        """Lay the item out; the same arguments always give the same page."""
        order = tuple(range(1, len(self.alternatives) + 1))
        asked = [d.key for d in dimensions if d.asked_of(fields, closes_form=closes_form)]
        return Presentation(order=order[::-1] if flipped else order, asked=tuple(asked))

    def page(self, fields: Fields, presentation: Presentation) -> dict[str, Any]:
        """Return what the template shows: only fields that are shown, alternatives in order."""
        names = self.shown_fields()
        shown = {f: fields[f] for f in fields if f in names or f.removesuffix("_lang") in names}
        sides = [self.alternatives[n - 1] for n in presentation.order]
        shown["sides"] = [{"text": fields[s], "lang": fields.get(f"{s}_lang", "")} for s in sides]
        return {k: v for k, v in shown.items() if k.removesuffix("_lang") not in self.alternatives}

    def decode(self, posted: Values, presentation: Presentation) -> dict[str, Any]:
        """Turn what was chosen on the page into what is stored: it names the response, not the side."""
        del presentation
        return dict(posted)

    def encode(self, values: Values, presentation: Presentation) -> dict[str, Any]:
        """Turn stored values back into what the page shows as chosen."""
        del presentation
        return dict(values)

    def fault_of(self, dimension: Dimension) -> str:
        """Return in a sentence why a page cannot ask a study's own dimension, or nothing."""
        if dimension.key in RESERVED_KEYS:
            return f"“{dimension.key}” is a name that the page itself uses; choose another key."
        return ""

    def stored(self, dimension: Dimension) -> Dimension:
        """Return the dimension in the terms of what is stored, for the codebook and the levels."""
        return dimension

    def judgments(
        self,
        fields: Fields,
        dimensions: Sequence[Dimension],
        values: Values,
        *,
        comparison: Comparison | None = None,
    ) -> list[Judgment]:
        """Return one row a dimension that was answered, and the derived ones after them."""
        rows = [_judgment(d, values[d.key]) for d in dimensions if d.key in values]
        return rows + self.derived(fields, values, comparison)

    def judged_on(self, fields: Fields, comparison: Comparison | None) -> Fields:
        """Return what the judgments depend on in an item, beside the answer: nothing, as a rule.

        Answers that are alike, to items that are alike in this, yield the same judgments, which a
        study with a million answers therefore works out once.
        """
        del fields, comparison
        return {}

    def derived(
        self, fields: Fields, values: Values, comparison: Comparison | None
    ) -> list[Judgment]:
        """Return the judgments that follow from the answers, such as a share or a preference."""
        del fields, values, comparison
        return []

    def derived_dimensions(self) -> tuple[Dimension, ...]:
        """Return what the derived judgments mean, for the codebook and the level of measurement."""
        return ()

    @abstractmethod
    def simulate(
        self,
        fields: Fields,
        dimensions: Sequence[Dimension],
        person: SimulatedPerson,
        rng: random.Random,
    ) -> dict[str, Any]:
        """Return the values a simulated annotator stores for an item."""


def _judgment(dimension: Dimension, value: Any) -> Judgment:
    """Return the row of one answered dimension; what was left empty says so."""
    cell = _cell(dimension, value)
    missing = "left empty" if cell is None else ""
    return Judgment(dimension.key, dimension.scale, cell, missing)


def _cell(dimension: Dimension, value: Any) -> str | float | None:
    """Return a stored value as one cell: a choice of several is joined by `|`."""
    if dimension.scale is Scale.MULTIPLE:
        return "|".join(value)
    if dimension.scale is Scale.INTERVAL and value is not None:
        return float(value)
    return None if value in ("", None) else str(value)


def contradictions_of(
    rules: Sequence[Mapping[str, tuple[str, ...]]], values: Values
) -> list[Mapping[str, tuple[str, ...]]]:
    """Return the rules whose every part holds for the values of one answer."""
    return [rule for rule in rules if all(holds(values.get(key), rule[key]) for key in rule)]
