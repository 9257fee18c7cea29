"""Runs behind Celery, with a real Redis and a real worker: the same rows, the same results."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from redis import Redis

from analysis.runs import tasks
from analysis.runs.handover import RUN_DO, call
from analysis.runs.kinds import MONITOR
from analysis.runs.models import AnalysisRun
from analysis.runs.queue import run_ask
from analysis.runs.worker import work_once
from annotation.management.web_server import free_port
from tests.concurrency.processes import celery_worker, redis_server, until, waiting
from tests.factories import AUTHOR, NOW, done_by_someone, live

pytestmark = [pytest.mark.concurrency, pytest.mark.slow]


@pytest.fixture
def broker(tmp_path: Path, settings) -> Iterator[str]:
    """Start a Redis of the test's own and hand runs to it."""
    with redis_server(tmp_path) as url:
        settings.CELERY_BROKER_URL = url
        yield url


@pytest.fixture
def start_worker(scratch_url: str, broker: str, tmp_path: Path):
    """Return a way to start Celery workers on the test's database."""
    with ExitStack() as started:
        environment = {
            "DATABASE_URL": scratch_url,
            "PARALLAX_VAR": str(tmp_path),
            "CELERY_BROKER_URL": broker,
        }
        yield lambda: started.enter_context(
            celery_worker("config.celery", environment, "--pool", "solo")
        )


def asked(study, **parameters):
    return run_ask(study, MONITOR, parameters, input_sha256="", author=AUTHOR, now=NOW)


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
    call(RUN_DO, first.pk)
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


def test_a_call_to_look_that_nobody_hears_is_told_in_the_log(settings, caplog):
    settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{free_port(17_000)}/0"
    tasks.call_somebody()
    assert "the broker does not answer" in caplog.text
