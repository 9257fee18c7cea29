"""What the pages say: in which language, of what is final, of what is missing, of what is kept."""

import re
from dataclasses import replace

import pytest

from annotation.models import PlatformIdentity
from annotation.studyfile.definition import EligibilityQuestion, Recruitment
from annotation.tasktypes.instrument import Dimension, Scale
from tests.annotation.views.walk import Walk
from tests.factories import definition, live

pytestmark = pytest.mark.django_db

ASKS = (
    EligibilityQuestion("adult", "Are you an adult?", ("yes",)),
    EligibilityQuestion("reader", "Do you read English?", ("yes",)),
)
SURE = Dimension("own", "ما مدى وضوحها؟", Scale.INTERVAL, hint="من فضلك", minimum=0, maximum=9)


@pytest.fixture
def walk():
    return Walk()


def arabic():
    """Return a study whose own texts are Arabic."""
    whole = definition(items=12, practice=1, recruitment=Recruitment(eligibility=ASKS[:1]))
    task = replace(whole.tasks[0], dimensions=(*whole.tasks[0].dimensions, SURE))
    return live(replace(whole, language="ar", title="دراسة", tasks=(task,)))


def elements(text, words):
    """Return the opening tags of the elements that directly hold some words."""
    return re.findall(rf"<[^<>]+>(?=\s*(?:<p>)?{re.escape(words)})", text)


def test_a_study_s_own_texts_say_their_language_and_the_rest_is_english(walk):
    arabic()
    walk.get("/s/tiny/")
    title, welcome = elements(walk.text, "دراسة")[-2:]
    assert ' lang="ar"' in title
    assert ' lang="ar"' in welcome
    walk.send()
    consent = elements(walk.text, "You may stop at any time.")[0]
    assert ' lang="ar"' in consent
    assert ' dir="auto"' in consent
    walk.send(consent="yes")
    assert ' lang="ar"' in elements(walk.text, "Are you an adult?")[0]
    walk.send(adult="yes")
    assert ' lang="ar"' in elements(walk.text, "Read, then judge.")[0]
    walk.send()
    assert [' lang="ar"' in tag for tag in elements(walk.text, SURE.ask)] == [True]
    assert [' lang="ar"' in tag for tag in elements(walk.text, SURE.hint)] == [True]
    assert 'lang="ar"' not in elements(walk.text, "Which answers the question better?")[0]
    for received in walk.received:
        if b"<html" in received.content:
            assert b'<html lang="en">' in received.content


def test_only_the_last_screen_that_is_open_finishes_and_says_so(walk):
    live(items=12, practice=1)
    walk.come_in("/s/tiny/")
    said = []
    while "/finish/" not in walk.path:
        onward = re.search(r'href="([^"]+)"\s+data-go-on', walk.text)
        if onward:
            walk.get(onward[1])
        button = re.search(r"data-next>\s*(.*?)\s*</button>", walk.text)
        said.append((button[1], "nothing can be changed any more" in walk.text))
        walk.judge()
        if "practice" in walk.path:
            walk.get(walk.path)
    assert said == [("Next", False)] * 3 + [("Finish and send", True)]


def test_going_back_from_the_last_one_shows_an_ordinary_button(walk):
    live(items=12)
    walk.come_in("/s/tiny/")
    walk.judge()
    walk.judge()
    assert "Finish and send" in walk.text
    walk.get(walk.path.replace("/3/", "/2/"))
    assert "Finish and send" not in walk.text


def test_what_is_missing_before_the_work_is_listed_and_marked(walk):
    live(items=12, recruitment=Recruitment(eligibility=ASKS))
    walk.get("/s/tiny/")
    walk.send()
    walk.send(consent="yes")
    assert "aria-invalid" not in walk.text
    assert 'role="alert"' not in walk.text
    walk.send(adult="yes")
    assert walk.page.status_code == 422
    (problems,) = re.findall(r'<div class="problems"[^>]*>.*?</div>', walk.text, re.DOTALL)
    assert 'role="alert"' in problems
    assert " autofocus" in problems
    assert re.findall(r'href="#([^"]+)"', problems) == ["q-reader-1"]
    inputs = re.findall(r"<input[^>]*>", walk.text)
    marked = {name for i in inputs if "aria-invalid" in i for name in re.findall('name="(.*?)"', i)}
    assert marked == {"reader"}
    assert 'id="q-reader-1"' in walk.text


@pytest.mark.parametrize("provider", ["prolific", "open"])
def test_who_declines_is_told_what_is_kept(walk, provider):
    live(items=12, recruitment=Recruitment(provider=provider, codes={"complete": "DONE1"}))
    walk.get("/s/tiny/?PROLIFIC_PID=p1")
    if provider == "open":
        walk.send()
    walk.send(consent="no")
    kept = PlatformIdentity.objects.exists()
    assert kept is (provider == "prolific")
    assert ("kept encrypted" in walk.text) is kept
    assert ("under a random number" in walk.text) is not kept
