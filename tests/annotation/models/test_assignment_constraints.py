"""Over-assignment cannot be stored: each promise is broken here by plain writes, and refused."""

from dataclasses import dataclass

import pytest
from django.db import connection

from annotation.models import Assignment, Claim, Exposure, Form, Slot
from tests import factories
from tests.annotation.models.refusals import refused

pytestmark = pytest.mark.django_db


@dataclass
class World:
    """Two people who hold a form each, and a slot of the first."""

    first: Claim
    second: Claim
    screen: Assignment
    slot: Slot


@pytest.fixture
def world() -> World:
    study = factories.live(items=6, replication=3, form_size=3, articles=6)
    first, second = (factories.claimed(factories.annotator(study)) for _ in range(2))
    screen = factories.judge_screens(first)[0]
    return World(first, second, screen, Slot.objects.get(assignments=screen))


def new_claim(form: Form, world: World, state: str = "held") -> Claim:
    """Return a claim of the second person, not stored yet."""
    return Claim(
        form=form,
        annotator=world.second.annotator,
        consent=world.second.consent,
        state=state,
        seed=1,
        claimed_at=factories.NOW,
        lease_until=factories.NOW,
    )


def new_screen(claim: Claim, on: Slot, **changed: object) -> Assignment:
    """Return a screen, not stored yet."""
    fields = {
        "claim": claim,
        "annotator": claim.annotator,
        "slot": on,
        "item": on.item,
        "position": 99,
        "presentation": {},
    }
    return Assignment(**(fields | changed))


def open_form(world: World) -> Form:
    """Return a form that nobody has claimed yet."""
    return world.first.form.study.forms.filter(state="open").earliest("seq")


def unmet_slot(claim: Claim) -> Slot:
    """Return an open slot whose item the claim's person has not met."""
    met = claim.annotator.assignments.values("item")
    return Slot.objects.filter(form__state="open").exclude(item__in=met).earliest("pk")


def test_a_slot_has_at_most_one_active_holder(world: World) -> None:
    slot = Slot.objects.filter(form=world.first.form).exclude(
        item__in=world.second.annotator.assignments.values("item")
    )
    taken = slot.first() or world.slot
    Assignment.objects.filter(annotator=world.second.annotator, item=taken.item).delete()
    with refused("assignment_one_holder_a_slot", "annotation_assignment.slot_id"):
        new_screen(world.second, taken).save()


def test_a_holder_who_left_is_no_holder(world: World) -> None:
    world.first.assignments.update(active=False)
    Assignment.objects.filter(annotator=world.second.annotator).delete()
    new_screen(world.second, world.slot).save()
    with refused("assignment_one_holder_a_slot", "annotation_assignment.slot_id"):
        world.first.assignments.filter(pk=world.screen.pk).update(active=True)


def test_a_person_judges_an_item_once_even_on_another_slot(world: World) -> None:
    other = Slot.objects.filter(item=world.screen.item).exclude(pk=world.slot.pk).earliest("pk")
    columns = "annotation_assignment.annotator_id, annotation_assignment.item_id"
    with refused("assignment_item_once_a_person", columns):
        new_screen(world.first, other, active=False).save()


def test_a_form_is_held_once(world: World) -> None:
    with refused("claim_one_a_form", "annotation_claim.form_id"):
        new_claim(world.first.form, world, state="submitted").save()


def test_a_person_holds_one_form(world: World) -> None:
    with refused("claim_one_held_a_person", "annotation_claim.annotator_id"):
        new_claim(open_form(world), world).save()


def test_a_person_gets_a_form_once(world: World) -> None:
    Claim.objects.filter(pk=world.second.pk).update(state="returned")
    columns = "annotation_claim.annotator_id, annotation_claim.form_id"
    with refused("claim_form_once_a_person", columns):
        new_claim(world.second.form, world, state="timed_out").save()


def test_a_position_of_a_claim_is_taken_once(world: World) -> None:
    columns = "annotation_assignment.claim_id, annotation_assignment.position"
    with refused("assignment_position_once_a_claim", columns):
        new_screen(world.second, unmet_slot(world.second), position=1).save()


@pytest.mark.parametrize("replicate", [0, 4])
def test_there_is_no_replicate_beyond_the_replication(world: World, replicate: int) -> None:
    slot = world.slot
    with refused("slot_replicate_within_replication"):
        Slot.objects.filter(pk=slot.pk).update(replicate=replicate)


