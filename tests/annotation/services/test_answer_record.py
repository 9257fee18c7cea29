"""An answer is stored once, whole, and as it was given."""

from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.errors import StateForbids
from annotation.models import Annotator, Answer, AnswerRevision, Assignment, Claim, Draft
from annotation.selectors.judgments import counted_answers
from annotation.selectors.place import Place, Step, numbered, place_of
from annotation.selectors.standing import outcome_of
from annotation.services import answers as module
from annotation.services.answers import AnswerInvalid, answer_record, draft_save, screen_open
from annotation.services.claims import slots_release_expired
from annotation.services.exclusions import exclusion_by_hand
from annotation.services.sessions import annotator_withdraw
from tests import factories

pytestmark = pytest.mark.django_db

# Lock, study (read once the lock is granted), claim, earlier submissions, instrument, answer,
# revision, draft, what is left; and a transaction around them.
ANSWER_QUERIES = 9
TRANSACTION = 2


@pytest.fixture
def claim() -> Claim:
    study = factories.live(items=3, replication=1, form_size=3, attention=[factories.CHECK])
    return factories.claimed(factories.annotator(study))


@pytest.fixture
def screen(claim: Claim) -> Assignment:
    return factories.judge_screens(claim)[0]


def counts() -> tuple[int, int, int]:
    return Answer.objects.count(), AnswerRevision.objects.count(), Draft.objects.count()


def test_the_same_submission_again_returns_the_first_result(screen: Assignment) -> None:
    first = factories.answered(screen, choice="first")
    before = Answer.objects.values().get()
    again = factories.answered(screen, choice="second", now=factories.NOW + 9 * factories.MINUTE)
    assert not first.repeated
    assert again.repeated
    assert again.answer == first.answer
    assert Answer.objects.values().get() == before
    assert counts() == (1, 1, 0)


def test_an_edit_replaces_the_answer_and_keeps_both(screen: Assignment) -> None:
    first = factories.answered(screen, key="a", confidence="1").answer.values
    second = factories.answered(screen, key="b", confidence="3").answer.values
    assert (first["confidence"], second["confidence"]) == ("1", "3")
    assert Answer.objects.get().values == second
    kept = AnswerRevision.objects.order_by("number").values_list("number", "key", "values")
    assert list(kept) == [(1, "a", first), (2, "b", second)]
    assert factories.answered(screen, key="a", confidence="2").repeated
    assert Answer.objects.get().values == second


def test_what_is_stored_names_the_response_and_not_the_side() -> None:
    study = factories.live(items=4, replication=2, form_size=4)
    claims = [factories.claimed(factories.annotator(study)) for _ in range(2)]
    stored = {}
    for claim in claims:
        for screen in factories.judge_screens(claim):
            answer = factories.answered(screen, choice="first").answer
            stored[screen.item_id, tuple(screen.presentation["order"])] = answer.values["choice"]
    assert len(stored) == 8
    assert {order: choice for (_, order), choice in stored.items()} == {
        (1, 2): "response_1",
        (2, 1): "response_2",
    }


@pytest.mark.parametrize(
    "wrong", [{"choice": ""}, {"choice": "third"}, {"confidence": ["1", "2"]}, {"confidence": "0"}]
)
def test_an_invalid_answer_stores_nothing_and_says_what_is_wrong(
    screen: Assignment, wrong: dict[str, Any]
) -> None:
    draft_save(screen, {"choice": ["first"]}, now=factories.NOW)
    with pytest.raises(AnswerInvalid) as refusal:
        factories.answered(screen, **wrong)
    assert list(refusal.value.form.errors) == list(wrong)
    assert counts() == (0, 0, 1)


def test_the_last_answer_submits_the_claim(claim: Claim) -> None:
    *before, last = numbered(claim, Step.JUDGE)
    for screen in before:
        assert not factories.answered(screen).finished
    claim.refresh_from_db()
    assert claim.state == "held"
    assert factories.answered(last).finished
    claim.refresh_from_db()
    claim.annotator.refresh_from_db()
    assert claim.state == "submitted"
    assert claim.form.__class__.objects.get(pk=claim.form_id).state == "done"
    assert claim.annotator.state == "completed"
    assert counted_answers(claim.form.study).count() == 3


