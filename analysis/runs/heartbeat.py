"""Say again and again that somebody is still at work, while one of their steps takes long."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import OperationalError, connection

log = logging.getLogger(__name__)

# So often that one beat may be lost, and another late.
HEARTBEAT_SECONDS: float = settings.RUN_SILENT_FOR.total_seconds() / 4


@contextmanager
def beating(beat: Callable[[], None], every: float = HEARTBEAT_SECONDS) -> Iterator[None]:
    """Call `beat` from a thread of its own until the block is left; it ends with this process.

    A beat that the database does not take is lost, and the next one comes all the same.
    """
    stop = threading.Event()

    def go() -> None:
        try:
            while not stop.wait(every):
                try:
                    beat()
                except OperationalError as fault:
                    log.warning("a heartbeat is lost: %s", fault)
                    connection.close()
        finally:
            connection.close()

    thread = threading.Thread(target=go, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
