"""Typed texts of the analytic sample, and what became of each: read, held back, or waiting for a reader."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import TextField
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from annotation.models import Answer, Study, TextReview
from annotation.selectors.judgments import counted_answers
from annotation.selectors.studies import study_definition
from annotation.studyfile.definition import StudyDefinition
from annotation.tasktypes.instrument import Dimension, Scale

CHUNK = 2_000
REVIEW = "review"
Decision = TextReview.Decision


@dataclass(frozen=True, slots=True)
class TypedText:
    """One text as it stands now, with the decision on it, if there is one on these very words."""

    answer: int
    annotator: int
    item: str
    dimension: str
    ask: str
    text: str
    review: TextReview | None

    @property
    def state(self) -> str:
        """Return the decision; a text that was changed after it is open again."""
        return self.review.decision if self.review else Decision.OPEN

    @property
    def seen(self) -> str:
        """Return what a decision is made upon: this text, in this state."""
        return seen_of(self.text, self.review)


@dataclass(frozen=True, slots=True)
class TextCounts:
    """How many texts there are, and of these leave, are held back, and wait for a reader."""

    total: int
    leave: int
    held_back: int
    unreviewed: int

    @property
    def reviewed(self) -> int:
        """Return how many were decided upon."""
        return self.leave + self.held_back

    def as_dict(self) -> dict[str, int]:
        """Return the part of the manifest."""
        return {
            "typed": self.total,
            "released": self.leave,
            "held_back": self.held_back,
            "unreviewed": self.unreviewed,
        }


def text_digest(text: str) -> str:
    """Return the SHA-256 by which a decision is bound to the words it was made upon."""
    return hashlib.sha256(text.encode()).hexdigest()


def seen_of(text: str, review: TextReview | None) -> str:
    """Return a short word for a text and the decision on it."""
    at = review.at.isoformat() if review and review.at else ""
    return text_digest(f"{text_digest(text)} {review.decision if at and review else ''} {at}")[:32]


def texts_reviewed(study: Study) -> bool:
    """Whether typed texts of the study may leave once somebody has read them."""
    return study_definition(study).publication.free_text == REVIEW


def text_of(answer: Answer, dimension: str, definition: StudyDefinition) -> str:
    """Return what was typed; empty where nothing was, or where the dimension is not of text."""
    asked = {d.key for d in _typed(definition, answer.assignment.item.task)}
    value = answer.values.get(dimension) if dimension in asked else None
    return value if isinstance(value, str) and value.strip() else ""


def typed_texts(study: Study) -> list[TypedText]:
    """Return every text of the analytic sample, by answer; a query a typed dimension, and one more."""
    reviews = {
        (one.answer_id, one.dimension): one
        for one in TextReview.objects.filter(study=study).exclude(decision=Decision.OPEN)
    }
    found = [
        TypedText(pk, person, item, dimension.key, dimension.ask, text, _of(text, reviews.get(key)))
        for dimension, pk, person, item, text in _rows(study)
        for key in [(pk, dimension.key)]
    ]
    return sorted(found, key=lambda one: (one.answer, one.dimension))


def texts_waiting(study: Study) -> TextCounts:
    """Return the counts of a study whose texts are reviewed; all zero where they stay behind."""
    return text_counts(typed_texts(study) if texts_reviewed(study) else [])


def text_counts(texts: list[TypedText]) -> TextCounts:
    """Count texts by what became of them."""
    states = Counter(one.state for one in texts)
    return TextCounts(
        total=len(texts),
        leave=states[Decision.ACCEPTED] + states[Decision.EDITED],
        held_back=states[Decision.REFUSED],
        unreviewed=states[Decision.OPEN],
    )


def _of(text: str, review: TextReview | None) -> TextReview | None:
    return review if review and review.sha256 == text_digest(text) else None


def _typed(definition: StudyDefinition, task: str) -> list[Dimension]:
    return [d for d in definition.task(task).dimensions if d.scale is Scale.TEXT]


def _rows(study: Study) -> Iterator[tuple[Dimension, int, int, str, str]]:
    definition = study_definition(study)
    for task in definition.tasks:
        for dimension in _typed(definition, task.key):
            rows = (
                counted_answers(study)
                .filter(assignment__item__task=task.key)
                .annotate(typed=Cast(KeyTextTransform(dimension.key, "values"), TextField()))
                .filter(typed__gt="")
                .order_by()
                .values_list("pk", "assignment__annotator", "assignment__item__key", "typed")
            )
            for pk, person, item, text in rows.iterator(chunk_size=CHUNK):
                if text.strip():
                    yield dimension, pk, person, item, text
