"""The tasks behind Celery: a message carries the number of a run, or nothing at all.

The row stays the queue: a run is taken by the same conditional update, so that a message that comes
twice does nothing twice. A broker hands out a message once; what a killed worker had, or what was asked
for while the broker was down, is found by a look at the table, to which each worker calls now and then.
"""

import logging
from typing import Any

from celery.signals import worker_ready
from django.conf import settings
from django.utils import timezone
from kombu.exceptions import OperationalError

from analysis.runs.heartbeat import HEARTBEAT_SECONDS
from analysis.runs.queue import run_take
from analysis.runs.worker import run_execute, work_once
from config.celery import app

__all__ = ["OperationalError", "run_do_task", "send"]

log = logging.getLogger(__name__)
# Celery would try for seconds, while a request waits.
AT_ONCE = {"max_retries": 1, "interval_start": 0}


def run_do(pk: int) -> None:
    """Do a run, if nobody has taken it, and then whatever else was left lying."""
    if run := run_take(pk, now=timezone.now()):
        run_execute(run)
    runs_left()


def runs_left() -> None:
    """Do whatever waits, whether or not a message came for it."""
    while work_once():
        pass


run_do_task = app.task(run_do, name="run_do")
runs_left_task = app.task(runs_left, name="runs_left")


def send(task: Any, *arguments: int, expires: float | None = None) -> None:
    """Send a message now or not at all; OperationalError where the broker does not answer.

    A connection of its own: messages are few, and one that was kept may have died unnoticed.
    """
    address = settings.CELERY_BROKER_URL
    with app.connection_for_write(address, transport_options=AT_ONCE) as connection:
        task.apply_async(arguments, connection=connection, retry=False, expires=expires)


def call_somebody() -> None:
    """Call whoever is free to look; where nobody is, the call is void by the next one."""
    try:
        send(runs_left_task, expires=HEARTBEAT_SECONDS)
    except OperationalError as fault:
        log.warning("the broker does not answer: %s", fault)


def keep_calling(sender: Any, **_: object) -> None:
    """Call again and again, by the worker's own timer.

    The process that forks the others calls and does not look itself: one that is forked while it reads
    the database would wait for its locks for ever.
    """
    sender.timer.call_repeatedly(HEARTBEAT_SECONDS, call_somebody)


worker_ready.connect(keep_calling)