def test_the_order_of_the_answers_does_not_matter(claim: Claim) -> None:
    screens = numbered(claim, Step.JUDGE)[::-1]
    assert [factories.answered(screen).finished for screen in screens] == [False] * 3 + [True]


def test_after_submission_nothing_changes(claim: Claim) -> None:
    factories.finished(claim)
    before = list(Answer.objects.order_by("pk").values()), counts()
    screen = factories.judge_screens(claim)[0]
    with pytest.raises(StateForbids, match="finished and was sent"):
        factories.answered(screen, key="later", confidence="3")
    assert not draft_save(screen, {"confidence": ["3"]}, now=factories.NOW)
    assert (list(Answer.objects.order_by("pk").values()), counts()) == before
    assert factories.answered(screen).repeated


def test_a_person_who_was_excluded_in_the_middle_goes_on_uncounted_to_the_code(
    claim: Claim,
) -> None:
    screens = factories.screens_of(claim)
    factories.answered(screens[0])
    exclusion_by_hand(claim.annotator, reason="a robot", author="admin", now=factories.NOW)
    for screen in screens[1:]:
        assert factories.answered(screen).surplus
    assert place_of(Annotator.objects.get(pk=claim.annotator_id)) == Place(Step.FINISH)
    assert outcome_of(Annotator.objects.get(pk=claim.annotator_id)) == "complete"
    assert not counted_answers(claim.form.study).exists()
    with pytest.raises(StateForbids, match="cannot be changed any more"):
        factories.answered(screens[0], key="another")


def test_who_ran_out_of_time_brings_back_no_judgment_that_was_excluded_meanwhile(
    claim: Claim,
) -> None:
    first, second, third = factories.judge_screens(claim)
    answer = factories.answered(first).answer
    exclusion_by_hand(answer, reason="a slip", author="admin", now=factories.NOW)
    late = factories.NOW + 200 * factories.MINUTE
    assert slots_release_expired(claim.form.study, now=late) == 1
    assert not factories.answered(second, now=late).surplus
    active = claim.assignments.filter(kind="judge", active=True)
    assert set(active.values_list("pk", flat=True)) == {second.pk, third.pk}


def test_a_draft_that_comes_after_its_answer_changes_nothing(claim: Claim) -> None:
    screen = factories.judge_screens(claim)[0]
    answer_record(screen, factories.posted(screen), key="k1", active_seconds=1.0, now=factories.NOW)
    assert draft_save(screen, {"choice": ["first"], "key": ["k1"]}, now=factories.NOW)
    assert not Draft.objects.exists()
    assert draft_save(screen, {"choice": ["first"], "key": ["k2"]}, now=factories.NOW)
    assert Draft.objects.count() == 1


def test_a_person_who_has_left_stores_nothing_more(claim: Claim) -> None:
    screen, other = factories.judge_screens(claim)[:2]
    factories.answered(screen)
    annotator_withdraw(claim.annotator, now=factories.NOW)
    with pytest.raises(StateForbids, match="You have withdrawn"):
        factories.answered(other)
    assert not draft_save(other, {"choice": ["first"]}, now=factories.NOW)
    assert counts() == (1, 1, 0)


STEPS = ["_store", "_finish", "claim_submit", "session_complete", "_is_answered"]


