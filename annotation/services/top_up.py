"""top_up: exactly the cells that exclusions emptied are planned into new forms."""

from datetime import datetime

from django.db import transaction

from annotation.design.planner import plan_forms
from annotation.models import Form, Slot, Study
from annotation.selectors.progress import unplanned_slots
from annotation.selectors.studies import study_definition
from annotation.services.audit import audit_record
from annotation.services.claims import form_reopen
from annotation.services.order import form_order
from annotation.services.study_import import design_item


@transaction.atomic
def top_up(study: Study, *, author: str, now: datetime) -> int:
    """Plan the slots that single exclusions emptied; return how many forms that makes.

    A whole form that was given back is open again by itself. Slots keep their identity and their
    side, so that a cell of the design is filled anew and never doubled.
    """
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    # Whoever gives one of these forms back meanwhile waits, or is waited for.
    emptied = Form.objects.filter(pk__in=unplanned_slots(study).values("form")).order_by("pk")
    list(emptied.select_for_update(no_key=True).values_list("pk"))
    empty = list(unplanned_slots(study).select_related("item").order_by("item_id", "replicate"))
    if not empty:
        return 0
    definition = study_definition(study)
    replicates: dict[int, list[int]] = {}
    for slot in empty:
        replicates.setdefault(slot.item_id, []).append(slot.replicate)
    items = {slot.item_id: slot.item for slot in empty}
    rules = definition.assignment
    design = plan_forms(
        [design_item(items[pk], definition, tuple(wanted)) for pk, wanted in replicates.items()],
        form_size=rules.form_size,
        mix=None,
        seed=definition.seed + study.forms.count(),
    )
    slots = {(slot.item_id, slot.replicate): slot for slot in empty}
    order = form_order(study, len(design.forms))
    for seq, planned in zip(order, design.forms, strict=True):
        form = Form.objects.create(study=study, seq=seq, top_up=True)
        for place, cell in enumerate(planned.places, start=1):
            _offer(slots[cell], form, place)
    data = {"slots": len(empty), "forms": len(design.forms)}
    audit_record("top_up", study=study.slug, author=author, now=now, data=data)
    return len(design.forms)


def _offer(slot: Slot, form: Form, place: int) -> None:
    left = slot.form
    slot.form, slot.place = form, place
    slot.save(update_fields=["form", "place"])
    if not left.slots.exists():
        form_reopen(left)
