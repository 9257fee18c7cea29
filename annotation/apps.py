"""The app that collects."""

from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    """Studies, items, slots, people, answers and exclusions."""

    name = "annotation"
    verbose_name = "Annotation"
