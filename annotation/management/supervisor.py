"""Processes that belong together: the web server and the worker beside it live and end as one."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

LOOK_EVERY_SECONDS = 0.3
ENDS_WITHIN_SECONDS = 30.0
# A process that dies again and again is started ever more seldom; one that lived so long is well.
FIRST_PAUSE, LONGEST_PAUSE, WELL_AFTER = 1.0, 30.0, 60.0


@dataclass
class Child:
    """One process. With `restarts` it is started again when it dies; otherwise its end ends all."""

    name: str
    arguments: Sequence[str]
    restarts: bool = False
    process: "subprocess.Popen[bytes] | None" = None
    started: float = 0.0
    pause: float = FIRST_PAUSE
    due: float = 0.0

    def start(self) -> None:
        """Start it, unless it runs."""
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(self.arguments)  # noqa: S603  our own arguments
            self.started = time.monotonic()

    def died(self) -> int | None:
        """Return its exit status, or None while it runs."""
        return None if self.process is None else self.process.poll()


def worker_child(manage: Path) -> Child:
    """Return the worker of background runs."""
    return Child("worker", [sys.executable, str(manage), "work"], restarts=True)


def stopped_by_signals() -> threading.Event:
    """Return an event that SIGTERM and Ctrl-C set."""
    stop = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stop.set())
    return stop


def supervise(
    children: Sequence[Child], stop: threading.Event, say: Callable[[str], object]
) -> int:
    """Keep the children running until told to stop, or until one ends that is not to be restarted.

    Every child has ended when this returns; the status is that of the child that ended it all.
    """
    try:
        for child in children:
            child.start()
        while not stop.wait(LOOK_EVERY_SECONDS):
            for child in children:
                status = child.died()
                if status is None:
                    continue
                if not child.restarts:
                    say(f"The {child.name} ended with status {status}; so does the rest.")
                    return status
                _restart(child, status, say)
        return 0
    finally:
        end(children)


def end(children: Sequence[Child]) -> None:
    """End all, and wait until they have; who does not end in time is killed."""
    running = [child.process for child in children if child.process and child.died() is None]
    for process in running:
        process.terminate()
    deadline = time.monotonic() + ENDS_WITHIN_SECONDS
    for process in running:
        try:
            process.wait(timeout=max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _restart(child: Child, status: int, say: Callable[[str], object]) -> None:
    """Start a child again: after a pause that doubles each time it dies soon."""
    now = time.monotonic()
    if child.due == 0.0:
        if now - child.started > WELL_AFTER:
            child.pause = FIRST_PAUSE
        say(f"The {child.name} ended with status {status}; it starts again in {child.pause:.0f} s.")
        child.due, child.pause = now + child.pause, min(2 * child.pause, LONGEST_PAUSE)
    elif now >= child.due:
        child.due = 0.0
        child.start()
