"""The task behind Celery: it carries the number of a run and nothing else.

The row stays the queue: a run is taken by the same conditional update, so that a message that comes
twice does nothing twice, and one that was lost is found by whichever worker is next.
"""

from django.utils import timezone
from kombu.exceptions import OperationalError

from analysis.runs.models import AnalysisRun
from analysis.runs.queue import run_take
from analysis.runs.worker import run_execute, work_once
from config.celery import app

__all__ = ["OperationalError", "run_do", "run_do_task"]


def run_do(pk: int) -> None:
    """Do a run, if nobody has taken it, and then whatever else was left lying."""
    if run_take(pk, now=timezone.now()):
        run_execute(AnalysisRun.objects.select_related("study").get(pk=pk))
    while work_once():
        pass


run_do_task = app.task(run_do, name="run_do")
