"""What is left out of the analysis, and why. Quality control only ever adds rows."""

from django.db import models
from django.db.models import Q

from annotation.models.answers import Answer
from annotation.models.people import Annotator
from annotation.models.studies import Study


class Exclusion(models.Model):
    """One annotator or one judgment left out, by a rule of the study or by hand."""

    class Unit(models.TextChoices):
        """What is left out."""

        ANNOTATOR = "annotator"
        JUDGMENT = "judgment"

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="exclusions")
    unit = models.CharField(max_length=9, choices=Unit)
    annotator = models.ForeignKey(Annotator, on_delete=models.PROTECT, related_name="exclusions")
    answer = models.ForeignKey(
        Answer, on_delete=models.PROTECT, null=True, related_name="exclusions"
    )
    rule = models.CharField(max_length=40)
    rule_version = models.CharField(max_length=64)
    reason = models.TextField()
    author = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(unit="annotator", answer__isnull=True)
                | Q(unit="judgment", answer__isnull=False),
                name="exclusion_unit_fits",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="exclusion_has_a_reason"),
            # A rule speaks once of a unit: what a person revoked, the rule does not bring back.
            models.UniqueConstraint(
                fields=["annotator", "rule", "rule_version"],
                condition=Q(unit="annotator") & ~Q(rule="by_hand"),
                name="exclusion_rule_once_an_annotator",
            ),
            models.UniqueConstraint(
                fields=["answer", "rule", "rule_version"],
                condition=Q(unit="judgment") & ~Q(rule="by_hand"),
                name="exclusion_rule_once_an_answer",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.unit} by {self.rule}"


class ExclusionRevocation(models.Model):
    """The undoing of an exclusion, with its own reason."""

    exclusion = models.OneToOneField(
        Exclusion, on_delete=models.PROTECT, related_name="revocation", primary_key=True
    )
    reason = models.TextField()
    author = models.CharField(max_length=150)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"revoked by {self.author}"
