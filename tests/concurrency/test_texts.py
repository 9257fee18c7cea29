"""Two readers decide on one typed text at once: one decision stands, and the other reader is told."""

from functools import partial
from threading import Barrier, BrokenBarrierError
from unittest.mock import patch

import pytest

from annotation.errors import Conflict
from annotation.models import Annotator, Answer, AuditEvent, Study, TextReview
from annotation.selectors.texts import TypedText, typed_texts
from annotation.services import texts
from annotation.services.audit import audit_verify
from annotation.services.texts import Reading, text_accept, text_refuse, text_reopen
from annotation.studyfile.definition import Publication
from tests import factories
from tests.annotation.exports import released
from tests.concurrency.threads import at_once

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]
TOLD, DECIDED = "told", "decided"
# How long a reader waits for the other to have looked; where the database lets in one at a time, in vain.
TOGETHER = 1.0


@pytest.fixture
def text() -> TypedText:
    """Return a text that was decided upon once and waits again, so that its review is there."""
    study = factories.live(released.definition(publication=Publication(free_text="review")))
    person = released.arrives(study, 0)
    factories.finished(factories.claimed(person), why=released.TYPED)
    for decide in (text_accept, text_reopen):
        first = typed_texts(study)[0]
        answer = Answer.objects.select_related("assignment").get(pk=first.answer)
        decide(answer, "why", Reading("ann", factories.NOW, first.seen))
    return typed_texts(study)[0]


def decided_by_two(text: TypedText) -> list[str]:
    """Let one reader release and another hold back what both have read as it is now."""

    def decide(act, author: str) -> str:
        answer = Answer.objects.select_related("assignment").get(pk=text.answer)
        try:
            act(answer, "why", Reading(author, factories.NOW, text.seen))
        except Conflict:
            return TOLD
        return DECIDED

    return at_once([partial(decide, text_accept, "ada"), partial(decide, text_refuse, "eve")])


def decisions() -> int:
    """Return how often the log says that one of the two decided."""
    return AuditEvent.objects.filter(author__in=["ada", "eve"]).count()


def test_of_two_readers_one_decides_and_the_other_is_told(text: TypedText) -> None:
    assert sorted(decided_by_two(text)) == [DECIDED, TOLD]
    review = TextReview.objects.get(answer=text.answer)
    assert review.reviewer in {"ada", "eve"}
    assert (review.decision, bool(review.text)) in {("accepted", True), ("refused", False)}
    assert decisions() == 1
    assert audit_verify().first_broken is None


def test_without_the_guard_a_decision_is_lost(text: TypedText) -> None:
    """The control: nobody locks, nobody says what they saw, and the earlier decision is written over."""
    meet = Barrier(2)

    def unlocked(pk: int) -> Annotator:
        person = Annotator.objects.get(pk=pk)
        person.study = Study.objects.get(pk=person.study_id)
        return person

    def unasked(*_: object) -> None:
        try:
            meet.wait(TOGETHER)
        except BrokenBarrierError:
            return

    with (
        patch.object(texts, "annotator_locked", unlocked),
        patch.object(texts, "_same_as_seen", unasked),
    ):
        assert decided_by_two(text) == [DECIDED, DECIDED]
    assert decisions() == 2
