"""The app that collects."""

from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AnnotationConfig(AppConfig):
    """Studies, items, slots, people, answers and exclusions."""

    name = "annotation"
    verbose_name = "Annotation"

    def ready(self) -> None:
        """Begin the log of a database that is empty, also of one that was emptied."""
        post_migrate.connect(_begin_log, sender=self)


def _begin_log(**_: Any) -> None:
    import_module("annotation.services.audit").audit_begin()
