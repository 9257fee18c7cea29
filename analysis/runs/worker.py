"""What a worker does: take a run, do it, store what came of it; whoever calls it."""

import logging
import platform
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from importlib.metadata import version
from typing import Any

from django.db import InterfaceError, OperationalError, connections
from django.utils import timezone

from analysis.runs.heartbeat import HEARTBEAT_SECONDS, beating
from analysis.runs.kinds import KINDS, Report
from analysis.runs.models import AnalysisRun
from analysis.runs.queue import (
    Cancelled,
    run_cancelled,
    run_claim,
    run_done,
    run_erasures,
    run_failed,
    run_heartbeat,
    run_report,
    runs_reap,
)
from analysis.runs.sharded import shard_once
from analysis.runs.shards import shards_forget
from annotation.errors import Refused
from annotation.services.identities import identities_unlink_due

log = logging.getLogger(__name__)

AWAY_SECONDS = 5.0
EVERY_HOUR = timedelta(hours=1)
# What a number may depend on besides its input.
VERSIONED = ("numpy", "scipy", "pandas", "statsmodels", "krippendorff")


def work_once(*, clock: Callable[[], datetime] = timezone.now) -> bool:
    """Reap what fell silent, do one run, or a part of one, if it waits; say whether it did."""
    runs_reap(now=clock())
    run = run_claim(now=clock())
    if run is None:
        return shard_once(clock=clock)
    run_execute(run, clock=clock)
    return True


def run_execute(run: AnalysisRun, *, clock: Callable[[], datetime] = timezone.now) -> None:
    """Do a run that was taken; its end is stored, whatever it is."""

    def report(progress: float, doing: str) -> None:
        run_report(run, progress, doing, now=clock())

    erasures = run_erasures(run)
    try:
        with heartbeat(run, clock):
            result = _result(run, report)
        # A result that the database does not take is the run's fault; the worker goes on.
        run_done(run, result, erasures=erasures, now=clock(), versions=versions())
    except Cancelled:
        run_cancelled(run, now=clock())
    except Refused as refused:
        # A sentence for whoever asked, and no fault of ours.
        run_failed(run, refused.message, now=clock())
    except Exception as fault:
        log.exception("run %s failed: %s", run.pk, run)
        run_failed(run, f"{type(fault).__name__}: {fault}", now=clock())
    finally:
        shards_forget(run)


def _result(run: AnalysisRun, report: Report) -> dict[str, Any]:
    analysis = KINDS[run.kind].analysis()
    return (
        analysis(run, report) if run.study is None else analysis(run.study, run.parameters, report)
    )


def heartbeat(
    run: AnalysisRun, clock: Callable[[], datetime], every: float = HEARTBEAT_SECONDS
) -> AbstractContextManager[None]:
    """Keep a run alive while one of its steps takes long."""
    return beating(lambda: run_heartbeat(run, now=clock()), every)


def work(stop: threading.Event, *, every: float = 0.5) -> None:
    """Work until told to stop; wait a little where nothing waits. Once an hour, see to what is due."""
    next_look = timezone.now()
    while not stop.is_set():
        if timezone.now() >= next_look:
            next_look = timezone.now() + EVERY_HOUR
            see_to_what_is_due(now=timezone.now())
        try:
            if not work_once():
                stop.wait(every)
        except (OperationalError, InterfaceError) as fault:
            log.warning("the database does not answer; the work goes on when it does: %s", fault)
            # What was open is broken; the next query opens another.
            connections.close_all()
            stop.wait(AWAY_SECONDS)


def see_to_what_is_due(*, now: datetime) -> None:
    """Delete the platform's ids whose day has come; a fault is logged, and the work goes on."""
    try:
        for slug, people in identities_unlink_due(author="schedule", now=now).items():
            log.info("%s: %d platform ids deleted by schedule", slug, people)
    except Exception:
        log.exception("the platform's ids that are due could not be deleted")


def versions() -> dict[str, str]:
    """Return what the numbers were computed with."""
    return {"python": platform.python_version()} | {name: version(name) for name in VERSIONED}
