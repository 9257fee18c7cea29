"""By keyboard alone, on a phone, and in a browser that runs no scripts."""

import pytest
from playwright.sync_api import expect

from annotation.models import Annotator, Answer
from tests.factories import live
from tests.journeys.shipped import open_study
from tests.journeys.visitor import Visitor, one_answer_a_screen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TARGETS = ".option, .button:not([hidden]), .bar a, .page-foot a, summary"


def focused(page):
    return page.evaluate("document.activeElement.outerHTML.slice(0, 80)")


def test_a_whole_rubric_screen_by_keyboard_alone(visitor):
    open_study("answer-quality")
    visitor.come_in("answer-quality", PROLIFIC_PID="p1")
    for _ in visitor.practise():
        pass
    while visitor.screen.item.task != "response":
        visitor.answer()
    screen, keyboard = visitor.screen, visitor.page.keyboard
    before = visitor.page.url
    for _ in range(40):
        if visitor.page.url != before:
            break
        marked = visitor.page.locator(".question.current")
        if marked.count() and marked.get_attribute("data-input") == "radio":
            keyboard.press("1")
        else:
            keyboard.press("Enter")
            visitor.page.wait_for_timeout(100)
    expect(visitor.page).not_to_have_url(before)
    stored = Answer.objects.get(pk=screen.pk)
    assert stored.values["adequacy"] == "1"
    assert stored.revisions.count() == 1


def test_the_way_to_the_form_by_tab_and_space_shows_the_focus(visitor):
    study = live(items=12)
    visitor.follow(study.slug)
    page = visitor.page
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    press_until(page, "Begin")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="I agree and want to take part")).to_be_visible()
    press_until(page, "I agree and want to take part")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Begin")).to_be_visible()


def press_until(page, words):
    for _ in range(20):
        page.keyboard.press("Tab")
        if words in focused(page) or words in page.evaluate("document.activeElement.innerText"):
            return
    raise AssertionError(f"Tab never reaches {words!r}; it stands on {focused(page)}")


@pytest.mark.parametrize("name", ["answer-quality", "trace-equivalence", "translation-culture"])
def test_a_phone_in_the_dark_shows_every_page_within_its_edges(device, name):
    open_study(name)
    visitor = Visitor(device(color_scheme="dark", **PHONE).new_page())
    visitor.follow(name, **({"PROLIFIC_PID": "p1"} if name == "answer-quality" else {}))
    fits(visitor.page)
    if name != "answer-quality":
        visitor.press("Begin")
    fits(visitor.page)
    visitor.press("I agree")
    fits(visitor.page)
    visitor.page.get_by_label("Yes").check()
    visitor.press("Continue")
    fits(visitor.page)
    if visitor.place == "/about/":
        visitor.press("Skip all")
        fits(visitor.page)
    visitor.press("Begin")
    fits(visitor.page)
    for _ in visitor.practise():
        fits(visitor.page)
    fits(visitor.page)
    visitor.fill()
    fits(visitor.page)
    background = visitor.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert background == "rgb(22, 24, 27)"


def fits(page):
    """Assert that nothing runs over the edge and that every target is large enough for a finger."""
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    small = page.eval_on_selector_all(
        TARGETS,
        """all => all.map(e => [e.outerHTML.slice(0, 60), e.getBoundingClientRect()])
          .filter(([, box]) => box.width && Math.min(box.width, box.height) < 24)
          .map(([html]) => html)""",
    )
    assert small == []


def test_a_whole_form_can_be_answered_and_sent_without_scripts(device):
    study = live(items=12, responses=6, practice=1)
    visitor = Visitor(device(java_script_enabled=False).new_page())
    visitor.come_in(study.slug)
    for feedback in visitor.practise():
        expect(feedback).to_be_visible()
    visitor.finish()
    expect(visitor.page.locator("#code")).to_have_text("DONE1")
    assert Annotator.objects.get().state == Annotator.State.COMPLETED
    one_answer_a_screen(Annotator.objects.get())


def test_without_scripts_what_is_missing_is_said_and_nothing_given_is_lost(device):
    study = live(items=12)
    visitor = Visitor(device(java_script_enabled=False).new_page())
    visitor.come_in(study.slug)
    visitor.give("choice", "first")
    visitor.next.click()
    expect(visitor.page.get_by_role("alert")).to_contain_text("Please choose an answer.")
    expect(visitor.page.locator("[name=choice][value=first]")).to_be_checked()
    assert not Answer.objects.exists()
