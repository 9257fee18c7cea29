"""A run over many parts: its worker does what nobody else has taken, and waits for the rest.

One worker alone does them one after another; several, of Celery or of `work`, share them. Results
come back in the order of the parts, whoever did them.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Avg
from django.utils import timezone

from analysis.runs.heartbeat import beating
from analysis.runs.kinds import KINDS, Report
from analysis.runs.models import AnalysisRun, RunShard
from analysis.runs.queue import Cancelled
from analysis.runs.shards import (
    shard_done,
    shard_failed,
    shard_give_back,
    shard_heartbeat,
    shard_report,
    shard_take,
    shards_plan,
    shards_reap,
)

log = logging.getLogger(__name__)
Clock = Callable[[], datetime]
PAUSE_SECONDS = 0.2
State = RunShard.State


class ShardFailed(ValueError):  # noqa: N818  like the state of the row
    """A part that cannot be done, and why."""


def parts_done(
    run: AnalysisRun,
    parts: Sequence[Mapping[str, Any]],
    report: Report,
    *,
    clock: Clock = timezone.now,
) -> Iterator[bytes]:
    """Have every part of a run done, and return what came of them in their order, one by one.

    Raises Cancelled where the run is to stop, ShardFailed where a part cannot be done.
    """
    shards_plan(run, parts)
    while not _all_done(run, report):
        shards_reap(run, now=clock())
        shard = shard_take(run=run, now=clock())
        if shard is None:
            time.sleep(PAUSE_SECONDS)
        else:
            shard_execute(shard, clock=clock, also=lambda: _all_done(run, report))
    held = run.shards.order_by("number").values_list("result", flat=True)
    return (bytes(result) for result in held.iterator(chunk_size=1) if result is not None)


def _all_done(run: AnalysisRun, report: Report) -> bool:
    """Report how far all parts are together; say whether that is all the way."""
    failed = run.shards.filter(state=State.FAILED).order_by("number").first()
    if failed is not None:
        raise ShardFailed(f"Part {failed.number + 1}: {failed.error}")
    done, count = run.shards.filter(state=State.DONE).count(), run.shards.count()
    mean = run.shards.aggregate(mean=Avg("progress"))["mean"] or 0.0
    report(mean, f"Part {min(done + 1, count)} of {count}")
    return done == count


def shard_execute(
    shard: RunShard, *, clock: Clock = timezone.now, also: Callable[[], object] = lambda: None
) -> None:
    """Do a shard that was taken; its end is stored, unless it was lost to somebody else."""

    def report(progress: float, doing: str) -> None:
        del doing
        shard_report(shard, progress, now=clock())
        also()

    try:
        with beating(lambda: shard_heartbeat(shard, now=clock())):
            result = KINDS[shard.run.kind].part()(shard.run.parameters, shard.parameters, report)
    except (Cancelled, ShardFailed):
        # The whole run is to end, for nothing that is wrong with this part.
        shard_give_back(shard)
    except Exception as fault:
        log.exception("part %s of run %s failed", shard.number, shard.run_id)
        shard_failed(shard, str(fault) or type(fault).__name__)
    else:
        shard_done(shard, result, now=clock())


def shard_once(*, clock: Clock = timezone.now) -> bool:
    """Help a run of another worker with one of its parts; say whether there was one."""
    shard = shard_take(now=clock())
    if shard is None:
        return False
    shard_execute(shard, clock=clock)
    return True
