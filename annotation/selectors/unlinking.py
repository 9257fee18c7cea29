"""When the platform's ids of a study's people are deleted, and what that still waits for."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from annotation.models import AuditEvent, PlatformIdentity, Study
from annotation.selectors.payments import still_owed
from annotation.selectors.studies import study_definition


@dataclass(frozen=True, slots=True)
class Unlinking:
    """What is planned: `due` is set once nothing more has to happen before."""

    days: int | None
    kept: int
    due: datetime | None = None
    waits_for: str = ""


def unlinking(study: Study) -> Unlinking:
    """Return when the ids of a study go, by its own `unlink_days`."""
    days = study_definition(study).recruitment.unlink_days
    kept = PlatformIdentity.objects.filter(annotator__study=study).count()
    if days is None or not kept:
        return Unlinking(days, kept)
    if study.state != Study.State.CLOSED or study.closed_at is None:
        return Unlinking(days, kept, waits_for="the study is closed")
    if still_owed(study):
        return Unlinking(days, kept, waits_for="every payment is decided")
    decisions = AuditEvent.objects.filter(study=study.slug, verb="payment_decide")
    last = decisions.order_by("-number").values_list("at", flat=True).first()
    closed = study.closed_at if last is None else max(study.closed_at, last)
    return Unlinking(days, kept, due=closed + timedelta(days=days))


def was_unlinked(study: Study) -> bool:
    """Whether the platform's ids of a study's people were deleted."""
    return AuditEvent.objects.filter(study=study.slug, verb="identities_unlink").exists()
