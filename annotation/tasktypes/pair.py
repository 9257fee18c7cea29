"""Pair: two responses side by side, and which of them answers the question better."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from annotation.tasktypes import simulated
from annotation.tasktypes.base import (
    Comparison,
    Fields,
    ItemField,
    Judgment,
    Presentation,
    SimulatedPerson,
    TaskType,
    Values,
)
from annotation.tasktypes.instrument import Dimension, Option, Scale, called_for_only

SIDES = ("first", "second")
RESPONSES = ("response_1", "response_2")
UNDECIDED = "no_difference"
UNFLIPPED = Presentation(order=(1, 2))

CHOICE = Dimension(
    key="choice",
    ask="Which answers the question better?",
    hint="Judge what they say, not how long they are or how well they are written.",
    scale=Scale.NOMINAL,
    options=(
        Option("first", "A is better", "it is more right, or more complete", shortcut="a"),
        Option(UNDECIDED, "No difference", "equally good, or equally bad", shortcut="0"),
        Option("second", "B is better", "it is more right, or more complete", shortcut="b"),
    ),
)
CONFIDENCE = Dimension(
    key="confidence",
    ask="How sure are you?",
    scale=Scale.ORDINAL,
    options=(
        Option("1", "Guessing", "it could as well be the other way"),
        Option("2", "Fairly sure", "others might see it differently"),
        Option("3", "Certain", "I can say why"),
    ),
)
PREFERS_HIGHER = Dimension(
    key="prefers_higher",
    ask="The response preferred came from the condition that ranks higher, or lower",
    scale=Scale.NOMINAL,
    options=(
        Option("higher", "Higher", "the response of the higher condition was chosen"),
        Option("lower", "Lower", "the response of the lower condition was chosen"),
    ),
    required=False,
)


class PairTask(TaskType):
    """Two responses compared.

    The page asks for a side; what is stored names the response. This holds for `choice` and for
    every dimension of a study whose key starts with `choice_`.
    """

    key = "pair"
    label = "Choose the better answer"
    template_name = "tasktypes/pair.html"
    fields = (
        ItemField("question"),
        ItemField("response_1"),
        ItemField("response_2"),
        ItemField("passage", required=False),
        ItemField("reference", required=False),
        ItemField("condition_1", required=False, shown=False),
        ItemField("condition_2", required=False, shown=False),
    )
    instrument = (CHOICE, CONFIDENCE)
    alternatives = RESPONSES
    contradictions = ()

    def decode(self, posted: Values, presentation: Presentation) -> dict[str, Any]:
        """Replace sides by the responses that stood there."""
        responses = {side: self.alternatives[n - 1] for side, n in _places(presentation)}
        return _translated(posted, responses)

    def encode(self, values: Values, presentation: Presentation) -> dict[str, Any]:
        """Replace responses by the sides where they stand."""
        sides = {self.alternatives[n - 1]: side for side, n in _places(presentation)}
        return _translated(values, sides)

    def fault_of(self, dimension: Dimension) -> str:
        """Refuse a side in a dimension that would store it as such, and a choice without sides."""
        if fault := super().fault_of(dimension):
            return fault
        has_sides = bool(set(SIDES) & set(dimension.option_values({})))
        if has_sides and not _names_a_side(dimension.key):
            return (
                "“first” and “second” are sides of the page, which are not stored; begin the key "
                "with “choice_” and the response that stood there is."
            )
        if _names_a_side(dimension.key) and dimension.scale is not Scale.NOMINAL:
            return "A key that begins with “choice” chooses a response; its scale must be nominal."
        return ""

    def stored(self, dimension: Dimension) -> Dimension:
        """Return a choice with the responses as its options."""
        if not _names_a_side(dimension.key):
            return dimension
        by_side = {
            "first": Option("response_1", "Response 1", "the item's first response is better"),
            "second": Option("response_2", "Response 2", "the item's second response is better"),
        }
        options = tuple(by_side.get(option.value, option) for option in dimension.options)
        return replace(dimension, options=options)

    def judged_on(self, fields: Fields, comparison: Comparison | None) -> Fields:
        """Return the two conditions that are ranked."""
        names = () if comparison is None else _conditions(comparison)
        return {name: str(fields.get(name, "")) for name in names}

    def derived(
        self, fields: Fields, values: Values, comparison: Comparison | None
    ) -> list[Judgment]:
        """Return whether the response of the higher condition was preferred."""
        if comparison is None or CHOICE.key not in values:
            return []
        value, missing = _preference(fields, str(values[CHOICE.key]), comparison)
        return [Judgment(PREFERS_HIGHER.key, Scale.NOMINAL, value, missing)]

    def derived_dimensions(self) -> tuple[Dimension, ...]:
        """Return the preference for the higher condition."""
        return (PREFERS_HIGHER,)

    def simulate(
        self,
        fields: Fields,
        dimensions: Sequence[Dimension],
        person: SimulatedPerson,
        rng: random.Random,
    ) -> dict[str, Any]:
        """Choose by how much better the first response seems; a lenient person sees less of it."""
        seen = 2.0 * simulated.perceived(0.5 + advantage_of(fields) / 2, _fair(person), rng) - 1.0
        values = {d.key: _simulated_answer(d, fields, seen, person, rng) for d in dimensions}
        asked_for = called_for_only(dimensions, self.encode(values, UNFLIPPED))
        return {key: values[key] for key in asked_for}


def _places(presentation: Presentation) -> list[tuple[str, int]]:
    """Return each side with the number of the alternative that stood there."""
    return list(zip(SIDES, presentation.order, strict=True))


def _names_a_side(key: str) -> bool:
    """Whether the answer to a dimension names one of the two sides."""
    return key == CHOICE.key or key.startswith(f"{CHOICE.key}_")


def _translated(values: Values, names: dict[str, str]) -> dict[str, Any]:
    """Return the values with the names in choices replaced."""
    return {k: names.get(v, v) if _names_a_side(k) else v for k, v in values.items()}


def _conditions(comparison: Comparison) -> tuple[str, str]:
    """Return the fields that hold the conditions of the two responses."""
    return f"{comparison.field}_1", f"{comparison.field}_2"


def _preference(fields: Fields, choice: str, comparison: Comparison) -> tuple[str | None, str]:
    """Return `higher` or `lower`, or no value and why there is none."""
    conditions = [str(fields.get(name, "")) for name in _conditions(comparison)]
    unknown = [c or "nothing" for c in conditions if c not in comparison.order]
    if unknown:
        return None, f"the order of {comparison.field} does not name {' or '.join(unknown)}"
    if conditions[0] == conditions[1]:
        return None, f"both responses have the {comparison.field} {conditions[0]}"
    if choice not in RESPONSES:
        return None, "undecided"
    ranks = [comparison.order.index(c) for c in conditions]
    higher = RESPONSES[ranks.index(max(ranks))]
    return ("higher" if choice == higher else "lower"), ""


def advantage_of(fields: Fields) -> float:
    """Return how much better response 1 is, from -1 to 1: as planted, or by what they share."""
    planted = simulated.known_number(fields, "planted_advantage")
    if planted is not None:
        return max(-1.0, min(1.0, planted))
    wanted = str(fields.get("reference") or fields.get("passage") or fields["question"])
    first, second = (simulated.overlap(str(fields[r]), wanted) for r in RESPONSES)
    return first - second


def _fair(person: SimulatedPerson) -> SimulatedPerson:
    """Return the person without leniency, which favours neither side."""
    return replace(person, leniency=0.0)


def _simulated_answer(
    dimension: Dimension,
    fields: Fields,
    seen: float,
    person: SimulatedPerson,
    rng: random.Random,
) -> Any:
    """Answer one question about a perceived advantage."""
    if _names_a_side(dimension.key) and dimension.scale is Scale.NOMINAL:
        return _choice(dimension, seen, person, rng)
    if dimension.key == CONFIDENCE.key:
        return simulated.plain_answer(dimension, fields, min(1.0, 2.0 * abs(seen)), rng)
    return simulated.plain_answer(dimension, fields, 0.5 + seen / 2, rng)


def _choice(dimension: Dimension, seen: float, person: SimulatedPerson, rng: random.Random) -> str:
    """Return the response that seems better, or that none does when the difference is small."""
    options = [o for o in dimension.option_values({}) if o not in SIDES]
    enough = 0.05 * (1.0 + max(0.0, person.leniency))
    if abs(seen) < enough and options:
        return UNDECIDED if UNDECIDED in options else rng.choice(options)
    return RESPONSES[0] if seen >= 0 else RESPONSES[1]
