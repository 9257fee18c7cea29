"""A top-up plans exactly the cells that exclusions emptied."""

import pytest

from annotation.models import Answer, AuditEvent, Form, Slot, Study
from annotation.selectors.progress import study_progress, unplanned_slots
from annotation.services.exclusions import exclusion_by_hand
from annotation.services.top_up import top_up
from tests import factories

pytestmark = pytest.mark.django_db


def fill(study: Study) -> None:
    """Send people in until every form is taken."""
    while study.forms.filter(state="open").exists():
        factories.done_by_someone(study)


def leave_out(answers: list[Answer]) -> set[tuple[int, int, bool]]:
    """Leave the answers out and return the cells that this empties, with their sides."""
    slots = set()
    for answer in answers:
        exclusion_by_hand(answer, reason="not read", author="admin", now=factories.NOW)
        slot = Slot.objects.get(assignments=answer.pk)
        slots.add((slot.item_id, slot.replicate, slot.flipped))
    return slots


def offered(study: Study) -> set[tuple[int, int, bool]]:
    """Return the cells that open forms offer."""
    slots = Slot.objects.filter(form__study=study, form__state="open")
    return set(slots.values_list("item_id", "replicate", "flipped"))


def plan(study: Study) -> int:
    return top_up(study, author="admin", now=factories.NOW)


def test_the_cells_that_were_emptied_are_offered_and_no_others() -> None:
    study = factories.live(items=6, replication=2, form_size=3)
    fill(study)
    emptied = leave_out(list(Answer.objects.order_by("assignment__item__key", "pk")[::3]))
    assert study_progress(study).unplanned_slots == len(emptied) == 4
    forms = plan(study)
    assert offered(study) == emptied
    assert study.forms.filter(top_up=True).count() == forms
    assert Slot.objects.filter(form__study=study).count() == 12
    assert not unplanned_slots(study).exists()
    assert factories.broken_promises(study) == []
    fill(study)
    assert set(factories.judged_times(study).values()) == {2}
    assert study_progress(study).over_assigned == 0


def test_a_top_up_again_plans_nothing() -> None:
    study = factories.live(items=3, replication=1)
    fill(study)
    leave_out(list(Answer.objects.all()[:1]))
    assert plan(study) == 1
    events = AuditEvent.objects.count()
    assert plan(study) == 0
    assert AuditEvent.objects.count() == events


def test_the_replicates_of_one_item_go_to_different_people() -> None:
    study = factories.live(items=3, replication=3, form_size=3)
    fill(study)
    item = study.items.earliest("key")
    leave_out(list(Answer.objects.filter(assignment__item=item)))
    assert plan(study) == 3
    fill(study)
    assert factories.judged_times(study)[item.key] == 3
    assert factories.broken_promises(study) == []


def test_items_that_share_an_article_do_not_meet_in_a_top_up() -> None:
    study = factories.live(items=6, articles=3, replication=1, form_size=3)
    fill(study)
    leave_out(list(Answer.objects.all()))
    assert plan(study) == 2
    for form in study.forms.filter(top_up=True):
        keys = [key for slot in form.slots.all() for key in slot.item.conflicts]
        assert len(set(keys)) == len(keys) == 3


def test_a_form_whose_slots_have_all_moved_is_void() -> None:
    study = factories.live(items=3, replication=1)
    fill(study)
    leave_out(list(Answer.objects.all()))
    plan(study)
    states = Form.objects.order_by("seq").values_list("state", "top_up")
    assert list(states) == [("void", False), ("open", True)]


def test_a_whole_form_given_back_needs_no_top_up() -> None:
    study = factories.live(items=3, replication=1)
    claim = factories.done_by_someone(study)
    exclusion_by_hand(claim.annotator, reason="a robot", author="admin", now=factories.NOW)
    assert plan(study) == 0
    assert study_progress(study).needed_annotators == 1


def test_what_is_excluded_in_a_top_up_is_planned_once_more() -> None:
    study = factories.live(items=3, replication=1)
    for _ in range(3):
        fill(study)
        latest = Answer.objects.filter(assignment__active=True, assignment__kind="judge")
        emptied = leave_out(list(latest))
        plan(study)
        assert offered(study) == emptied
    fill(study)
    assert set(factories.judged_times(study).values()) == {1}
