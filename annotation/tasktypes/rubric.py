"""Rubric: one response judged by itself, against its question, reference and passage."""

import random
from collections.abc import Sequence
from typing import Any

from annotation.tasktypes import simulated
from annotation.tasktypes.base import (
    Comparison,
    FieldKind,
    Fields,
    ItemField,
    Judgment,
    SimulatedPerson,
    TaskType,
    Values,
)
from annotation.tasktypes.instrument import Dimension, Option, Scale, called_for_only

QUESTION_VALID = Dimension(
    key="question_valid",
    ask="Is the question a fair one?",
    scale=Scale.NOMINAL,
    options=(
        Option("valid", "Yes", "clear, and can be answered"),
        Option("unclear", "Unclear", "can be read in several ways"),
        Option("invalid", "No", "makes no sense, or has no answer here"),
    ),
)
ADEQUACY = Dimension(
    key="adequacy",
    ask="How adequate is the answer?",
    hint="Judge its meaning, not its wording.",
    scale=Scale.ORDINAL,
    options=(
        Option("1", "Wrong", "nothing that matters is there"),
        Option("2", "Poor", "a little is right, most is missing or wrong"),
        Option("3", "Partial", "about half of what matters"),
        Option("4", "Good", "only small things are missing or wrong"),
        Option("5", "Complete", "all that matters, and nothing wrong"),
    ),
)
EQUIVALENCE = Dimension(
    key="equivalence",
    ask="Does the answer mean the same as the reference answer?",
    scale=Scale.ORDINAL,
    only_if="reference",
    options=(
        Option("different", "Different", "it answers something else"),
        Option("partly", "Partly", "they share a part"),
        Option("same", "The same", "only the words differ"),
    ),
)
ATTRIBUTION = Dimension(
    key="attribution",
    ask="Does the passage support the answer?",
    hint="Only what the passage says counts, not what you know.",
    scale=Scale.NOMINAL,
    only_if="passage",
    options=(
        Option("supported", "Supported", "the passage says all of it"),
        Option("partly", "Partly", "it says some of it"),
        Option("unsupported", "Not supported", "it says none, or the opposite"),
    ),
)
FACTS_RECALLED = Dimension(
    key="facts_recalled",
    ask="Which of these facts does the answer give?",
    hint="Tick each fact that it states in any words. It may give none.",
    scale=Scale.MULTIPLE,
    options_from="facts",
    required=False,
)
CONSISTENCY = Dimension(
    key="consistency",
    ask="Looking back at all the answers in this set: how even was their quality?",
    hint="This is asked once, and concerns the set as a whole.",
    scale=Scale.ORDINAL,
    once=True,
    options=(
        Option("uneven", "Uneven", "some were good and some very bad"),
        Option("mixed", "Mixed", "they differed somewhat"),
        Option("even", "Even", "they were about equally good"),
    ),
)
ERROR_CATEGORY = Dimension(
    key="error_category",
    ask="What is the main thing wrong with the answer?",
    hint="If several things are wrong, choose the one that misleads a reader most.",
    scale=Scale.NOMINAL,
    last=True,
    only_if="ask_error",
    options=(
        Option("correct", "Nothing", "it is right as it stands"),
        Option("partial_or_omission", "Something is missing", "what it says is right, but not all"),
        Option("unsupported_addition", "Something is added", "it says more than the source does"),
        Option("contradiction", "It contradicts", "it says the opposite of the source"),
        Option("wrong_entity_or_number", "A detail is wrong", "a name, place, date or number"),
        Option("off_topic_or_refusal", "No answer", "it is off the topic, or declines to answer"),
        Option("format_or_language", "Not readable", "broken, cut off, or in another language"),
    ),
)
KEYPOINT_RECALL = Dimension(
    key="keypoint_recall",
    ask="Share of the reference's facts that the answer gives",
    scale=Scale.INTERVAL,
    minimum=0,
    maximum=1,
    required=False,
)
# From which perceived quality on a simulated person calls an answer right, and partly right.
SEEMS_RIGHT, SEEMS_PARTLY_RIGHT = 0.75, 0.35
WRONG_BEYOND_DETAIL = ("contradiction", "off_topic_or_refusal", "format_or_language")


# How good a response was made to be, from 0 to 1.
PLANTED = "planted_quality"


