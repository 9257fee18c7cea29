"""Typed texts in a release: what was read and let go, and nothing else in any file."""

import json

import pytest

from annotation.models import Answer
from annotation.selectors.texts import typed_texts
from annotation.services.texts import Reading, text_accept, text_edit, text_refuse
from annotation.studyfile.definition import Publication
from tests import factories
from tests.annotation.exports import released

pytestmark = pytest.mark.django_db
PHONE = "+44 7400 123456"
MAIL = "ann@example.org"
TYPED = {
    "accepted": f"Nice task, I am {released.PIDS[0]}, {MAIL}, {PHONE}",
    "edited": f"Call Ann: {PHONE}",
    "refused": "Withheld for good reason",
    "open": f"Nobody read this of {released.PIDS[0].upper()}",
    "stale": "Read before it was changed",
}


def planted():
    """Return a study with a text in each state; the people's other texts were read by nobody."""
    study = factories.live(released.definition(publication=Publication(free_text="review")))
    for number in range(3):
        released.judges(study, number)
    answers = [Answer.objects.get(pk=one.answer) for one in typed_texts(study)]
    for answer, words in zip(answers, TYPED.values(), strict=False):
        answer.values["why"] = words
        answer.save()
    now = {one.text: one for one in typed_texts(study)}
    acts = {
        "accepted": text_accept,
        "edited": lambda *given: text_edit(*given, text="They asked to be called."),
        "refused": text_refuse,
        "stale": text_accept,
    }
    for state, act in acts.items():
        text = now[TYPED[state]]
        reading = Reading("eve", factories.NOW, text.seen)
        act(Answer.objects.get(pk=text.answer), "why", reading)
    stale = Answer.objects.get(pk=now[TYPED["stale"]].answer)
    stale.values["why"] = "Changed, and unread"
    stale.save()
    return study


def test_only_what_was_read_and_let_go_leaves(tmp_path):
    study = planted()
    total = len(typed_texts(study))
    document = released.release(study, tmp_path / "out")
    rows = released.rows(tmp_path / "out", "texts")
    assert sorted(row["text"] for row in rows) == [
        "Nice task, I am [platform id], [e-mail address], [phone number]",
        "They asked to be called.",
    ]
    counts = {"typed": total, "released": 2, "held_back": 1, "unreviewed": total - 3}
    assert document["texts"] == counts
    assert "compare.why" not in document["dropped_columns"]
    assert f"Of {total} typed texts, 2 were read" in (tmp_path / "out" / "README.md").read_text()
    book = released.rows(tmp_path / "out", "codebook")
    told = [row["column"] for row in book if row["table"] == "texts"]
    assert told == ["item_id", "annotator", "dimension", "text"]
    held = [PHONE, MAIL, released.PIDS[0], "Call Ann", "for good reason", "Nobody read this"]
    held += ["Changed, and", "Read before it", "Write to me"]
    for name, content in released.everything(tmp_path / "out").items():
        for words in held:
            assert words.lower().encode() not in content.lower(), (name, words)


def test_all_texts_stay_behind_unless_the_study_says_otherwise(tmp_path):
    study = factories.live(released.definition())
    released.judges(study, 0)
    document = released.release(study, tmp_path / "out")
    assert document["texts"] is None
    assert "compare.why" in document["dropped_columns"]
    assert not (tmp_path / "out" / "texts.csv").exists()
    assert json.loads((tmp_path / "out" / "release.json").read_text())["texts"] is None
