"""Back, a second tab, another device, the next day: always where the person was, nothing twice."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotation.models import Annotator, Answer, AnswerRevision, Draft, PlatformSession
from annotation.services.claims import form_claim, slots_release_expired
from annotation.studyfile.definition import Recruitment
from tests.factories import annotator, live, seeded
from tests.journeys.shipped import open_study
from tests.journeys.visitor import LOST, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DAY = timedelta(days=1)


@pytest.fixture
def study():
    return live(items=12)


def next_day(study):
    """Let a day pass: what was to be over by then is over."""
    slots_release_expired(study, now=timezone.now() + DAY)


def test_back_shows_what_was_given_and_an_edit_keeps_both(visitor, study):
    visitor.come_in(study.slug)
    first = visitor.screen
    visitor.answer(confidence="1")
    visitor.page.get_by_role("link", name="Back to the one before").click()
    expect(visitor.page.locator("[name=confidence][value='1']")).to_be_checked()
    visitor.give("confidence", "3")
    visitor.next.click()
    expect(visitor.page.locator(".count")).to_contain_text("2 of 3")
    revisions = AnswerRevision.objects.filter(answer=first.pk).order_by("number")
    assert [r.values["confidence"] for r in revisions] == ["1", "3"]
    assert Answer.objects.get(pk=first.pk).values["confidence"] == "3"


def test_after_the_end_the_back_button_shows_the_end_and_changes_nothing(visitor, study):
    visitor.come_in(study.slug)
    visitor.finish()
    before = list(Answer.objects.values_list("pk", "values"))
    visitor.page.go_back()
    expect(visitor.page.locator("#code")).to_be_visible()
    for _ in range(3):
        visitor.page.reload()
    expect(visitor.page.locator("#code")).to_have_text("DONE1")
    assert list(Answer.objects.values_list("pk", "values")) == before
    assert AnswerRevision.objects.count() == 3


def test_two_tabs_on_two_items_each_save_to_their_own(visitor, study):
    visitor.come_in(study.slug)
    first = visitor.screen
    second_tab = Visitor(visitor.page.context.new_page())
    second_tab.page.goto(visitor.page.url)
    second_tab.answer(choice="first")
    second = second_tab.screen
    second_tab.fill(choice="second")
    visitor.fill(choice="second")
    visitor.next.click()
    expect(visitor.page.locator(".count")).to_contain_text("2 of 3")
    second_tab.next.click()
    expect(second_tab.page.locator(".count")).to_contain_text("3 of 3")
    assert Answer.objects.get(pk=first.pk).revisions.count() == 2
    assert Answer.objects.get(pk=second.pk).revisions.count() == 1
    shown = {a.pk: a.assignment.presentation["order"] for a in Answer.objects.all()}
    for answer in Answer.objects.all():
        wanted = "response_2" if shown[answer.pk] == [1, 2] else "response_1"
        assert answer.values["choice"] == wanted


def test_a_change_made_after_a_lost_reply_is_what_counts(visitor, study):
    """The server stored the first answer, and the person, who was told nothing, changed it."""
    visitor.come_in(study.slug)
    screen, page = visitor.screen, visitor.page
    visitor.fill(confidence="1")
    expect(visitor.status).to_have_text("Saved")

    def lose_the_reply(route):
        if route.request.method == "POST":
            route.fetch()
            route.abort("internetdisconnected")
        else:
            route.fallback()

    page.route("**/judge/1/", lose_the_reply)
    visitor.next.click()
    expect(visitor.status).to_have_text(LOST)
    assert Answer.objects.get(pk=screen.pk).values["confidence"] == "1"
    visitor.give("confidence", "3")
    page.unroute("**/judge/1/")
    expect(page.locator(".count")).to_contain_text("2 of 3")
    assert Answer.objects.get(pk=screen.pk).values["confidence"] == "3"
    assert not Draft.objects.filter(pk=screen.pk).exists()


def test_another_device_goes_on_by_the_link_where_the_first_stopped(visitor, device, study):
    visitor.come_in(study.slug)
    visitor.answer()
    visitor.give("choice", "first")
    expect(visitor.status).to_have_text("Saved")
    shown = visitor.page.locator(".text").all_text_contents()
    phone = Visitor(device(viewport={"width": 390, "height": 844}).new_page())
    phone.page.goto(f"/a/{visitor.person.access_key}/")
    assert phone.place == "/judge/2/"
    assert phone.page.locator(".text").all_text_contents() == shown
    expect(phone.page.locator("[name=choice][value=first]")).to_be_checked()
    phone.finish()
    assert Annotator.objects.get().state == Annotator.State.COMPLETED


def test_the_link_of_prolific_leads_back_to_the_same_person(visitor, device):
    open_study("answer-quality", time_limit_minutes=None)
    who = {"PROLIFIC_PID": "5f1e2d3c4b5a69788796a5b4", "STUDY_ID": "s1"}
    visitor.come_in("answer-quality", **who, SESSION_ID="v1")
    for _ in visitor.practise():
        pass
    assert "PROLIFIC" not in visitor.page.url
    visitor.answer()
    again = Visitor(device().new_page())
    again.follow("answer-quality", **who, SESSION_ID="v2")
    assert again.page.url == visitor.page.url
    assert Annotator.objects.count() == 1
    assert PlatformSession.objects.count() == 2


def test_clickworker_gives_a_code_to_type_in_there(visitor):
    study = live(
        items=12, recruitment=Recruitment(provider="clickworker", codes={"complete": "CLICK5"})
    )
    visitor.come_in(study.slug, user_id="4711")
    visitor.finish()
    expect(visitor.page.locator("#code")).to_have_text("CLICK5")
    expect(visitor.page.get_by_text("Enter this code on the page of Clickworker")).to_be_visible()
    visitor.follow(study.slug, user_id="4711")
    expect(visitor.page.locator("#code")).to_have_text("CLICK5")
    assert Annotator.objects.count() == 1


def test_who_returns_the_next_day_goes_on_and_is_counted(visitor, study):
    visitor.come_in(study.slug)
    visitor.answer()
    link = f"/a/{visitor.person.access_key}/"
    next_day(study)
    visitor.page.goto(link)
    expect(visitor.page.get_by_text("The time for this set is over.")).to_be_visible()
    assert visitor.place == "/judge/2/"
    visitor.finish()
    expect(visitor.page.locator("#code")).to_have_text("DONE1")
    assert not Answer.objects.filter(surplus=True).exists()


def test_who_returns_after_the_set_was_taken_gets_the_code_and_counts_as_surplus(visitor, study):
    visitor.come_in(study.slug)
    visitor.answer()
    person = visitor.person
    form = person.claims.get().form
    next_day(study)
    while form.claims.count() == 1:
        form_claim(annotator(study), now=timezone.now(), rng=seeded(1))
    visitor.page.reload()
    visitor.finish()
    expect(visitor.page.locator("#code")).to_have_text("DONE1")
    assert set(person.assignments.values_list("answer__surplus", flat=True)) == {True}


def test_an_answer_that_cannot_be_stored_keeps_the_page_until_it_can(visitor, study, monkeypatch):
    """While the database is down there is no code and no next page, and nothing is lost."""
    visitor.come_in(study.slug)
    visitor.answer()
    visitor.answer()

    def down(*_, **__):
        raise OSError("no database")

    with monkeypatch.context() as broken:
        broken.setattr("annotation.views.judge.answer_record", down)
        visitor.fill()
        visitor.next.click()
        expect(visitor.status).to_contain_text("kept here and will be sent")
        assert "DONE1" not in visitor.page.content()
    expect(visitor.page.locator("#code")).to_have_text("DONE1")
    assert Answer.objects.count() == 3
