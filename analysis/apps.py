"""The app that computes."""

from importlib import import_module

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    """Statistics, pipelines, runs and reports."""

    name = "analysis"
    verbose_name = "Analysis"

    def ready(self) -> None:
        """Have what runs hold of people removed when somebody is erased."""
        remove = import_module("analysis.runs.queue").results_erase
        import_module("annotation.services.copies").copies_register("results of analyses", remove)
