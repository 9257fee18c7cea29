"""How a simulated annotator answers any dimension, given how good the item is.

Quality is a number from 0 (worst) to 1 (best), known to the simulation and never shown. A person
perceives it with noise that shrinks as ability grows, shifted by their leniency; a careless person
perceives a random number.
"""

import math
import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.tasktypes.base import SimulatedPerson
from annotation.tasktypes.instrument import Dimension, Scale

# The standard deviation of what a person of ability 0 perceives; at ability 1 there is no noise.
WIDEST_NOISE = 0.5
# The chance at ability 0 that a person misreads a plain yes-or-no fact.
WIDEST_SLIP = 0.5
# How far the answers to several questions about one item stray from one impression, at ability 0.
WIDEST_WAVER = 0.1
# The range of a number that has no greatest value, and its steps when it has none.
NO_BOUND = 100.0
# The share of optional remarks that are written.
REMARKS = 0.1


def known_number(fields: Mapping[str, Any], *names: str) -> float | None:
    """Return the first of these fields that holds a finite number, also one written as text."""
    for name in names:
        try:
            number = float(fields[name])
        except (KeyError, TypeError, ValueError):
            continue
        if math.isfinite(number):
            return number
    return None


def words(text: str) -> set[str]:
    """Return the words of a text, in lower case."""
    return set(re.findall(r"\w+", text.lower()))


def overlap(text: str, wanted: str) -> float:
    """Return the share of the wanted words that a text has; 0 when nothing is wanted."""
    sought = words(wanted)
    return len(words(text) & sought) / len(sought) if sought else 0.0


def clipped(number: float) -> float:
    """Return the number, moved into 0 to 1."""
    return min(1.0, max(0.0, number))


def perceived(quality: float, person: SimulatedPerson, rng: random.Random) -> float:
    """Return the quality that a person sees."""
    if person.careless:
        return rng.random()
    noise = rng.gauss(0.0, WIDEST_NOISE * (1.0 - clipped(person.ability)))
    return clipped(quality + person.leniency + noise)


def recognised(*, truth: bool, person: SimulatedPerson, rng: random.Random) -> bool:
    """Return whether a person takes a fact for true."""
    if person.careless:
        return rng.choice((True, False))
    slips = rng.random() < WIDEST_SLIP * (1.0 - clipped(person.ability))
    return truth != slips


def level(options: Sequence[str], quality: float) -> str:
    """Return the option, of those in order from worst to best, that a quality falls on."""
    return options[round(clipped(quality) * (len(options) - 1))]


def chosen(options: Sequence[str], likely: str, person: SimulatedPerson, rng: random.Random) -> str:
    """Return the likely option, or another one when the person slips."""
    if likely in options and recognised(truth=True, person=person, rng=rng):
        return likely
    return rng.choice(options)


def on_scale(dimension: Dimension, quality: float) -> float:
    """Return the number of an interval dimension that a quality falls on, rounded to its step."""
    low = 0.0 if dimension.minimum is None else dimension.minimum
    high = low + NO_BOUND if dimension.maximum is None else dimension.maximum
    step = dimension.step or (high - low) / NO_BOUND
    steps = math.floor((high - low) / step + 1e-9)
    number = round(low + step * round(clipped(quality) * steps), 9)
    return int(number) if number.is_integer() else number


def seen_again(impression: float, person: SimulatedPerson, rng: random.Random) -> float:
    """Return what a person makes of one impression in one more question."""
    if person.careless:
        return rng.random()
    return clipped(impression + rng.gauss(0.0, WIDEST_WAVER * (1.0 - clipped(person.ability))))


def plain_answer(
    dimension: Dimension, fields: Mapping[str, Any], seen: float, rng: random.Random
) -> Any:
    """Answer a dimension of which nothing is known but its scale."""
    options = dimension.option_values(fields)
    if dimension.scale is Scale.ORDINAL:
        return level(options, seen)
    if dimension.scale is Scale.NOMINAL:
        return rng.choice(options)
    if dimension.scale is Scale.INTERVAL:
        return on_scale(dimension, seen)
    if dimension.scale is Scale.MULTIPLE:
        ticked = [option for option in options if rng.random() < seen]
        return ticked or ([options[0]] if dimension.required else [])
    return "A simulated remark." if dimension.required or rng.random() < REMARKS else ""
