"""AnalysisRun: what was asked, how far it is, what came of it."""

from django.db import models
from django.db.models import Q


class AnalysisRun(models.Model):
    """One analysis of one study with its parameters; two that ask the same at once are one run."""

    class State(models.TextChoices):
        """queued → running → done · failed · cancelled."""

        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="runs")
    kind = models.CharField(max_length=40)
    parameters = models.JSONField(default=dict)
    # SHA-256 of kind, parameters and input: what makes two runs the same.
    fingerprint = models.CharField(max_length=64)
    input_sha256 = models.CharField(max_length=64, blank=True)
    plan_sha256 = models.CharField(max_length=64, blank=True)
    versions = models.JSONField(default=dict)
    state = models.CharField(max_length=9, choices=State, default=State.QUEUED)
    # From 0 to 1, with what is being done in words.
    progress = models.FloatField(default=0.0)
    doing = models.CharField(max_length=200, blank=True)
    result = models.JSONField(null=True)
    error = models.TextField(blank=True)
    cancel_asked = models.BooleanField(default=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    author = models.CharField(max_length=150)
    asked_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    heartbeat_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running", "done", "failed", "cancelled"]),
                name="run_state_known",
            ),
            models.CheckConstraint(
                condition=~Q(state="done") | Q(result__isnull=False), name="run_done_has_a_result"
            ),
            models.CheckConstraint(
                condition=Q(progress__gte=0, progress__lte=1), name="run_progress_within_one"
            ),
            models.UniqueConstraint(
                fields=["fingerprint"],
                condition=Q(state__in=["queued", "running"]),
                name="run_once_at_a_time",
            ),
        ]
        indexes = [
            models.Index(fields=["asked_at"], condition=Q(state="queued"), name="run_queue"),
            models.Index(fields=["study", "kind", "-asked_at"], name="run_latest"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.study_id}, {self.state}"

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state in {self.State.DONE, self.State.FAILED, self.State.CANCELLED}
