"""Whatever a study's texts contain is shown character by character, and nothing of it runs."""

import pytest
from playwright.sync_api import expect

from annotation.models import Answer
from tests.factories import live
from tests.journeys.hostile import ALL, CORPUS, FIELDS, IMAGE, ONE_LINE, hostile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WRITTEN = "a\n" + ALL
PASSWORD = "correct horse battery"  # noqa: S105  of this test alone
SHOWN = {
    "rubric": [ALL] * 4 + list(CORPUS),
    "pair": [ALL] * 4,
    "trace": [ALL] * 4,
    "translation": [ALL, *CORPUS] * 2,
}


@pytest.fixture
def harmless(visitor):
    """Return a function that asserts that no text became an element and nothing ran."""
    dialogs = []
    visitor.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))

    def check():
        made = visitor.page.evaluate(
            """() => [
              ...document.querySelectorAll("img:not([src^='/static/']), [onerror], [onfocus], answer, iframe, b, em"),
              ...document.querySelectorAll("script:not([src])"),
            ].map(element => element.outerHTML)"""
        )
        assert made == []
        assert dialogs == []

    return check


def texts(page, selector):
    return page.locator(selector).evaluate_all("all => all.map(e => e.textContent)")


@pytest.mark.parametrize("kind", sorted(FIELDS))
def test_every_text_of_a_study_is_shown_as_it_is(visitor, harmless, kind):
    study = live(hostile(kind))
    visitor.follow(study.slug)
    harmless()
    assert visitor.page.locator("h1").text_content() == ONE_LINE
    visitor.press("Begin")
    harmless()
    assert IMAGE in visitor.page.locator(".prose").text_content()
    visitor.press("I agree")
    harmless()
    expect(visitor.page.locator("legend")).to_have_text(ONE_LINE)
    visitor.page.locator("[value=yes]").check()
    visitor.press("Continue")
    visitor.press("Begin")
    harmless()
    assert shown_by(visitor.page, kind) == SHOWN[kind]
    expect(visitor.page.locator("#q-own .choice").first).to_have_text(ONE_LINE)
    for feedback in visitor.practise():
        harmless()
        expect(feedback).to_contain_text(IMAGE)
    screen = visitor.screen
    visitor.fill(own_remark=WRITTEN)
    expect(visitor.status).to_have_text("Saved")
    visitor.page.reload()
    harmless()
    expect(visitor.page.locator("[name=own_remark]")).to_have_value(WRITTEN)
    visitor.next.click()
    expect(visitor.page.locator(".count")).to_have_text("2 of 2")
    visitor.finish()
    harmless()
    assert visitor.page.locator("#code").text_content() == ONE_LINE
    assert Answer.objects.get(pk=screen.pk).values["own_remark"] == WRITTEN


def shown_by(page, kind):
    """Return the texts of the item as the page holds them, a trace put together from its steps."""
    if kind == "trace":
        sides = page.locator(".steps").evaluate_all(
            """all => all.map(one => [...one.querySelectorAll(".text")]
              .map(step => step.textContent).join("\\n"))"""
        )
        return texts(page, ".above > .text, .above > div > .text") + sides
    if kind == "rubric":
        return texts(page, ".source .text") + texts(page, "#q-facts_recalled .choice")
    return texts(page, ".above .text, .source .text")


def test_staff_see_the_texts_as_they_are_too(visitor, harmless, django_user_model):
    study = live(hostile("rubric"))
    django_user_model.objects.create_superuser("staff", password=PASSWORD)
    page = visitor.page
    page.goto("/login/")
    page.locator("[name=username]").fill("staff")
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main").get_by_role("button").click()
    expect(page.get_by_role("heading", name=ONE_LINE)).to_be_visible()
    harmless()
    for table in ("study", "item", "annotator", "answer"):
        page.goto(f"/admin/annotation/{table}/")
        harmless()
    page.goto(f"/admin/annotation/item/{study.items.first().pk}/change/")
    harmless()
