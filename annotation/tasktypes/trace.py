"""Trace: whether two chains of reasoning for one question are the same."""

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from annotation.tasktypes import simulated
from annotation.tasktypes.base import (
    Fields,
    ItemField,
    Presentation,
    SimulatedPerson,
    TaskType,
    Values,
)
from annotation.tasktypes.instrument import Dimension, Option, Scale, called_for_only

DIFFERENT, PARTLY, SAME = "substantially_different", "partially_different", "same"
MISSING, EXTRA = "missing_claim", "extra_claim"
STORED_OPTIONS = {
    MISSING: Option(MISSING, "Missing in trace 2", "trace 2 leaves out a claim that trace 1 makes"),
    EXTRA: Option(EXTRA, "Only in trace 2", "trace 2 makes a claim that trace 1 does not make"),
}
# What is missing from one trace is extra in the other.
MIRRORED: dict[str, str] = {MISSING: EXTRA, EXTRA: MISSING}
# "1.", "Step 2:", or the same in another script, at the start of a step.
OWN_NUMBER = re.compile(r"\W*(?:\w{1,12}\s*)?\d{1,3}\s*\w?\s*[.):\uff1a\u3001]")

EQUIVALENCE = Dimension(
    key="equivalence",
    ask="Is the reasoning the same?",
    hint="Compare the reasoning, not the wording, and whether or not it is right.",
    scale=Scale.ORDINAL,
    options=(
        Option(DIFFERENT, "Substantially different", "they argue in different ways"),
        Option(PARTLY, "Partially different", "the same idea, but some steps or claims differ"),
        Option(SAME, "The same", "the same steps and claims, perhaps in other words"),
    ),
)
DIFFERENCE_TYPES = Dimension(
    key="difference_types",
    ask="In what do they differ?",
    hint="Tick all that apply. It may be nothing.",
    scale=Scale.MULTIPLE,
    required=False,
    options=(
        Option(MISSING, "Missing in B", "B leaves out a claim that A makes"),
        Option(EXTRA, "Only in B", "B makes a claim that A does not make"),
        Option("decomposition", "Division into steps", "the same work is cut into other steps"),
        Option("order", "Order", "the same steps come in another order"),
        Option("method", "Method", "another rule, formula or approach"),
        Option("assumption", "Assumption", "one takes something for granted, the other not"),
        Option("contradiction", "Contradiction", "both cannot be true"),
        Option("wording", "Wording or notation only", "other words or signs, nothing else"),
    ),
)
MATERIAL = Dimension(
    key="material",
    ask="Does the difference matter to someone who checks the reasoning?",
    scale=Scale.NOMINAL,
    when={EQUIVALENCE.key: (DIFFERENT, PARTLY)},
    options=(
        Option("yes", "Yes", "it changes what must be checked"),
        Option("no", "No", "the check would be the same"),
    ),
)
COMMENT = Dimension(
    key="comment",
    ask="Is there anything to add?",
    hint="You may leave this empty. Please write nothing about yourself.",
    scale=Scale.TEXT,
    required=False,
)


# How alike two traces are made to be: an answer, or a number from 0 to 1.
PLANTED = "true_equivalence"


