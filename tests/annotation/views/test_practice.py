"""What a practice screen says of an answer: right where it is right, in the words of the page."""

from dataclasses import replace

import pytest
from django.utils import timezone

from annotation.selectors.screens import screen_of
from annotation.studyfile.definition import PracticeItem
from annotation.tasktypes.instrument import Dimension, Option, Scale
from annotation.views.practice import feedback_on
from tests.factories import annotator, answered, claimed, definition, live, rubric_items

pytestmark = pytest.mark.django_db

GRADE = Dimension("grade", "Which grade?", Scale.INTERVAL, minimum=0, maximum=100)
FAULTS = Dimension(
    "faults",
    "Which faults?",
    Scale.MULTIPLE,
    required=False,
    options=(Option("long", "Too long"), Option("odd", "Reads oddly"), Option("old", "Outdated")),
)
KIND = Dimension(
    "kind", "Which kind?", Scale.NOMINAL, options=(Option("1", "Whole"), Option("2", "Part"))
)


def compared(expect, **given):
    """Return what one practice item says after it was answered so."""
    whole = definition(items=0, responses=6, practice=0)
    task = replace(whole.tasks[0], dimensions=(GRADE, FAULTS, KIND))
    tried = PracticeItem("rate", replace(rubric_items(1)[0], id="try"), expect, "So it is.")
    study = live(replace(whole, tasks=(task,), practice=(tried,)))
    person = annotator(study, now=timezone.now())
    screen = claimed(person, now=timezone.now()).assignments.get(kind="practice")
    answer = answered(screen, now=timezone.now(), **given).answer
    (one,) = feedback_on(screen_of(screen), answer).compared
    return one.same, one.given, one.expected


@pytest.mark.parametrize(
    ("expect", "given", "said"),
    [
        ({"grade": "70"}, {"grade": "70"}, (True, "70", "70")),
        ({"grade": "70.0"}, {"grade": "70"}, (True, "70", "70")),
        ({"grade": "70"}, {"grade": "70.5"}, (False, "70.5", "70")),
        (
            {"faults": "long|odd"},
            {"faults": ["odd", "long"]},
            (True, "Too long; Reads oddly", "Too long; Reads oddly"),
        ),
        (
            {"faults": "long|odd"},
            {"faults": ["odd"]},
            (False, "Reads oddly", "Too long; Reads oddly"),
        ),
        ({"faults": "old"}, {"faults": ["old"]}, (True, "Outdated", "Outdated")),
        ({"faults": ""}, {"faults": []}, (True, "", "")),
        ({"faults": "old"}, {"faults": []}, (False, "", "Outdated")),
        ({"kind": "2"}, {"kind": "1"}, (False, "Whole", "Part")),
    ],
)
def test_an_answer_is_compared_for_what_it_means(expect, given, said):
    assert compared(expect, **given) == said
