"""The review of typed texts: bound to the words, to a reader, and told to the second of two."""

from dataclasses import replace

import pytest
from django.db import IntegrityError, transaction

from annotation.errors import Conflict, StateForbids
from annotation.models import Annotator, Answer, AuditEvent, TextReview
from annotation.selectors.own_data import own_data
from annotation.selectors.texts import texts_waiting, typed_texts
from annotation.services.audit import audit_verify
from annotation.services.demographics import demographics_record
from annotation.services.erasure import annotator_erase
from annotation.services.known_ids import suggestions
from annotation.services.texts import Reading, text_accept, text_edit, text_refuse, text_reopen
from annotation.studyfile.definition import Demographic, Publication
from tests import factories
from tests.annotation.exports import released

pytestmark = pytest.mark.django_db
LANGUAGES = Demographic("languages", "How many languages do you read?", "number", bands=(0, 2))


@pytest.fixture
def study():
    """Return a study whose texts are reviewed, with one person's three or so texts."""
    wanted = released.definition(publication=Publication(free_text="review"))
    asks = replace(wanted.recruitment, demographics=(LANGUAGES,))
    study = factories.live(replace(wanted, recruitment=asks))
    person = released.arrives(study, 0)
    demographics_record(person, {"languages": "2"}, now=factories.NOW)
    factories.finished(factories.claimed(person), why=released.TYPED)
    return study


def by(text, author="eve"):
    return Reading(author, factories.NOW, text.seen)


def answer(text):
    return Answer.objects.select_related("assignment").get(pk=text.answer)


def again(study, text):
    return next(one for one in typed_texts(study) if one.answer == text.answer)


def types(study, text, words):
    stored = answer(text)
    stored.values["why"] = words
    stored.save()
    return again(study, text)


def test_a_text_waits_leaves_and_waits_again(study):
    text = typed_texts(study)[0]
    assert (text.text, text.state) == (released.TYPED, "open")
    total = texts_waiting(study).unreviewed
    review = text_accept(answer(text), "why", by(text))
    assert review.text == "Write to me at [e-mail address]"
    assert (review.reviewer, review.at) == ("eve", factories.NOW)
    counts = texts_waiting(study)
    assert (counts.leave, counts.unreviewed) == (1, total - 1)
    text_reopen(answer(text), "why", by(again(study, text)))
    assert texts_waiting(study).unreviewed == total
    assert TextReview.objects.get().text == ""
    verbs = AuditEvent.objects.filter(verb__startswith="text_").order_by("number")
    assert [event.verb for event in verbs] == ["text_accept", "text_reopen"]
    assert "ann@example.org" not in str([event.told for event in verbs])
    assert audit_verify().first_broken is None


def test_held_back_is_reviewed_and_does_not_leave(study):
    text = typed_texts(study)[0]
    text_refuse(answer(text), "why", by(text))
    counts = texts_waiting(study)
    assert (counts.held_back, counts.leave, counts.reviewed) == (1, 0, 1)


def test_a_changed_answer_is_unread_again(study):
    text = typed_texts(study)[0]
    text_accept(answer(text), "why", by(text))
    assert types(study, text, "Other words.").state == "open"
    with pytest.raises(Conflict, match="changed or reopened"):
        text_refuse(answer(text), "why", by(text))


def test_the_second_of_two_readers_is_told_and_a_double_click_is_not(study):
    text = typed_texts(study)[0]
    first = text_accept(answer(text), "why", by(text))
    assert text_accept(answer(text), "why", by(text)) == first
    assert AuditEvent.objects.filter(verb="text_accept").count() == 1
    with pytest.raises(Conflict, match=r"eve decided on this text meanwhile \(accepted\)"):
        text_refuse(answer(text), "why", by(text, "bob"))
    assert TextReview.objects.get().decision == "accepted"


@pytest.mark.parametrize("spelled", [str, str.upper])
def test_own_words_with_an_id_are_refused(study, spelled):
    text = typed_texts(study)[0]
    with pytest.raises(StateForbids, match="An id of somebody still stands"):
        text_edit(answer(text), "why", by(text), text=f"I am {spelled(released.PIDS[0])}.")
    key = Annotator.objects.get().access_key
    with pytest.raises(StateForbids, match="An id of somebody"):
        text_edit(answer(text), "why", by(text), text=f"see {key}")
    with pytest.raises(StateForbids, match="Write what may leave"):
        text_edit(answer(text), "why", by(text), text=" ")
    assert not TextReview.objects.exists()
    text_edit(answer(text), "why", by(text), text="They left an address.")
    assert TextReview.objects.get().text == "They left an address."


def test_ids_on_record_are_suggested_and_others_are_not(study):
    texts = ["my code was DONE17", "my code was DONE18", Annotator.objects.get().pseudonym]
    found = [[one.kind.value for one in some] for some in suggestions(study, texts)]
    assert found == [["platform id"], [], ["platform id"]]


def test_where_texts_stay_behind_nothing_is_decided():
    study = factories.live(released.definition())
    released.judges(study, 0)
    text = typed_texts(study)[0]
    assert texts_waiting(study).total == 0
    with pytest.raises(StateForbids, match="stay behind"):
        text_accept(answer(text), "why", by(text))


def test_the_database_wants_a_reader_for_a_decision(study):
    text = typed_texts(study)[0]
    row = {"study": study, "answer": answer(text), "dimension": "why", "sha256": "x"}
    for wrong in (
        {"decision": "accepted", "at": factories.NOW},
        {"decision": "refused", "reviewer": "eve"},
        {"decision": "open", "text": "It leaves."},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            TextReview.objects.create(**row | wrong)


def test_who_is_erased_leaves_no_review_and_nothing_said_of_themselves(study):
    person = Annotator.objects.get()
    text = typed_texts(study)[0]
    text_accept(answer(text), "why", by(text))
    assert own_data(person)["also"]["demographics"][0]["answers"] == {"languages": "2"}
    receipt = annotator_erase(person, author="eve", now=factories.NOW)
    assert not TextReview.objects.exists()
    assert not hasattr(Annotator.objects.filter(study=study).first(), "demographics")
    assert receipt.counts["text reviews"] == 1
    assert receipt.counts["demographics"] == 1
    assert typed_texts(study) == []
