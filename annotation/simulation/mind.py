"""What a simulated annotator answers on one screen."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from annotation.models import Assignment
from annotation.selectors.screens import Screen
from annotation.selectors.studies import study_definition
from annotation.simulation.population import Person
from annotation.studyfile.definition import AttentionCheck, Demographic
from annotation.tasktypes.instrument import Dimension, Scale

RATHER_NOT = 0.1
_AGES = tuple(str(age) for age in range(18, 71))


def told_about(person: Person, questions: Iterable[Demographic]) -> dict[str, str]:
    """Return what the person says about themselves; a tenth of it they would rather not say.

    It is drawn apart from all else, so that a study that asks is judged as one that does not.
    """
    rng = Random(f"{person.number}/{person.mind.ability!r}/about")  # noqa: S311  simulated
    said: dict[str, str] = {}
    for question in questions:
        answer = rng.choice(question.options or _AGES)
        said[question.key] = "" if rng.random() < RATHER_NOT else answer
    return said


def posted_answer(person: Person, screen: Screen) -> dict[str, Any]:
    """Return what the person posts: values as they stand on the page.

    A careful person does what an attention check asks for; a careless one does not read it.
    """
    task = screen.task_type
    values = task.simulate(_seen(person, screen), screen.dimensions, person.mind, person.rng)
    posted = task.encode(values, screen.presentation)
    if screen.assignment.kind == Assignment.Kind.CHECK:
        posted |= _checked(person, screen)
        posted |= _called_for_now(person, screen, posted)
    return posted


def _seen(person: Person, screen: Screen) -> Mapping[str, Any]:
    """Return the item's fields, with how good the person finds it where they follow a field."""
    known = person.known.get(screen.assignment.item_id)
    return screen.fields if known is None else {**screen.fields, screen.task_type.planted: known}


def _called_for_now(person: Person, screen: Screen, posted: dict[str, Any]) -> dict[str, Any]:
    """Answer what the checked answer calls for and the person's own answer did not."""
    return {
        d.key: person.rng.choice(d.option_values(screen.fields))
        for d in screen.dimensions
        if d.required and d.options and d.called_for(posted) and not posted.get(d.key)
    }


def _checked(person: Person, screen: Screen) -> dict[str, Any]:
    check = _check_of(screen)
    dimension = next(d for d in screen.dimensions if d.key == check.dimension)
    if not person.mind.careless:
        return {check.dimension: _as_posted(dimension, check.expect)}
    return {
        check.dimension: _as_posted(
            dimension, _anything_but(check.expect, dimension, person, screen)
        )
    }


def _anything_but(expect: str, dimension: Dimension, person: Person, screen: Screen) -> str:
    if dimension.scale is Scale.INTERVAL:
        low, high = dimension.minimum or 0.0, dimension.maximum or 1.0
        return f"{low:g}" if float(expect) > (low + high) / 2 else f"{high:g}"
    others = [value for value in dimension.option_values(screen.fields) if value != expect]
    return person.rng.choice(others)


def _as_posted(dimension: Dimension, value: str) -> Any:
    return [value] if dimension.scale is Scale.MULTIPLE else value


def _check_of(screen: Screen) -> AttentionCheck:
    definition = study_definition(screen.assignment.item.study)
    return definition.attention[screen.assignment.check_index or 0]
