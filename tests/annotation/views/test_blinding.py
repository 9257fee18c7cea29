"""No byte that an annotator receives tells what is hidden, before it may or at all."""

import re
from functools import lru_cache

import pytest

from annotation.tasktypes import TASK_TYPES
from tests.annotation.views.planted import COLUMNS, SAMPLES, planted
from tests.annotation.views.walk import Walk
from tests.factories import live, seeded

pytestmark = pytest.mark.django_db

KINDS = sorted(TASK_TYPES)
# What is drawn anew for each person and each page.
RANDOM = (
    rb"/a/[\w-]+/",
    rb'name="(?:key|token)"\s+value="[^"]*"',
    rb'data-keep="[^"]*"',
    rb'name="active_ms"\s+value="\d+"',
    rb'"at": "[^"]*"',
)


@pytest.fixture(autouse=True)
def _the_same_seed_for_everyone(monkeypatch):
    monkeypatch.setattr("annotation.views.session.SystemRandom", lambda: seeded(3))


@lru_cache
def walked(kind, mark="zqmark", expect="37"):
    """Send one person through a whole study; return all that they received."""
    definition = planted(kind, mark, expect=expect)
    live(definition)
    walk = Walk(always={"grade": "50"})
    walk.come_in(f"/s/{definition.slug}/")
    walk.get(walk.path.replace("practice/1", "help"))
    walk.get(walk.path.replace("help/", ""))
    walk.go()
    return walk.received


def containing(received, text):
    return [one.asked for one in received if text.encode() in one.everything]


def test_every_task_type_has_a_sample():
    assert set(SAMPLES) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_hidden_reaches_an_annotator(kind):
    received = walked(kind)
    assert len(received) > 20
    assert {one.status for one in received} == {200, 303, 422}
    for text in (*COLUMNS, "zq_item", "zq_task", "condition_1", "condition_2", "ask_error"):
        assert containing(received, text) == []
    allowed = {"zqmark-feedback", "zqmark-second", "zqmark-code-complete"}
    marks = {m.decode() for one in received for m in re.findall(rb"zqmark[\w-]*", one.everything)}
    assert marks == allowed


def test_the_check_sees_a_leak(monkeypatch):
    """The control: a page that shows all fields of its item is caught, by name and by value."""

    def leaky(screen):
        return {"question": str(screen.fields), "response": "", "sides": []}

    monkeypatch.setattr("annotation.selectors.screens.Screen.page", leaky)
    received = walked.__wrapped__("rubric")
    for text in (*COLUMNS, "ask_error", "zqmark-zq_model-0"):
        assert containing(received, text)


@pytest.mark.parametrize("kind", KINDS)
def test_what_comes_later_comes_no_sooner(kind):
    received = walked(kind)
    assert containing(received, "zqmark-code-complete") == [received[-1].asked]
    assert received[-1].is_end
    assert "/judge/5/" in received[-2].asked  # the submission of the last answer
    first, second = (containing(received, f"zqmark-{what}") for what in ("feedback", "second"))
    assert {asked.split("/a/")[1].split("/", 1)[1] for asked in first} == {"practice/1/"}
    assert {asked.split("/a/")[1].split("/", 1)[1] for asked in second} == {"practice/2/"}
    for one in received:
        if b"zqmark-feedback" in one.content or b"zqmark-second" in one.content:
            assert one.is_feedback
        # The expected answer of the practice item; no page has another 88.
        if not one.is_feedback and b">88<" in one.content:
            pytest.fail(f"{one.asked} tells what practice expects")


@pytest.mark.parametrize("kind", KINDS)
def test_no_byte_depends_on_what_is_hidden(kind):
    """Longer secrets, another expected answer, other codes: the same pages, to the byte."""
    pages = [
        [masked(one.everything) for one in received if not one.is_feedback]
        for received in (walked(kind), walked(kind, "zq-a-much-longer-mark" * 9, "73"))
    ]
    assert len(pages[0]) == len(pages[1])
    for one, other in zip(pages[0][:-1], pages[1][:-1], strict=True):
        assert one == other


def masked(everything):
    for pattern in RANDOM:
        everything = re.sub(pattern, b"", everything)
    return re.sub(rb"Content-Length: \d+|zq[\w-]*code-complete", b"", everything)


@pytest.mark.parametrize("kind", KINDS)
def test_no_page_of_an_annotator_sets_a_cookie(kind):
    received = walked(kind)
    assert all(b"Set-Cookie" not in one.everything for one in received)
