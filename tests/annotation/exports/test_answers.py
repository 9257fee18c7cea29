"""Answers on their way into a release: worked out once for all that are alike, within bounds."""

import pytest

from annotation.exports import answers
from annotation.exports.people import people_of
from annotation.exports.pseudonyms import Pseudonyms
from tests import factories
from tests.annotation.exports import released
from tests.annotation.services.test_anchors import ANCHORS, anchored

pytestmark = pytest.mark.django_db


def test_long_answers_are_not_remembered_and_leave_all_the_same(monkeypatch):
    """What was typed hardly comes again: thousands of long texts would be held for nothing."""
    study = factories.live(items=4, responses=0)
    factories.done_by_someone(study)
    people = people_of(study, Pseudonyms(released.KEY, study.slug))

    def read():
        reader = answers.ReleasedAnswers(study)
        blocks = [reader.blocks(found) for found in reader.read(people)]
        return len(reader._known), blocks

    short, expected = read()
    monkeypatch.setattr(answers, "LONGEST_REMEMBERED", 1)
    long, found = read()
    assert (short > 0, long) == (True, 0)
    assert found == expected
    assert expected[0][0]["value"]


def test_no_part_holds_more_slots_than_are_read_at_once(monkeypatch):
    """An anchor has a slot on every form: a hundred of them may be a million answers."""
    monkeypatch.setattr(answers, "SLOTS_AT_ONCE", 4)
    monkeypatch.setattr(answers, "SLOTS_OF_AN_ITEM", 1)
    study = factories.live(anchored())
    for _ in range(2):
        factories.done_by_someone(study)
    people = people_of(study, Pseudonyms(released.KEY, study.slug))
    parts = [
        {one.item.key for one in found} for found in answers.ReleasedAnswers(study).read(people)
    ]
    # An anchor has four slots, every other item two.
    assert parts[:2] == [{key} for key in ANCHORS]
    assert [len(part) <= 2 for part in parts[2:]] == [True] * 4
    assert len(set.union(*parts)) > 6
