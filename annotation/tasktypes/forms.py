"""The form of an answer: the only place where an answer is checked.

The same form takes what a page posts (text, lists from a `QueryDict`) and what a program sends
(numbers, lists). It checks each answer against its dimension, then which dimensions the answers
call for, and only then whether something is missing.
"""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.datastructures import MultiValueDict

from annotation.tasktypes.base import Fields, Presentation
from annotation.tasktypes.instrument import Dimension, Scale, called_for_only
from annotation.tasktypes.questions import Question, number_in_words, question_of

LONGEST_TEXT = 5_000
NUMBER = re.compile(r"[+-]?\d{1,15}([.,]\d{1,15})?")

TOO_MANY = "Please give one answer to this question, not several."
NOT_ONE = "This answer is neither a text nor a number; please give it again."
NOT_TEXT = "This answer contains a character that cannot be stored; please remove it."
NOT_OFFERED = "Please choose one of the answers that are offered."
TWICE = "The same answer was sent twice; please choose again."
MISSING = {
    Scale.NOMINAL: "Please choose an answer.",
    Scale.ORDINAL: "Please choose an answer.",
    Scale.INTERVAL: "Please enter a number.",
    Scale.MULTIPLE: "Please tick at least one.",
    Scale.TEXT: "Please write an answer.",
}


class SubmittedList(forms.Widget):
    """Takes everything that was sent under a name, so that nothing is dropped in silence."""

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> list[Any]:
        """Return the values that were sent."""
        del files
        if isinstance(data, MultiValueDict):
            return list(data.getlist(name))
        value = data.get(name)
        if value is None:
            return []
        return list(value) if isinstance(value, list | tuple) else [value]


class DimensionField(forms.Field):
    """Checks one answer against its dimension; an empty one is judged by the form."""

    widget = SubmittedList

    def __init__(self, dimension: Dimension, allowed: Sequence[str]) -> None:
        super().__init__(required=False)
        self.dimension = dimension
        self.allowed = allowed

    def clean(self, value: list[Any]) -> Any:
        """Return the answer in its stored form: text, number, list, or None for nothing."""
        texts = [_as_text(part) for part in value]
        if self.dimension.scale is Scale.MULTIPLE:
            return self._several(texts)
        if len(texts) > 1:
            raise ValidationError(TOO_MANY)
        text = texts[0] if texts else ""
        if self.dimension.scale is Scale.TEXT:
            return _remark(text)
        if not text.strip():
            return None
        return self._number(text) if self.dimension.scale is Scale.INTERVAL else self._one(text)

    def _one(self, text: str) -> str:
        """Return one of the values that are offered."""
        if text not in self.allowed:
            raise ValidationError(NOT_OFFERED)
        return text

    def _several(self, texts: Sequence[str]) -> list[str]:
        """Return values that are offered, each once, in the order of the options."""
        chosen = {self._one(text) for text in texts}
        if len(chosen) != len(texts):
            raise ValidationError(TWICE)
        return [value for value in self.allowed if value in chosen]

    def _number(self, text: str) -> int | float:
        """Return a number within the bounds and on a step."""
        dimension = self.dimension
        if not NUMBER.fullmatch(text.strip()):
            raise ValidationError(f"Please enter a number{_bounds(dimension)}, in digits.")
        number = Decimal(text.strip().replace(",", "."))
        low, high, step = (
            None if bound is None else Decimal(str(bound))
            for bound in (dimension.minimum, dimension.maximum, dimension.step)
        )
        if (low is not None and number < low) or (high is not None and number > high):
            raise ValidationError(f"Please enter a number{_bounds(dimension)}.")
        if step and (number - (low or 0)) % step:
            raise ValidationError(f"Please enter a number{_bounds(dimension)}{_steps(dimension)}.")
        return int(number) if number == number.to_integral_value() else float(number)


