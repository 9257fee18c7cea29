"""Every page, in every state a person can meet it, in the light and in the dark, through axe."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotation.models import Annotator, Study
from annotation.selectors.studies import study_definition
from annotation.services.claims import slots_release_expired
from annotation.services.sessions import annotator_return, annotator_withdraw, consent_give
from annotation.services.study_states import study_close
from annotation.studyfile.definition import EligibilityQuestion, Recruitment
from tests.factories import AUTHOR, annotator, answered, arrived, claimed, finished, live
from tests.journeys.shipped import FOLDERS, open_study
from tests.journeys.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

AXE = Path(__file__).resolve().parents[1] / "vendor" / "axe-core" / "axe.min.js"
RUN = """async () => {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const found = await axe.run(document, {runOnly: tags, resultTypes: ["violations"]});
  return found.violations
    .filter(one => ["serious", "critical"].includes(one.impact))
    .flatMap(one => one.nodes.map(node => `${one.id}: ${node.html.slice(0, 160)}`));
}"""
PASSWORD = "correct horse battery"  # noqa: S105  of this test alone
DAY = timedelta(days=1)
ASKS = EligibilityQuestion("adult", "Are you an adult?", ("yes",))


@pytest.fixture
def page(device):
    context = device()
    context.add_init_script(path=AXE)
    return context.new_page()


def findings(page):
    """Return what axe finds serious in the page that is open, in both schemes."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found += [f"{scheme}: {one}" for one in page.evaluate(RUN)]
    return found


def test_the_check_sees_a_fault(page):
    page.set_content("<title>x</title><html lang=en><main><h1>x</h1><input></main>")
    assert [one for one in findings(page) if "label" in one]


@dataclass(frozen=True)
class State:
    """How a person came to where a page looks so."""

    name: str
    place: str
    reach: Callable[[Study], Annotator]


def come(study):
    return arrived(study, now=timezone.now())


def consented(study):
    person = come(study)
    consent_give(person, given=True, language="en", now=timezone.now())
    return person


def ready(study):
    return annotator(study, now=timezone.now())


def working(study):
    person = ready(study)
    claimed(person, now=timezone.now())
    return person


def practised(study):
    person = working(study)
    answered(person.assignments.order_by("position")[0], now=timezone.now())
    return person


def judging(study):
    person = working(study)
    for screen in person.assignments.filter(kind="practice"):
        answered(screen, now=timezone.now())
    return person


def late(study):
    person = judging(study)
    slots_release_expired(study, now=timezone.now() + DAY)
    return person


def done(study):
    person = working(study)
    finished(person.claims.get(), now=timezone.now())
    return person


def ended(study, leave):
    person = working(study)
    leave(person, now=timezone.now())
    return person


def declined(study):
    person = come(study)
    consent_give(person, given=False, language="en", now=timezone.now())
    return person


STATES = [
    State("consent", "consent/", come),
    State("eligibility", "eligibility/", consented),
    State("instructions", "instructions/", ready),
    State("practice", "practice/1/", working),
    State("feedback", "practice/1/", practised),
    State("judging", "judge/1/", judging),
    State("late", "judge/1/", late),
    State("help", "help/", judging),
    State("leaving", "leave/", judging),
    State("the code", "finish/", done),
    State("declined", "finish/", declined),
    State("stopped", "finish/", partial(ended, leave=annotator_return)),
    State("withdrawn", "finish/", partial(ended, leave=annotator_withdraw)),
]


