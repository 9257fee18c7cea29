"""The only writers of shards: plan, take, report, end, reap, forget.

A shard is taken by a conditional update that leaves the taker's token. Whoever no longer finds their
token in the row has lost the shard and can store nothing, so that each result is stored once.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from secrets import token_hex
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from analysis.runs.handover import hand_over
from analysis.runs.models import AnalysisRun, RunShard
from analysis.runs.queue import ATTEMPTS, SILENT_FOR, Cancelled

State = RunShard.State
Running = AnalysisRun.State.RUNNING
GAVE_UP = "The worker of this part stopped without a word, {count} times."


@transaction.atomic
def shards_plan(run: AnalysisRun, parts: Sequence[Mapping[str, Any]]) -> None:
    """Lay out the parts of a run; those that an earlier attempt laid out, and did, stay."""
    there = list(run.shards.order_by("number").values_list("parameters", flat=True))
    if there != list(parts):
        run.shards.all().delete()
        rows = (RunShard(run=run, number=i, parameters=part) for i, part in enumerate(parts))
        RunShard.objects.bulk_create(rows)
    # The run's worker does shards itself; each message calls one more to help.
    for _ in parts[1:]:
        hand_over(run.pk)


def shard_take(*, now: datetime, run: AnalysisRun | None = None) -> RunShard | None:
    """Take the next waiting shard, of one run or of any, if nobody else took it."""
    waiting = RunShard.objects.filter(
        state=State.WAITING, run__state=Running, run__cancel_asked=False
    )
    if run is not None:
        waiting = waiting.filter(run=run)
    for pk in waiting.order_by("run__asked_at", "number").values_list("pk", flat=True)[:20]:
        taken = RunShard.objects.filter(pk=pk, state=State.WAITING).update(
            state=State.TAKEN, token=token_hex(16), heartbeat_at=now, progress=0.0
        )
        if taken:
            return RunShard.objects.select_related("run").defer("run__result").get(pk=pk)
    return None


def shard_report(shard: RunShard, progress: float, *, now: datetime) -> None:
    """Say how far a shard is; raises Cancelled where it was lost or its run is to stop."""
    wanted = AnalysisRun.objects.filter(pk=shard.run_id, state=Running, cancel_asked=False)
    kept = _held(shard).filter(run__in=wanted)
    if not kept.update(progress=min(1.0, max(0.0, progress)), heartbeat_at=now):
        raise Cancelled


def shard_heartbeat(shard: RunShard, *, now: datetime) -> None:
    """Say that the worker of a shard is still there."""
    _held(shard).update(heartbeat_at=now)


def shard_done(shard: RunShard, result: bytes, *, now: datetime) -> bool:
    """Store what came of a shard; say whether it was still this worker's to store."""
    return bool(
        _held(shard).update(
            state=State.DONE, token="", result=result, progress=1.0, heartbeat_at=now
        )
    )


def shard_failed(shard: RunShard, error: str) -> None:
    """Store why a shard cannot be done."""
    _held(shard).update(state=State.FAILED, token="", error=error)


def shard_give_back(shard: RunShard) -> None:
    """Leave a shard to whoever is next, where its worker was told to stop."""
    _held(shard).update(state=State.WAITING, token="", progress=0.0)


def shards_reap(run: AnalysisRun, *, now: datetime) -> int:
    """Let the shards of silent workers wait again; after some attempts they have failed."""
    count = 0
    for shard in run.shards.filter(state=State.TAKEN, heartbeat_at__lt=now - SILENT_FOR):
        attempts = shard.attempts + 1
        over = attempts >= ATTEMPTS
        # Only if it is still silent: the worker may have spoken since the look.
        silent = _held(shard).filter(heartbeat_at=shard.heartbeat_at)
        count += silent.update(
            state=State.FAILED if over else State.WAITING,
            error=GAVE_UP.format(count=attempts) if over else "",
            token="",
            attempts=attempts,
            progress=0.0,
        )
    return count


def shards_forget(run: AnalysisRun) -> None:
    """Delete the shards of a run that has ended: what came of them is in its result."""
    ended = AnalysisRun.objects.filter(pk=run.pk).exclude(
        state__in=[AnalysisRun.State.QUEUED, Running]
    )
    RunShard.objects.filter(run__in=ended).delete()


def _held(shard: RunShard) -> QuerySet[RunShard]:
    return RunShard.objects.filter(pk=shard.pk, state=State.TAKEN, token=shard.token)
