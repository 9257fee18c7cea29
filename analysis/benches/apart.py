"""A command in a process of its own: what it took, without anything that the bench itself holds."""

import os
import subprocess
import sys
import time
from dataclasses import dataclass

from django.conf import settings

from analysis.benches.measure import peak_bytes


@dataclass(frozen=True)
class Used:
    """CPU and wall seconds of a process, and the bytes that it held at most.

    Linux counts to a new process what its parent holds when it starts: a bench runs commands first,
    while it is small.
    """

    cpu_seconds: float
    wall_seconds: float
    peak_bytes: int


def run_apart(*arguments: str) -> Used:
    """Run a command of manage.py to its end; CalledProcessError where it fails."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments]
    before = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as child:  # noqa: S603  our own
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, arguments)
    cpu, wall = used.ru_utime + used.ru_stime, time.perf_counter() - before
    return Used(cpu, wall, peak_bytes(used))
