"""payment_decide, payments_approve, payments_undo: pay, whatever becomes of people's judgments."""

import secrets
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from annotation.errors import Conflict, StateForbids
from annotation.models import Annotator, AuditDetail, Study
from annotation.services.audit import audit_record
from annotation.services.claims import annotator_locked

Payment = Annotator.Payment
DECIDED = "payment_decide"


@transaction.atomic
def payment_decide(
    annotator: Annotator,
    payment: str,
    *,
    reason: str,
    author: str,
    now: datetime,
    seen: str | None = None,
) -> bool:
    """Decide on a person's payment; say whether that changed anything.

    Being left out of the analysis changes nothing here, and this changes nothing there. `seen` is the
    decision that stood where this one was made: if it is another by now, nothing is done.
    """
    if payment not in Payment.values:
        known = ", ".join(Payment.values)
        raise StateForbids(f"{payment!r} is no decision on a payment; there are {known}.")
    if payment == Payment.REJECTED and not reason.strip():
        raise StateForbids("Not paying needs a reason that can be told to the person; write it.")
    person = annotator_locked(annotator.pk)
    if person.payment == payment:
        return False
    if seen is not None and person.payment != seen:
        raise Conflict(
            f"Somebody has decided meanwhile: the payment of {person} is {person.payment}, and was "
            f"{seen} when you looked. Look again, and decide if it still has to be changed."
        )
    _decide(person, payment, reason=reason.strip(), author=author, now=now)
    return True


@transaction.atomic
def payments_approve(
    study: Study, pseudonyms: Sequence[str], *, author: str, now: datetime
) -> tuple[str, int]:
    """Approve all of these people or, if one was decided on meanwhile, none.

    Return a word by which it can be undone, and how many there were. Asked twice, as by a double
    click, it is one approval.
    """
    people = _locked_people(study, pseudonyms)
    gone = len(set(pseudonyms)) - len(people)
    decided = [person for person in people if person.payment != Payment.PENDING]
    if decided or gone:
        stands = {_word(last, "batch", author) for last in _last_decisions(people).values()}
        if len(decided) == len(people) and len(stands) == 1 and (batch := stands.pop()):
            return batch, len(people)
        raise Conflict(
            f"Somebody has decided meanwhile on {len(decided) + gone} of the {len(people) + gone} "
            "people; nothing was approved. Look at the list again."
        )
    batch = secrets.token_hex(6)
    for person in people:
        _decide(person, Payment.APPROVED, author=author, now=now, batch=batch)
    return batch, len(people)


@transaction.atomic
def payments_undo(study: Study, batch: str, *, author: str, now: datetime) -> tuple[int, int]:
    """Take an approval of many back; return how many that was, and how many were decided anew since.

    Taken back already, as by a double click, nothing changes and nobody is counted.
    """
    approved = AuditDetail.objects.filter(
        event__verb=DECIDED, annotator__study=study, data__batch=batch
    )
    people = _locked_people(study, list(approved.values_list("annotator__pseudonym", flat=True)))
    last = _last_decisions(people)
    back = [person for person in people if _word(last[person.pk], "batch") == batch]
    done = [person for person in people if _word(last[person.pk], "undoes") == batch]
    for person in back:
        reason = "an approval of many was taken back"
        _decide(person, Payment.PENDING, reason=reason, author=author, now=now, undoes=batch)
    return len(back), len(people) - len(back) - len(done)


def _last_decisions(people: Sequence[Annotator]) -> dict[int, AuditDetail]:
    """Return what the log says of the last decision on each of some people, by their keys."""
    decisions = AuditDetail.objects.filter(event__verb=DECIDED, annotator__in=people)
    ordered = decisions.select_related("event").order_by("event__number")
    return {decision.annotator_id: decision for decision in ordered}


def _word(decision: AuditDetail, key: str, author: str = "") -> str:
    """Return the word under which many were decided on at once; empty where it was another's act."""
    if author and decision.event.author != author:
        return ""
    return str(decision.data.get(key, ""))


def _locked_people(study: Study, pseudonyms: Sequence[str]) -> list[Annotator]:
    """Return people in one order, each for this transaction alone."""
    people = Annotator.objects.filter(study=study, pseudonym__in=set(pseudonyms)).order_by("pk")
    return list(people.select_for_update(no_key=True, of=("self",)).select_related("study"))


def _decide(
    person: Annotator,
    payment: str,
    *,
    author: str,
    now: datetime,
    reason: str = "",
    **of_many: str,
) -> None:
    """Store and log a decision; `of_many` says which approval of many it belongs to, or undoes."""
    before, person.payment = person.payment, payment
    person.save(update_fields=["payment"])
    detail = {"before": before, "after": str(payment), "reason": reason}
    audit_record(
        DECIDED,
        study=person.study.slug,
        author=author,
        now=now,
        about=person,
        detail=detail | of_many,
    )
