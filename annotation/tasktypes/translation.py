"""Translation: a question with its options in two languages, and whether it is at home there."""

import random
from collections.abc import Sequence
from typing import Any

from annotation.tasktypes import simulated
from annotation.tasktypes.base import FieldKind, Fields, ItemField, SimulatedPerson, TaskType
from annotation.tasktypes.instrument import Dimension, Option, Scale, called_for_only

TRANSLATION_QUALITY = Dimension(
    key="translation_quality",
    ask="How good is the translation?",
    hint="Judge the question and all its options together.",
    scale=Scale.ORDINAL,
    options=(
        Option("1", "Poor", "the meaning is changed, or it is hard to understand"),
        Option("2", "Acceptable", "the meaning is kept, but it reads oddly"),
        Option("3", "Good", "the meaning is kept, and it reads as if written so"),
    ),
)
LOCAL_CULTURE = Dimension(
    key="local_culture",
    ask="Does answering it need knowledge of local culture?",
    hint="Customs, law, history, food or places that people there know better than others.",
    scale=Scale.NOMINAL,
    options=(
        Option("yes", "Yes", "people from there would know it better"),
        Option("no", "No", "it can be known as well anywhere"),
        Option("unsure", "Not sure", "I cannot tell"),
    ),
)
COMMENT = Dimension(
    key="comment",
    ask="Is there anything to add?",
    hint="You may leave this empty. Please write nothing about yourself.",
    scale=Scale.TEXT,
    required=False,
)


class TranslationTask(TaskType):
    """A translated question judged beside its source; the right answer is never shown."""

    key = "translation"
    label = "Judge a translation"
    template_name = "tasktypes/translation.html"
    fields = (
        ItemField("source_question"),
        ItemField("source_options", FieldKind.TEXTS),
        ItemField("target_question"),
        ItemField("target_options", FieldKind.TEXTS),
        ItemField("source_lang", required=False),
        ItemField("target_lang", required=False),
        ItemField("answer", required=False, shown=False),
    )
    instrument = (TRANSLATION_QUALITY, LOCAL_CULTURE, COMMENT)

    def simulate(
        self,
        fields: Fields,
        dimensions: Sequence[Dimension],
        person: SimulatedPerson,
        rng: random.Random,
    ) -> dict[str, Any]:
        """Answer by the planted quality (1 to 3) and culture; by chance where none is planted."""
        impression = simulated.perceived(quality_of(fields, rng), person, rng)
        values: dict[str, Any] = {}
        for dimension in dimensions:
            seen = simulated.seen_again(impression, person, rng)
            values[dimension.key] = _simulated_answer(dimension, fields, seen, person, rng)
        return called_for_only(dimensions, values)


def quality_of(fields: Fields, rng: random.Random) -> float:
    """Return how good a translation is, from 0 to 1: no rule tells it from the text alone."""
    planted = simulated.known_number(fields, "planted_quality")
    return rng.random() if planted is None else simulated.clipped((planted - 1.0) / 2.0)


def _simulated_answer(
    dimension: Dimension,
    fields: Fields,
    seen: float,
    person: SimulatedPerson,
    rng: random.Random,
) -> Any:
    """Answer one question."""
    if dimension.key == LOCAL_CULTURE.key and dimension.scale is Scale.NOMINAL:
        options = dimension.option_values(fields)
        likely = str(fields.get("planted_culture") or rng.choice(options))
        return simulated.chosen(options, likely, person, rng)
    return simulated.plain_answer(dimension, fields, seen, rng)
