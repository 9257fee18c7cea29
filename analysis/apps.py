"""The app that computes."""

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    """Statistics, pipelines, runs and reports."""

    name = "analysis"
    verbose_name = "Analysis"
