"""payment_decide: what a person is paid, whatever becomes of their judgments."""

from datetime import datetime

from django.db import transaction

from annotation.errors import StateForbids
from annotation.models import Annotator
from annotation.services.audit import audit_record
from annotation.services.claims import annotator_locked

Payment = Annotator.Payment


@transaction.atomic
def payment_decide(
    annotator: Annotator, payment: str, *, reason: str, author: str, now: datetime
) -> bool:
    """Decide on a person's payment; say whether that changed anything.

    Being left out of the analysis changes nothing here, and this changes nothing there.
    """
    if payment not in Payment.values:
        known = ", ".join(Payment.values)
        raise StateForbids(f"{payment!r} is no decision on a payment; there are {known}.")
    if payment == Payment.REJECTED and not reason.strip():
        raise StateForbids("Not paying needs a reason that can be told to the person; write it.")
    person = annotator_locked(annotator.pk)
    before = person.payment
    if before == payment:
        return False
    person.payment = payment
    person.save(update_fields=["payment"])
    audit_record(
        "payment_decide",
        study=person.study.slug,
        author=author,
        now=now,
        about=person,
        detail={"before": before, "after": payment, "reason": reason.strip()},
    )
    return True
