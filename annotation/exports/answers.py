"""The analytic sample as it leaves: read some items at a time, and laid out in blocks of rows."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.db.models import Count, TextField
from django.db.models.functions import Cast

from annotation.exports.answer_cells import AnswerCells, StudyColumns
from annotation.exports.columns import Cell, Table
from annotation.exports.dimensions import KEY_COLUMNS
from annotation.exports.items import item_keys
from annotation.exports.judgments import JUDGMENTS, PREFERENCES, VERSION_DIGITS, wide_table
from annotation.exports.people import People, form_numbers
from annotation.exports.writers import Block
from annotation.models import Answer, Assignment, InstrumentVersion, Item, Slot, Study
from annotation.selectors.collected import LONGEST_REMEMBERED, AnswerReader, in_parts, left_out
from annotation.selectors.studies import study_definition
from annotation.tasktypes.base import Comparison

# Two queries read items that together have so many slots, with all their answers.
SLOTS_AT_ONCE = 5_000
# An item has texts of its own, so it counts as so many slots at least.
SLOTS_OF_AN_ITEM = 50
# What answers that are alike come to is kept for so many that differ.
REMEMBERED: Final = 5_000
SIDES: Final = (1, 2)


class ReleasedItem(NamedTuple):
    """What the rows of an item's answers tell of it; `higher` is the alternative that ranks higher."""

    key: str
    task: str
    look: int
    higher: int | None


class ReleasedAnswer(NamedTuple):
    """An answer of the analytic sample with all that its rows need."""

    item: ReleasedItem
    annotator: str
    form: int
    position: int
    active: float | None
    server: float | None
    order: tuple[int, ...]
    version: str
    cells: AnswerCells


class ReleasedAnswers:
    """Reads the analytic sample of one study; an answer is worked out once for all that are alike."""

    def __init__(self, study: Study) -> None:
        self._study = study
        definition = study_definition(study)
        self._columns = StudyColumns(definition)
        self._higher = {task.key: task.higher for task in definition.tasks if task.higher}
        self._reader = AnswerReader(definition)
        self._known: dict[tuple[int, str], AnswerCells] = {}
        self._order = lru_cache(REMEMBERED)(_order)

    def tables(self) -> list[Table]:
        """Return the tables that `blocks` fills."""
        ranked = [PREFERENCES] if self._higher else []
        return [JUDGMENTS, wide_table(self._columns.wide), *ranked]

    def read(self, people: People) -> Iterator[list[ReleasedAnswer]]:
        """Yield the analytic sample by item and person, some items at a time.

        Sorted here and not by the database, whose collation may be anything.
        """
        forms, versions = form_numbers(self._study), _versions(self._study)
        gone, dropped = left_out(self._study)
        for chunk in in_parts(self._sizes(), SLOTS_AT_ONCE):
            items = self._items(chunk)
            found = [
                ReleasedAnswer(
                    item=items[item],
                    annotator=people.names[person],
                    form=forms[claim],
                    position=position,
                    active=_tenths(active),
                    server=_tenths(server),
                    order=self._order(shown),
                    version=versions[instrument],
                    cells=self._cells(items[item], text),
                )
                for pk, item, person, claim, position, active, server, instrument, shown, text in (
                    _rows(chunk)
                )
                if person in people and claim in forms and person not in gone and pk not in dropped
            ]
            found.sort(key=lambda one: (one.item.key, one.annotator))
            yield found

    def blocks(self, answers: Sequence[ReleasedAnswer]) -> list[Block]:
        """Return the rows of some answers, a block for each of `tables`."""
        ranked = [_preferences(answers)] if self._higher else []
        return [_long(answers), self._wide_block(answers), *ranked]

    def _sizes(self) -> Iterator[tuple[int, int]]:
        """Yield the items in the order of their keys, each with how many slots it counts as."""
        slots = Slot.objects.filter(item__study=self._study).order_by().values_list("item")
        counts = dict(slots.annotate(n=Count("pk")))
        for _, pk in item_keys(self._study):
            yield pk, max(counts.get(pk, 0), SLOTS_OF_AN_ITEM)

    def _items(self, keys: Sequence[int]) -> dict[int, ReleasedItem]:
        rows = Item.objects.filter(pk__in=keys).values_list("pk", "key", "task", "fields")
        return {
            pk: ReleasedItem(
                key,
                task,
                self._reader.look(task, fields),
                _higher_side(fields, self._higher[task]) if task in self._higher else None,
            )
            for pk, key, task, fields in rows
        }

    def _cells(self, item: ReleasedItem, text: str) -> AnswerCells:
        key = item.look, text
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            found = self._columns.cells(item.task, self._reader.kind(key).rows)
            if len(text) <= LONGEST_REMEMBERED:
                self._known[key] = found
        return found

    def _wide_block(self, answers: Sequence[ReleasedAnswer]) -> Block:
        cells = list(zip(*(one.cells.wide for one in answers), strict=True))
        columns: dict[str, Sequence[Cell]] = dict.fromkeys(self._columns.wide, ())
        columns |= dict(zip(self._columns.wide, cells, strict=False))
        keys = ([one.item.key for one in answers], [one.annotator for one in answers])
        return columns | dict(zip(KEY_COLUMNS, keys, strict=True))


