"""annotator_erase: everything that a person left goes, and only a receipt says that it did.

What is theirs is found by the database's own references: every row that points at the person, every
row that points at one of those, and so on. A table that is added later is erased with the rest.
"""

import secrets
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.db import OperationalError, connection, transaction
from django.db.models import ForeignObjectRel, Model, QuerySet
from django.db.models.options import Options

from annotation.errors import PersonGone, StateForbids
from annotation.models import Annotator, AuditEvent, Claim, Erasure, Study
from annotation.services.audit import ERASURE, audit_record
from annotation.services.claims import annotator_locked, claim_release
from annotation.services.copies import copies_remove
from annotation.services.releases import releases_erase

BY_THEMSELVES = "annotator"
REFUSAL = "erasure_refuse"
# Letters and digits that are not taken for each other when they are read aloud or copied by hand.
ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
GROUPS, GROUP = 4, 4

Rows = dict[type[Model], set[Any]]


def receipt_number() -> str:
    """Return a number that says nothing and that nobody guesses, such as 7KQF-29MX-A3TR-WZ4H."""
    groups = ("".join(secrets.choice(ALPHABET) for _ in range(GROUP)) for _ in range(GROUPS))
    return "-".join(groups)


@transaction.atomic
def annotator_erase(
    annotator: Annotator, *, author: str, now: datetime, receipt: str = ""
) -> Erasure:
    """Delete a person with all that is theirs, everywhere; their slots open again. It is final.

    The receipt holds no trace of them. Who was erased already is gone (PersonGone).
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=annotator.study_id)
    # The whole row: meanwhile nobody may write anything new that refers to this person.
    person = Annotator.objects.select_for_update().filter(pk=annotator.pk).first()
    if person is None:
        raise PersonGone
    for claim in person.claims.select_related("form").order_by("pk"):
        claim_release(claim, Claim.State.WITHDRAWN, now=now)
    numbers = AuditEvent.objects.filter(detail__annotator=person).order_by("number")
    events = list(numbers.values_list("number", flat=True))
    counts = _delete(_theirs(person)) | copies_remove(study)
    releases = releases_erase(study, author=author, now=now)
    counts = {name: n for name, n in (counts | {"stored releases": releases}).items() if n}
    erasure = Erasure.objects.create(
        receipt=receipt or receipt_number(), study=study, at=now, author=author, counts=counts
    )
    data = {"receipt": erasure.receipt, "counts": counts, "events": events}
    audit_record(ERASURE, study=study.slug, author=author, now=now, data=data)
    transaction.on_commit(_settle)
    return erasure


@transaction.atomic
def erasure_refuse(annotator: Annotator, *, reason: str, author: str, now: datetime) -> None:
    """Record that somebody decided against an erasure that was asked for, and why.

    Said twice, as by a double click, it is one refusal.
    """
    if not reason.strip():
        raise StateForbids("Refusing an erasure needs a reason that can be told to the person.")
    person = annotator_locked(annotator.pk)
    last = person.audit_details.select_related("event").order_by("-event__number").first()
    said = (REFUSAL, author, reason.strip())
    if last and (last.event.verb, last.event.author, last.data.get("reason")) == said:
        return
    audit_record(
        REFUSAL,
        study=person.study.slug,
        author=author,
        now=now,
        about=person,
        detail={"reason": reason.strip()},
    )


def _theirs(person: Annotator) -> Rows:
    """Return the keys of all rows that are the person's, by model."""
    found: Rows = {Annotator: {person.pk}}
    fresh = dict(found)
    while fresh:
        seen, fresh = fresh, {}
        for model, keys in seen.items():
            for relation in _references(model):
                refer = {f"{relation.field.name}__in": list(keys)}
                source = relation.related_model
                there: set[Any] = set(QuerySet(source).filter(**refer).values_list("pk", flat=True))
                new = there - found.get(source, set())
                if new:
                    found.setdefault(source, set()).update(new)
                    fresh.setdefault(source, set()).update(new)
    return found


def _references(model: type[Model]) -> Iterator[ForeignObjectRel]:
    """Yield how rows of other models point at this one."""
    for field in _meta(model).get_fields(include_hidden=True):
        if isinstance(field, ForeignObjectRel) and (field.one_to_many or field.one_to_one):
            yield field


def _delete(rows: Rows) -> dict[str, int]:
    """Delete rows, those first at which no others point any more; return how many by what they are."""
    counts, left = {}, dict(rows)
    while left:
        model = next(
            model
            for model in left
            if not any(relation.related_model in left for relation in _references(model))
        )
        keys = left.pop(model)
        gone, _ = QuerySet(model).filter(pk__in=list(keys)).delete()
        counts[str(_meta(model).verbose_name_plural)] = gone
    return counts


def _meta(model: type[Model]) -> "Options[Model]":
    return model._meta  # noqa: SLF001  Django's documented way to the fields of a model


def _settle() -> None:
    """Empty SQLite's journal into its file, in which what was deleted is written over with zeros.

    While somebody reads it stays as it is; a later one empties it.
    """
    if connection.vendor == "sqlite":
        with suppress(OperationalError), connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
