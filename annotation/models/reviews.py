"""Texts that people typed, on their way out: nothing leaves that a person has not read."""

from django.db import models
from django.db.models import Q

from annotation.models.answers import Answer
from annotation.models.studies import Study


class TextReview(models.Model):
    """One typed text in one of its versions, and what a person decided about it."""

    class Decision(models.TextChoices):
        """open → accepted · edited · refused, and back."""

        OPEN = "open"
        ACCEPTED = "accepted"
        EDITED = "edited"
        REFUSED = "refused"

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="text_reviews")
    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="text_reviews")
    dimension = models.CharField(max_length=50)
    # Of the text as it was read; one that changed since is unread.
    sha256 = models.CharField(max_length=64)
    decision = models.CharField(max_length=8, choices=Decision, default=Decision.OPEN)
    # What was suggested when it was decided: kind, start and end in the text, never the words.
    suggestions = models.JSONField(default=list)
    # What leaves.
    text = models.TextField(default="")
    reviewer = models.CharField(max_length=150, default="")
    at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["answer", "dimension"], name="text_reviewed_once"),
            models.CheckConstraint(
                condition=Q(decision__in=["open", "accepted", "edited", "refused"]),
                name="text_decision_known",
            ),
            models.CheckConstraint(
                condition=Q(decision="open", reviewer="", at__isnull=True)
                | (~Q(decision="open") & ~Q(reviewer="") & Q(at__isnull=False)),
                name="text_decision_has_a_reviewer",
            ),
            models.CheckConstraint(
                condition=Q(decision__in=["accepted", "edited"]) | Q(text=""),
                name="text_leaves_when_decided",
            ),
        ]
        indexes = [
            models.Index(fields=["study", "decision", "id"], name="text_review_queue"),
        ]

    def __str__(self) -> str:
        return f"text {self.pk}, {self.decision}"
