"""What was judged: items with all their fields, the hidden ones too, and the passages they share."""

from collections.abc import Iterator
from typing import Any

from annotation.exports.columns import Cell, Column, Reference, Row, Table, Type
from annotation.models import Item, Passage, Study
from annotation.selectors.studies import study_definition
from annotation.studyfile.definition import StudyDefinition
from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.base import FieldKind

AT_ONCE = 400
LANG = "_lang"
PASSAGE_ID = "passage_id"
_TYPES: dict[FieldKind, Type] = {
    FieldKind.TEXT: "text",
    FieldKind.TEXTS: "list",
    FieldKind.FLAG: "boolean",
}

ITEM_ID = Column("item_id", "text", "The item.", ("Item.key",), level="nominal")
ITEM_TASK = Column("task", "text", "The task that the item belongs to.", ("Item.task",), "nominal")

PASSAGES = Table(
    "passages",
    "Texts that several items share.",
    (
        Column(PASSAGE_ID, "text", "The passage.", ("Passage.key",), level="nominal"),
        Column("lang", "text", "Its language.", ("Passage.lang",), missing="empty: not told"),
        Column("text", "text", "The text as it was shown.", ("Passage.text",)),
    ),
    key=(PASSAGE_ID,),
)
TO_ITEMS = Reference("item_id", "items", "item_id")


def item_keys(study: Study) -> list[tuple[str, int]]:
    """Return key and number of the items that were to be judged, sorted by key."""
    items = Item.objects.filter(study=study, practice=False)
    return sorted(items.values_list("key", "pk").iterator())


def passage_rows(study: Study) -> Iterator[Row]:
    """Yield the passages by their keys."""
    for key, pk in sorted(Passage.objects.filter(study=study).values_list("key", "pk")):
        passage = Passage.objects.get(pk=pk)
        yield {PASSAGE_ID: key, "lang": passage.lang or None, "text": passage.text}


class ItemRows:
    """The items of a study; each field of any item is a column."""

    def __init__(self, study: Study) -> None:
        self._study = study
        definition = study_definition(study)
        names = _field_names(study, definition)
        taken = {ITEM_ID.name, ITEM_TASK.name}
        self._columns = {_free(name, taken | set(names)): name for name in names}
        self._kinds = _kinds(definition)
        self.hidden = {name for task in definition.tasks for name in task.hidden}

    def table(self) -> Table:
        """Return the table."""
        fields = [self._column(column, name) for column, name in self._columns.items()]
        shared = PASSAGE_ID in self._columns and PASSAGE_ID not in self.hidden
        return Table(
            "items",
            "One row an item.",
            (ITEM_ID, ITEM_TASK, *fields),
            key=(ITEM_ID.name,),
            refers=(Reference(PASSAGE_ID, PASSAGES.name, PASSAGE_ID),) if shared else (),
        )

    def fields(self) -> dict[str, dict[str, object]]:
        """Return every field, those too that no item has: its column, and whether it was hidden."""
        columns = {name: column for column, name in self._columns.items()}
        return {
            name: {"column": columns.get(name), "hidden": name in self.hidden}
            for name in sorted(self.hidden | columns.keys())
        }

    def rows(self) -> Iterator[Row]:
        """Yield the items by their keys, their texts as they are."""
        keys = item_keys(self._study)
        for start in range(0, len(keys), AT_ONCE):
            found = Item.objects.in_bulk([pk for _, pk in keys[start : start + AT_ONCE]])
            for item in sorted(found.values(), key=lambda item: item.key):
                fields: dict[str, Cell] = {c: item.fields.get(n) for c, n in self._columns.items()}
                yield fields | {"item_id": item.key, "task": item.task}

    def _column(self, column: str, name: str) -> Column:
        kind = self._kinds.get(name, FieldKind.TEXT)
        side = "kept from annotators" if name in self.hidden else "as shown to annotators"
        if name.endswith(LANG) and name not in self.hidden:
            side = f"the language of {name.removesuffix(LANG)}"
        if name == PASSAGE_ID:
            side = "which passage of passages.csv was shown"
        as_list = ", a JSON list" if kind is FieldKind.TEXTS else ""
        return Column(
            name=column,
            type=_TYPES[kind],
            description=f"A field of the item: {side}{as_list}.",
            sources=("Item.fields",),
            missing="empty: the item has no such field, or an empty one",
        )


def _field_names(study: Study, definition: StudyDefinition) -> list[str]:
    """Return the fields that items have: as the task types order them, then the hidden ones."""
    seen: set[str] = set()
    items = Item.objects.filter(study=study, practice=False).order_by("pk")
    for fields in items.values_list("fields", flat=True).iterator(chunk_size=AT_ONCE):
        seen.update(fields)
    known = [
        name
        for task in definition.tasks
        for field in TASK_TYPES[task.type].fields
        for name in (field.name, field.name + LANG)
    ]
    hidden = [name for task in definition.tasks for name in task.hidden]
    wanted = dict.fromkeys([*known, PASSAGE_ID, *hidden])
    return [name for name in wanted if name in seen] + sorted(seen - wanted.keys())


def _kinds(definition: StudyDefinition) -> dict[str, FieldKind]:
    """Return what each known field holds; two tasks that read one differently make it text."""
    kinds: dict[str, Any] = {}
    for task in definition.tasks:
        for field in TASK_TYPES[task.type].fields:
            same = kinds.setdefault(field.name, field.kind) is field.kind
            kinds[field.name] = field.kind if same else FieldKind.TEXT
    return kinds


def _free(name: str, taken: set[str]) -> str:
    """Return a column name for a field; one named as a column of the release gets a prefix."""
    if name not in {ITEM_ID.name, ITEM_TASK.name}:
        return name
    column = f"field_{name}"
    while column in taken:
        column = f"field_{column}"
    return column
