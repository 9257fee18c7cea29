"""The scripts of a judgment page in a real browser, with the server played by the test."""

import json
import mimetypes
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Route, expect, sync_playwright

from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.instrument import Dimension, Scale
from tests.annotation.tasktypes.contract import rendered
from tests.annotation.tasktypes.samples import PAIR, RUBRIC, TRACE

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[3]
SITE = "http://study.test"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
CSP = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'"
SCORES = tuple(
    Dimension(key, f"How {key}?", Scale.INTERVAL, minimum=0, maximum=100, step=1)
    for key in ("right", "full")
)


@pytest.fixture(scope="module")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@dataclass
class Server:
    """What a server does for one item: it shows the page, keeps drafts, takes the answer."""

    html: str
    down: bool = False
    # The answer is stored, and what the server says to that is lost.
    mute: bool = False
    # What the server says to an answer waits in `held`.
    hold: bool = False
    held: list[Route] = field(default_factory=list)
    # Drafts get no answer.
    slow: bool = False
    stored: bool = True
    drafts: list[dict[str, list[str]]] = field(default_factory=list)
    answers: list[dict[str, list[str]]] = field(default_factory=list)

    def reply(self, route):
        if self.mute:
            route.abort("internetdisconnected")
        elif self.hold:
            self.held.append(route)
        else:
            route.fulfill(json={"next": "/next"})

    def serve(self, route):
        request, path = route.request, urlsplit(route.request.url).path
        if path.startswith("/static/"):
            file = ROOT / path.lstrip("/")
            route.fulfill(body=file.read_bytes(), content_type=mimetypes.guess_type(path)[0])
        elif self.down:
            route.abort("internetdisconnected")
        elif path == "/draft":
            self.drafts.append(parse_qs(request.post_data, keep_blank_values=True))
            if self.slow:
                return
            body = json.dumps({"stored": self.stored, "at": "2026-11-30T00:00:00Z"})
            route.fulfill(body=body, content_type="application/json")
        elif request.method == "POST":
            self.answers.append(parse_qs(request.post_data, keep_blank_values=True))
            self.reply(route)
        else:
            html = "<h1>The next page</h1>" if path == "/next" else self.html
            headers = {"Content-Security-Policy": CSP}
            route.fulfill(body=html, content_type="text/html; charset=utf-8", headers=headers)


@pytest.fixture
def opened(chromium):
    """Return a function that opens an item and gives its page and its server."""
    contexts = []

    def open_page(key, fields, **more):
        options = {"java_script_enabled": more.pop("scripts", True)}
        server = Server(rendered(TASK_TYPES[key], fields, **more))
        context = chromium.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.on("console", lambda m: page.errors.append(m.text) if "Policy" in m.text else None)
        page.route("**/*", server.serve)
        page.goto(f"{SITE}/judge/3")
        return page, server

    yield open_page
    for context in contexts:
        assert [error for page in context.pages for error in page.errors] == []
        context.close()


def status(page):
    return page.locator("[data-status]")


def checked(page):
    return page.eval_on_selector_all(
        "form[data-judgment] :checked", "all => all.map(i => `${i.name}=${i.value}`)"
    )


def test_each_answer_is_saved_and_the_page_says_so_only_then(opened):
    page, server = opened("pair", PAIR)
    expect(status(page)).to_have_text("")
    page.get_by_label("A is better").check()
    expect(status(page)).to_have_text("Saved")
    assert server.drafts[-1]["choice"] == ["first"]
    assert server.drafts[-1]["key"] == ["a-key"]
    assert page.evaluate("localStorage.length") == 1  # the switch of the keys, and no draft


def test_a_lost_connection_keeps_the_answer_and_sends_it_later(opened):
    page, server = opened("pair", PAIR)
    server.down = True
    page.get_by_label("B is better").check()
    expect(status(page)).to_have_text("Connection lost. Your answer is kept here and will be sent.")
    server.down = False
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(status(page)).to_have_text("Saved")
    assert server.drafts[-1]["choice"] == ["second"]


