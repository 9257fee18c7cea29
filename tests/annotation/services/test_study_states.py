"""draft → pilot → live ⇄ paused → closed: every arrow, and every one that does not exist."""

import hashlib
from collections.abc import Callable

import pytest

from annotation.errors import StateForbids
from annotation.models import Answer, AuditEvent, Claim, Form, PlanLock, Slot, Study
from annotation.selectors.collected import records_in_parts
from annotation.selectors.judgments import counted_answers
from annotation.selectors.standing import outcome_of
from annotation.selectors.studies import study_definition
from annotation.services.study_states import study_close, study_launch, study_pause, study_pilot
from annotation.studyfile import canonical_json, plan_document
from tests import factories

pytestmark = pytest.mark.django_db

ARROWS: dict[str, Callable[..., object]] = {
    "pilot": study_pilot,
    "live": study_launch,
    "paused": study_pause,
    "closed": study_close,
}
ALLOWED = {
    ("draft", "pilot"),
    ("draft", "live"),
    ("pilot", "live"),
    ("paused", "live"),
    ("live", "paused"),
    ("live", "closed"),
    ("paused", "closed"),
}
WANTED = {"pilot": "pilot", "live": "launched", "paused": "paused", "closed": "closed"}


def in_state(state: str) -> Study:
    """Return a study that came to the state by the shortest way."""
    study = factories.imported()
    for step in {"draft": [], "pilot": ["pilot"], "live": ["live"]}.get(state, ["live", state]):
        move(study, step)
    study.refresh_from_db()
    return study


def move(study: Study, to: str) -> None:
    ARROWS[to](study, author="researcher", now=factories.NOW)


@pytest.mark.parametrize("to", list(ARROWS))
@pytest.mark.parametrize("state", ["draft", "pilot", "live", "paused", "closed"])
def test_a_study_moves_only_along_the_arrows(state: str, to: str) -> None:
    study = in_state(state)
    events = AuditEvent.objects.count()
    if (state, to) in ALLOWED:
        move(study, to)
        study.refresh_from_db()
        assert study.state == to
        assert AuditEvent.objects.count() == events + 1
        return
    sentence = f"tiny is {state} and cannot become {WANTED[to]} from there; it would have to be"
    with pytest.raises(StateForbids, match=sentence):
        move(study, to)
    study.refresh_from_db()
    assert study.state == state
    assert AuditEvent.objects.count() == events


def test_the_plan_is_locked_at_launch_under_its_digest() -> None:
    study = in_state("draft")
    lock = study_launch(study, author="researcher", now=factories.NOW)
    assert lock.canonical_json == canonical_json(plan_document(study_definition(study)))
    assert lock.sha256 == hashlib.sha256(lock.canonical_json.encode()).hexdigest()


def test_a_pause_changes_neither_the_lock_nor_the_date_of_the_launch() -> None:
    study = in_state("live")
    lock = PlanLock.objects.get()
    study_pause(study, author="researcher", now=factories.NOW + factories.MINUTE)
    study_launch(study, author="researcher", now=factories.NOW + 2 * factories.MINUTE)
    study.refresh_from_db()
    assert study.launched_at == factories.NOW
    again = PlanLock.objects.get()
    assert (again.sha256, again.locked_at) == (lock.sha256, lock.locked_at)


def test_what_was_answered_in_the_pilot_never_counts_and_its_slots_are_open_again() -> None:
    study = factories.pilot(items=6, replication=1, form_size=3)
    factories.done_by_someone(study)
    waiting = factories.annotator(study)
    held = factories.claimed(factories.annotator(study))
    study_launch(study, author="researcher", now=factories.NOW)
    study.refresh_from_db()
    assert Answer.objects.count() == 3
    assert not counted_answers(study).exists()
    assert list(records_in_parts(study)) == []
    assert not Slot.objects.filter(assignments__active=True).exists()
    assert set(study.forms.values_list("state", flat=True)) == {Form.State.OPEN}
    assert set(Claim.objects.values_list("state", flat=True)) == {Claim.State.PILOT}
    for screen in factories.screens_of(held):
        assert factories.answered(screen).surplus
    held.annotator.refresh_from_db()
    assert outcome_of(held.annotator) == "complete"
    assert not counted_answers(study).exists()
    with pytest.raises(StateForbids, match="The trial that you took part in is over"):
        factories.claimed(waiting)


def test_who_came_in_the_pilot_takes_no_slot_of_the_study_itself() -> None:
    study = factories.pilot(items=6, replication=1, form_size=3)
    waiting = factories.annotator(study)
    late = factories.claimed(factories.annotator(study))
    expired = factories.NOW + 61 * factories.MINUTE
    factories.claimed(factories.annotator(study), now=expired)
    late.refresh_from_db()
    assert late.state == Claim.State.TIMED_OUT
    study_launch(study, author="researcher", now=expired)
    waiting.refresh_from_db()
    with pytest.raises(StateForbids, match="The trial that you took part in is over"):
        factories.claimed(waiting, now=expired)
    recorded = factories.answered(factories.judge_screens(late)[0], now=expired)
    assert recorded.surplus
    assert not Slot.objects.filter(assignments__active=True).exists()


@pytest.mark.parametrize("state", ["paused", "closed"])
def test_a_form_in_hand_may_be_finished_and_none_is_given(state: str) -> None:
    study = factories.live(items=6, replication=1, form_size=3)
    claim = factories.claimed(factories.annotator(study))
    waiting = factories.annotator(study)
    move(study, state)
    factories.finished(claim)
    assert claim.state == Claim.State.SUBMITTED
    assert counted_answers(study).count() == 3
    waiting.refresh_from_db()
    with pytest.raises(StateForbids, match="The study is not open at the moment"):
        factories.claimed(waiting)


@pytest.mark.parametrize("state", ["draft", "paused", "closed"])
def test_nobody_new_enters_a_study_that_is_not_open(state: str) -> None:
    study = in_state(state)
    with pytest.raises(StateForbids, match="This study is not open at the moment"):
        factories.arrived(study)
