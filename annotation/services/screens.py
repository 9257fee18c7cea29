"""The screens of a claim: practice first, then the items in the person's own order, checks between."""

from collections.abc import Sequence
from random import Random

from django.db.models import Count, Max, Min

from annotation.design.checks import item_order, screens
from annotation.models import Assignment, Claim, Exposure, Item, Slot
from annotation.studyfile.definition import StudyDefinition
from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.base import Presentation

# Among how many items, drawn at random, one for a check is looked for before any is taken.
CHECK_ITEM_DRAWS = 64


def screens_make(claim: Claim, definition: StudyDefinition) -> None:
    """Draw the order once, from the claim's seed, and store every screen with what it will show."""
    slots = list(
        Slot.objects.filter(form=claim.form)
        .select_related("item", "item__passage")
        .order_by("place")
    )
    ordered = [slots[place] for place in item_order(len(slots), claim.seed)]
    layout = screens(len(ordered), [check.position for check in definition.attention])
    closing = _closing(ordered)
    before = _keys_met(claim)
    checks = _check_items(claim, definition, ordered, before)
    made = []
    for position, screen in enumerate(layout, start=1):
        if screen.check is None:
            slot = ordered[screen.item or 0]
            made.append(_judged(claim, definition, slot, position, closes=slot.pk in closing))
        else:
            item = checks[screen.check]
            made.append(_check(claim, definition, item, position, screen.check))
    _flag_clashes(made)
    Assignment.objects.bulk_create(_practice(claim, definition) + made)
    _expose(claim, made, before)


def _closing(slots: Sequence[Slot]) -> set[int]:
    """Return the last slot of each task, where what is asked once a form is asked."""
    return set({slot.item.task: slot.pk for slot in slots}.values())


def _judged(
    claim: Claim, definition: StudyDefinition, slot: Slot, position: int, *, closes: bool
) -> Assignment:
    shown = _present(definition, slot.item, flipped=slot.flipped, closes_form=closes)
    return Assignment(
        claim=claim,
        annotator_id=claim.annotator_id,
        slot=slot,
        item=slot.item,
        position=position,
        presentation=shown.as_json(),
    )


def _check(
    claim: Claim, definition: StudyDefinition, item: Item, position: int, index: int
) -> Assignment:
    flipped = Random(f"{claim.seed}/check/{index}").random() < 0.5  # noqa: PLR2004, S311  a fair coin
    shown = _present(definition, item, flipped=flipped, closes_form=False)
    return Assignment(
        claim=claim,
        annotator_id=claim.annotator_id,
        kind=Assignment.Kind.CHECK,
        item=item,
        position=position,
        check_index=index,
        presentation=shown.as_json(),
    )


def _practice(claim: Claim, definition: StudyDefinition) -> list[Assignment]:
    """Return the practice screens; a person who has practised once does not again."""
    if Assignment.objects.filter(
        annotator_id=claim.annotator_id, kind=Assignment.Kind.PRACTICE
    ).exists():
        return []
    items = list(
        Item.objects.filter(study=claim.form.study_id, practice=True)
        .select_related("passage")
        .order_by("pk")
    )
    return [
        Assignment(
            claim=claim,
            annotator_id=claim.annotator_id,
            kind=Assignment.Kind.PRACTICE,
            item=item,
            position=number - len(items),
            presentation=_present(definition, item, flipped=False, closes_form=False).as_json(),
        )
        for number, item in enumerate(items)
    ]


def _present(
    definition: StudyDefinition, item: Item, *, flipped: bool, closes_form: bool
) -> Presentation:
    task = definition.task(item.task)
    return TASK_TYPES[task.type].present(
        item.all_fields, task.dimensions, flipped=flipped, closes_form=closes_form
    )


def _check_items(
    claim: Claim, definition: StudyDefinition, slots: Sequence[Slot], keys_met: set[str]
) -> list[Item]:
    """Return what each check looks like: an item the person does not judge, if there is one.

    It shares nothing with what the person has met or is about to; where the study is too small for
    that, it is any item of the task.
    """
    met = _items_met(claim) | {slot.item_id for slot in slots}
    keys = keys_met.union(*(slot.item.conflicts for slot in slots))
    found: list[Item] = []
    for index, check in enumerate(definition.attention):
        rng = Random(f"{claim.seed}/check item/{index}")  # noqa: S311  replayed from the stored seed
        item = _check_item(claim, check.task, met, keys, rng)
        met.add(item.pk)
        keys.update(item.conflicts)
        found.append(item)
    return found


def _check_item(claim: Claim, task: str, met: set[int], keys: set[str], rng: Random) -> Item:
    """Draw an item that suits, or any: three queries for a study of any size, whatever is drawn."""
    items = Item.objects.filter(study=claim.form.study_id, task=task, practice=False)
    there = items.aggregate(first=Min("pk"), last=Max("pk"), many=Count("pk"))
    possible = range(there["first"], there["last"] + 1)
    some = items
    if there["many"] > CHECK_ITEM_DRAWS:
        some = items.filter(pk__in=rng.sample(possible, CHECK_ITEM_DRAWS))
    drawn = dict(some.order_by("pk").values_list("pk", "conflicts"))
    suiting = [
        pk for pk, conflicts in drawn.items() if pk not in met and keys.isdisjoint(conflicts)
    ]
    # Numbers of other tasks lie between; where all that were drawn are such, the next item is taken.
    start = rng.choice(suiting or list(drawn) or possible)
    return items.filter(pk__gte=start).select_related("passage").order_by("pk")[0]


def _items_met(claim: Claim) -> set[int]:
    screens_met = Assignment.objects.filter(annotator_id=claim.annotator_id)
    return set(screens_met.values_list("item_id", flat=True))


def _keys_met(claim: Claim) -> set[str]:
    met = Exposure.objects.filter(annotator_id=claim.annotator_id)
    return set(met.values_list("key", flat=True))


def _expose(claim: Claim, made: Sequence[Assignment], before: set[str]) -> None:
    """Store the conflict keys that the person meets; the database refuses one met before.

    A form that had to be planned with a clash meets a key twice: stored once, and flagged on the
    screen. A check may repeat a key where the study is too small to avoid it.
    """
    known: set[str] = set()
    rows = []
    for screen in made:
        met = before | known if screen.kind == Assignment.Kind.CHECK else known
        new = [key for key in screen.item.conflicts if key not in met]
        rows += [
            Exposure(annotator_id=claim.annotator_id, assignment=screen, key=key) for key in new
        ]
        known.update(new)
    Exposure.objects.bulk_create(rows)


def _flag_clashes(made: Sequence[Assignment]) -> None:
    keys: set[str] = set()
    for screen in made:
        screen.clash = bool(keys.intersection(screen.item.conflicts))
        keys.update(screen.item.conflicts)