def test_a_refused_draft_is_not_called_saved(opened):
    page, server = opened("pair", PAIR)
    server.stored = False
    page.get_by_label("B is better").check()
    expect(status(page)).to_contain_text("Not saved")


def test_what_was_never_confirmed_is_there_after_a_reload(opened):
    page, server = opened("trace", TRACE)
    server.down = True
    page.get_by_label("Partially different").check()
    page.locator("textarea").fill("\n two lines")
    expect(status(page)).to_contain_text("Connection lost")
    server.down = False
    page.reload()
    expect(page.get_by_label("Partially different")).to_be_checked()
    expect(page.locator("textarea")).to_have_value("\n two lines")
    expect(status(page)).to_have_text("Saved")
    assert server.drafts[-1]["comment"] == ["\n two lines"]


def test_a_submission_goes_once_and_leads_on(opened):
    page, server = opened("pair", PAIR)
    page.get_by_label("A is better").check()
    page.get_by_label("Certain").check()
    page.locator("[data-next]").dblclick()
    expect(page.get_by_text("The next page")).to_be_visible()
    assert len(server.answers) == 1
    answer = server.answers[0]
    assert (answer["choice"], answer["confidence"], answer["key"]) == (["first"], ["3"], ["a-key"])
    assert answer["active_ms"][0].isdigit()


def test_a_submission_without_connection_stays_and_goes_when_it_is_back(opened):
    page, server = opened("pair", PAIR)
    page.get_by_label("A is better").check()
    server.down = True
    page.locator("[data-next]").click()
    expect(status(page)).to_contain_text("kept here and will be sent")
    expect(page.get_by_label("A is better")).to_be_checked()
    server.down = False
    expect(page.get_by_text("The next page")).to_be_visible()
    assert [answer["choice"] for answer in server.answers] == [["first"]]


def test_a_change_after_the_answer_was_sent_goes_under_a_new_key(opened):
    page, server = opened("pair", PAIR)
    page.get_by_label("A is better").check()
    server.mute = True
    page.locator("[data-next]").click()
    expect(status(page)).to_contain_text("kept here and will be sent")
    page.get_by_label("B is better").check()
    server.mute = False
    expect(page.get_by_text("The next page")).to_be_visible()
    first, last = server.answers[0], server.answers[-1]
    assert (first["choice"], first["key"]) == (["first"], ["a-key"])
    assert last["choice"] == ["second"]
    assert re.fullmatch("([0-9a-z]+-){3}[0-9a-z]+", last["key"][0])


def test_a_change_while_the_answer_is_on_its_way_follows_it(opened):
    page, server = opened("pair", PAIR)
    page.get_by_label("A is better").check()
    server.hold = True
    with page.expect_request(lambda request: request.url.endswith("/judge/3")):
        page.locator("[data-next]").click()
    page.get_by_label("B is better").check()
    server.hold = False
    server.held.pop().fulfill(json={"next": "/next"})
    expect(page.get_by_text("The next page")).to_be_visible()
    assert [answer["choice"] for answer in server.answers] == [["first"], ["second"]]
    assert server.answers[0]["key"] != server.answers[1]["key"]


def test_an_answer_that_is_only_sent_again_keeps_its_key(opened):
    page, server = opened("pair", PAIR)
    page.get_by_label("A is better").check()
    server.mute = True
    page.locator("[data-next]").click()
    expect(status(page)).to_contain_text("kept here and will be sent")
    server.mute = False
    expect(page.get_by_text("The next page")).to_be_visible()
    assert len(server.answers) > 1
    assert {answer["key"][0] for answer in server.answers} == {"a-key"}


