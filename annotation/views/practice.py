"""What a practice screen says after it was answered."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.models import Answer
from annotation.selectors.screens import Screen
from annotation.tasktypes.instrument import Dimension, Scale
from annotation.tasktypes.questions import number_in_words


@dataclass(frozen=True, slots=True)
class Compared:
    """One question: what the person answered, and what a careful reader answers."""

    ask: str
    given: str
    expected: str
    same: bool


@dataclass(frozen=True, slots=True)
class Feedback:
    """The comparison, and why."""

    text: str
    compared: tuple[Compared, ...]

    @property
    def all_same(self) -> bool:
        """Whether every answer is a careful reader's."""
        return all(one.same for one in self.compared)


def feedback_on(screen: Screen, answer: Answer) -> Feedback:
    """Compare an answer with what the study's folder expects of this practice item."""
    item = screen.assignment.item
    given = screen.task_type.encode(answer.values, screen.presentation)
    compared = tuple(
        _compared(dimension, screen.fields, given.get(dimension.key), item.expect[dimension.key])
        for dimension in screen.dimensions
        if dimension.key in item.expect
    )
    return Feedback(item.feedback, compared)


def _compared(
    dimension: Dimension, fields: Mapping[str, Any], given: Any, expected: str
) -> Compared:
    """Compare one answer with the expected one: choices as sets, numbers by what they amount to."""
    labels = {option.value: option.label for option in dimension.options_for(fields)}
    mine, wanted = _answers(dimension, given), _answers(dimension, expected)
    return Compared(
        ask=dimension.ask,
        given="; ".join(labels.get(one, one) for one in mine),
        expected="; ".join(labels.get(one, one) for one in wanted),
        same=set(mine) == set(wanted),
    )


def _answers(dimension: Dimension, answer: Any) -> list[str]:
    """Return what was chosen as texts; the folder writes a choice of several as `1|2`."""
    if isinstance(answer, str) and dimension.scale is Scale.MULTIPLE:
        answer = answer.split("|")
    listed = answer if isinstance(answer, list | tuple) else [answer]
    texts = [str(one) for one in listed if one not in ("", None)]
    if dimension.scale is not Scale.INTERVAL:
        return texts
    return [number_in_words(float(text)) for text in texts]