def test_a_replicate_exists_once(world: World) -> None:
    slot = world.slot
    columns = "annotation_slot.item_id, annotation_slot.replicate"
    with refused("slot_replicate_once", columns):
        Slot.objects.filter(item=slot.item).update(replicate=1)


def test_a_place_of_a_form_is_taken_once(world: World) -> None:
    slots = Slot.objects.filter(form=world.first.form)
    with refused("slot_place_once", "annotation_slot.form_id, annotation_slot.place"):
        slots.update(place=1)


def test_a_form_holds_an_item_once(world: World) -> None:
    slot = world.slot
    other = Slot.objects.filter(item=slot.item).exclude(pk=slot.pk).earliest("pk")
    with refused("slot_item_once_a_form", "annotation_slot.form_id, annotation_slot.item_id"):
        Slot.objects.filter(pk=other.pk).update(form=slot.form, place=50)


def test_a_form_has_its_own_number(world: World) -> None:
    form = world.first.form
    with refused("form_seq_once", "annotation_form.study_id, annotation_form.seq"):
        Form.objects.create(study=form.study, seq=form.seq)


def test_a_screen_shows_the_item_of_its_slot(world: World) -> None:
    slot = unmet_slot(world.first)
    strange = Slot.objects.exclude(item=slot.item).filter(form=slot.form).earliest("pk").item
    world.first.annotator.assignments.filter(item=strange).delete()
    with refused("assignment_item_is_the_slots"):
        new_screen(world.first, slot, item=strange).save()


def test_a_screen_cannot_be_turned_to_another_item(world: World) -> None:
    unmet = unmet_slot(world.first).item
    with refused("assignment_item_is_the_slots"):
        Assignment.objects.filter(pk=world.screen.pk).update(item=unmet)


def test_a_slot_that_somebody_was_given_keeps_its_item(world: World) -> None:
    unmet = unmet_slot(world.first).item
    with refused("assignment_item_is_the_slots"):
        Slot.objects.filter(pk=world.slot.pk).update(item=unmet, replicate=90, replication=90)


def test_a_screen_belongs_to_the_person_of_its_claim(world: World) -> None:
    slot = unmet_slot(world.second)
    with refused("assignment_annotator_is_the_claims"):
        new_screen(world.first, slot, annotator=world.second.annotator).save()


def test_a_screen_cannot_be_handed_to_another_person(world: World) -> None:
    stranger = factories.annotator(world.first.form.study)
    with refused("assignment_annotator_is_the_claims"):
        Assignment.objects.filter(pk=world.screen.pk).update(annotator=stranger)


def test_a_claim_cannot_be_handed_to_another_person(world: World) -> None:
    stranger = factories.annotator(world.first.form.study)
    with refused("assignment_annotator_is_the_claims"):
        Claim.objects.filter(pk=world.first.pk).update(annotator=stranger)


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "judge", "slot": None},
        {"kind": "check", "check_index": 0},
        {"kind": "check", "slot": None, "check_index": None},
        {"kind": "practice", "slot": None, "position": 3},
        {"kind": "practice", "position": -3},
        {"kind": "judge", "position": 0},
        {"kind": "another", "slot": None},
    ],
)
def test_a_screen_is_judged_on_a_slot_or_a_check_or_practice(
    world: World, wrong: dict[str, object]
) -> None:
    slot = unmet_slot(world.first)
    with refused("assignment_kind_fits"):
        new_screen(world.first, slot, **wrong).save()


def test_a_conflict_key_is_met_once(world: World) -> None:
    key = world.screen.exposures.get().key
    columns = "annotation_exposure.annotator_id, annotation_exposure.key"
    with refused("exposure_once_a_person", columns):
        Exposure.objects.create(annotator=world.first.annotator, assignment=world.screen, key=key)


def test_the_row_refused_is_refused_by_the_database_itself(world: World) -> None:
    slot = world.slot.pk
    # Whichever form came second, its person has the item nowhere else.
    others = world.second.assignments.filter(item=world.screen.item).exclude(position=1)
    others.delete()
    with (
        refused("assignment_one_holder_a_slot", "annotation_assignment.slot_id"),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            "UPDATE annotation_assignment SET slot_id = %s, item_id = %s "
            "WHERE claim_id = %s AND position = 1",
            [slot, world.screen.item_id, world.second.pk],
        )
