"""Who comes: people drawn from a population that options and a seed describe."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from annotation.providers import Entry
from annotation.tasktypes.base import SimulatedPerson

# Spread of the seconds a person takes for an item, on the log scale.
SPEED_SPREAD = 0.4


@dataclass(frozen=True, slots=True)
class Population:
    """Shares are of everyone who arrives; abilities and leniency are drawn a person."""

    seed: int = 1
    ability: float = 0.8
    ability_sd: float = 0.1
    leniency_sd: float = 0.3
    careless: float = 0.1
    abandon: float = 0.1
    # Of those who abandon: how many say so, rather than vanish until their time is over.
    return_share: float = 0.5
    declines: float = 0.0
    ineligible: float = 0.0
    seconds: float = 60.0
    # The item field by which people find an item good, by its rank in the study; else as planted.
    follows: str = ""


@dataclass(frozen=True)
class Person:
    """One simulated annotator with all that they will do."""

    number: int
    mind: SimulatedPerson
    rng: Random
    consents: bool
    eligible: bool
    # The share of the form after which the person leaves; None for those who finish.
    leaves_after: float | None
    says_so: bool
    seconds: float
    # How good the person finds an item before noise, by its number in the database; see `follows`.
    known: Mapping[int, float] = field(default_factory=dict)

    def pause(self) -> float:
        """Return how long the person takes for the next screen, in seconds."""
        return self.seconds * self.rng.lognormvariate(0.0, SPEED_SPREAD)

    def entry(self, provider: str) -> Entry | None:
        """Return how the platform would name this person."""
        if provider == "open":
            return None
        names = Random(f"{self.rng.random()}")  # noqa: S311  simulated
        return Entry(
            person=f"{names.getrandbits(96):024x}", session=f"{names.getrandbits(96):024x}"
        )


def drawn(population: Population, number: int) -> Person:
    """Draw the person of that number; the same population and number give the same person."""
    rng = Random(f"{population.seed}/{number}")  # noqa: S311  simulated, replayed from a seed
    abandons = rng.random() < population.abandon
    return Person(
        number=number,
        mind=SimulatedPerson(
            ability=min(1.0, max(0.0, rng.gauss(population.ability, population.ability_sd))),
            leniency=rng.gauss(0.0, population.leniency_sd),
            careless=rng.random() < population.careless,
        ),
        rng=rng,
        consents=rng.random() >= population.declines,
        eligible=rng.random() >= population.ineligible,
        leaves_after=rng.random() if abandons else None,
        says_so=rng.random() < population.return_share,
        seconds=population.seconds * rng.lognormvariate(0.0, SPEED_SPREAD),
    )
