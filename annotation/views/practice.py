"""What a practice screen says after it was answered."""

from dataclasses import dataclass

from annotation.models import Answer
from annotation.selectors.screens import Screen


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
    compared = []
    for dimension in screen.dimensions:
        if dimension.key not in item.expect:
            continue
        labels = {option.value: option.label for option in dimension.options_for(screen.fields)}
        expected, mine = str(item.expect[dimension.key]), str(given.get(dimension.key, ""))
        compared.append(
            Compared(
                ask=dimension.ask,
                given=labels.get(mine, mine),
                expected=labels.get(expected, expected),
                same=mine == expected,
            )
        )
    return Feedback(item.feedback, tuple(compared))
