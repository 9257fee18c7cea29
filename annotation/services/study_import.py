"""study_import: a validated folder becomes a draft study with its forms planned, all or nothing."""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from random import Random

from django.db import transaction

from annotation.design.items import DesignItem
from annotation.design.planner import Design, plan_forms
from annotation.errors import Refused, StateForbids
from annotation.models import Form, InstrumentVersion, Item, Passage, Slot, Study
from annotation.services.audit import audit_record
from annotation.services.order import form_order
from annotation.studyfile import canonical_json, folder_digest, folder_document
from annotation.studyfile.definition import ItemRow, StudyDefinition, TaskDefinition

BATCH = 2_000
# The columns of a slot that number the judgments of an item hold no more.
MOST_JUDGMENTS = 32_767


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did."""

    study: Study
    changed: bool
    items: int
    slots: int
    forms: int


def study_import(definition: StudyDefinition, *, author: str, now: datetime) -> Imported:
    """Make the study a draft as its folder says; the same folder again changes nothing.

    What is open to annotators cannot be changed, and the attempt stands in the log.
    """
    digest = folder_digest(definition)
    try:
        return _import(definition, digest, author=author, now=now)
    except StateForbids:
        data = {"folder_sha256": digest}
        audit_record(
            "study_import_refused", study=definition.slug, author=author, now=now, data=data
        )
        raise


@transaction.atomic
def _import(definition: StudyDefinition, digest: str, *, author: str, now: datetime) -> Imported:
    study = Study.objects.select_for_update(no_key=True).filter(slug=definition.slug).first()
    if study is not None and study.folder_sha256 == digest:
        return _imported(study, changed=False)
    if study is not None:
        _refuse_unless_draft(study)
        _clear(study)
    study = _store(study or Study(slug=definition.slug), definition, digest)
    items = _store_items(study, definition)
    design = _plan(items, definition)
    _require_numbered(design)
    _store_design(study, items, design, definition)
    audit_record(
        "study_import",
        study=study.slug,
        author=author,
        now=now,
        data={"folder_sha256": digest, "items": len(items), "forms": len(design.forms)},
    )
    return _imported(study, changed=True)


def _refuse_unless_draft(study: Study) -> None:
    if study.state != Study.State.DRAFT:
        raise StateForbids(
            f"{study.slug} is {study.state}, so its folder can no longer change what is judged. "
            "Give the new version a slug of its own (the key `study:`) and import that."
        )


def _clear(study: Study) -> None:
    """Remove a draft's items, forms and instruments; nobody has judged them."""
    study.forms.all().delete()
    study.items.all().delete()
    study.passages.all().delete()
    study.instruments.all().delete()


def _store(study: Study, definition: StudyDefinition, digest: str) -> Study:
    study.title = definition.title
    study.seed = definition.seed
    study.document = folder_document(definition)
    study.folder_sha256 = digest
    study.save()
    for task in definition.tasks:
        _store_instrument(study, task)
    return study


def _store_instrument(study: Study, task: TaskDefinition) -> None:
    document = {"dimensions": [asdict(dimension) for dimension in task.dimensions]}
    sha256 = hashlib.sha256(canonical_json(document).encode()).hexdigest()
    InstrumentVersion.objects.create(
        study=study, task=task.key, sha256=sha256, document=document, current=True
    )


def _store_items(study: Study, definition: StudyDefinition) -> list[Item]:
    Passage.objects.bulk_create(
        [
            Passage(study=study, key=key, text=passage.text, lang=passage.lang)
            for key, passage in definition.passages.items()
        ],
        batch_size=BATCH,
    )
    passages = dict(study.passages.values_list("key", "pk"))
    items = [
        _item(study, task.key, row, passages, definition.assignment.conflict)
        for task in definition.tasks
        for row in task.items
    ]
    practice = [
        Item(
            study=study,
            key=tried.item.id,
            task=tried.task,
            fields=dict(tried.item.fields),
            passage_id=passages.get(tried.item.passage_id),
            practice=True,
            expect=dict(tried.expect),
            feedback=tried.feedback,
        )
        for tried in definition.practice
    ]
    Item.objects.bulk_create(practice, batch_size=BATCH)
    return Item.objects.bulk_create(items, batch_size=BATCH)


