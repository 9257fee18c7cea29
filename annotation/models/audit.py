"""The log of what was done to a study; append-only by trigger, each entry hashing the one before."""

from django.db import models


class AuditEvent(models.Model):
    """One act: who did what to what, when, with which values."""

    number = models.PositiveBigIntegerField(unique=True)
    at = models.DateTimeField()
    author = models.CharField(max_length=150)
    verb = models.CharField(max_length=60)
    study = models.CharField(max_length=80, blank=True)
    data = models.JSONField(default=dict)
    previous = models.CharField(max_length=64)
    sha256 = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return f"{self.number} {self.verb}"
