"""What a person is told of the time they have: how much is left, and nothing where nobody hurries."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.services.claims import slots_release_expired
from annotation.studyfile.definition import Recruitment
from annotation.views.time_left import TimeLeft, time_left
from tests.annotation.views.walk import Walk
from tests.factories import NOW, annotator, claimed, live

pytestmark = pytest.mark.django_db

MINUTES = timedelta(minutes=1)


def of_a_claim(*, limit, after):
    study = live(items=12, recruitment=Recruitment(time_limit_minutes=limit))
    return time_left(claimed(annotator(study)), now=NOW + after)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 min"),
        (1, "1 min"),
        (60, "1 min"),
        (61, "2 min"),
        (3 * 3600, "180 min"),
        (3 * 3600 + 1, "3 h"),
        (5 * 3600 - 1, "4 h"),
    ],
)
def test_it_is_said_in_minutes_and_where_there_are_many_in_hours(seconds, words):
    assert TimeLeft(seconds, "lease").words == words


@pytest.mark.parametrize(("minutes", "seconds"), [(0, 2700), (40, 300), (45, 0), (50, 0)])
def test_it_is_what_the_lease_still_has(minutes, seconds):
    left = of_a_claim(limit=45, after=minutes * MINUTES)
    assert left is not None
    assert left.seconds == seconds


def test_nothing_is_said_without_a_limit():
    assert of_a_claim(limit=None, after=timedelta()) is None


def test_the_page_shows_it_until_the_set_is_given_away():
    study = live(items=12, recruitment=Recruitment(time_limit_minutes=45))
    walk = Walk()
    walk.come_in("/s/tiny/")
    assert "45 min" in walk.text
    assert "data-time-warning" in walk.text
    slots_release_expired(study, now=timezone.now() + timedelta(hours=1))
    walk.get(walk.path)
    assert "The time for this set is over." in walk.text
    assert "data-seconds-left" not in walk.text


def test_the_page_of_a_study_without_a_limit_shows_none():
    live(items=12, recruitment=Recruitment())
    walk = Walk()
    walk.come_in("/s/tiny/")
    assert "/judge/1/" in walk.path
    assert "data-seconds-left" not in walk.text
    assert "time_left.js" not in walk.text
