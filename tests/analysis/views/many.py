"""A study with very many judgments, written straight into the tables: to measure, not to test rules."""

import random
from datetime import timedelta

from annotation.models import Annotator, Answer, Assignment, Claim, Consent, Form, Item, Slot
from tests.factories import NOW, definition, live, rubric_items

FORM, REPLICATION, BATCH = 10, 3, 5_000


def build(judgments, *, slug="million"):
    """Make a live study with so many judgments, three an item, ten a person; return it."""
    items = judgments // REPLICATION // FORM * FORM
    study = live(definition(slug=slug, items=0, responses=FORM, replication=1, form_size=FORM))
    instrument = study.instruments.get()
    fields = rubric_items(1)[0].fields
    rng = random.Random(1)  # noqa: S311  repeatable, not secret
    Slot.objects.filter(form__study=study).delete()
    study.forms.all().delete()
    study.items.all().delete()
    made = _rows(
        Item, (Item(study=study, key=f"i{n}", task="rate", fields=fields) for n in range(items))
    )
    people = items * REPLICATION // FORM
    annotators = _rows(Annotator, (_person(study, n) for n in range(people)))
    consents = _rows(
        Consent,
        (
            Consent(annotator_id=pk, given=True, text_sha256="", language="en", at=NOW)
            for pk in annotators
        ),
    )
    forms = _rows(Form, (Form(study=study, seq=n, state="done") for n in range(people)))
    claims = _rows(
        Claim,
        (
            Claim(
                form_id=forms[n],
                annotator_id=annotators[n],
                consent_id=consents[n],
                state="submitted",
                seed=n,
                claimed_at=NOW,
                lease_until=NOW,
                ended_at=NOW + timedelta(minutes=10),
            )
            for n in range(people)
        ),
    )
    cells = [(n, k) for k in range(REPLICATION) for n in range(items)]
    slots = _rows(
        Slot,
        (
            Slot(
                item_id=made[n],
                replicate=k + 1,
                replication=REPLICATION,
                form_id=forms[place // FORM],
                place=place % FORM + 1,
            )
            for place, (n, k) in enumerate(cells)
        ),
    )
    shown = {"order": [], "asked": []}
    screens = _rows(
        Assignment,
        (
            Assignment(
                claim_id=claims[place // FORM],
                annotator_id=annotators[place // FORM],
                slot_id=slots[place],
                item_id=made[n],
                position=place % FORM + 1,
                presentation=shown,
            )
            for place, (n, _) in enumerate(cells)
        ),
    )
    _rows(
        Answer,
        (
            Answer(
                assignment_id=screens[place],
                instrument=instrument,
                values=_values(rng, n),
                submitted_at=NOW + timedelta(seconds=place % 36_000),
                server_seconds=rng.uniform(5, 90),
            )
            for place, (n, _) in enumerate(cells)
        ),
    )
    return study


def _rows(model, rows):
    """Insert rows by the batch; return their keys in order."""
    keys, batch = [], []
    for row in rows:
        batch.append(row)
        if len(batch) == BATCH:
            keys += [one.pk for one in model.objects.bulk_create(batch)]
            batch = []
    return keys + [one.pk for one in model.objects.bulk_create(batch)]


def _person(study, n):
    return Annotator(
        study=study,
        pseudonym=f"{study.slug[:4]}{n:09}",
        access_key=f"{study.slug}-{n}",
        entry_token=f"{study.slug}-{n}",
        state="completed",
        arrived_at=NOW,
        finished_at=NOW,
    )


def _values(rng, item):
    """Return an answer: mostly what the item deserves."""
    adequacy = min(5, max(1, item % 5 + 1 + rng.choice((-1, 0, 0, 0, 1))))
    return {
        "question_valid": "valid",
        "adequacy": str(adequacy),
        "equivalence": "same" if adequacy > 3 else "different",
        "facts_recalled": ["1"] if rng.random() < adequacy / 5 else [],
    }
