"""audit_record, the only writer of the log, and audit_verify, which proves it.

The chain is keyed: who can write to the database and has not the key (settings.AUDIT_KEY) can neither
alter nor append an event so that it fits. The head says where the log ends, so that an end that was
cut off is missed. What an event says of a person stands in a detail, which the event only commits to:
erasing it leaves the chain whole (docs/explanation/audit.md).
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet, Subquery

from annotation.models import Annotator, AuditDetail, AuditEvent, AuditHead, Study
from annotation.studyfile import canonical_json

ERASURE = "annotator_erase"


@dataclass(frozen=True, slots=True)
class Verified:
    """What came of verifying the log: the first event that is not as it was written, and why."""

    events: int
    first_broken: int | None = None
    problem: str = ""
    erased_details: int = 0


def event_digest(event: AuditEvent) -> str:
    """Return the keyed hash that binds an event to all that came before it."""
    return _keyed(
        event.number,
        # In one time zone: the databases give the same moment back in theirs.
        event.at.astimezone(UTC).isoformat(),
        event.author,
        event.verb,
        event.study,
        event.data,
        event.commitment,
        event.previous,
    )


def detail_commitment(detail: AuditDetail) -> str:
    """Return what binds an event to its detail and, once that is erased, tells nothing of it."""
    content = canonical_json([detail.salt, detail.annotator_id, detail.data])
    return hashlib.sha256(content.encode()).hexdigest()


def head_digest(events: int, last: str) -> str:
    """Return the keyed hash of where the log ends."""
    return _keyed("head", events, last)


@transaction.atomic
def audit_record(
    verb: str,
    *,
    study: str,
    author: str,
    now: datetime,
    data: Mapping[str, Any] | None = None,
    about: Annotator | None = None,
    detail: Mapping[str, Any] | None = None,
) -> AuditEvent:
    """Append one event to the chain, in the transaction of the act it tells of.

    What says anything of an annotator belongs into `detail`, with the annotator as `about`.
    """
    # Locked until the act is done: events are numbered one after the other.
    head = AuditHead.objects.select_for_update(no_key=True).get()
    last = AuditEvent.objects.filter(number=head.events).first()
    event = AuditEvent(
        number=head.events + 1,
        at=now,
        author=author,
        verb=verb,
        study=study,
        data=dict(data or {}),
        previous=last.sha256 if last else "",
    )
    part = _detail(event, about, detail or {})
    event.commitment = detail_commitment(part) if part else ""
    event.sha256 = event_digest(event)
    event.save(force_insert=True)
    if part:
        part.event = event
        part.save(force_insert=True)
    head.events, head.sha256 = event.number, head_digest(event.number, event.sha256)
    head.save(force_update=True)
    return event


def audit_begin() -> None:
    """Put the head at the beginning of a new log. A log that has lost its head is not given another."""
    if not AuditEvent.objects.exists() and not Study.objects.exists():
        AuditHead.objects.get_or_create(defaults={"events": 0, "sha256": head_digest(0, "")})


def audit_verify(*, newest: int | None = None) -> Verified:
    """Recompute the chain up to the head; stop at the first event that does not fit.

    With `newest` that many events are recomputed, on the one before them: as many queries and as much
    work however long the log is.
    """
    head = AuditHead.objects.first()
    events = AuditEvent.objects.select_related("detail").order_by("number")
    if head is None or newest is None or head.events <= newest:
        return _verified(events, head)
    after = head.events - newest
    start = AuditEvent.objects.filter(number=after).values_list("sha256", flat=True).first()
    return _verified(events.filter(number__gt=after), head, after, start or "")


def _verified(
    events: QuerySet[AuditEvent], head: AuditHead | None, count: int = 0, previous: str = ""
) -> Verified:
    """Recompute events, in number, that follow on `count` others; `head` is for when there are none."""
    end = (head.events, head.sha256) if head else (None, "")
    missing, accounted = set[int](), set[int]()
    # In one statement with the events: what is logged meanwhile is in both or in neither.
    heads = AuditHead.objects.all()
    ends = {"head_events": heads.values("events")[:1], "head_sha256": heads.values("sha256")[:1]}
    told = events.annotate(**{name: Subquery(value) for name, value in ends.items()})
    for event in told.iterator(2_000):
        count += 1
        end = (event.head_events, event.head_sha256)  # type: ignore[attr-defined]  # annotated
        if problem := _wrong(event, count, previous):
            return Verified(AuditEvent.objects.count(), count, problem)
        previous = event.sha256
        if event.commitment and not hasattr(event, "detail"):
            missing.add(event.number)
        if event.verb == ERASURE:
            accounted.update(event.data["events"])
    if problem := _wrong_head(end[0], end[1], count, previous):
        return Verified(count, count + 1, problem)
    if lost := sorted(missing - accounted):
        return Verified(count, lost[0], "what it says of a person was deleted without an erasure")
    return Verified(count, erased_details=len(missing))


def _wrong(event: AuditEvent, number: int, previous: str) -> str:
    """Say what is wrong with the event that should have this number; empty if nothing is."""
    if event.number > number:
        return "it is missing"
    if event.number < number or event.previous != previous:
        return "it does not follow on the one before"
    if not hmac.compare_digest(event.sha256, event_digest(event)):
        return "it was altered, or not written by this application"
    detail = getattr(event, "detail", None)
    if detail and event.commitment != detail_commitment(detail):
        return "what it says of a person was altered"
    return ""


def _wrong_head(events: int | None, sha256: str, count: int, last: str) -> str:
    """Say what is wrong with the end of the log, by what the head says of it."""
    if events is None:
        return "nothing says any more where the log ends"
    if events > count:
        return "it is missing from the end"
    if not hmac.compare_digest(sha256, head_digest(count, last)):
        return "where the log ends was altered"
    return ""


def _detail(
    event: AuditEvent, about: Annotator | None, detail: Mapping[str, Any]
) -> AuditDetail | None:
    if about is None:
        return None
    data = {"annotator": about.pseudonym} | dict(detail)
    return AuditDetail(event=event, annotator=about, salt=secrets.token_hex(32), data=data)


def _keyed(*content: Any) -> str:
    text = canonical_json(list(content))
    return hmac.new(settings.AUDIT_KEY.encode(), text.encode(), hashlib.sha256).hexdigest()
