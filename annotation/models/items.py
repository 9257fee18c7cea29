"""What is judged, and the instrument it is judged with."""

from typing import Any

from django.db import models
from django.db.models import Q

from annotation.models.studies import Study


class Passage(models.Model):
    """A text that several items share."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="passages")
    key = models.CharField(max_length=200)
    text = models.TextField()
    lang = models.CharField(max_length=35, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="passage_once")]

    def __str__(self) -> str:
        return self.key


class Item(models.Model):
    """One thing to judge. `fields` holds all its columns; which are shown, its task type says."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="items")
    key = models.CharField(max_length=200)
    task = models.CharField(max_length=80)
    fields = models.JSONField()
    passage = models.ForeignKey(Passage, on_delete=models.PROTECT, null=True)
    # What no annotator may meet twice, such as ["article=a17"].
    conflicts = models.JSONField(default=list)
    practice = models.BooleanField(default=False)
    # Of a practice item: what a careful reader answers, and why.
    expect = models.JSONField(default=dict)
    feedback = models.TextField(blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="item_once")]
        indexes = [models.Index(fields=["study", "task"], name="item_by_task")]

    def __str__(self) -> str:
        return self.key

    @property
    def all_fields(self) -> dict[str, Any]:
        """Return the item's columns, with the text of its passage in place of the reference to it."""
        if self.passage is None:
            return dict(self.fields)
        passage = {"passage": self.passage.text, "passage_lang": self.passage.lang}
        return dict(self.fields) | {k: v for k, v in passage.items() if v}


class InstrumentVersion(models.Model):
    """The questions of one task as they stood; every answer names the version it was given under."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="instruments")
    task = models.CharField(max_length=80)
    sha256 = models.CharField(max_length=64)
    document = models.JSONField()
    current = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "task", "sha256"], name="instrument_once"),
            models.UniqueConstraint(
                fields=["study", "task"], condition=Q(current=True), name="instrument_one_current"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task} {self.sha256[:6]}"