class TraceTask(TaskType):
    """Two traces compared.

    The traces are shuffled, and two of the differences have a direction. On the page they speak of
    B, the second shown; stored they speak of trace 2: `missing_claim` means that trace 2 lacks a
    claim of trace 1. So they are swapped where the page showed trace 2 first.
    """

    key = "trace"
    label = "Compare two solutions"
    template_name = "tasktypes/trace.html"
    fields = (
        ItemField("question"),
        ItemField("trace_1"),
        ItemField("trace_2"),
        ItemField("answer", required=False),
    )
    instrument = (EQUIVALENCE, DIFFERENCE_TYPES, MATERIAL, COMMENT)
    alternatives = ("trace_1", "trace_2")
    planted = PLANTED
    contradictions = (
        {EQUIVALENCE.key: (SAME,), DIFFERENCE_TYPES.key: ("method", "contradiction")},
        {EQUIVALENCE.key: (DIFFERENT,), DIFFERENCE_TYPES.key: ("none",)},
        {EQUIVALENCE.key: (DIFFERENT,), MATERIAL.key: ("no",)},
    )

    def page(self, fields: Fields, presentation: Presentation) -> dict[str, Any]:
        """Return what the template shows, each trace also as its steps."""
        shown = super().page(fields, presentation)
        for side in shown["sides"]:
            side["steps"] = steps_of(side["text"])
            side["numbered"] = _numbers_itself(side["steps"])
        return shown

    def decode(self, posted: Values, presentation: Presentation) -> dict[str, Any]:
        """Turn what differs in B into what differs in trace 2."""
        return _turned(posted, presentation)

    def encode(self, values: Values, presentation: Presentation) -> dict[str, Any]:
        """Turn what differs in trace 2 into what differs in B."""
        return _turned(values, presentation)

    def stored(self, dimension: Dimension) -> Dimension:
        """Return the differences in terms of the item's traces."""
        if dimension.key != DIFFERENCE_TYPES.key:
            return dimension
        options = tuple(STORED_OPTIONS.get(option.value, option) for option in dimension.options)
        return replace(dimension, options=options)

    def simulate(
        self,
        fields: Fields,
        dimensions: Sequence[Dimension],
        person: SimulatedPerson,
        rng: random.Random,
    ) -> dict[str, Any]:
        """Answer by one impression of how alike the traces are."""
        impression = simulated.perceived(likeness_of(fields), person, rng)
        values: dict[str, Any] = {}
        for dimension in dimensions:
            seen = simulated.seen_again(impression, person, rng)
            values[dimension.key] = _simulated_answer(dimension, fields, seen, person, rng)
        return called_for_only(dimensions, values)


def steps_of(trace: str) -> list[str]:
    """Return a trace cut before each line that begins at the margin; nothing is lost of it.

    Blank and indented lines belong to the step before them.
    """
    steps: list[str] = []
    for line in trace.split("\n"):
        begins = bool(line.strip()) and not line[0].isspace()
        if not steps or (begins and steps[-1].strip()):
            steps.append(line)
        else:
            steps[-1] += f"\n{line}"
    return steps


def _numbers_itself(steps: Sequence[str]) -> bool:
    """Whether most steps bring their own number, so that the page need not add one."""
    own = [step for step in steps if OWN_NUMBER.match(step)]
    return 2 * len(own) >= len(steps)


def _turned(values: Values, presentation: Presentation) -> dict[str, Any]:
    """Return the values with the directions swapped where the traces were; its own inverse."""
    chosen: list[str] | None = values.get(DIFFERENCE_TYPES.key)
    if presentation.order != (2, 1) or not chosen:
        return dict(values)
    mirrored = [MIRRORED.get(kind, kind) for kind in chosen]
    return {**values, DIFFERENCE_TYPES.key: _in_order(mirrored)}


def _in_order(chosen: list[str]) -> list[str]:
    """Return the differences as the instrument orders them, then those of a study's own."""
    known = [o.value for o in DIFFERENCE_TYPES.options]
    return sorted(chosen, key=lambda kind: known.index(kind) if kind in known else len(known))


def likeness_of(fields: Fields) -> float:
    """Return how alike two traces are, from 0 to 1: planted, scored (`S`), or by common words."""
    planted = str(fields.get(PLANTED, ""))
    levels = EQUIVALENCE.option_values({})
    if planted in levels:
        return levels.index(planted) / (len(levels) - 1)
    known = simulated.known_number(fields, PLANTED, "S")
    if known is not None:
        return simulated.clipped(known)
    first, second = (simulated.words(str(fields[trace])) for trace in TraceTask.alternatives)
    return len(first & second) / len(first | second) if first | second else 1.0


def _simulated_answer(
    dimension: Dimension,
    fields: Fields,
    seen: float,
    person: SimulatedPerson,
    rng: random.Random,
) -> Any:
    """Answer one question; the more alike, the fewer differences."""
    if dimension.key == MATERIAL.key and dimension.scale is Scale.NOMINAL:
        likely = "yes" if round(seen) == 0 else "no"
        return simulated.chosen(dimension.option_values(fields), likely, person, rng)
    if dimension.scale is Scale.MULTIPLE:
        seen = (1.0 - seen) / 2
    return simulated.plain_answer(dimension, fields, seen, rng)
