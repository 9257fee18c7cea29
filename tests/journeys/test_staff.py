"""The pages of staff in a browser: what changes by itself, what works without scripts, through axe."""

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from playwright.sync_api import expect

from analysis.runs.models import AnalysisRun
from analysis.runs.worker import work_once
from annotation.models import Exclusion, Item, Study
from annotation.services.exclusions import exclusion_by_hand
from tests.factories import ATTENTION, AUTHOR, CHECK, MINUTE, done_by_someone, live
from tests.journeys.test_accessibility import AXE, PASSWORD, findings

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MONITOR = "/studies/tiny/monitor/"
PHONE = {"viewport": {"width": 390, "height": 844}}


@pytest.fixture
def study():
    study = live(items=6, form_size=3, attention=[CHECK], quality=[ATTENTION])
    for n in range(3):
        done_by_someone(study, now=timezone.now() - (5 - n) * MINUTE)
    return study


@pytest.fixture
def staff(django_user_model, transactional_db):
    """Return a way to open a page as a member of staff."""
    django_user_model.objects.create_user("ada", password=PASSWORD, is_staff=True)

    def take(device, **options):
        context = device(**options)
        context.add_init_script(path=AXE)
        page = context.new_page()
        page.goto("/login/")
        page.get_by_label("Name").fill("ada")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_role("heading", name="Studies")).to_be_visible()
        return page

    return take


def test_the_monitor_asks_for_its_numbers_and_shows_them_by_itself(device, staff, study):
    page = staff(device)
    page.goto(MONITOR)
    expect(page.get_by_text("new numbers are on their way")).to_be_visible()
    assert work_once()
    expect(page.get_by_role("heading", name="Agreement so far")).to_be_visible(timeout=20_000)
    expect(page.locator(".facts.now dd").nth(1)).to_have_text("9")
    page.get_by_text("As a table").click()
    shown = page.locator(".age").inner_text()
    expect(page.locator(".age")).not_to_have_text(shown, timeout=20_000)
    expect(page.locator("details[data-keep]")).to_have_attribute("open", "")
    expect(page.locator("details[data-keep] > summary")).to_be_focused()


def test_a_lost_connection_says_so_and_is_overcome(device, staff, study):
    page = staff(device)
    page.goto(MONITOR)
    expect(page.get_by_text("new numbers are on their way")).to_be_visible()
    page.context.set_offline(offline=True)
    trouble = page.get_by_text("The server does not answer")
    expect(trouble).to_be_visible(timeout=20_000)
    page.context.set_offline(offline=False)
    expect(trouble).to_be_hidden(timeout=30_000)


def test_without_scripts_everything_can_be_done(device, staff, study):
    page = staff(device, java_script_enabled=False)
    page.goto(MONITOR)
    page.get_by_role("button", name="Refresh now").click()
    assert work_once()
    page.get_by_role("button", name="Refresh now").click()
    expect(page.get_by_role("heading", name="Agreement so far")).to_be_visible()
    page.get_by_role("link", name="Annotators").click()
    page.locator("table a").first.click()
    page.get_by_role("link", name="Leave out…", exact=True).click()
    page.get_by_label("Why?").fill("Answered at random.")
    page.get_by_role("button", name="Leave out").dblclick()
    expect(page.get_by_text("is left out, and their slots are open again").first).to_be_visible()
    assert Exclusion.objects.count() == 1
    page.get_by_role("link", name="take back…").click()
    page.get_by_label("Why?").fill("I was wrong.")
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_text("Taken back; 3 judgments count again by it.")).to_be_visible()


def test_what_was_typed_outlives_the_session_and_is_gone_when_it_was_done(device, staff, study):
    page = staff(device)
    person = study.annotators.first()
    where = f"/studies/tiny/annotators/{person.pseudonym}/exclude/"
    page.goto(where)
    page.get_by_label("Why?").fill("Answered at random,\nas everybody can see.")
    Session.objects.all().delete()
    page.get_by_role("button", name="Leave out").click()
    page.get_by_label("Name").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_label("Why?")).to_have_value("Answered at random,\nas everybody can see.")
    page.get_by_role("button", name="Leave out").click()
    expect(page.get_by_text("is left out, and their slots are open again").first).to_be_visible()
    assert Exclusion.objects.get().reason.splitlines() == [
        "Answered at random,",
        "as everybody can see.",
    ]
    page.goto(where)
    expect(page.get_by_label("Why?")).to_have_value("")


def test_a_report_is_followed_to_its_end(device, staff, study):
    page = staff(device)
    page.goto("/studies/tiny/reports/")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    assert work_once()
    page.get_by_role("link", name="Open the report").click(timeout=20_000)
    expect(page.get_by_role("heading", name="A tiny study")).to_be_visible()
    expect(page.locator("svg").first).to_be_visible()


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
def test_no_page_of_staff_has_a_serious_fault_or_is_wider_than_its_screen(
    device, staff, study, options
):
    page = staff(device, **options)
    person = study.annotators.first()
    exclusion_by_hand(person, reason="Told so." + 300 * "o", author=AUTHOR, now=timezone.now())
    page.goto(MONITOR)
    page.goto("/studies/tiny/reports/")
    page.get_by_role("button", name="Start").click()
    while work_once():
        pass
    report = AnalysisRun.objects.get(kind="human").pk
    files = AnalysisRun.objects.create(
        kind="clcg",
        parameters={"scores": ["/data/scores/" + 12 * "long-" + "name.parquet"]},
        author="ada",
        asked_at=timezone.now(),
    )
    # One word that is longer than any screen.
    Study.objects.update(title="Donaudampfschiff" * 18)
    Item.objects.filter(key="c001").update(key="c001" + 180 * "k")
    for path in (
        "/",
        "/studies/tiny/",
        "/studies/tiny/preview/consent/",
        "/studies/tiny/preview/task/compare/?hidden=1",
        MONITOR,
        "/studies/tiny/annotators/",
        f"/studies/tiny/annotators/{person.pseudonym}/",
        f"/studies/tiny/annotators/{person.pseudonym}/payment/",
        f"/studies/tiny/annotators/{person.pseudonym}/exclude/",
        "/studies/tiny/payments/",
        "/studies/tiny/story/",
        "/studies/tiny/state/pause/",
        "/studies/tiny/state/close/",
        "/studies/tiny/top-up/",
        "/studies/tiny/reports/",
        f"/studies/tiny/reports/{report}/",
        "/analyses/",
        f"/analyses/{files.pk}/",
    ):
        page.goto(path)
        assert findings(page) == [], path
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= page.viewport_size["width"], path
