"""Runs behind Celery, with a real Redis and a real worker: the same rows, the same results."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as RedisSilent

from analysis.runs.handover import _send
from analysis.runs.kinds import MONITOR
from analysis.runs.models import AnalysisRun
from analysis.runs.queue import run_ask
from analysis.runs.worker import work_once
from annotation.management.web_server import free_port
from tests.factories import AUTHOR, NOW, done_by_someone, live

pytestmark = [pytest.mark.concurrency, pytest.mark.slow]
ROOT = Path(__file__).resolve().parents[2]
WITHIN_SECONDS = 90


def until(happens, *, process=None):
    """Wait for something; return whether it came."""
    deadline = time.monotonic() + WITHIN_SECONDS
    while time.monotonic() < deadline:
        if happens():
            return True
        assert process is None or process.poll() is None
        time.sleep(0.2)
    return False


def answers(url: str) -> bool:
    with closing(Redis.from_url(url)) as redis:
        try:
            return bool(redis.ping())
        except RedisSilent:
            return False


@pytest.fixture
def broker(tmp_path: Path, settings) -> Iterator[str]:
    """Start a Redis of the test's own and hand runs to it."""
    port = free_port(16_379 + os.getpid() % 500)
    url = f"redis://127.0.0.1:{port}/0"
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    redis = subprocess.Popen(["redis-server", *options], stdout=subprocess.DEVNULL)
    assert until(lambda: answers(url), process=redis)
    settings.CELERY_BROKER_URL = url
    yield url
    redis.terminate()
    redis.wait(timeout=30)


@pytest.fixture
def start_worker(scratch_url: str, broker: str, tmp_path: Path):
    """Return a way to start Celery workers on the test's database."""
    environment = os.environ | {
        "DATABASE_URL": scratch_url,
        "PARALLAX_VAR": str(tmp_path),
        "CELERY_BROKER_URL": broker,
    }
    command = [sys.executable, "-m", "celery", "-A", "config.celery", "worker", "--pool", "solo"]
    started = []

    def start() -> subprocess.Popen[bytes]:
        worker = subprocess.Popen([*command, "-l", "WARNING"], cwd=ROOT, env=environment)
        started.append(worker)
        return worker

    yield start
    for worker in started:
        worker.send_signal(signal.SIGTERM)
        worker.wait(timeout=60)


def asked(study, **parameters):
    return run_ask(study, MONITOR, parameters, input_sha256="", author=AUTHOR, now=NOW)


def waiting(url: str) -> int:
    with closing(Redis.from_url(url)) as redis:
        return int(redis.llen("celery"))


def ended(*runs) -> bool:
    numbers = [run.pk for run in runs]
    return not AnalysisRun.objects.filter(pk__in=numbers).exclude(state="done").exists()


def test_a_run_goes_by_its_number_and_is_done_once(scratch_url, broker, start_worker):
    study = live()
    done_by_someone(study)
    first, second = asked(study), asked(study, n=2)
    assert waiting(broker) == 2
    with closing(Redis.from_url(broker)) as redis:
        message = redis.lindex("celery", 0).decode()
    assert study.slug not in message
    # The same message again, as a broker may deliver it.
    _send(first.pk)
    worker = start_worker()
    assert until(lambda: ended(first, second), process=worker)
    assert until(lambda: waiting(broker) == 0, process=worker)
    first.refresh_from_db()
    assert first.result["judgments"] == 3
    assert first.attempts == 0


def test_while_the_broker_is_down_a_run_waits_in_the_database(scratch_url, settings):
    settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{free_port(17_000)}/0"
    run = asked(live())
    run.refresh_from_db()
    assert run.state == "queued"
    assert work_once()
    assert ended(run)
