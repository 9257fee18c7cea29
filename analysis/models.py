"""What the analysis stores: its runs."""

from analysis.runs.models import AnalysisRun

__all__ = ["AnalysisRun"]
