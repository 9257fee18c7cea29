"""The link of a study: who comes in by which parameters, and what it says when nobody can."""

import pytest
from django.core import signing
from django.utils import timezone

from annotation.models import Annotator, PlatformIdentity, PlatformSession, Study
from annotation.services.study_states import study_close, study_pause
from annotation.studyfile.definition import Recruitment
from tests.annotation.views.walk import Walk
from tests.factories import AUTHOR, NOW, annotator, claimed, definition, imported, live, pilot

pytestmark = pytest.mark.django_db

PROLIFIC = Recruitment(provider="prolific", codes={"complete": "DONE1"})
REFUSED = {
    "no parameter": "",
    "an empty one": "PROLIFIC_PID=",
    "blanks": "PROLIFIC_PID=%20%C2%A0%E2%80%8B",
    "the placeholder": "PROLIFIC_PID=%7B%7B%25PROLIFIC_PID%25%7D%7D",
    "two values": "PROLIFIC_PID=a&PROLIFIC_PID=b",
    "far too long": f"PROLIFIC_PID={'x' * 5000}",
    "a path": "PROLIFIC_PID=../x",
    "a tag": "PROLIFIC_PID=%3Cb%3E",
    "hostile": "PROLIFIC_PID=%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
    "two in one": "PROLIFIC_PID=a,a",
    "a NUL": "PROLIFIC_PID=a%00",
    "two visits": "PROLIFIC_PID=a&SESSION_ID=1&SESSION_ID=2",
}
ONE_AND_THE_SAME = [
    "PROLIFIC_PID=p1",
    "PROLIFIC_PID=%20p1%0A",
    "PROLIFIC_PID=%E2%80%8Bp1",
    "PROLIFIC_PID=%C2%A0p1",
    "PROLIFIC_PID=p1&PROLIFIC_PID=p1",
    "PROLIFIC_PID=p1&STUDY_ID=s&SESSION_ID=v",
]


@pytest.mark.parametrize("query", REFUSED.values(), ids=REFUSED)
def test_a_link_that_names_nobody_makes_nobody(client, query):
    live(items=12, recruitment=PROLIFIC)
    response = client.get(f"/s/tiny/?{query}")
    assert response.status_code == 400
    text = response.content.decode()
    assert "Please open the study again" in text
    assert "<img" not in text
    assert not Annotator.objects.exists()


def test_blanks_around_an_id_do_not_make_another_person(client):
    live(items=12, recruitment=PROLIFIC)
    links = {client.get(f"/s/tiny/?{query}")["Location"] for query in ONE_AND_THE_SAME}
    assert len(links) == 1
    assert Annotator.objects.count() == 1
    assert PlatformSession.objects.count() == 1


def test_the_case_of_an_id_is_kept(client):
    live(items=12, recruitment=PROLIFIC)
    client.get("/s/tiny/?PROLIFIC_PID=p1")
    client.get("/s/tiny/?PROLIFIC_PID=P1")
    assert Annotator.objects.count() == 2


def test_the_platform_s_id_stands_in_no_address_and_in_no_table_as_it_is(client):
    live(items=12, recruitment=PROLIFIC)
    response = client.get("/s/tiny/?PROLIFIC_PID=5f1e2d3c4b5a&SESSION_ID=77aa88bb")
    assert response.status_code == 303
    assert "5f1e2d3c4b5a" not in response["Location"]
    person = Annotator.objects.values().get()
    identity = PlatformIdentity.objects.values().get()
    session = PlatformSession.objects.values().get()
    for row in (person, identity, session):
        assert "5f1e2d3c4b5a" not in str(row)
        assert "77aa88bb" not in str(row)


def test_the_open_link_makes_one_person_a_click(client):
    live(items=12)
    token = Walk(client)
    token.get("/s/tiny/")
    assert not Annotator.objects.exists()
    sent = token.forms[0].values
    first = client.post("/s/tiny/", sent)
    assert client.post("/s/tiny/", sent)["Location"] == first["Location"]
    assert Annotator.objects.count() == 1
    token.get("/s/tiny/")
    token.send()
    assert Annotator.objects.count() == 2


@pytest.mark.parametrize(
    "token",
    ["", "x", signing.dumps("x", salt="another")],
    # A signature carries the time: as a name it would differ between the workers of one run.
    ids=["empty", "made up", "signed for another purpose"],
)
def test_an_entry_form_that_was_not_ours_makes_nobody(client, token):
    live(items=12)
    response = client.post("/s/tiny/", {"token": token})
    assert response.status_code == 400
    assert "open the link again" in response.content.decode()
    assert not Annotator.objects.exists()


def test_parameters_of_an_open_link_mean_nothing(client):
    live(items=12)
    assert client.get("/s/tiny/?PROLIFIC_PID=p1").status_code == 200
    assert not Annotator.objects.exists()


def test_a_study_that_is_not_there_says_so(client):
    response = client.get("/s/nothing/")
    assert response.status_code == 404
    assert "leads nowhere" in response.content.decode()


def test_a_draft_is_not_there_for_anyone_outside(client):
    imported(items=12)
    assert client.get("/s/tiny/").status_code == 404
    assert client.post("/s/tiny/", {"token": "x"}).status_code == 404


@pytest.mark.parametrize("end", [study_pause, study_close])
@pytest.mark.parametrize("provider", ["open", "prolific"])
def test_a_study_that_takes_nobody_says_so_in_words(client, end, provider):
    study = live(items=12, recruitment=Recruitment(provider=provider))
    end(study, author=AUTHOR, now=NOW)
    response = client.get("/s/tiny/?PROLIFIC_PID=p1")
    assert response.status_code == 200
    assert "not open at the moment" in response.content.decode()
    assert not Annotator.objects.exists()


def test_a_paused_study_lets_back_in_who_is_in_it(client):
    study = live(items=12, recruitment=PROLIFIC)
    link = client.get("/s/tiny/?PROLIFIC_PID=p1")["Location"]
    study_pause(study, author=AUTHOR, now=NOW)
    assert client.get("/s/tiny/?PROLIFIC_PID=p1")["Location"] == link


def test_who_comes_while_a_study_is_a_pilot_is_marked_so(client):
    pilot(items=12, recruitment=PROLIFIC)
    client.get("/s/tiny/?PROLIFIC_PID=p1")
    assert Annotator.objects.get().pilot


def test_a_full_study_says_so_and_lets_the_person_try_again():
    study = live(definition(items=3, replication=1, form_size=3))
    assert study.state == Study.State.LIVE
    claimed(annotator(study), now=timezone.now())
    walk = Walk()
    walk.get("/s/tiny/")
    walk.send()
    walk.send(consent="yes")
    walk.send()
    assert "All sets are taken" in walk.text
    assert "Try again" in walk.text
    assert walk.path.endswith("/instructions/")
