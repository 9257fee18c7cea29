"""Many people at the same moment: threads with a connection each, let go together."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, BrokenBarrierError
from typing import TypeVar

from django.db import connection

Result = TypeVar("Result")

PATIENCE = 120.0


def at_once(acts: Sequence[Callable[[], Result]]) -> list[Result]:
    """Do all acts at the same moment and return their results; an exception of one is raised."""
    start = Barrier(len(acts))

    def one(act: Callable[[], Result]) -> Result:
        start.wait(PATIENCE)
        if connection.vendor == "sqlite":
            # Its waiters are not served in turn: of this many on a busy machine one may starve.
            connection.cursor().execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        ended = [pool.submit(one, act) for act in acts]
    faults = [fault for done in ended if (fault := done.exception())]
    # Whoever waited in vain for one that broke down says less than that one.
    for fault in sorted(faults, key=lambda fault: isinstance(fault, BrokenBarrierError)):
        raise fault
    return [done.result() for done in ended]
