"""audit_record: the only writer of the log."""

import hashlib
import json
from datetime import UTC, datetime
from typing import Any

from django.db import connection, transaction

from annotation.models import AuditEvent

# Any number will do, as long as nothing else in this database takes the same advisory lock.
_CHAIN_LOCK = 7_041_966


def event_digest(event: AuditEvent) -> str:
    """Return the SHA-256 that binds an event to all that came before it."""
    content = [
        event.number,
        # In one time zone: the databases give the same moment back in theirs.
        event.at.astimezone(UTC).isoformat(),
        event.author,
        event.verb,
        event.study,
        event.data,
        event.previous,
    ]
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@transaction.atomic
def audit_record(
    verb: str, *, study: str, author: str, now: datetime, data: dict[str, Any] | None = None
) -> AuditEvent:
    """Append one event to the chain, in the transaction of the act it tells of."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_CHAIN_LOCK])
    last = AuditEvent.objects.order_by("-number").first()
    event = AuditEvent(
        number=last.number + 1 if last else 1,
        at=now,
        author=author,
        verb=verb,
        study=study,
        data=data or {},
        previous=last.sha256 if last else "",
    )
    event.sha256 = event_digest(event)
    event.save(force_insert=True)
    return event


def audit_verify() -> tuple[int, int | None]:
    """Recompute the chain; return how many events there are and the number of the first wrong one."""
    count, previous = 0, ""
    for event in AuditEvent.objects.order_by("number").iterator(chunk_size=2_000):
        count += 1
        whole = event.number == count and event.previous == previous
        if not whole or event.sha256 != event_digest(event):
            return AuditEvent.objects.count(), count
        previous = event.sha256
    return count, None