class AnswerForm(forms.Form):
    """All that is asked about one item, in the order of the instrument."""

    def __init__(
        self,
        dimensions: Sequence[Dimension],
        item: Fields,
        data: Mapping[str, Any] | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(data=data, initial=dict(initial or {}))
        self.dimensions = tuple(dimensions)
        self.item = item
        for dimension in self.dimensions:
            allowed = dimension.option_values(item)
            self.fields[dimension.key] = DimensionField(dimension, allowed)

    def clean(self) -> dict[str, Any]:
        """Keep what the answers call for, and say what is missing of it."""
        given = self.given_so_far()
        for dimension in self.dimensions:
            if not dimension.called_for(given):
                self.errors.pop(dimension.key, None)
            elif dimension.required and dimension.key not in given | self.errors:
                self.add_error(dimension.key, MISSING[dimension.scale])
        return self._with_empty_ones(given)

    def given_so_far(self) -> dict[str, Any]:
        """Return the answers that are valid and called for, whatever is still missing: a draft."""
        if not hasattr(self, "cleaned_data"):
            self.full_clean()
        valid = {k: v for k, v in self.cleaned_data.items() if v not in (None, "", [])}
        return called_for_only(self.dimensions, valid)

    def _with_empty_ones(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answers with those that were left empty on purpose, as they may be."""
        asked = [d for d in self.dimensions if d.called_for(given) and d.key not in self.errors]
        return {d.key: given.get(d.key, EMPTY.get(d.scale)) for d in asked}

    @property
    def questions(self) -> list[Question]:
        """Return what the page shows of every question that comes first."""
        return [self._question(d) for d in self.dimensions if not d.last]

    @property
    def last_questions(self) -> list[Question]:
        """Return what the page shows of the questions that come after all others."""
        return [self._question(d) for d in self.dimensions if d.last]

    @property
    def problems(self) -> list[Question]:
        """Return the questions whose answer must be looked at again."""
        return [q for q in (*self.questions, *self.last_questions) if q.errors]

    def _question(self, dimension: Dimension) -> Question:
        """Return one question with what was given for it."""
        errors = [str(e) for e in self.errors.get(dimension.key, ())] if self.is_bound else []
        given = self._shown(dimension.key)
        return question_of(dimension, self.dimensions, self.item, given, errors)

    def _shown(self, key: str) -> list[str]:
        """Return what the page shows as given: what was sent, or else what was stored."""
        if self.is_bound:
            sent = SubmittedList().value_from_datadict(self.data, self.files, key)
        else:
            sent = SubmittedList().value_from_datadict(self.initial, {}, key)
        return [str(value) for value in sent]


# What stands for an answer that was left empty on purpose; nothing for a choice or a number.
EMPTY: Mapping[Scale, Any] = {Scale.MULTIPLE: [], Scale.TEXT: ""}


def answer_form(
    dimensions: Sequence[Dimension],
    fields: Fields,
    presentation: Presentation,
    data: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
) -> AnswerForm:
    """Return the form of what an item's presentation asks; `initial` holds values as on the page."""
    asked = [d for d in dimensions if d.key in presentation.asked]
    return AnswerForm(asked, fields, data, initial)


def _as_text(value: Any) -> str:
    """Return one value as text; what is no single value, or cannot be stored, is refused."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValidationError(NOT_ONE)
    text = str(value)
    if "\x00" in text or re.search("[\ud800-\udfff]", text):
        raise ValidationError(NOT_TEXT)
    return text


def _remark(text: str) -> str:
    """Return a text with plain line ends; nothing but blanks is nothing."""
    plain = text.replace("\r\n", "\n")
    if len(plain) > LONGEST_TEXT:
        raise ValidationError(
            f"Please shorten this to {LONGEST_TEXT:,} characters; it has {len(plain):,}."
        )
    return plain if plain.strip() else ""


def _bounds(dimension: Dimension) -> str:
    """Return the bounds of a number in words."""
    low, high = (number_in_words(b) for b in (dimension.minimum, dimension.maximum))
    if low and high:
        return f" from {low} to {high}"
    if low:
        return f" of {low} or more"
    return f" of {high} or less" if high else ""


def _steps(dimension: Dimension) -> str:
    """Return the step of a number in words."""
    if dimension.step == 1:
        return ", without decimals"
    return f", in steps of {number_in_words(dimension.step)}"
