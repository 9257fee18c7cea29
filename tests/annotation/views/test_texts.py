"""The page on which typed texts are read: marked, decided, undone, and calm when two read at once."""

import html
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Annotator, TextReview
from annotation.selectors.texts import typed_texts
from annotation.studyfile.definition import Publication
from tests import factories
from tests.annotation.exports import released

pytestmark = pytest.mark.django_db
PAGE = "/studies/tiny/release/texts/"


@pytest.fixture
def study():
    study = factories.live(released.definition(publication=Publication(free_text="review")))
    released.judges(study, 0)
    return study


@pytest.fixture
def staff(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("eve", is_staff=True))
    return client


def words(response):
    return " ".join(html.unescape(response.content.decode()).split())


def decide(client, text, act, /, **more):
    where = f"{PAGE}{text.answer}/{text.dimension}/"
    return client.post(where, {"act": act, "seen": text.seen} | more)


def test_read_decided_and_undone(study, staff):
    every = typed_texts(study)
    shown = words(staff.get(PAGE))
    assert f"0 of {len(every)} reviewed" in shown
    assert "<mark>ann@example.org<small>e-mail address</small></mark>" in shown
    done = decide(staff, every[0], "accept")
    assert done.status_code == 303
    after = words(staff.get(done["Location"]))
    assert f"1 of {len(every)} reviewed" in after
    assert "leaves as: “Write to me at [e-mail address]”" in after
    assert "Undo" in after
    assert typed_texts(study)[0].state == "accepted"
    assert "Leaves as" in words(staff.get(f"{PAGE}?show=decided"))
    decide(staff, typed_texts(study)[0], "reopen")
    assert f"0 of {len(every)} reviewed" in words(staff.get(PAGE))


def test_a_refused_wording_stays_in_its_field(study, staff):
    text = typed_texts(study)[0]
    told = decide(staff, text, "edit", text=f"It is {released.PIDS[0]} & no more")
    assert told.status_code == 409
    assert "An id of somebody still stands" in words(told)
    assert f"{released.PIDS[0]} & no more</textarea>" in words(told)
    # The address of this page takes a decision and shows nothing.
    assert re.findall(r'href="([^"]*show=[^"]*)"', told.content.decode()) == [
        f"{PAGE}?show=open",
        f"{PAGE}?show=decided",
    ]
    assert decide(staff, text, "nothing").status_code == 404
    assert not TextReview.objects.exists()


def test_the_second_reader_is_told(study, staff):
    text = typed_texts(study)[0]
    decide(staff, text, "accept")
    told = decide(staff, text, "refuse")
    assert told.status_code == 409
    assert "eve decided on this text meanwhile (accepted)" in words(told)
    assert typed_texts(study)[0].state == "accepted"


def test_nothing_to_read(staff):
    factories.live(released.definition(publication=Publication(free_text="review")))
    assert "has typed anything yet" in words(staff.get(PAGE))
    assert "Nothing has been decided yet" in words(staff.get(f"{PAGE}?show=decided&page=x"))


def test_where_texts_stay_behind_the_page_says_so(staff):
    study = factories.live(released.definition())
    released.judges(study, 0)
    shown = words(staff.get(PAGE))
    assert "stays behind in this study" in shown
    assert "ann@example.org" not in shown


def test_as_many_queries_for_many_texts(study, staff):
    counts = []
    for number in (1, 2):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            staff.get(PAGE)
        counts.append(len(queries))
        released.judges(study, number)
    assert Annotator.objects.count() == 3
    assert counts[0] == counts[1]
    assert counts[0] <= 12
