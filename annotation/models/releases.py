"""Releases that were made and are kept, to be taken from the page."""

from django.db import models
from django.db.models import F, Q

from annotation.models.studies import Study


class Release(models.Model):
    """One archive of a study; erased, its row stays and says that there was one."""

    class State(models.TextChoices):
        """made → erased."""

        MADE = "made"
        ERASED = "erased"

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="releases")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=6, choices=State, default=State.MADE)
    made_at = models.DateTimeField()
    author = models.CharField(max_length=150)
    # Of the zip file.
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    # What the command prints; emptied when the release is erased.
    manifest = models.JSONField(default=dict)
    erased_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="release_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="release_numbers_from_one"),
            models.CheckConstraint(
                condition=Q(state__in=["made", "erased"]), name="release_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state="made", erased_at__isnull=True)
                | Q(state="erased", erased_at__isnull=False, erased_at__gte=F("made_at")),
                name="release_erased_at_a_time",
            ),
            models.CheckConstraint(
                condition=~Q(state="erased") | Q(manifest={}), name="release_erased_tells_nothing"
            ),
        ]

    def __str__(self) -> str:
        return f"release {self.number} of {self.study_id}, {self.state}"

    @property
    def file_name(self) -> str:
        """Return the name of its file, which the server alone chooses."""
        return f"{self.study_id}-{self.number}.zip"
