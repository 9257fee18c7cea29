"""Whatever a study's texts contain is shown character by character, and nothing of it runs."""

from dataclasses import replace

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from analysis.runs.models import AnalysisRun
from annotation.models import Answer
from annotation.services.exclusions import exclusion_by_hand
from tests.factories import annotator, answered, claimed, live
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
    whole = hostile("rubric")
    study = live(replace(whole, recruitment=replace(whole.recruitment, eligibility=())))
    django_user_model.objects.create_superuser("staff", password=PASSWORD)
    page = visitor.page
    page.goto("/login/")
    page.locator("[name=username]").fill("staff")
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main").get_by_role("button").click()
    expect(page.get_by_role("heading", name=ONE_LINE)).to_be_visible()
    harmless()
    now = timezone.now()
    screen = claimed(annotator(study, now=now), now=now).assignments.order_by("position").first()
    answered(screen, now=now, own_remark=ALL)
    person = screen.annotator
    exclusion_by_hand(person, reason=ALL, author=ONE_LINE, now=now)
    run = AnalysisRun.objects.create(
        study=study, kind="human", state="failed", error=ALL, author=ONE_LINE, asked_at=now
    )
    of_study = f"/studies/{study.slug}/"
    for path in (
        "",
        "monitor/",
        "annotators/?q=%22%3E%3Cimg+src%3Dx+onerror%3Dalert(1)%3E",
        f"annotators/{person.pseudonym}/",
        f"annotators/{person.pseudonym}/exclude/",
        "payments/?show=%3Cb%3E",
        "story/?author=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E",
        "reports/",
        f"reports/{run.pk}/",
        "release/",
        "release/texts/",
        "state/close/",
        "preview/consent/",
        "preview/task/work/?hidden=1",
    ):
        answer = page.goto(of_study + path)
        assert answer.status == 200, path
        harmless()
    assert IMAGE in page.locator("main").text_content()
    for table in ("study", "item", "annotator", "answer"):
        page.goto(f"/admin/annotation/{table}/")
        harmless()
    page.goto(f"/admin/annotation/item/{study.items.first().pk}/change/")
    harmless()
