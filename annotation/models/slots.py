"""Who judges what. Over-assignment cannot be stored: see docs/explanation/assignment.md."""

from django.db import models
from django.db.models import F, Q

from annotation.models.items import Item
from annotation.models.people import Annotator, Consent
from annotation.models.studies import Study


class Form(models.Model):
    """A planned, ordered block of slots that one person judges; given out by `seq`.

    That order is drawn under a key, and so does not follow from the study's seed as the plan does.
    """

    class State(models.TextChoices):
        """open → held → done, or back to open; void when a top-up moved its slots elsewhere."""

        OPEN = "open"
        HELD = "held"
        DONE = "done"
        VOID = "void"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="forms")
    seq = models.PositiveIntegerField()
    state = models.CharField(max_length=5, choices=State, default=State.OPEN)
    top_up = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "seq"], name="form_seq_once"),
            models.CheckConstraint(
                condition=Q(state__in=["open", "held", "done", "void"]), name="form_state_known"
            ),
        ]
        indexes = [
            models.Index(fields=["study", "seq"], condition=Q(state="open"), name="form_open")
        ]

    def __str__(self) -> str:
        return f"form {self.seq}"


class Slot(models.Model):
    """One wanted judgment: an item and the number of its replicate."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="slots")
    replicate = models.PositiveSmallIntegerField()
    replication = models.PositiveSmallIntegerField()
    form = models.ForeignKey(Form, on_delete=models.CASCADE, related_name="slots")
    place = models.PositiveSmallIntegerField()
    # Whether the item's alternatives are shown in reverse: balanced over the replicates of an item,
    # so that the balance survives exclusions, for a reopened slot keeps its side.
    flipped = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "replicate"], name="slot_replicate_once"),
            models.UniqueConstraint(fields=["form", "place"], name="slot_place_once"),
            models.UniqueConstraint(fields=["form", "item"], name="slot_item_once_a_form"),
            models.CheckConstraint(
                condition=Q(replicate__gte=1) & Q(replicate__lte=F("replication")),
                name="slot_replicate_within_replication",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item_id} #{self.replicate}"


class Claim(models.Model):
    """A person's hold on a form, with the seed from which its order is drawn."""

    class State(models.TextChoices):
        """held → submitted, or ended; an ended claim never counts."""

        HELD = "held"
        SUBMITTED = "submitted"
        RETURNED = "returned"
        TIMED_OUT = "timed_out"
        WITHDRAWN = "withdrawn"
        EXCLUDED = "excluded"
        PILOT = "pilot"

    form = models.ForeignKey(Form, on_delete=models.PROTECT, related_name="claims")
    annotator = models.ForeignKey(Annotator, on_delete=models.PROTECT, related_name="claims")
    consent = models.ForeignKey(Consent, on_delete=models.PROTECT, related_name="claims")
    state = models.CharField(max_length=10, choices=State, default=State.HELD)
    seed = models.BigIntegerField()
    claimed_at = models.DateTimeField()
    lease_until = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["form"],
                condition=Q(state__in=["held", "submitted"]),
                name="claim_one_a_form",
            ),
            models.UniqueConstraint(
                fields=["annotator"], condition=Q(state="held"), name="claim_one_held_a_person"
            ),
            models.UniqueConstraint(fields=["annotator", "form"], name="claim_form_once_a_person"),
            models.CheckConstraint(
                condition=Q(
                    state__in=[
                        "held",
                        "submitted",
                        "returned",
                        "timed_out",
                        "withdrawn",
                        "excluded",
                        "pilot",
                    ]
                ),
                name="claim_state_known",
            ),
        ]
        indexes = [
            models.Index(fields=["lease_until"], condition=Q(state="held"), name="claim_leases"),
        ]

    def __str__(self) -> str:
        return f"claim on {self.form_id}"


class Assignment(models.Model):
    """One screen of a claim: an item to judge (on a slot), an attention check, or practice."""

    class Kind(models.TextChoices):
        """Only what is judged stands on a slot and is ever counted."""

        JUDGE = "judge"
        CHECK = "check"
        PRACTICE = "practice"

    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="assignments")
    annotator = models.ForeignKey(Annotator, on_delete=models.PROTECT, related_name="assignments")
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.JUDGE)
    slot = models.ForeignKey(Slot, on_delete=models.PROTECT, null=True, related_name="assignments")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="assignments")
    # Order of the screens; practice comes first, on negative positions.
    position = models.SmallIntegerField()
    check_index = models.PositiveSmallIntegerField(null=True)
    # Which layout the item has here, and what is asked: replays the page.
    presentation = models.JSONField()
    # Still holds its slot.
    active = models.BooleanField(default=True)
    # Given although it shares a conflict key with an earlier one, since nothing else was left.
    clash = models.BooleanField(default=False)
    opened_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["slot"], condition=Q(active=True), name="assignment_one_holder_a_slot"
            ),
            models.UniqueConstraint(
                fields=["annotator", "item"],
                condition=Q(kind="judge"),
                name="assignment_item_once_a_person",
            ),
            models.UniqueConstraint(
                fields=["claim", "position"], name="assignment_position_once_a_claim"
            ),
            models.CheckConstraint(
                condition=Q(kind="judge", slot__isnull=False, position__gte=1)
                | Q(kind="check", slot__isnull=True, check_index__isnull=False, position__gte=1)
                | Q(kind="practice", slot__isnull=True, position__lt=0),
                name="assignment_kind_fits",
            ),
        ]
        indexes = [
            # By it the judgments of items are counted; SQLite reads nothing else where the columns of
            # the condition stand in it too.
            models.Index(
                fields=["item", "kind", "active"],
                condition=Q(active=True, kind="judge"),
                name="assignment_holds",
            ),
        ]

    def __str__(self) -> str:
        return f"screen {self.position}"


class Exposure(models.Model):
    """A conflict key that a person has met, such as an article; never twice."""

    annotator = models.ForeignKey(Annotator, on_delete=models.CASCADE, related_name="exposures")
    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="exposures")
    key = models.CharField(max_length=300)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["annotator", "key"], name="exposure_once_a_person")
        ]

    def __str__(self) -> str:
        return self.key