def test_every_state_of_an_annotator_s_pages(page):
    codes = {"complete": "A1", "no_consent": "B2"}
    asks = Recruitment(time_limit_minutes=60, codes=codes, contact="ann@study.test")
    study = live(items=30, practice=1, recruitment=asks)
    asking = live(items=12, slug="asking", recruitment=Recruitment(eligibility=(ASKS,)))
    found = {}
    for state in STATES:
        where = asking if state.name == "eligibility" else study
        person = state.reach(where)
        page.goto(f"/a/{person.access_key}/{state.place}")
        assert page.url.endswith(state.place), state.name
        found[state.name] = findings(page)
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_what_is_missing_before_the_work_takes_the_focus(page):
    study = live(items=12, slug="asking", recruitment=Recruitment(eligibility=(ASKS,)))
    page.goto(f"/a/{consented(study).access_key}/eligibility/")
    page.get_by_role("button", name="Continue").click()
    problems = page.get_by_role("alert")
    expect(problems).to_contain_text("Are you an adult?")
    expect(problems).to_be_focused()
    assert findings(page) == []
    problems.get_by_role("link").click()
    expect(page.get_by_label("Yes")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_label("Yes")).to_be_checked()


def test_a_warning_of_the_time_is_seen_and_heard(page):
    study = live(items=12, recruitment=Recruitment(time_limit_minutes=1))
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/a/{judging(study).access_key}/judge/1/")
    warning = page.get_by_role("status").filter(has_text="One minute is left for this set.")
    expect(warning).to_be_in_viewport()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(warning).to_be_in_viewport()
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("name", sorted(FOLDERS))
def test_every_kind_of_judgment_fresh_with_problems_and_answered(page, name):
    study = open_study(name, eligibility=())
    person = judging(study)
    visitor = Visitor(page)
    tasks = set()
    for number, screen in enumerate(person.assignments.filter(position__gt=0), start=1):
        if screen.item.task in tasks:
            continue
        tasks.add(screen.item.task)
        for earlier in person.assignments.filter(position__gt=0, position__lt=screen.position):
            answered(earlier, now=timezone.now(), **check_of(study, earlier))
        page.goto(f"/a/{person.access_key}/judge/{number}/")
        assert visitor.place == f"/judge/{number}/"
        assert findings(page) == []
        visitor.next.click()
        page.locator("[data-problems]").wait_for()
        assert findings(page) == []
        visitor.fill()
        page.keyboard.press("Escape")
        assert findings(page) == []
    page.locator("[data-open-keys]").click()
    assert findings(page) == []


def check_of(study, screen):
    """Return what a check asks for, as the factories know one check only."""
    if screen.kind != "check":
        return {}
    check = study_definition(study).attention[screen.check_index]
    return {check.dimension: check.expect}


def test_every_page_that_leads_nowhere(page, monkeypatch):
    study = live(items=3, replication=1, form_size=3)
    pages = {"welcome": f"/s/{study.slug}/", "nobody": "/a/nobody/", "no address": "/nowhere/"}
    found = {}
    for name, address in pages.items():
        page.goto(address)
        found[name] = findings(page)
    working(study)
    page.goto(f"/a/{ready(study).access_key}/")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("heading", name="All sets are taken").wait_for()
    found["full"] = findings(page)
    study_close(study, author=AUTHOR, now=timezone.now())
    page.goto(f"/s/{study.slug}/")
    found["closed"] = findings(page)
    live(items=12, slug="platform", recruitment=Recruitment(provider="prolific"))
    page.goto("/s/platform/")
    found["refused"] = findings(page)

    def fail(*_, **__):
        raise OSError("no database")

    monkeypatch.setattr("annotation.views.entry.study_definition", fail)
    page.goto("/s/platform/")
    page.get_by_role("heading", name="Something went wrong").wait_for()
    found["broken"] = findings(page)
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_the_pages_of_staff(page, django_user_model):
    page.goto("/login/")
    assert findings(page) == []
    page.locator("[name=username]").fill("staff")
    page.locator("[name=password]").fill("not this")
    page.locator("main").get_by_role("button").click()
    page.get_by_text(re.compile("do(es)? not (belong|match|fit)")).wait_for()
    assert findings(page) == []
    django_user_model.objects.create_superuser("staff", password=PASSWORD)
    page.locator("[name=username]").fill("staff")
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main").get_by_role("button").click()
    page.get_by_role("heading", name="Studies").wait_for()
    assert findings(page) == []
    done(live(items=12))
    page.reload()
    page.get_by_role("heading", name="A tiny study").wait_for()
    assert findings(page) == []
