"""One item as staff look at it: what everybody answered to it, and whether it counts."""

from dataclasses import dataclass

from annotation.models import Item, Study
from annotation.selectors.beside import shown_value
from annotation.selectors.judgments import answer_judgments, collected_answers, counted_answers
from annotation.selectors.studies import study_definition


@dataclass(frozen=True, slots=True)
class ItemJudgment:
    """What one person answered to an item: dimension and value, in stored terms."""

    annotator: str
    counts: bool
    seconds: float
    rows: tuple[tuple[str, str], ...]


def item_judgments(study: Study, item: Item) -> list[ItemJudgment]:
    """Return the judgments of an item outside the pilot, in the order in which they came."""
    definition = study_definition(study)
    answers = collected_answers(study).filter(assignment__item=item)
    counting = set(
        counted_answers(study).filter(assignment__item=item).values_list("pk", flat=True)
    )
    return [
        ItemJudgment(
            annotator=answer.assignment.annotator.pseudonym,
            counts=answer.pk in counting,
            seconds=(
                answer.server_seconds if answer.active_seconds is None else answer.active_seconds
            ),
            rows=tuple(
                (row.dimension, shown_value(row)) for row in answer_judgments(answer, definition)
            ),
        )
        for answer in answers.order_by("submitted_at", "pk")
    ]
