"""Practice first, the items in the person's own order, the check at its place and on no slot."""

from dataclasses import replace

import pytest

from annotation.models import Assignment, Claim, Slot
from annotation.tasktypes.base import Presentation
from tests import factories

pytestmark = pytest.mark.django_db

AT_7 = replace(factories.CHECK, position=7)


def kinds(claim: Claim) -> list[str]:
    return [screen.kind for screen in factories.screens_of(claim)]


def test_the_check_is_the_seventh_screen_and_uses_no_slot() -> None:
    study = factories.live(items=10, replication=1, form_size=10, attention=[AT_7])
    claim = factories.claimed(factories.annotator(study))
    assert kinds(claim) == ["judge"] * 6 + ["check"] + ["judge"] * 4
    assert claim.assignments.get(kind="check").slot is None
    assert [s.position for s in factories.screens_of(claim)] == list(range(1, 12))


def test_in_a_short_form_the_check_comes_last() -> None:
    study = factories.live(items=3, replication=1, attention=[AT_7])
    assert kinds(factories.claimed(factories.annotator(study))) == ["judge"] * 3 + ["check"]


def test_a_check_shows_what_the_person_does_not_judge() -> None:
    study = factories.live(items=12, articles=12, replication=1, attention=[factories.CHECK])
    claim = factories.claimed(factories.annotator(study))
    check = claim.assignments.get(kind="check")
    judged = {screen.item_id for screen in factories.judge_screens(claim)}
    assert check.item_id not in judged
    assert claim.annotator.exposures.filter(assignment=check).count() == 1
    assert claim.annotator.exposures.count() == 4


def test_where_a_study_is_too_small_the_check_repeats_an_item_and_is_flagged() -> None:
    study = factories.live(items=3, articles=3, replication=1, attention=[factories.CHECK])
    claim = factories.claimed(factories.annotator(study))
    check = claim.assignments.get(kind="check")
    assert check.clash or claim.assignments.filter(kind="judge", clash=True).exists()
    assert claim.annotator.exposures.count() == 3


def test_practice_comes_first_and_only_once() -> None:
    study = factories.live(items=6, replication=1, form_size=3, practice=2, forms_per_annotator=2)
    person = factories.annotator(study)
    first = factories.finished(factories.claimed(person))
    assert kinds(first) == ["practice"] * 2 + ["judge"] * 3
    assert [s.position for s in factories.screens_of(first)] == [-2, -1, 1, 2, 3]
    assert kinds(factories.claimed(person)) == ["judge"] * 3


def test_what_is_asked_once_a_form_is_asked_with_the_last_item_of_its_task() -> None:
    study = factories.live(items=3, responses=3, replication=1, form_size=6)
    claim = factories.claimed(factories.annotator(study))
    asked = [
        "consistency" in Presentation.from_json(screen.presentation).asked
        for screen in factories.judge_screens(claim)
        if screen.item.task == "rate"
    ]
    assert asked == [False, False, True]


def test_a_screen_shows_the_side_of_its_slot() -> None:
    study = factories.live(items=6, replication=2, form_size=3)
    for _ in range(4):
        factories.claimed(factories.annotator(study))
    screens = Assignment.objects.select_related("slot")
    assert screens.count() == 12
    for screen in screens:
        assert screen.slot is not None
        assert screen.presentation["order"] == ([2, 1] if screen.slot.flipped else [1, 2])


def test_sides_are_balanced_for_every_item_and_stay_so_after_an_exclusion() -> None:
    study = factories.live(items=6, replication=2, form_size=3)
    for _ in range(4):
        claim = factories.done_by_someone(study)
    claim.assignments.update(active=False)
    Claim.objects.filter(pk=claim.pk).update(state="returned")
    study.forms.filter(pk=claim.form_id).update(state="open")
    factories.done_by_someone(study)
    for item in study.items.all():
        shown = Slot.objects.filter(item=item, assignments__active=True)
        assert sorted(shown.values_list("flipped", flat=True)) == [False, True]


def test_nothing_on_a_screen_tells_a_hidden_field() -> None:
    study = factories.live()
    claim = factories.claimed(factories.annotator(study))
    for screen in factories.screens_of(claim):
        assert set(screen.presentation) == {"order", "asked"}
