"""The log of what was done to a study: append-only by trigger, each entry bound to the one before.

What an entry says of a person stands apart, so that it can be erased and the chain still holds; how
and against whom this protects: docs/explanation/audit.md.
"""

from typing import Any

from django.db import models
from django.db.models import Q

from annotation.models.people import Annotator
from annotation.models.studies import Study


class AuditEvent(models.Model):
    """One act: who did what to which study, when; `data` says nothing of any annotator."""

    number = models.PositiveBigIntegerField(unique=True)
    at = models.DateTimeField()
    author = models.CharField(max_length=150)
    verb = models.CharField(max_length=60)
    study = models.CharField(max_length=80, blank=True)
    data = models.JSONField(default=dict)
    # The salted SHA-256 of its detail; empty where the act is about nobody.
    commitment = models.CharField(max_length=64, blank=True)
    previous = models.CharField(max_length=64)
    sha256 = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return f"{self.number} {self.verb}"

    @property
    def told(self) -> dict[str, Any]:
        """Return all that the log still says of the act, its detail included unless it was erased."""
        detail = getattr(self, "detail", None)
        return self.data | detail.data if detail else dict(self.data)


class AuditDetail(models.Model):
    """What an act says of an annotator: old and new values, the reason; deleted when they are erased."""

    event = models.OneToOneField(
        AuditEvent, on_delete=models.PROTECT, primary_key=True, related_name="detail"
    )
    annotator = models.ForeignKey(Annotator, on_delete=models.PROTECT, related_name="audit_details")
    # Without it nobody could tell by trying whether an erased detail was about a certain person.
    salt = models.CharField(max_length=64)
    data = models.JSONField()

    def __str__(self) -> str:
        return f"detail of {self.event_id}"


class AuditHead(models.Model):
    """Where the log ends: one row, so that an end that was cut off is missed."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    events = models.PositiveBigIntegerField()
    # Keyed, of the number and the hash of the last event.
    sha256 = models.CharField(max_length=64)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="audit_head_is_one")]

    def __str__(self) -> str:
        return f"{self.events} events"


class Erasure(models.Model):
    """The receipt of an erasure: that it was done, and nothing of whom it was about."""

    receipt = models.CharField(max_length=20, unique=True)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="erasures")
    at = models.DateTimeField()
    # "annotator", or the account that did it for them.
    author = models.CharField(max_length=150)
    # How many rows went, by what they were.
    counts = models.JSONField()

    def __str__(self) -> str:
        return self.receipt
