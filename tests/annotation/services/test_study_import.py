"""A folder becomes a draft, once, wholly or not at all."""

from dataclasses import replace
from typing import Any

import pytest
from django.db import DatabaseError

from annotation.errors import StateForbids
from annotation.models import AuditEvent, Form, Item, Passage, Slot, Study
from annotation.services import study_import as module
from annotation.services.study_import import study_import
from annotation.services.study_states import study_launch
from annotation.studyfile.definition import Passage as PassageRow
from tests import factories

pytestmark = pytest.mark.django_db


def put_in(**shape: Any) -> module.Imported:
    wanted = factories.definition(**shape)
    return study_import(wanted, author="researcher", now=factories.NOW)


def stored() -> tuple[int, ...]:
    """Return how many rows there are of what an import writes."""
    return tuple(m._default_manager.count() for m in (Study, Item, Slot, Form, AuditEvent))


def test_every_wanted_judgment_becomes_a_slot_of_a_form() -> None:
    done = put_in(items=6, replication=2, form_size=3)
    assert (done.changed, done.items, done.slots, done.forms) == (True, 6, 12, 4)
    assert done.study.state == "draft"
    assert done.study.design["coverage_min"] == done.study.design["coverage_max"] == 2
    event = AuditEvent.objects.get()
    assert (event.verb, event.author, event.data["items"]) == ("study_import", "researcher", 6)


def test_practice_items_are_stored_and_never_planned() -> None:
    done = put_in(items=4, practice=2)
    assert done.items == 4
    assert Item.objects.filter(practice=True, slots__isnull=True).count() == 2


def test_an_item_keeps_its_passage_and_its_conflict_keys() -> None:
    wanted = factories.definition(items=3, articles=3)
    task = wanted.tasks[0]
    rows = tuple(replace(row, passage_id="p1") for row in task.items)
    wanted = replace(
        wanted,
        tasks=(replace(task, items=rows),),
        passages={"p1": PassageRow("A long text.", "en")},
    )
    study = study_import(wanted, author="researcher", now=factories.NOW).study
    item = study.items.get(key="c001")
    assert item.conflicts == ["article=a1"]
    assert item.all_fields["passage"] == "A long text."
    assert item.all_fields["passage_lang"] == "en"


def test_the_same_folder_again_changes_nothing() -> None:
    first = put_in()
    ids = list(Slot.objects.order_by("pk").values_list("pk", flat=True))
    before = stored()
    again = put_in()
    assert again.study.pk == first.study.pk
    assert not again.changed
    assert stored() == before
    assert list(Slot.objects.order_by("pk").values_list("pk", flat=True)) == ids


def test_a_changed_folder_replaces_the_draft() -> None:
    first = put_in(items=6)
    again = put_in(items=4)
    assert again.changed
    assert again.study.pk == first.study.pk
    assert (again.items, again.slots) == (4, 8)
    assert Study.objects.count() == 1
    assert Item.objects.count() == 4


@pytest.mark.parametrize("state", ["pilot", "live", "paused", "closed"])
def test_once_it_is_open_a_study_keeps_what_is_judged(state: str) -> None:
    study = put_in().study
    study_launch(study, author="researcher", now=factories.NOW)
    Study.objects.update(state=state, closed_at=factories.NOW)
    before = stored()
    with pytest.raises(StateForbids, match=f"tiny is {state}, so its folder can no longer change"):
        put_in(items=4)
    *rows, events = before
    assert stored() == (*rows, events + 1)
    refused = AuditEvent.objects.order_by("number").last()
    assert refused is not None
    assert (refused.verb, refused.study) == ("study_import_refused", "tiny")
    assert not put_in().changed


@pytest.mark.parametrize("step", ["plan_forms", "_store_design", "audit_record", "_store_items"])
def test_what_breaks_off_in_the_middle_leaves_the_draft_as_it_was(
    monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    put_in(items=6)
    before = stored(), Study.objects.get().folder_sha256, Study.objects.get().title

    def broken(*_: object, **__: object) -> None:
        raise DatabaseError("the disk is full")

    monkeypatch.setattr(module, step, broken)
    with pytest.raises(DatabaseError):
        put_in(items=4)
    assert (stored(), Study.objects.get().folder_sha256, Study.objects.get().title) == before


def test_a_first_import_that_fails_half_way_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    create = Slot.objects.bulk_create

    def broken(rows: list[Slot], **options: object) -> None:
        create(rows[:3])
        raise DatabaseError("the disk is full")

    monkeypatch.setattr(Slot.objects, "bulk_create", broken)
    with pytest.raises(DatabaseError):
        put_in()
    assert stored() == (0, 0, 0, 0, 0)
    assert not Passage.objects.exists()


def test_the_sides_of_an_item_alternate_over_its_replicates() -> None:
    study = put_in(items=20, replication=4, form_size=5).study
    for item in study.items.all():
        assert sorted(item.slots.values_list("flipped", flat=True)) == [False, False, True, True]


def test_where_the_replicates_are_odd_half_of_the_items_lean_to_each_side() -> None:
    study = put_in(items=20, replication=3, form_size=5).study
    leaning = [item.slots.filter(flipped=True).count() for item in study.items.all()]
    assert sorted(leaning) == [1] * 10 + [2] * 10
