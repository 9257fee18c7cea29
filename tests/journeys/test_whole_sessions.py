"""From the link of a study to the code at its end, in a real browser, with what goes wrong on the way."""

import pytest
from playwright.sync_api import expect

from annotation.models import Annotator, Answer, Assignment
from tests.journeys.shipped import FOLDERS, open_study
from tests.journeys.visitor import LOST, one_answer_a_screen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CODES = {
    "answer-quality": "C1A2B3",
    "trace-equivalence": "TRACE4",
    "translation-culture": "QUEST8",
    "squality": "STORY7",
}
PROLIFIC = {"PROLIFIC_PID": "5f1e2d3c4b5a69788796a5b4", "STUDY_ID": "s1", "SESSION_ID": "v1"}


def arrival(study):
    return PROLIFIC if study == "answer-quality" else {}


@pytest.mark.parametrize("study", sorted(FOLDERS))
def test_a_whole_session_with_a_reload_a_double_click_and_a_lost_connection(visitor, study):
    open_study(study)
    visitor.come_in(study, **arrival(study))
    for feedback in visitor.practise():
        expect(feedback).to_be_visible()
    expect(visitor.page.locator(".count")).to_contain_text("1 of")

    reloaded_in_the_middle(visitor)
    clicked_twice(visitor)
    sent_without_connection(visitor)
    while "/judge/" in visitor.place:
        assert CODES[study] not in visitor.page.content()
        visitor.answer()

    expect(visitor.page.locator("#code")).to_have_text(CODES[study])
    person = Annotator.objects.get()
    assert person.state == Annotator.State.COMPLETED
    one_answer_a_screen(person)
    assert kinds_of(person) >= {"judge", "check"}
    assert {a.surplus for a in Answer.objects.all()} == {False}


def kinds_of(person):
    return set(person.assignments.values_list("kind", flat=True))


def reloaded_in_the_middle(visitor):
    """What was chosen and called saved is there after a reload, on the same layout."""
    shown = visitor.page.locator(".text").all_text_contents()
    answers = visitor.fill()
    expect(visitor.status).to_have_text("Saved")
    visitor.page.reload()
    assert visitor.page.locator(".text").all_text_contents() == shown
    assert given_on(visitor.page) == as_posted(answers)
    visitor.next.click()
    expect(visitor.page.locator(".count")).to_contain_text("2 of")


def clicked_twice(visitor):
    """Two clicks, and two identical submissions at the same moment, are one answer."""
    answered = visitor.screen
    visitor.fill()
    visitor.page.evaluate(
        """async () => {
          const body = () => new URLSearchParams(new FormData(document.querySelector("[data-judgment]")));
          const send = () => fetch(location.href, {method: "POST", body: body(), redirect: "manual"});
          await Promise.all([send(), send()]);
        }"""
    )
    visitor.next.dblclick()
    expect(visitor.page.locator(".count")).to_contain_text("3 of")
    assert Answer.objects.get(pk=answered.pk).revisions.count() == 1
    assert not Answer.objects.filter(assignment__position__gt=answered.position).exists()


def sent_without_connection(visitor):
    """The page says that the connection is lost, keeps the answer, and sends it when it is back."""
    screen = visitor.screen
    visitor.page.context.set_offline(offline=True)
    visitor.fill()
    expect(visitor.status).to_have_text(LOST)
    visitor.next.click()
    expect(visitor.status).to_have_text(LOST)
    assert not Answer.objects.filter(pk=screen.pk).exists()
    visitor.page.context.set_offline(offline=False)
    expect(visitor.page.locator(".count")).to_contain_text("4 of")
    assert Answer.objects.filter(pk=screen.pk).exists()


def given_on(page):
    """Return what the page shows as given: names and values, in no order."""
    return set(
        page.evaluate(
            """() => [...new FormData(document.querySelector("[data-judgment]"))]
              .filter(([name, value]) => name !== "key" && name !== "active_ms" && value !== "")
              .map(([name, value]) => `${name}=${value}`)"""
        )
    )


def as_posted(answers):
    pairs = ((k, one) for k, v in answers.items() for one in (v if isinstance(v, list) else [v]))
    return {f"{name}={value}" for name, value in pairs if value not in ("", None)}


def test_what_is_stored_names_the_response_and_not_the_side(visitor):
    open_study("trace-equivalence")
    visitor.come_in("trace-equivalence")
    for _ in visitor.practise():
        pass
    screen = visitor.screen
    answers = visitor.fill(equivalence="partially_different", difference_types=["missing_claim"])
    assert answers["difference_types"] == ["missing_claim"]
    visitor.give("material", "yes")
    visitor.next.click()
    expect(visitor.page.locator(".count")).to_contain_text("2 of")
    stored = Answer.objects.get(pk=screen.pk).values["difference_types"]
    flipped = Assignment.objects.get(pk=screen.pk).presentation["order"] == [2, 1]
    assert stored == ["extra_claim" if flipped else "missing_claim"]
