"""A study played by a script, through the services: its funnel is known before it begins."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from annotation.errors import StateForbids
from annotation.models import Annotator, Assignment, Slot, Study
from annotation.selectors.screens import Screen
from annotation.selectors.studies import study_definition
from annotation.simulation.in_process import person_plays
from annotation.simulation.mind import posted_answer
from annotation.simulation.population import Person, Population, drawn
from annotation.simulation.script import PAPER, PlannedSlot, Script, Shape, script_of
from annotation.simulation.tally import Tally
from annotation.tasktypes.base import Comparison, contradictions_of
from annotation.tasktypes.simulated import known_number

SCENARIOS: Mapping[str, Shape] = {"paper": PAPER}
GAP = timedelta(minutes=30)
# Too fast for the rule `hasty`, and comfortably slow.
HASTY_SECONDS, UNHURRIED_SECONDS = 2.0, 10.0
TRIES = 500
Answer = tuple[dict[str, Any], float]


def scenario_plays(study: Study, name: str, *, seed: int, now: datetime) -> Tally:
    """Send everyone of a scenario through a study that nobody has entered yet."""
    if Annotator.objects.filter(study=study).exists():
        raise StateForbids(
            f"Somebody has entered {study.slug}; a scenario needs an untouched study."
        )
    shape = SCENARIOS[name]
    population = Population(seed=seed, careless=0.0, abandon=0.0)
    script = script_of(planned_slots(study), shape, drawn(population, shape.arrived).rng)
    tally = Tally()
    start = now - (shape.arrived + 1) * GAP
    for number in range(shape.arrived):
        person = _cast(drawn(population, number), number in script.careless)
        person_plays(study, person, tally, start=start + number * GAP, answer=_answering(script))
    return tally


def planned_slots(study: Study) -> list[PlannedSlot]:
    """Return the slots of a study; forms are counted in the order in which they are claimed."""
    higher = {task.key: task.higher for task in study_definition(study).tasks}
    rows = Slot.objects.filter(form__study=study).order_by("form__seq", "place")
    numbers: dict[int, int] = {}
    return [
        PlannedSlot(numbers.setdefault(form, len(numbers)), key, _advantage(fields, higher[task]))
        for form, key, task, fields in rows.values_list(
            "form", "item__key", "item__task", "item__fields"
        )
    ]


def _cast(person: Person, careless: bool) -> Person:  # noqa: FBT001  a role, and the only one
    return replace(person, mind=replace(person.mind, careless=careless, leniency=0.0))


def _advantage(fields: Mapping[str, Any], comparison: Comparison | None) -> float | None:
    """Return what is planted for the response of the higher condition; 0 where nothing is."""
    if comparison is None:
        return None
    first = known_number(fields, "planted_advantage") or 0.0
    conditions = [str(fields.get(f"{comparison.field}_{n}", "")) for n in (1, 2)]
    ranks = [comparison.order.index(condition) for condition in conditions]
    return first if ranks[0] > ranks[1] else -first


def _answering(script: Script) -> Callable[[Person, Screen], Answer]:
    """Return how a person of the script answers a screen, and how long it takes."""

    def answer(person: Person, screen: Screen) -> Answer:
        seconds = max(UNHURRIED_SECONDS, person.pause())
        if screen.assignment.kind != Assignment.Kind.JUDGE:
            return posted_answer(person, screen), seconds
        key = (person.number, screen.assignment.item.key)
        if key in script.hasty:
            seconds = HASTY_SECONDS
        if key in script.preferred:
            return _preferring(person, screen, script.preferred[key]), seconds
        if person.number in script.contradictory:
            return _contradicting(person, screen), seconds
        return _consistent(person, screen), seconds

    return answer


def _preferring(person: Person, screen: Screen, wanted: str | None) -> dict[str, Any]:
    """Answer until the preference that follows is the one wanted."""
    derived = {dimension.key for dimension in screen.task_type.derived_dimensions()}
    for attempt in range(TRIES):
        mind = replace(person.mind, careless=attempt > 0)
        values = screen.task_type.simulate(screen.fields, screen.dimensions, mind, person.rng)
        rows = screen.task_type.judgments(
            screen.fields, screen.task.dimensions, values, comparison=screen.task.higher
        )
        if [row.value for row in rows if row.dimension in derived] == [wanted]:
            return screen.task_type.encode(values, screen.presentation)
    raise StateForbids(f"{screen.assignment.item.key} cannot be answered with {wanted!r}.")


def _consistent(person: Person, screen: Screen) -> dict[str, Any]:
    """Answer without a contradiction; a mind that cannot, since it never errs, errs more and more."""
    for attempt in range(TRIES):
        ability = person.mind.ability * (1 - attempt / TRIES)
        unsure = replace(person, mind=replace(person.mind, ability=ability))
        posted = posted_answer(unsure, screen)
        values = screen.task_type.decode(posted, screen.presentation)
        if not contradictions_of(screen.task.contradictions, values):
            return posted
    raise StateForbids(f"{screen.assignment.item.key} cannot be answered without contradiction.")


def _contradicting(person: Person, screen: Screen) -> dict[str, Any]:
    """Answer so that the first rule that can be broken is."""
    posted = posted_answer(person, screen)
    choices = {d.key: d.option_values(screen.fields) for d in screen.dimensions}
    for rule in screen.task.contradictions:
        if all(set(rule[key]) & set(choices.get(key, ())) for key in rule):
            return posted | {key: rule[key][0] for key in rule}
    return posted