class RubricTask(TaskType):
    """A response judged by itself."""

    key = "rubric"
    label = "Judge an answer"
    template_name = "tasktypes/rubric.html"
    fields = (
        ItemField("question"),
        ItemField("response"),
        ItemField("passage", required=False),
        ItemField("reference", required=False),
        ItemField("facts", FieldKind.TEXTS, required=False),
        ItemField("ask_error", FieldKind.FLAG, required=False, shown=False),
    )
    instrument = (
        QUESTION_VALID,
        ADEQUACY,
        EQUIVALENCE,
        ATTRIBUTION,
        FACTS_RECALLED,
        CONSISTENCY,
        ERROR_CATEGORY,
    )
    planted = PLANTED
    # The best adequacy beside a missing fact is not among them: the one is a judgment of the whole,
    # the other a count, and both may hold.
    contradictions = (
        {"adequacy": ("5",), "equivalence": ("different",)},
        {"adequacy": ("1",), "equivalence": ("same",)},
        {"equivalence": ("same",), "facts_recalled": ("none",)},
        {"adequacy": ("1",), "error_category": ("correct",)},
        {"adequacy": ("5",), "error_category": WRONG_BEYOND_DETAIL},
    )

    def judged_on(self, fields: Fields, comparison: Comparison | None) -> Fields:
        """Return as many facts as there are: they are counted, not read."""
        del comparison
        return {"facts": [""] * len(fields.get("facts") or [])}

    def derived(
        self, fields: Fields, values: Values, comparison: Comparison | None
    ) -> list[Judgment]:
        """Return the share of the facts that were ticked."""
        del comparison
        facts = fields.get("facts") or []
        if FACTS_RECALLED.key not in values or not facts:
            return []
        share = len(values[FACTS_RECALLED.key]) / len(facts)
        return [Judgment(KEYPOINT_RECALL.key, Scale.INTERVAL, share)]

    def derived_dimensions(self) -> tuple[Dimension, ...]:
        """Return the share of facts."""
        return (KEYPOINT_RECALL,)

    def simulate(
        self,
        fields: Fields,
        dimensions: Sequence[Dimension],
        person: SimulatedPerson,
        rng: random.Random,
    ) -> dict[str, Any]:
        """Answer by one impression of the response: `token_f1` if known, or its overlap."""
        impression = simulated.perceived(quality_of(fields), person, rng)
        values = {d.key: _simulated_answer(d, fields, impression, person, rng) for d in dimensions}
        return called_for_only(dimensions, values)


def quality_of(fields: Fields) -> float:
    """Return how good a response is: its known score, or how much of the reference it has."""
    known = simulated.known_number(fields, PLANTED, "token_f1")
    if known is not None:
        return simulated.clipped(known)
    wanted = str(fields.get("reference") or " ".join(fields.get("facts") or []))
    return simulated.overlap(str(fields["response"]), wanted or str(fields["question"]))


def _simulated_answer(
    dimension: Dimension,
    fields: Fields,
    impression: float,
    person: SimulatedPerson,
    rng: random.Random,
) -> Any:
    """Answer one question; those of the type's own instrument by what they ask."""
    if dimension.options_from == "facts":
        return _facts_seen(fields, person, rng)
    seen = simulated.seen_again(impression, person, rng)
    likely = {
        QUESTION_VALID.key: "valid",
        ATTRIBUTION.key: simulated.level(("unsupported", "partly", "supported"), seen),
        ERROR_CATEGORY.key: _likely_error(seen, rng),
    }.get(dimension.key)
    if dimension.scale is Scale.NOMINAL and likely:
        return simulated.chosen(dimension.option_values(fields), likely, person, rng)
    return simulated.plain_answer(dimension, fields, seen, rng)


def _facts_seen(fields: Fields, person: SimulatedPerson, rng: random.Random) -> list[str]:
    """Return the numbers of the facts that a person finds in the response."""
    response, enough = str(fields["response"]), 0.5 - person.leniency
    stated = [simulated.overlap(response, fact) >= enough for fact in fields["facts"]]
    seen = [simulated.recognised(truth=truth, person=person, rng=rng) for truth in stated]
    return [str(n) for n, found in enumerate(seen, start=1) if found]


def _likely_error(seen: float, rng: random.Random) -> str:
    """Return the error that goes with a perceived quality."""
    if seen >= SEEMS_RIGHT:
        return "correct"
    if seen >= SEEMS_PARTLY_RIGHT:
        return "partial_or_omission"
    return rng.choice(ERROR_CATEGORY.option_values({})[2:])
