"""Annotators. The platform's id of a person stands in one table only."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.models.studies import Study


class Annotator(models.Model):
    """One person in one study, known by a random pseudonym."""

    class State(models.TextChoices):
        """arrived → declined · screened_out · working → completed · returned · timed_out · withdrawn."""

        ARRIVED = "arrived"
        DECLINED = "declined"
        SCREENED_OUT = "screened_out"
        WORKING = "working"
        COMPLETED = "completed"
        RETURNED = "returned"
        TIMED_OUT = "timed_out"
        WITHDRAWN = "withdrawn"

    class Payment(models.TextChoices):
        """What the researcher decided to pay; independent of exclusion from the analysis."""

        PENDING = "pending"
        APPROVED = "approved"
        REJECTED = "rejected"
        NONE = "none"

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="annotators")
    pseudonym = models.CharField(max_length=16, unique=True)
    # The secret part of the person's own link; whoever has it is this person.
    access_key = models.CharField(max_length=64, unique=True)
    state = models.CharField(max_length=12, choices=State, default=State.ARRIVED)
    payment = models.CharField(max_length=10, choices=Payment, default=Payment.PENDING)
    # Arrived while the study was a pilot: never in the analysis.
    pilot = models.BooleanField(default=False)
    # Was never born (study_simulate): said wherever the study's people are counted.
    simulated = models.BooleanField(db_default=False, default=False)
    # Of the entry form that made this person, so that a double click makes one.
    entry_token = models.CharField(max_length=64, unique=True)
    arrived_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    state__in=[
                        "arrived",
                        "declined",
                        "screened_out",
                        "working",
                        "completed",
                        "returned",
                        "timed_out",
                        "withdrawn",
                    ]
                ),
                name="annotator_state_known",
            ),
            models.CheckConstraint(
                condition=Q(payment__in=["pending", "approved", "rejected", "none"]),
                name="annotator_payment_known",
            ),
        ]
        # Holds all that the people of a study are counted by.
        indexes = [
            models.Index(
                fields=["study", "state", "pilot", "simulated"], name="annotator_counted_by"
            )
        ]

    def __str__(self) -> str:
        return self.pseudonym


class PlatformIdentity(models.Model):
    """Who a person is on the recruiting platform: encrypted, with a keyed hash to look it up by."""

    annotator = models.OneToOneField(
        Annotator, on_delete=models.CASCADE, related_name="identity", primary_key=True
    )
    study = models.ForeignKey(Study, on_delete=models.PROTECT)
    provider = models.CharField(max_length=20)
    lookup = models.CharField(max_length=64)
    ciphertext = models.BinaryField()

    class Meta:
        verbose_name_plural = "platform identities"
        permissions: ClassVar = [
            ("view_platform_ids", "Can see and export the platform's ids of people")
        ]
        constraints = [
            models.UniqueConstraint(fields=["study", "lookup"], name="identity_once_a_study")
        ]

    def __str__(self) -> str:
        return f"{self.provider} identity"


class PlatformSession(models.Model):
    """One visit as the platform counts it; a person who starts again there is still one person."""

    annotator = models.ForeignKey(Annotator, on_delete=models.CASCADE, related_name="sessions")
    lookup = models.CharField(max_length=64)
    ciphertext = models.BinaryField()
    started_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["annotator", "lookup"], name="session_once_a_person")
        ]

    def __str__(self) -> str:
        return f"session of {self.annotator_id}"


class Consent(models.Model):
    """What a person said to which consent text; nothing can be judged without one that says yes."""

    annotator = models.ForeignKey(Annotator, on_delete=models.CASCADE, related_name="consents")
    given = models.BooleanField()
    text_sha256 = models.CharField(max_length=64)
    language = models.CharField(max_length=35)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["annotator"], condition=Q(given=True), name="consent_given_once"
            )
        ]

    def __str__(self) -> str:
        return "given" if self.given else "declined"


class Screening(models.Model):
    """The answers to the eligibility questions, and whether they let the person in."""

    annotator = models.OneToOneField(
        Annotator, on_delete=models.CASCADE, related_name="screening", primary_key=True
    )
    answers = models.JSONField()
    passed = models.BooleanField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return "passed" if self.passed else "screened out"


class Demographics(models.Model):
    """What a person said about themselves for the archive; whoever skips a question has no key for it."""

    annotator = models.OneToOneField(
        Annotator, on_delete=models.CASCADE, related_name="demographics", primary_key=True
    )
    answers = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "demographics"

    def __str__(self) -> str:
        return f"{len(self.answers)} answers about the person"