def _rows(keys: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    """Return the answers of some items as the database holds them, nothing decoded, all people's.

    Who counts is known for the whole study; asked for each answer, it would cost more than to read.
    """
    found = Answer.objects.filter(
        assignment__item__in=keys,
        assignment__kind=Assignment.Kind.JUDGE,
        assignment__active=True,
    )
    yield from (
        found.order_by()
        .values_list(
            "pk",
            "assignment__item",
            "assignment__annotator",
            "assignment__claim",
            "assignment__position",
            "active_seconds",
            "server_seconds",
            "instrument",
            Cast("assignment__presentation", TextField()),
            Cast("values", TextField()),
        )
        .iterator()
    )


def _long(answers: Sequence[ReleasedAnswer]) -> Block:
    """Return a row a dimension."""
    rows = [(one, row) for one in answers for row in one.cells.long]
    return {
        "item_id": [one.item.key for one, _ in rows],
        "task": [one.item.task for one, _ in rows],
        "annotator": [one.annotator for one, _ in rows],
        "form": [one.form for one, _ in rows],
        "position": [one.position for one, _ in rows],
        "dimension": [row[0] for _, row in rows],
        "scale": [row[1] for _, row in rows],
        "value": [row[2] for _, row in rows],
        "missing": [row[3] for _, row in rows],
        "active_seconds": [one.active for one, _ in rows],
        "server_seconds": [one.server for one, _ in rows],
        "order_shown": ["|".join(map(str, one.order)) or None for one, _ in rows],
        "instrument_version": [one.version for one, _ in rows],
    }


def _preferences(answers: Sequence[ReleasedAnswer]) -> Block:
    """Return the preferences between conditions, where an answer states one or a tie."""
    stating = [
        one for one in answers if one.item.higher is not None and one.cells.preferred is not None
    ]
    return {
        "pair_id": [one.item.key for one in stating],
        "annotator": [one.annotator for one in stating],
        "preferred": [one.cells.preferred for one in stating],
        "shown_first": [int(one.order[0] == one.item.higher) for one in stating],
        "confidence": [one.cells.confidence for one in stating],
    }


def _higher_side(fields: Mapping[str, object], comparison: Comparison) -> int | None:
    """Return which alternative has the higher condition; None where they cannot be ranked."""
    conditions = [str(fields.get(f"{comparison.field}_{n}", "")) for n in SIDES]
    if conditions[0] == conditions[1] or not set(conditions) <= set(comparison.order):
        return None
    ranks = [comparison.order.index(condition) for condition in conditions]
    return SIDES[ranks.index(max(ranks))]


def _order(shown: str) -> tuple[int, ...]:
    """Return in which order the stored text of a presentation has the alternatives."""
    return tuple(json.loads(shown)["order"])


def _versions(study: Study) -> dict[int, str]:
    versions = InstrumentVersion.objects.filter(study=study).values_list("pk", "sha256")
    return {pk: sha256[:VERSION_DIGITS] for pk, sha256 in versions}


def _tenths(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)
