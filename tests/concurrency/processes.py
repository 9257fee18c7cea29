"""A Redis and Celery workers of a test's own, started and ended."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from redis import Redis
from redis.exceptions import ConnectionError as RedisSilent

from annotation.management.web_server import free_port

ROOT = Path(__file__).resolve().parents[2]
WITHIN_SECONDS = 90
Process = subprocess.Popen[bytes]


def until(happens: Callable[[], bool], *, process: Process | None = None) -> bool:
    """Wait for something; return whether it came."""
    deadline = time.monotonic() + WITHIN_SECONDS
    while time.monotonic() < deadline:
        if happens():
            return True
        assert process is None or process.poll() is None
        time.sleep(0.1)
    return False


@contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    """Start a Redis that keeps nothing, and return its address."""
    port = free_port(16_379 + os.getpid() % 500)
    url = f"redis://127.0.0.1:{port}/0"
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    redis = subprocess.Popen(["redis-server", *options], stdout=subprocess.DEVNULL)
    try:
        assert until(lambda: _answers(url), process=redis)
        yield url
    finally:
        _end(redis)


@contextmanager
def celery_worker(app: str, environment: Mapping[str, str], *options: str) -> Iterator[Process]:
    """Start a Celery worker of an app."""
    command = [sys.executable, "-m", "celery", "-A", app, "worker", "-l", "WARNING", *options]
    worker = subprocess.Popen(command, cwd=ROOT, env=os.environ | environment)
    try:
        yield worker
    finally:
        _end(worker)


def _end(process: Process) -> None:
    """End a process, and by force where it does not listen.

    Now and then a worker of Celery that has ended its pool hangs while the interpreter is taken down,
    in the code of a library that was loaded before the pool was forked.
    """
    process.terminate()
    try:
        process.wait(timeout=15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def waiting(url: str) -> int:
    """Return how many messages nobody has taken."""
    with closing(Redis.from_url(url)) as redis:
        return int(redis.llen("celery"))


def in_hand(url: str) -> int:
    """Return how many messages were taken and are not yet done with."""
    with closing(Redis.from_url(url)) as redis:
        return int(redis.hlen("unacked"))


def _answers(url: str) -> bool:
    with closing(Redis.from_url(url)) as redis:
        try:
            return bool(redis.ping())
        except RedisSilent:
            return False