def test_a_draft_on_its_way_is_called_off_and_none_follows_the_answer(opened):
    page, server = opened("pair", PAIR)
    server.slow = server.hold = True
    page.get_by_label("A is better").check()
    expect(status(page)).to_have_text("Saving…")
    with page.expect_event("requestfailed", timeout=6_000) as called_off:
        page.locator("[data-next]").click()
    assert called_off.value.url == f"{SITE}/draft"
    page.get_by_label("B is better").check()
    page.wait_for_timeout(700)
    server.hold = False
    server.held.pop().fulfill(json={"next": "/next"})
    expect(page.get_by_text("The next page")).to_be_visible()
    assert [draft["key"] for draft in server.drafts] == [["a-key"]]


def test_keys_choose_in_the_marked_question_and_enter_goes_on(opened):
    page, server = opened("pair", PAIR)
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    assert server.answers == []
    page.keyboard.press("2")
    assert checked(page) == ["choice=second", "confidence=2"]
    page.keyboard.press("Enter")
    expect(page.get_by_text("The next page")).to_be_visible()
    assert server.answers[0]["confidence"] == ["2"]


def test_keys_tick_facts_and_enter_passes_them(opened):
    page, _ = opened("rubric", RUBRIC)
    for key in ("1", "4", "2", "1", "2", "1", "1", "Enter"):
        page.keyboard.press(key)
    assert checked(page) == [
        "question_valid=valid",
        "adequacy=4",
        "equivalence=partly",
        "attribution=supported",
        "facts_recalled=2",
    ]
    page.keyboard.press("3")
    assert "consistency=even" in checked(page)


def test_a_question_that_has_the_focus_takes_the_keys(opened):
    page, _ = opened("rubric", RUBRIC)
    page.get_by_label("Partial").focus()
    page.keyboard.press("5")
    assert checked(page) == ["adequacy=5"]


def test_keys_write_in_text_and_do_nothing_when_turned_off(opened):
    page, _ = opened("trace", TRACE)
    page.locator("textarea").focus()
    page.keyboard.type("1? 3")
    assert checked(page) == []
    expect(page.locator("textarea")).to_have_value("1? 3")
    page.get_by_role("button", name="Keys").click()
    page.get_by_label("Use the single keys").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("1")
    page.reload()
    page.keyboard.press("1")
    assert checked(page) == []