@pytest.mark.parametrize("step", STEPS)
def test_what_breaks_off_between_the_steps_leaves_nothing(
    claim: Claim, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    *before, last = numbered(claim, Step.JUDGE)
    for screen in before:
        factories.answered(screen)
    draft_save(last, {"choice": ["first"]}, now=factories.NOW)
    rows = counts()

    def broken(*_: object, **__: object) -> None:
        raise OSError("the power is gone")

    with monkeypatch.context() as patch:
        patch.setattr(module, step, broken)
        with pytest.raises(OSError, match="the power is gone"):
            factories.answered(last)
    claim.refresh_from_db()
    claim.form.refresh_from_db()
    claim.annotator.refresh_from_db()
    assert counts() == rows
    assert (claim.state, claim.form.state, claim.annotator.state) == ("held", "held", "working")
    assert factories.answered(last).finished


@pytest.mark.parametrize("model", [AnswerRevision, Draft])
def test_what_the_database_refuses_half_way_leaves_nothing(
    screen: Assignment, monkeypatch: pytest.MonkeyPatch, model: type[Any]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError("the power is gone")

    method = "create" if model is AnswerRevision else "filter"
    with monkeypatch.context() as patch:
        patch.setattr(model.objects, method, broken)
        with pytest.raises(OSError, match="the power is gone"):
            factories.answered(screen)
    assert counts() == (0, 0, 0)


def test_both_clocks_are_stored(screen: Assignment) -> None:
    answer = factories.answered(screen, seconds=42.5).answer
    assert (answer.server_seconds, answer.active_seconds) == (42.5, 42.5)


@pytest.mark.parametrize("seconds", [None, -1.0, 24 * 3600.0 + 1, float("nan"), float("inf")])
def test_a_clock_that_went_wrong_is_no_time(screen: Assignment, seconds: float | None) -> None:
    screen_open(screen, now=factories.NOW)
    screen.refresh_from_db()
    recorded = answer_record(
        screen,
        factories.posted(screen),
        key="k",
        active_seconds=seconds,
        now=factories.NOW - factories.MINUTE,
    )
    assert recorded.answer.active_seconds is None
    assert recorded.answer.server_seconds == 0.0


def test_the_first_opening_of_a_screen_starts_the_clock(screen: Assignment) -> None:
    screen_open(screen, now=factories.NOW)
    screen_open(screen, now=factories.NOW + factories.MINUTE)
    screen.refresh_from_db()
    assert screen.opened_at == factories.NOW


def test_a_draft_is_kept_replaced_and_gone_with_the_answer(screen: Assignment) -> None:
    assert draft_save(screen, {"choice": ["first"]}, now=factories.NOW)
    assert draft_save(screen, {"choice": ["second"], "note": ["a\x00b"]}, now=factories.NOW)
    assert Draft.objects.get().posted == {"choice": ["second"], "note": ["ab"]}
    factories.answered(screen)
    assert not Draft.objects.exists()


def test_a_key_with_a_character_that_cannot_be_stored_is_a_key(screen: Assignment) -> None:
    factories.answered(screen, key="a\x00b")
    assert factories.answered(screen, key="a\x00b").repeated


def test_an_answer_names_the_instrument_it_was_given_under(screen: Assignment) -> None:
    answer = factories.answered(screen).answer
    assert answer.instrument == screen.item.study.instruments.get(task="compare", current=True)


def test_practice_and_checks_are_stored_and_never_counted() -> None:
    study = factories.live(
        factories.definition(items=3, replication=1, practice=1, attention=[factories.CHECK])
    )
    claim = factories.done_by_someone(study)
    kinds = Answer.objects.values_list("assignment__kind", flat=True)
    assert sorted(kinds) == ["check", "judge", "judge", "judge", "practice"]
    assert counted_answers(claim.form.study).count() == 3


def test_an_answer_costs_a_stated_number_of_queries(claim: Claim) -> None:
    screens = numbered(claim, Step.JUDGE)
    values = factories.posted(screens[0])
    with CaptureQueriesContext(connection) as queries:
        answer_record(screens[0], values, key="k", active_seconds=5.0, now=factories.NOW)
    assert len(queries) <= ANSWER_QUERIES + TRANSACTION


def test_a_check_of_two_dimensions_may_stand_beside_the_items() -> None:
    check = replace(factories.CHECK, position=1, dimension="choice", expect="no_difference")
    study = factories.live(items=3, replication=1, attention=[check])
    claim = factories.claimed(factories.annotator(study))
    first = numbered(claim, Step.JUDGE)[0]
    assert first.kind == Assignment.Kind.CHECK
    assert factories.answered(first, choice="no_difference").answer.values["choice"] == (
        "no_difference"
    )
