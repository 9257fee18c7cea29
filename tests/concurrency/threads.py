"""Many people at the same moment: threads with a connection each, let go together."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import connection

Result = TypeVar("Result")

PATIENCE = 60.0


def at_once(acts: Sequence[Callable[[], Result]]) -> list[Result]:
    """Do all acts at the same moment and return their results; an exception of one is raised."""
    start = Barrier(len(acts))

    def one(act: Callable[[], Result]) -> Result:
        start.wait(PATIENCE)
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return [done.result() for done in [pool.submit(one, act) for act in acts]]
