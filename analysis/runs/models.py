"""AnalysisRun: what was asked, how far it is, what came of it; RunShard: a part of its input."""

from django.db import models
from django.db.models import Q

# Kinds of runs over tables of files, which belong to no study; every other run has one.
PIPELINES = ("clcg", "trace")


class AnalysisRun(models.Model):
    """One analysis with its parameters; two that ask the same at once are one run."""

    class State(models.TextChoices):
        """queued → running → done · failed · cancelled."""

        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    study = models.ForeignKey(
        "annotation.Study", on_delete=models.PROTECT, related_name="runs", null=True
    )
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
            models.CheckConstraint(
                condition=Q(study__isnull=True, kind__in=PIPELINES)
                | (Q(study__isnull=False) & ~Q(kind__in=PIPELINES)),
                name="run_has_a_study_or_is_a_pipeline",
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
        return f"{self.kind} of {self.study_id or 'files'}, {self.state}"

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state in {self.State.DONE, self.State.FAILED, self.State.CANCELLED}


class RunShard(models.Model):
    """A part of a run's input: done by whoever takes it, its result kept here, once.

    The run adds up the results of its shards in the order of their numbers, so that it does not
    matter who did them, when, or how many times one was begun.
    """

    class State(models.TextChoices):
        """waiting → taken → done · failed."""

        WAITING = "waiting"
        TAKEN = "taken"
        DONE = "done"
        FAILED = "failed"

    run = models.ForeignKey(AnalysisRun, on_delete=models.CASCADE, related_name="shards")
    number = models.PositiveIntegerField()
    parameters = models.JSONField(default=dict)
    state = models.CharField(max_length=7, choices=State, default=State.WAITING)
    # Who has it: a worker whose token is no longer here has lost it, and can store nothing.
    token = models.CharField(max_length=32, blank=True)
    progress = models.FloatField(default=0.0)
    attempts = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True)
    result = models.BinaryField(null=True)
    error = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="shard_once_a_run"),
            models.CheckConstraint(
                condition=Q(state="done", result__isnull=False)
                | Q(state__in=["waiting", "taken", "failed"], result__isnull=True),
                name="shard_has_a_result_when_done",
            ),
            models.CheckConstraint(
                condition=Q(state="taken") & ~Q(token="") | ~Q(state="taken") & Q(token=""),
                name="shard_taken_by_one",
            ),
            models.CheckConstraint(
                condition=Q(progress__gte=0, progress__lte=1), name="shard_progress_within_one"
            ),
        ]

    def __str__(self) -> str:
        return f"shard {self.number} of run {self.run_id}, {self.state}"
