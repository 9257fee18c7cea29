"""What people answered. Nothing here is ever overwritten by quality control."""

from django.db import models
from django.db.models import Q

from annotation.models.items import InstrumentVersion
from annotation.models.slots import Assignment


class Answer(models.Model):
    """The answer to one screen as it stands now; every earlier one is kept as a revision."""

    assignment = models.OneToOneField(
        Assignment, on_delete=models.PROTECT, related_name="answer", primary_key=True
    )
    instrument = models.ForeignKey(InstrumentVersion, on_delete=models.PROTECT)
    values = models.JSONField()
    # Given after the claim had ended: kept and paid, never counted.
    surplus = models.BooleanField(default=False)
    submitted_at = models.DateTimeField()
    server_seconds = models.FloatField()
    active_seconds = models.FloatField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(server_seconds__gte=0)
                & (Q(active_seconds__isnull=True) | Q(active_seconds__gte=0)),
                name="answer_times_not_negative",
            )
        ]

    def __str__(self) -> str:
        return f"answer {self.pk}"


class AnswerRevision(models.Model):
    """One submission of an answer, the first included; `key` names the submission."""

    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=64)
    values = models.JSONField()
    received_at = models.DateTimeField()
    active_seconds = models.FloatField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["answer", "number"], name="revision_number_once"),
            models.UniqueConstraint(fields=["answer", "key"], name="revision_key_once"),
        ]

    def __str__(self) -> str:
        return f"revision {self.number}"


class Draft(models.Model):
    """What was typed so far on a screen, as posted; deleted when the answer is submitted."""

    assignment = models.OneToOneField(
        Assignment, on_delete=models.CASCADE, related_name="draft", primary_key=True
    )
    posted = models.JSONField()
    saved_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"draft of {self.pk}"
