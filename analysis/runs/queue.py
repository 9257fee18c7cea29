"""The only writers of runs: ask, claim, report, end, cancel, reap.

A run is claimed by a conditional update, so that one worker has it; the worker's heartbeat keeps it,
and a run whose worker fell silent goes back to the queue. That counts an attempt, and the number of the
attempt is what a worker holds: one that was only slow finds another number, and can say nothing more.
"""

import hashlib
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from analysis.runs.handover import hand_over
from analysis.runs.models import AnalysisRun
from annotation.models import Erasure, Study
from annotation.studyfile import canonical_json

State = AnalysisRun.State

# A worker that has said nothing for so long is taken for dead.
SILENT_FOR: timedelta = settings.RUN_SILENT_FOR
ATTEMPTS = 3
# How the databases refuse a run that asks what another on its way asks: PostgreSQL names the constraint,
# in a sentence of the server's language, SQLite its column.
ASKED_ALREADY = ("run_once_at_a_time", "UNIQUE constraint failed: analysis_analysisrun.fingerprint")
RESULT_ERASED = (
    "What came of it was deleted, since somebody of this study has been erased; start it again."
)


class Cancelled(Exception):  # noqa: N818  an end, not a fault
    """Somebody asked for the run to stop."""


def run_ask(
    study: Study | None,
    kind: str,
    parameters: dict[str, Any],
    *,
    input_sha256: str,
    author: str,
    now: datetime,
) -> AnalysisRun:
    """Queue an analysis of a study, or over files where there is none.

    The same question while one is on its way returns that one.
    """
    asked = canonical_json([study.pk if study else None, kind, parameters, input_sha256])
    fingerprint = hashlib.sha256(asked.encode()).hexdigest()
    lock = getattr(study, "plan_lock", None)
    run = AnalysisRun(
        study=study,
        kind=kind,
        parameters=parameters,
        fingerprint=fingerprint,
        input_sha256=input_sha256,
        plan_sha256=lock.sha256 if lock else "",
        author=author,
        asked_at=now,
    )
    while not _stored(run):
        # Between the refusal and this look the other one may have ended; then this one is new.
        on_its_way = AnalysisRun.objects.filter(
            fingerprint=fingerprint, state__in=[State.QUEUED, State.RUNNING]
        ).first()
        if on_its_way is not None:
            return on_its_way
    return run


def _stored(run: AnalysisRun) -> bool:
    """Store a new run and hand it over; say whether none on its way asks the same."""
    try:
        with transaction.atomic():
            run.save(force_insert=True)
            hand_over(run.pk)
    except IntegrityError as refusal:
        if not any(words in str(refusal) for words in ASKED_ALREADY):
            raise
        return False
    return True


def run_claim(*, now: datetime) -> AnalysisRun | None:
    """Take the oldest queued run, if there is one and nobody else took it."""
    for pk in (
        AnalysisRun.objects.filter(state=State.QUEUED)
        .order_by("asked_at")
        .values_list("pk", flat=True)[:20]
    ):
        if run := run_take(pk, now=now):
            return run
    return None


def run_take(pk: int, *, now: datetime) -> AnalysisRun | None:
    """Take one queued run, with the attempt that it is at; None where it is not there any more."""
    waiting = AnalysisRun.objects.filter(pk=pk, state=State.QUEUED, cancel_asked=False)
    run = waiting.select_related("study").first()
    if run is None or not waiting.filter(attempts=run.attempts).update(
        state=State.RUNNING, started_at=now, heartbeat_at=now, doing="", progress=0.0
    ):
        return None
    run.state, run.started_at, run.heartbeat_at = State.RUNNING, now, now
    return run


def run_report(run: AnalysisRun, progress: float, doing: str, *, now: datetime) -> None:
    """Say how far the run is; raises Cancelled where it is to stop, or another has it by now."""
    kept = _held(run).filter(cancel_asked=False)
    if not kept.update(progress=min(1.0, max(0.0, progress)), doing=doing[:200], heartbeat_at=now):
        raise Cancelled


def run_heartbeat(run: AnalysisRun, *, now: datetime) -> None:
    """Say that the worker of a run is still there."""
    _held(run).update(heartbeat_at=now)


