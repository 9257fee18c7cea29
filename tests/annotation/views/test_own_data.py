"""Everybody can take what is stored about them, and nothing that the study keeps from them."""

import pytest

from annotation.selectors.studies import study_definition
from annotation.services.sessions import consent_give
from tests.factories import (
    CHECK,
    NOW,
    annotator,
    answered,
    arrived,
    claimed,
    finished,
    live,
    screens_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return live(items=12, form_size=3, attention=[CHECK], practice=1)


def copy_of(client, person):
    return client.get(f"/a/{person.access_key}/copy/my-data.json")


def test_who_is_done_gets_every_answer_with_its_question(client, study):
    person = annotator(study)
    finished(claimed(person))
    response = copy_of(client, person)
    assert "no-store" in response["Cache-Control"]
    data = response.json()
    assert data["consent"][0]["given"] is True
    assert data["you"]["name_in_this_study"] == person.pseudonym
    assert len(data["answers"]) == 5
    assert all(one["questions"] for one in data["answers"])
    questions = {line["question"] for one in data["answers"] for line in one["questions"]}
    assert {d.ask for d in study_dimensions(study)} & questions
    assert data["sets"][0]["state"] == "Submitted"


def test_the_page_shows_what_was_chosen_as_words_and_without_space_of_the_template(client):
    person = annotator(live(slug="chosen", items=0, responses=3, form_size=3))
    screen = screens_of(claimed(person))[0]
    answered(screen, facts_recalled=["1"])
    shown = client.get(f"/a/{person.access_key}/copy/").content.decode()
    fact = screen.item.fields["facts"][0]
    assert f'<div class="text">{fact}</div>' in shown
    assert "[&#x27;" not in shown


def study_dimensions(study):
    return study_definition(study).tasks[0].dimensions


def test_no_secret_of_the_study_is_in_it(client, study):
    person = annotator(study)
    finished(claimed(person))
    for path in ("copy/", "copy/my-data.json"):
        shown = client.get(f"/a/{person.access_key}/{path}").content.decode()
        for secret in ("condition_1", '"low"', "Please choose 1", "expect", "check", "DONE1"):
            assert secret not in shown, (path, secret)


def test_who_works_gets_what_is_there_so_far(client, study):
    person = annotator(study)
    answered(screens_of(claimed(person))[0])
    data = copy_of(client, person).json()
    assert sum(bool(one["questions"]) for one in data["answers"]) == 1
    assert "Not sent yet" not in client.get(f"/a/{person.access_key}/copy/").content.decode()


def test_who_declined_gets_that(client, study):
    person = arrived(study)
    consent_give(person, given=False, language="en", now=NOW)
    assert copy_of(client, person).json()["consent"][0]["given"] is False
    shown = client.get(f"/a/{person.access_key}/copy/").content.decode()
    assert "You were given nothing to answer." in shown
