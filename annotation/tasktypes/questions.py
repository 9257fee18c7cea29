"""What a page shows of one question: the dimension, its options, and what was given for it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.tasktypes.instrument import Dimension, Option, Scale

# Up to so many options stand side by side, when each is this short.
ROW_OPTIONS, ROW_LABEL, ROW_ANCHOR = 3, 22, 40
# Options are chosen by one digit.
DIGITS = "123456789"
INPUTS = {Scale.MULTIPLE: "checkbox", Scale.INTERVAL: "number", Scale.TEXT: "textarea"}


@dataclass(frozen=True, slots=True)
class Choice:
    """An option on the page."""

    id: str
    value: str
    label: str
    anchor: str
    shortcut: str
    checked: bool


@dataclass(frozen=True, slots=True)
class Question:
    """A question on the page; `value` is the number or text that was given."""

    dimension: Dimension
    input: str
    choices: tuple[Choice, ...]
    choices_lang: str
    value: str
    condition: str
    errors: list[str]

    @property
    def id(self) -> str:
        """Return the id of its element, to which errors and descriptions refer."""
        return f"q-{self.dimension.key}"

    @property
    def in_a_row(self) -> bool:
        """Whether its options fit side by side."""
        return 1 < len(self.choices) <= ROW_OPTIONS and all(
            len(c.label) <= ROW_LABEL and len(c.anchor) <= ROW_ANCHOR for c in self.choices
        )

    @property
    def described_by(self) -> str:
        """Return the ids of what explains it, for assistive technology."""
        parts = {
            "hint": self.dimension.hint,
            "condition": self.condition,
            "error": self.errors,
        }
        return " ".join(f"{self.id}-{part}" for part, text in parts.items() if text)

    @property
    def when_json(self) -> str:
        """Return the answers that call for it, for the script that hides it."""
        when = {key: list(values) for key, values in self.dimension.when.items()}
        return json.dumps(when) if when else ""

    @property
    def minimum(self) -> str:
        """Return the least number."""
        return number_in_words(self.dimension.minimum)

    @property
    def maximum(self) -> str:
        """Return the greatest number."""
        return number_in_words(self.dimension.maximum)

    @property
    def step(self) -> str:
        """Return the step of a number."""
        return number_in_words(self.dimension.step) or "any"

    @property
    def ends(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Return the two ends of a scale of numbers, each with the words for it, if there are."""
        words = [choice.label for choice in self.choices] or [""]
        return (self.minimum, words[0]), (self.maximum, words[-1])

    @property
    def slider_step(self) -> str:
        """Return the step of the slider, or nothing where a slider makes no sense."""
        low, high = self.dimension.minimum, self.dimension.maximum
        if low is None or high is None:
            return ""
        return number_in_words(self.dimension.step or (high - low) / 100)


def question_of(
    dimension: Dimension,
    dimensions: Iterable[Dimension],
    fields: Mapping[str, Any],
    given: Sequence[str],
    errors: list[str],
) -> Question:
    """Return what the page shows of a dimension among the others that are asked."""
    options = dimension.options_for(fields)
    shortcuts = _shortcuts(options)
    return Question(
        dimension=dimension,
        input=INPUTS.get(dimension.scale, "radio"),
        choices=tuple(
            Choice(
                id=f"q-{dimension.key}-{n}",
                value=option.value,
                label=option.label,
                anchor=option.anchor,
                shortcut=shortcut,
                checked=option.value in given,
            )
            for n, (option, shortcut) in enumerate(zip(options, shortcuts, strict=True), start=1)
        ),
        choices_lang=str(fields.get(f"{dimension.options_from}_lang") or ""),
        value=given[0] if given else "",
        condition=_condition(dimension, {d.key: d for d in dimensions}, fields),
        errors=errors,
    )


def number_in_words(number: float | None) -> str:
    """Return a bound or a step as a person writes it, or nothing."""
    if number is None:
        return ""
    return str(int(number)) if float(number).is_integer() else str(number)


def _shortcuts(options: Sequence[Option]) -> list[str]:
    """Return the key of each option: its own, the digit that it is valued, or its place."""
    if any(option.shortcut for option in options):
        return [option.shortcut for option in options]
    values = [option.value for option in options]
    if all(len(value) == 1 and value in f"0{DIGITS}" for value in values):
        return values
    return [DIGITS[n] if n < len(DIGITS) else "" for n in range(len(options))]


def _condition(
    dimension: Dimension, others: Mapping[str, Dimension], fields: Mapping[str, Any]
) -> str:
    """Return in words when a question is to be answered."""
    parts = [
        _one_condition(others[key].options_for(fields), wanted)
        for key, wanted in dimension.when.items()
        if key in others
    ]
    return f"Answer this {', and '.join(parts)}." if parts else ""


def _one_condition(options: Sequence[Option], wanted: Sequence[str]) -> str:
    """Return one condition the shorter way round: if what was chosen, or unless."""
    named = [option.label for option in options if option.value in wanted]
    others = [option.label for option in options if option.value not in wanted]
    if not options:
        return f"if you gave {' or '.join(wanted)} above"
    if 0 < len(others) < len(named):
        return f"unless you chose {_quoted(others)} above"
    return f"if you chose {_quoted(named)} above"


def _quoted(labels: Iterable[str]) -> str:
    """Return labels as a list in quotation marks."""
    return " or ".join(f"“{label}”" for label in labels)