def _item(
    study: Study, task: str, row: ItemRow, passages: dict[str, int], conflict: Sequence[str]
) -> Item:
    return Item(
        study=study,
        key=row.id,
        task=task,
        fields=dict(row.fields),
        passage_id=passages.get(row.passage_id),
        conflicts=[f"{field}={row.fields[field]}" for field in conflict if field in row.fields],
    )


def _plan(items: Sequence[Item], definition: StudyDefinition) -> Design:
    rules = definition.assignment
    replicates = tuple(range(1, rules.replication + 1))
    return plan_forms(
        [
            replace(design_item(item, definition, ()), anchor=True)
            if rules.is_anchor(item.fields)
            else design_item(item, definition, replicates)
            for item in items
        ],
        form_size=rules.form_size,
        mix=rules.mix,
        seed=definition.seed,
    )


def _require_numbered(design: Design) -> None:
    """Refuse anchors on more forms than an item can have judgments."""
    if design.report.anchors and len(design.forms) > MOST_JUDGMENTS:
        raise Refused(
            f"The anchors would stand on {len(design.forms):,} forms, and an item can have "
            f"{MOST_JUDGMENTS:,} judgments; make the forms larger, or name no anchors."
        )


def design_item(item: Item, definition: StudyDefinition, replicates: tuple[int, ...]) -> DesignItem:
    """Return an item as the planner sees it, wanting these replicates."""
    return DesignItem(
        key=item.pk,
        task=item.task,
        conflicts=tuple(item.conflicts),
        margins=tuple(str(item.fields.get(f, "")) for f in definition.assignment.balance),
        replicates=replicates,
        pool=definition.assignment.group_of(item.fields),
    )


def _store_design(
    study: Study, items: Sequence[Item], design: Design, definition: StudyDefinition
) -> None:
    forms = Form.objects.bulk_create(
        [Form(study=study, seq=seq) for seq in form_order(study, len(design.forms))],
        batch_size=BATCH,
    )
    sides = _sides(items, definition.seed)
    rules = definition.assignment
    replication = {
        item.pk: len(forms) if rules.is_anchor(item.fields) else rules.replication for item in items
    }
    Slot.objects.bulk_create(
        [
            Slot(
                item_id=item,
                replicate=replicate,
                replication=replication[item],
                form=form,
                place=place,
                flipped=(sides[item] + replicate) % 2 == 0,
            )
            for form, planned in zip(forms, design.forms, strict=True)
            for place, (item, replicate) in enumerate(planned.places, start=1)
        ],
        batch_size=BATCH,
    )
    study.design = design.report.as_dict() | {"seed": design.seed, "version": design.version}
    study.save(update_fields=["design"])


def _sides(items: Sequence[Item], seed: int) -> dict[int, int]:
    """Return which side each item starts from: half of a task's items each, drawn by the seed.

    The replicates of an item then alternate, so each item is seen from both sides as equally as its
    replication allows, and so is the whole task.
    """
    sides: dict[int, int] = {}
    for task in sorted({item.task for item in items}):
        keys = [item.pk for item in items if item.task == task]
        Random(f"{seed}/sides/{task}").shuffle(keys)  # noqa: S311  replayed from the study's seed
        sides.update((key, number % 2) for number, key in enumerate(keys))
    return sides


def _imported(study: Study, *, changed: bool) -> Imported:
    return Imported(
        study=study,
        changed=changed,
        items=study.items.filter(practice=False).count(),
        slots=Slot.objects.filter(form__study=study).count(),
        forms=study.forms.count(),
    )