def _held(run: AnalysisRun) -> QuerySet[AnalysisRun]:
    return AnalysisRun.objects.filter(pk=run.pk, state=State.RUNNING, attempts=run.attempts)


def run_erasures(run: AnalysisRun) -> int:
    """Return how many people of the run's study have been erased so far."""
    return Erasure.objects.filter(study=run.study_id).count()


@transaction.atomic
def run_done(
    run: AnalysisRun, result: dict[str, Any], *, erasures: int, now: datetime, **facts: Any
) -> None:
    """Store what came of the run; a run that was cancelled or reaped meanwhile keeps its end.

    `erasures` is how many people of the study had been erased before it read anything: if another
    has been since, the result may still hold them, and the run waits to be done again.
    """
    # An erasure locks the study too: one of the two is first.
    if run.study_id is not None:
        list(Study.objects.select_for_update(no_key=True).filter(pk=run.study_id).values_list("pk"))
    running = _held(run)
    if run_erasures(run) != erasures:
        if running.filter(cancel_asked=False).update(state=State.QUEUED, progress=0.0, doing=""):
            hand_over(run.pk)
        # Nobody takes one that is to stop, so it must not wait.
        running.update(state=State.CANCELLED, ended_at=now)
        return
    running.update(state=State.DONE, result=result, progress=1.0, doing="", ended_at=now, **facts)


def run_failed(run: AnalysisRun, error: str, *, now: datetime) -> None:
    """Store why the run did not come to its end."""
    _held(run).update(state=State.FAILED, error=error.replace("\0", "\\0"), ended_at=now)


@transaction.atomic
def run_cancel(run: AnalysisRun, *, now: datetime) -> None:
    """Stop a run: at once where it waits, at its next report where it runs."""
    # The mark first: a run that goes back to the queue between the two steps is then met by the second.
    AnalysisRun.objects.filter(pk=run.pk, state__in=[State.QUEUED, State.RUNNING]).update(
        cancel_asked=True
    )
    AnalysisRun.objects.filter(pk=run.pk, state=State.QUEUED).update(
        state=State.CANCELLED, ended_at=now
    )


def run_cancelled(run: AnalysisRun, *, now: datetime) -> None:
    """End a run that heard that it should stop."""
    _held(run).update(state=State.CANCELLED, ended_at=now)


def runs_reap(*, now: datetime) -> int:
    """Queue again what a silent worker left; after some attempts it has failed. Return how many."""
    silent = AnalysisRun.objects.filter(state=State.RUNNING, heartbeat_at__lt=now - SILENT_FOR)
    count = 0
    for run in silent:
        again = run.attempts + 1 < ATTEMPTS and not run.cancel_asked
        change = (
            {"state": State.QUEUED, "attempts": run.attempts + 1}
            if again
            else {
                "state": State.CANCELLED if run.cancel_asked else State.FAILED,
                "error": "" if run.cancel_asked else "Its worker stopped without a word.",
                "ended_at": now,
            }
        )
        # Only if nothing was said since the look: by its worker, or by somebody who cancels it.
        count += AnalysisRun.objects.filter(
            pk=run.pk,
            state=State.RUNNING,
            heartbeat_at=run.heartbeat_at,
            cancel_asked=run.cancel_asked,
        ).update(**change)
    return count


def results_erase(study: Study) -> int:
    """Remove what all ended runs of a study hold; return how many results there were.

    Called inside the erasure of a person, which has locked the study; their rows say what became of
    them. What still runs finds out at its end.
    """
    held = AnalysisRun.objects.filter(study=study)
    count = held.filter(state=State.DONE).update(
        state=State.CANCELLED, result=None, error=RESULT_ERASED
    )
    held.filter(state=State.FAILED).update(error=RESULT_ERASED)
    return count


def runs_forget(study: Study, kind: str, *, keep: int) -> None:
    """Delete what ended of a kind that is only looked at, but the last few."""
    ended = AnalysisRun.objects.filter(
        study=study, kind=kind, state__in=[State.DONE, State.FAILED, State.CANCELLED]
    )
    old = ended.order_by("-asked_at").values_list("pk", flat=True)[keep : keep + 100]
    AnalysisRun.objects.filter(pk__in=list(old)).delete()
