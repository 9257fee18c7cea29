"""What an answer comes to in the tables of a release: its cells, the same for all that are alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from annotation.exports.columns import Cell
from annotation.exports.dimensions import NOTHING_CHOSEN, study_dimensions, wide_columns
from annotation.studyfile.definition import StudyDefinition
from annotation.tasktypes.base import Judgment
from annotation.tasktypes.instrument import Scale

CONFIDENCE: Final = "confidence"


@dataclass(frozen=True, slots=True)
class AnswerCells:
    """What answers that are alike come to: their cells in each table, and how many values they give."""

    # Dimension, scale, value, missing: a row each in the long table.
    long: tuple[tuple[str, str, Cell, str | None], ...]
    wide: tuple[Cell, ...]
    # Of a comparison: the side that was preferred; None where none is stated.
    preferred: str | None
    confidence: Cell
    given: int
    typed: int


class StudyColumns:
    """The columns that the answers of one study fill; `wide` are those of the wide table."""

    def __init__(self, definition: StudyDefinition) -> None:
        self._dimensions = {d.key: d for d in study_dimensions(definition)}
        self.wide = wide_columns(tuple(self._dimensions.values()))

    def cells(self, task: str, judgments: Sequence[Judgment]) -> AnswerCells:
        """Return the cells of an answer to a task that came to these judgments."""
        dimensions = [self._dimensions[task, one.dimension] for one in judgments]
        known = list(zip(judgments, dimensions, strict=True))
        chosen = [(one, about) for one, about in known if not about.typed]
        by_column = {about.column: released_value(one) for one, about in chosen}
        by_key = {one.dimension: released_value(one) for one, _ in chosen}
        stated = [one.value or "tie" for one, about in known if about.derived]
        given = [one for one in judgments if one.value is not None]
        return AnswerCells(
            long=tuple(
                sorted(
                    (
                        (one.dimension, one.scale.value, released_value(one), one.missing or None)
                        for one, _ in chosen
                    ),
                    key=lambda row: row[0],
                )
            ),
            wide=tuple(by_column.get(name) for name in self.wide),
            preferred=str(stated[0]) if stated else None,
            confidence=by_key.get(CONFIDENCE),
            given=len(given),
            typed=sum(1 for one in given if one.scale is Scale.TEXT),
        )


def released_value(judgment: Judgment) -> Cell:
    """Return a judgment's value; a choice of several in which nothing was chosen says so."""
    if judgment.scale is Scale.MULTIPLE and judgment.value == "":
        return NOTHING_CHOSEN.value
    return judgment.value
