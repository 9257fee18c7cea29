"""payment_files: what each platform takes to pay its people; the only way a platform's id leaves."""

import csv
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from io import StringIO

from django.db import transaction

from annotation.errors import StateForbids
from annotation.models import Annotator, AuditDetail, PlatformIdentity, Study
from annotation.providers import PROVIDERS
from annotation.selectors.payments import Owed, owed, people_owed
from annotation.selectors.studies import study_definition
from annotation.selectors.unlinking import was_unlinked
from annotation.services.audit import audit_record
from annotation.services.identities import decrypted

Payment = Annotator.Payment
# Lists of one id a line, and the code that the platform knows each by.
LISTS = {"complete": "complete", "screened_out": "screened_out", "return": "no_consent"}


@transaction.atomic
def payment_files(study: Study, *, author: str, now: datetime) -> dict[str, str]:
    """Return the platform's files by name, and note in the log that they were taken.

    They hold the platform's ids of people: whoever calls this has asked who may have them.
    """
    provider = PROVIDERS[study_definition(study).recruitment.provider]
    if not provider.names_people:
        raise StateForbids("People come to this study by an open link; no platform pays them.")
    if was_unlinked(study):
        raise StateForbids(
            "The platform's ids of this study's people were deleted, so nobody can be paid by them "
            "any more; the list by pseudonym is still there."
        )
    ids = {
        pk: decrypted(bytes(ciphertext))
        for pk, ciphertext in PlatformIdentity.objects.filter(annotator__study=study).values_list(
            "annotator", "ciphertext"
        )
    }
    people = [one for one in owed(study, people_owed(study).order_by("pk")) if one.person.pk in ids]
    files = _lists(study, people, ids) | {
        "bonus.csv": _table([(ids[one.person.pk], f"{sum_:.2f}") for one, sum_ in _extra(people)]),
        "rejected.csv": _rejected(people, ids),
    }
    lines = {name: text.count("\n") for name, text in files.items()}
    audit_record("platform_ids_export", study=study.slug, author=author, now=now, data=lines)
    return files


def payment_table(study: Study) -> str:
    """Return everybody by pseudonym, with what is owed and decided; it names nobody."""
    head = ("annotator", "outcome", "forms", "left_out", "payment", "amount", "proposal", "why")
    rows = [
        (
            one.person.pseudonym,
            one.kind,
            one.forms,
            "yes" if one.left_out else "no",
            one.person.payment,
            "" if one.amount is None else f"{one.amount:.2f}",
            one.proposal,
            one.why,
        )
        for one in owed(study, people_owed(study).order_by("pseudonym"))
    ]
    return _table([head, *rows])


def _lists(study: Study, people: list[Owed], ids: dict[int, str]) -> dict[str, str]:
    recruitment = study_definition(study).recruitment
    provider = PROVIDERS[recruitment.provider]
    found: dict[str, list[str]] = {name: [] for name in LISTS}
    for one in people:
        if name := _list_of(one):
            code = recruitment.codes.get(LISTS[name], "")
            found[name].append(provider.payment_line(ids[one.person.pk], code))
    # Sorted by the id, so that a file does not tell who came when.
    return {
        f"{name}.{provider.payment_ending}": "".join(f"{line}\n" for line in sorted(lines))
        for name, lines in found.items()
    }


def _list_of(one: Owed) -> str:
    """Return the list on which a person stands; empty where a decision is missing or against it."""
    approved = one.person.payment == Payment.APPROVED
    if one.kind in {"complete", "screened_out"} and approved:
        return one.kind
    if one.kind == "none" and one.person.payment in {Payment.PENDING, Payment.NONE}:
        return "return"
    return ""


def _extra(people: Iterable[Owed]) -> Iterable[tuple[Owed, Decimal]]:
    """Yield what the reward of the one submission does not cover."""
    for one in people:
        if one.person.payment != Payment.APPROVED or not one.amount:
            continue
        if one.kind == "partial":
            yield one, one.amount
        elif one.kind == "complete" and one.forms > 1:
            yield one, one.amount * (one.forms - 1) / one.forms


def _rejected(people: Iterable[Owed], ids: dict[int, str]) -> str:
    rejected = {one.person.pk for one in people if one.person.payment == Payment.REJECTED}
    decisions = AuditDetail.objects.filter(
        event__verb="payment_decide", annotator__payment=Payment.REJECTED
    )
    reasons = {
        pk: data["reason"]
        for pk, data in decisions.order_by("event__number").values_list("annotator", "data")
        if pk in rejected
    }
    return _table(sorted((ids[pk], reasons.get(pk, "")) for pk in rejected))


def _table(rows: Iterable[Iterable[object]]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
