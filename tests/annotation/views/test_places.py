"""Where a person is, whatever address they ask for, and what is stored on the way."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Annotator, Answer, AnswerRevision, Claim, Consent, Draft, Form
from annotation.services.claims import form_claim, slots_release_expired
from annotation.services.study_states import study_close
from annotation.studyfile.definition import EligibilityQuestion, Recruitment
from tests.annotation.views.walk import Walk
from tests.factories import AUTHOR, annotator, live, seeded

pytestmark = pytest.mark.django_db

CODES = {
    "complete": "DONE1",
    "screened_out": "OUT2",
    "no_consent": "NOT3",
    "failed_attention": "F4",
}
ASKS = EligibilityQuestion("adult", "Are you an adult?", ("yes",))
STRICT = Recruitment(provider="prolific", codes=CODES, eligibility=(ASKS,))
HOUR = timedelta(hours=1)


@pytest.fixture
def walk():
    return Walk()


def begun(walk, **shape):
    study = live(**{"items": 12, **shape})
    walk.come_in("/s/tiny/")
    return study


def to(walk, place):
    walk.get(f"/a/{walk.person.access_key}/{place}")
    return walk.path.split("/a/")[1].split("/", 1)[1]


def test_every_address_leads_to_where_the_person_is(walk):
    begun(walk, practice=2)
    for place in ("", "consent/", "eligibility/", "finish/", "judge/1/", "judge/3/", "practice/2/"):
        assert to(walk, place) == "practice/1/"
    walk.judge()
    assert to(walk, "judge/1/") == "practice/2/"
    walk.judge()
    for place in ("", "instructions/", "finish/", "judge/2/", "judge/99/", "judge/0/"):
        assert to(walk, place) == "judge/1/"


def test_nothing_can_be_judged_before_consent(walk):
    live(items=12, recruitment=STRICT)
    walk.get("/s/tiny/?PROLIFIC_PID=p1")
    for place in ("instructions/", "eligibility/", "judge/1/"):
        assert to(walk, place) == "consent/"
        walk.post(f"/a/{walk.person.access_key}/{place}", {"adult": "yes", "choice": "first"})
        assert walk.path.endswith("/consent/")
    assert not Claim.objects.exists()
    assert not Consent.objects.exists()


def test_an_answer_posted_ahead_is_not_stored(walk):
    begun(walk)
    walk.post(walk.path.replace("/1/", "/3/"), {"choice": "first", "confidence": "1", "key": "k"})
    assert walk.path.endswith("/judge/1/")
    assert not Answer.objects.exists()


def test_who_does_not_agree_leaves_with_the_code_for_it_and_may_read_again(walk):
    live(items=12, recruitment=STRICT)
    walk.get("/s/tiny/?PROLIFIC_PID=p1")
    walk.send(consent="no")
    assert "NOT3" in walk.text
    assert "cc=NOT3" in walk.text
    assert "DONE1" not in walk.text
    assert to(walk, "consent/") == "consent/"
    walk.send(consent="yes")
    assert walk.path.endswith("/eligibility/")
    assert [c.given for c in Consent.objects.order_by("pk")] == [False, True]


def test_who_is_not_eligible_leaves_with_the_code_for_it_and_for_good(walk):
    live(items=12, recruitment=STRICT)
    walk.get("/s/tiny/?PROLIFIC_PID=p1")
    walk.send(consent="yes")
    walk.send()
    assert walk.page.status_code == 422
    assert "Please choose an answer." in walk.text
    walk.send(adult="no")
    assert "OUT2" in walk.text
    for place in ("instructions/", "eligibility/", "judge/1/"):
        assert to(walk, place) == "finish/"
        walk.post(f"/a/{walk.person.access_key}/{place}", {"adult": "yes"})
        assert "OUT2" in walk.text
    assert not Claim.objects.exists()


def test_the_way_back_is_the_platform_s_address_of_today(walk):
    live(items=12, recruitment=STRICT)
    walk.get("/s/tiny/?PROLIFIC_PID=p1")
    walk.send(consent="yes")
    walk.send(adult="yes")
    walk.send()
    walk.go()
    assert 'href="https://app.prolific.com/submissions/complete?cc=DONE1"' in walk.text


def test_the_same_submission_again_is_the_first_one(walk):
    begun(walk)
    path, sent = walk.path, {"choice": "first", "confidence": "1", "key": "k1"}
    for _ in range(3):
        walk.post(path, sent)
        assert walk.path.endswith("/judge/2/")
    assert AnswerRevision.objects.count() == 1


def test_a_script_is_told_the_next_address_and_the_page_of_a_gap(walk):
    begun(walk)
    accept = {"Accept": "application/json, text/html;q=0.9"}
    path = walk.path
    walk.post(path, {"choice": "first", "confidence": "1", "key": "k1"}, **accept)
    assert walk.page.json() == {"next": path.replace("/1/", "/2/")}
    walk.post(path.replace("/1/", "/2/"), {"choice": "first", "key": "k2"}, **accept)
    assert walk.page.status_code == 422
    assert "Nothing is lost" in walk.text


def test_after_the_end_nothing_changes_and_the_code_is_shown_again(walk):
    begun(walk)
    path = walk.path
    walk.go()
    before = list(AnswerRevision.objects.values())
    walk.post(path, {"choice": "second", "confidence": "3", "key": "late"})
    assert walk.path.endswith("/finish/")
    assert "DONE1" in walk.text
    draft = walk.client.post(f"{path}draft/", {"choice": "second"})
    assert (draft.status_code, draft.json()["stored"]) == (409, False)
    assert list(AnswerRevision.objects.values()) == before
    assert not Draft.objects.exists()


def test_a_draft_comes_back_and_becomes_the_answer_only_when_sent(walk):
    begun(walk)
    reply = walk.client.post(f"{walk.path}draft/", {"choice": "second", "key": "k"})
    assert reply.json()["stored"] is True
    walk.get(walk.path)
    assert walk.forms[0].values["choice"] == ["second"]
    assert not Answer.objects.exists()


def test_a_draft_of_a_screen_that_was_not_reached_is_refused(walk):
    begun(walk)
    reply = walk.client.post(walk.path.replace("/1/", "/2/") + "draft/", {"choice": "second"})
    assert (reply.status_code, reply.json()["stored"]) == (404, False)


def test_a_draft_of_a_screen_that_is_not_there_is_not_called_stored(walk):
    begun(walk)
    reply = walk.client.post(walk.path.replace("/1/", "/9/") + "draft/", {"choice": "second"})
    assert (reply.status_code, reply.json()) == (404, {"stored": False})


def test_time_is_up_but_the_set_is_still_free(walk):
    study = begun(walk)
    walk.judge()
    slots_release_expired(study, now=timezone.now() + 2 * HOUR)
    assert to(walk, "") == "judge/2/"
    assert "The time for this set is over." in walk.text
    walk.go()
    assert "DONE1" in walk.text
    assert not Answer.objects.filter(surplus=True).exists()


def test_time_is_up_and_the_set_is_gone(walk):
    study = begun(walk)
    walk.judge()
    form = Form.objects.get(claims__annotator=walk.person)
    slots_release_expired(study, now=timezone.now() + 2 * HOUR)
    while form.claims.count() == 1:
        form_claim(annotator(study), now=timezone.now(), rng=seeded(1))
    walk.go()
    assert "DONE1" in walk.text
    assert set(Answer.objects.values_list("surplus", flat=True)) == {True}


def test_stopping_gives_the_set_back_and_coming_back_is_possible(walk):
    begun(walk)
    walk.judge()
    to(walk, "leave/")
    walk.send(leave="stop")
    assert "You have stopped" in walk.text
    assert "DONE1" not in walk.text
    assert Claim.objects.get().state == Claim.State.RETURNED
    assert Form.objects.filter(state=Form.State.HELD).count() == 0
    walk.post(walk.path.replace("finish", "instructions"), {})
    assert walk.path.endswith("/judge/1/")
    assert Claim.objects.count() == 2


@pytest.mark.parametrize("how", ["withdraw", "erase"])
@pytest.mark.parametrize("when", ["in the middle", "at the end"])
def test_withdrawing_is_two_clicks_and_for_good(walk, how, when):
    begun(walk)
    path = walk.path
    walk.judge()
    if when == "at the end":
        walk.go()
    to(walk, "leave/")
    walk.send(leave=how)
    first, after = {
        "withdraw": ("You have withdrawn", "You have withdrawn"),
        "erase": ("Everything about you is deleted", "leads nowhere"),
    }[how]
    assert first in walk.text
    assert Answer.objects.exists() is (how == "withdraw")
    assert AnswerRevision.objects.exists() is (how == "withdraw")
    assert not Answer.objects.filter(surplus=False).exists()
    walk.post(path, {"choice": "second", "confidence": "3", "key": "late"})
    assert after in walk.text
    assert not Answer.objects.filter(revisions__key="late").exists()
    if how == "withdraw":
        for place in ("", "instructions/", "judge/1/", "consent/"):
            assert to(walk, place) == "finish/"


def test_a_leave_form_without_a_choice_changes_nothing(walk):
    begun(walk)
    walk.post(walk.path.replace("judge/1", "leave"), {"leave": "nonsense"})
    assert walk.path.endswith("/judge/1/")
    assert Annotator.objects.get().state == Annotator.State.WORKING


def test_a_second_set_is_offered_as_often_as_the_study_allows(walk):
    begun(walk, forms_per_annotator=2, items=12, practice=1)
    walk.go()
    assert "You may judge 1 more." in walk.text
    walk.send()
    assert walk.path.endswith("/judge/1/")  # nobody practises twice
    walk.go()
    assert "Judge another set" not in walk.text
    walk.post(walk.path.replace("finish", "instructions"), {})
    assert "You have judged all that one person may judge" in walk.text
    assert Answer.objects.filter(assignment__kind="judge").count() == 6


def test_a_closed_study_lets_who_is_in_it_finish_and_gives_nobody_a_set(walk):
    study = begun(walk)
    late = annotator(study)
    study_close(study, author=AUTHOR, now=timezone.now())
    walk.go()
    assert "DONE1" in walk.text
    walk.post(f"/a/{late.access_key}/instructions/", {})
    assert "not open at the moment" in walk.text


def test_help_shows_the_instructions_and_leads_back(walk):
    begun(walk)
    assert to(walk, "help/") == "help/"
    assert "Read, then judge." in walk.text
    assert f'href="/a/{walk.person.access_key}/"' in walk.text
