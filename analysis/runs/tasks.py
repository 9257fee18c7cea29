"""The tasks behind Celery: a message carries the number of a run, or nothing at all.

The row stays the queue: a run is taken by the same conditional update, so that a message that comes
twice does nothing twice. A broker hands out a message once; what a killed worker had, or what was asked
for while the broker was down, is found by a look at the table, to which each worker calls now and then.
"""

from typing import Any

from celery.signals import worker_ready
from django.utils import timezone

from analysis.runs.handover import RUN_DO, RUNS_LEFT, call
from analysis.runs.heartbeat import HEARTBEAT_SECONDS
from analysis.runs.queue import run_take
from analysis.runs.worker import run_execute, work_once
from config.celery import app


def run_do(pk: int) -> None:
    """Do a run, if nobody has taken it, and then whatever else was left lying."""
    if run := run_take(pk, now=timezone.now()):
        run_execute(run)
    runs_left()


def runs_left() -> None:
    """Do whatever waits, whether or not a message came for it."""
    while work_once():
        pass


app.task(run_do, name=RUN_DO)
app.task(runs_left, name=RUNS_LEFT)


def call_somebody() -> None:
    """Call whoever is free to look; where nobody is, the call is void by the next one."""
    call(RUNS_LEFT, expires=HEARTBEAT_SECONDS)


def keep_calling(sender: Any, **_: object) -> None:
    """Call again and again, by the worker's own timer.

    The process that forks the others calls and does not look itself: one that is forked while it reads
    the database would wait for its locks for ever.
    """
    sender.timer.call_repeatedly(HEARTBEAT_SECONDS, call_somebody)


worker_ready.connect(keep_calling)
