"""Answers on their way into a release: worked out once for all that are alike, within bounds."""

import pytest

from annotation.exports import answers
from annotation.exports.people import people_of
from annotation.exports.pseudonyms import Pseudonyms
from tests import factories
from tests.annotation.exports import released

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
