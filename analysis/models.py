"""What the analysis stores: its runs."""

from analysis.runs.models import AnalysisRun, RunShard

__all__ = ["AnalysisRun", "RunShard"]
