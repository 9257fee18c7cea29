"""How good people find each item when they follow one of its fields."""

from collections.abc import Mapping

from annotation.errors import StateForbids
from annotation.models import Item, Study
from annotation.selectors.studies import study_definition
from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.simulated import known_number


def standings(study: Study, name: str) -> Mapping[int, float]:
    """Return, by item, the rank of a field among the items of its task, from 0 (least) to 1.

    Ranks and not values, so that people spread over the whole scale whatever range a score has.
    """
    found: dict[int, float] = {}
    for task in study_definition(study).tasks:
        if TASK_TYPES[task.type].planted:
            items = Item.objects.filter(study=study, task=task.key, practice=False)
            found |= _ranked(
                {i.pk: v for i in items if (v := known_number(i.fields, name)) is not None}
            )
    if not found:
        raise StateForbids(
            f"No item of {study.slug} that people can follow has a number in its field {name!r}; "
            "name a hidden field with a score."
        )
    return found


def _ranked(values: Mapping[int, float]) -> dict[int, float]:
    order = sorted(values, key=lambda pk: (values[pk], pk))
    return {pk: rank / max(1, len(order) - 1) for rank, pk in enumerate(order)}