def test_the_question_mark_lists_the_keys(opened):
    page, _ = opened("pair", PAIR)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("a")
    assert checked(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_a_condition_hides_a_question_that_is_not_called_for(opened):
    page, _ = opened("trace", TRACE)
    material = page.locator("#q-material")
    expect(material).to_be_hidden()
    page.get_by_label("Partially different").check()
    expect(material).to_be_visible()
    page.locator("[value=same]").check()
    expect(material).to_be_hidden()


def test_the_last_question_comes_after_all_others(opened):
    page, _ = opened("rubric", RUBRIC)
    error = page.locator("#q-error_category")
    for name in ("question_valid", "adequacy", "equivalence", "attribution"):
        page.locator(f"[name={name}]").first.check()
        expect(error).to_be_hidden()
    page.locator("[name=consistency]").first.check()
    expect(error).to_be_visible()


def test_slider_and_number_are_kept_in_step(opened):
    page, server = opened("rubric", RUBRIC, dimensions=SCORES)
    number, slider = page.locator("[name=right]"), page.locator("#q-right [type=range]")
    expect(number).to_have_value("")
    number.fill("37")
    expect(slider).to_have_value("37")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(number).to_have_value("38")
    expect(status(page)).to_have_text("Saved")
    assert server.drafts[-1]["right"] == ["38"]
    assert server.drafts[-1]["full"] == [""]


def test_numbers_can_be_given_by_keys_alone(opened):
    page, server = opened("rubric", RUBRIC, dimensions=SCORES)
    page.locator("[name=right]").focus()
    page.keyboard.type("37")
    page.keyboard.press("Enter")
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The next page")).to_be_visible()
    assert (server.answers[0]["right"], server.answers[0]["full"]) == (["37"], ["5"])


def test_problems_take_the_focus_and_lead_to_their_question(opened):
    page, _ = opened("rubric", RUBRIC, data={"adequacy": "3"})
    expect(page.locator("[data-problems]")).to_be_focused()
    page.get_by_role("link", name="Does the passage support the answer?").click()
    expect(page.locator("[name=attribution]").first).to_be_focused()


def time_left(seconds, words):
    return {"time_left": {"seconds": seconds, "words": words, "lease": "2026-11-30T10:00"}}


def warning(page):
    return page.locator("[data-time-warning]")


@pytest.mark.parametrize(
    ("seconds", "words", "said"),
    [
        (301, "5 min", "5 minutes are left for this set."),
        (61, "1 min", "One minute is left for this set."),
        (2, "0 min", "The time for this set is over. You may still go on"),
    ],
)
def test_the_end_of_the_time_is_said_before_it_comes(opened, seconds, words, said):
    page, _ = opened("pair", PAIR, **time_left(seconds, "as the server says"))
    expect(warning(page)).to_contain_text(said)
    assert warning(page).get_attribute("role") == "status"
    expect(page.locator(".bar .time")).to_have_text(f"{words} left")
    page.reload()
    expect(page.locator(".bar .time")).to_have_text(f"{words} left")
    expect(warning(page)).to_be_empty()


def test_nobody_is_hurried_while_there_is_time(opened):
    page, _ = opened("pair", PAIR, **time_left(5 * 3600, "5 h"))
    expect(page.locator(".bar .time")).to_have_text("4 h left")
    expect(warning(page)).to_be_empty()


def test_without_scripts_the_time_is_what_the_server_said(opened):
    page, _ = opened("pair", PAIR, scripts=False, **time_left(600, "10 min"))
    expect(page.locator(".bar .time")).to_have_text("10 min left")


def test_on_a_phone_the_questions_of_a_long_answer_are_in_reach(opened):
    page, _ = opened("rubric", RUBRIC | {"response": "A long answer. " * 11_000})
    page.set_viewport_size({"width": 390, "height": 844})
    top = "document.querySelector('[data-judgment]').getBoundingClientRect().top"
    assert 0 < page.evaluate(top) < 4 * 844
    page.get_by_role("link", name="To the questions").click()
    expect(page.locator("[data-question]").first).to_be_in_viewport()
    # What has the focus and scrolls is scrolled by the keyboard.
    pane = page.locator(".text.long")
    pane.focus()
    expect(pane).to_be_focused()
    expect(pane).to_have_css("overflow-y", "auto")


def test_on_a_desk_no_link_to_the_questions_is_in_the_way(opened):
    page, _ = opened("rubric", RUBRIC)
    expect(page.get_by_role("link", name="To the questions")).to_be_hidden()


def test_without_scripts_everything_is_there_and_can_be_sent(opened):
    page, server = opened("trace", TRACE, scripts=False)
    expect(page.locator("#q-material")).to_be_visible()
    expect(page.get_by_text("Answer this unless you chose “The same” above.")).to_be_visible()
    page.get_by_label("Substantially different").check()
    page.locator("[data-next]").click()
    assert server.answers[0]["equivalence"] == ["substantially_different"]


@pytest.mark.parametrize(("key", "item"), [("rubric", RUBRIC), ("pair", PAIR), ("trace", TRACE)])
def test_nothing_runs_over_the_edge_of_a_small_screen(opened, key, item):
    long = {name: text + "x" * 300 for name, text in item.items() if isinstance(text, str)}
    page, _ = opened(key, {**item, **long, "facts": [f"Fact {n}" for n in range(40)]})
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    sizes = page.eval_on_selector_all(
        ".option, .button:not([hidden]), .bar a",
        "all => all.map(e => e.getBoundingClientRect()).filter(b => b.width).map(b => Math.min(b.width, b.height))",
    )
    assert min(sizes) >= 24
