"""A study and the lock on its analysis plan."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now


class Study(models.Model):
    """One human evaluation; `document` is its `study.yaml` with every default and text."""

    class State(models.TextChoices):
        """draft → pilot → live ⇄ paused → closed."""

        DRAFT = "draft"
        PILOT = "pilot"
        LIVE = "live"
        PAUSED = "paused"
        CLOSED = "closed"

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=300)
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    seed = models.BigIntegerField()
    document = models.JSONField()
    design = models.JSONField(default=dict)
    folder_sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_default=Now())
    launched_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "studies"
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["draft", "pilot", "live", "paused", "closed"]),
                name="study_state_known",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "pilot"]) | Q(launched_at__isnull=False),
                name="study_launched_before_it_is_live",
            ),
            models.CheckConstraint(
                # A check that comes out unknown passes, so the time of closing is asked for too.
                condition=~Q(state="closed")
                | Q(closed_at__isnull=False, closed_at__gte=F("launched_at")),
                name="study_closed_after_its_launch",
            ),
        ]

    def __str__(self) -> str:
        return self.slug

    @property
    def open_to_annotators(self) -> bool:
        """Whether people may enter and be given work."""
        return self.state in {self.State.PILOT, self.State.LIVE}


class PlanLock(models.Model):
    """The analysis plan as it was when the study went live; a trigger refuses any change."""

    study = models.OneToOneField(
        Study, on_delete=models.PROTECT, primary_key=True, related_name="plan_lock"
    )
    canonical_json = models.TextField()
    sha256 = models.CharField(max_length=64)
    locked_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.study_id} {self.sha256[:6]}"
