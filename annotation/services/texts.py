"""text_accept, text_edit, text_refuse and text_reopen: what a reader decides on one typed text.

A decision holds for the words it was made upon. Whoever decides says what they saw, so that of two
readers at once the second is told.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from annotation.errors import Conflict, StateForbids
from annotation.models import Annotator, Answer, TextReview
from annotation.redaction.findings import Finding, Kind, redacted
from annotation.selectors.studies import study_definition
from annotation.selectors.texts import seen_of, text_digest, text_of, texts_reviewed
from annotation.services.audit import audit_record
from annotation.services.claims import annotator_locked
from annotation.services.known_ids import suggestions

LONGEST = 20_000
Decision = TextReview.Decision
Wording = Callable[[str, tuple[Finding, ...]], str]


@dataclass(frozen=True, slots=True)
class Reading:
    """Who decides when, and upon what (`TypedText.seen`)."""

    author: str
    now: datetime
    seen: str


def text_accept(answer: Answer, dimension: str, by: Reading) -> TextReview:
    """Let a text leave with every suggested part taken out."""
    return _decide(answer, dimension, by, Decision.ACCEPTED, redacted)


def text_edit(answer: Answer, dimension: str, by: Reading, *, text: str) -> TextReview:
    """Let a text leave in the reader's wording."""
    if not text.strip():
        raise StateForbids("Write what may leave, or hold the text back.")
    if len(text) > LONGEST:
        raise StateForbids(f"The wording is longer than {LONGEST:,} characters; shorten it.")
    return _decide(answer, dimension, by, Decision.EDITED, lambda _, __: text.strip())


def text_refuse(answer: Answer, dimension: str, by: Reading) -> TextReview:
    """Hold a text back."""
    return _decide(answer, dimension, by, Decision.REFUSED, lambda _, __: "")


@transaction.atomic
def text_reopen(answer: Answer, dimension: str, by: Reading) -> TextReview:
    """Take a decision back; the text waits again."""
    person, text, review = _locked(answer, dimension)
    if review.decision == Decision.OPEN:
        return review
    _same_as_seen(text, review, by)
    before = review.decision
    review.decision, review.reviewer, review.at = Decision.OPEN, "", None
    review.text, review.suggestions = "", []
    review.save()
    _audit("text_reopen", person, review, before, by)
    return review


@transaction.atomic
def _decide(
    answer: Answer, dimension: str, by: Reading, decision: Decision, wording: Wording
) -> TextReview:
    person, text, review = _locked(answer, dimension)
    found = suggestions(person.study, [text])[0]
    leaves = wording(text, found)
    if _is_done(review, text, leaves, decision, by.author):
        return review
    _same_as_seen(text, review, by)
    if any(one.kind is Kind.ID for one in suggestions(person.study, [leaves])[0]):
        raise StateForbids(
            "An id of somebody still stands in what would leave; take it out, or hold the text back."
        )
    before = review.decision
    review.decision, review.reviewer, review.at = decision, by.author, by.now
    review.sha256, review.text = text_digest(text), leaves
    review.suggestions = [[one.kind.value, one.start, one.end] for one in found]
    review.save()
    _audit(f"text_{_VERBS[decision]}", person, review, before, by)
    return review


_VERBS = {Decision.ACCEPTED: "accept", Decision.EDITED: "edit", Decision.REFUSED: "refuse"}


def _locked(answer: Answer, dimension: str) -> tuple[Annotator, str, TextReview]:
    """Return the person, locked with all their answers, the text as it is now, and its review."""
    person = annotator_locked(answer.assignment.annotator_id)
    if not texts_reviewed(person.study):
        raise StateForbids(
            "Typed texts of this study stay behind; with release: {free_text: review} in its "
            "study.yaml they can be read and released."
        )
    now = Answer.objects.select_related("assignment__item").get(pk=answer.pk)
    text = text_of(now, dimension, study_definition(person.study))
    if not text:
        raise Conflict("The answer was changed meanwhile and holds no text here any more.")
    review = TextReview.objects.filter(answer=now, dimension=dimension).first()
    return person, text, review or TextReview(study=person.study, answer=now, dimension=dimension)


def _is_done(review: TextReview, text: str, leaves: str, decision: Decision, author: str) -> bool:
    """Whether the same reader decided the same a moment ago, as by a double click."""
    stands = (review.decision, review.reviewer, review.text, review.sha256)
    return stands == (decision, author, leaves, text_digest(text))


def _same_as_seen(text: str, review: TextReview, by: Reading) -> None:
    current = review.sha256 == text_digest(text)
    if by.seen == seen_of(text, review if current else None):
        return
    if current and review.reviewer:
        raise Conflict(
            f"{review.reviewer} decided on this text meanwhile ({review.decision}); nothing was "
            "changed. Look at it again."
        )
    raise Conflict("This text was changed or reopened meanwhile; read it again, then decide.")


def _audit(verb: str, person: Annotator, review: TextReview, before: str, by: Reading) -> None:
    """Log a decision, without a word of the text."""
    detail = {
        "item": review.answer.assignment.item.key,
        "dimension": review.dimension,
        "before": str(before),
        "after": str(review.decision),
    }
    audit_record(
        verb, study=person.study.slug, author=by.author, now=by.now, about=person, detail=detail
    )
