"""Parts of a run on real Celery workers: delivered twice, killed over, cancelled; the sum is the same.

One Redis, one worker of two processes and one database serve the whole module.
"""

import os
import signal
import time
from contextlib import ExitStack
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from zipfile import ZipFile

import pandas as pd
import pytest
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test import override_settings
from django.utils import timezone

from analysis.pipelines.clcg.population import Settings
from analysis.pipelines.clcg.reading import Inputs
from analysis.runs.clcg import clcg_ask
from analysis.runs.handover import RUN_DO, call
from analysis.runs.kinds import RELEASE
from analysis.runs.listed import run_files
from analysis.runs.models import AnalysisRun, RunShard
from analysis.runs.queue import run_ask, run_cancel
from annotation.models import Release
from fixtures.generate.clcg_scores import FOLDER
from tests.concurrency.conftest import scratch_database
from tests.concurrency.processes import (
    Process,
    celery_worker,
    in_hand,
    redis_server,
    until,
    waiting,
)
from tests.factories import AUTHOR, MINUTE, NOW, done_by_someone, live

pytestmark = [
    pytest.mark.concurrency,
    pytest.mark.slow,
    pytest.mark.xdist_group("celery_parts"),
    pytest.mark.django_db(transaction=True),
]
FILES = 4
POOL = 2


@dataclass
class Cluster:
    """A Celery worker with its broker, and the file that holds its parts up."""

    worker: Process
    broker: str
    hold: Path

    def processes(self) -> set[int]:
        """Return the processes of the pool."""
        children = Path(f"/proc/{self.worker.pid}/task/{self.worker.pid}/children").read_text()
        return {int(pid) for pid in children.split()}

    def holder(self, part: int) -> int:
        """Return the process that began a part last."""
        return int(self.hold.with_name(str(part)).read_text())

    def idle(self) -> bool:
        """Whether no message waits or is in hand."""
        return waiting(self.broker) == in_hand(self.broker) == 0

    def waits_for(self, happens) -> bool:
        """Wait for something while the worker lives."""
        return until(happens, process=self.worker)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """Return a small table in some files."""
    folder = tmp_path_factory.mktemp("parts")
    whole = pd.read_parquet(FOLDER / "scores.parquet")
    documents = sorted(whole["doc_id"].unique())[:8]
    for number in range(FILES):
        part = whole[whole["doc_id"].isin(documents[number::FILES])]
        part.to_parquet(folder / f"{number}.parquet", index=False)
    settings = Settings(resamples=50, splits=5)
    return Inputs((folder,), {"token_f1": (0.0, 1.0)}, settings, FOLDER / "languages.csv")


@pytest.fixture(scope="module")
def expected(inputs, tmp_path_factory):
    """Return the files of the command that does it here and now."""
    out = tmp_path_factory.mktemp("command") / "out"
    call_command(
        "clcg", str(inputs.scores[0]), languages=inputs.languages, out=out,
        resamples=50, splits=5, no_figures=True, stdout=StringIO(),
    )  # fmt: skip
    return {path.name: path.read_bytes() for path in out.iterdir()}


@pytest.fixture(scope="module")
def started(tmp_path_factory, django_db_setup, django_db_blocker):
    """Start everything once."""
    folder = tmp_path_factory.mktemp("cluster")
    hold = folder / "hold"
    with ExitStack() as stack:
        stack.enter_context(django_db_blocker.unblock())
        url = stack.enter_context(scratch_database(folder))
        broker = stack.enter_context(redis_server(folder))
        stack.enter_context(override_settings(CELERY_BROKER_URL=broker))
        environment = {
            "DATABASE_URL": url,
            "PARALLAX_VAR": str(folder),
            "CELERY_BROKER_URL": broker,
            "RUN_SILENT_SECONDS": "1",
            "HOLD": str(hold),
        }
        options = ("--pool", "prefork", "--concurrency", str(POOL))
        worker = stack.enter_context(
            celery_worker("tests.concurrency.held_app", environment, *options)
        )
        yield Cluster(worker, broker, hold)


@pytest.fixture
def cluster(started):
    """Return the worker, holding every part up; it is idle again at the end."""
    started.hold.touch()
    yield started
    started.hold.unlink(missing_ok=True)
    assert started.waits_for(started.idle)


@pytest.fixture
def run(cluster, inputs):
    """Return a run of which each process of the pool has begun a part."""
    run = clcg_ask(inputs, figures=False, author=AUTHOR, now=timezone.now())
    assert cluster.waits_for(lambda: taken(run).count() == POOL)
    return run


def taken(run):
    return run.shards.filter(state=RunShard.State.TAKEN)


def ended(run):
    run.refresh_from_db()
    return run.ended


def freeze(process):
    """Stop a process, at a moment at which it does not hold what everybody needs."""
    os.kill(process, signal.SIGSTOP)
    while not writable():
        os.kill(process, signal.SIGCONT)
        time.sleep(0.05)
        os.kill(process, signal.SIGSTOP)


def writable():
    """Say whether SQLite's one lock for writers is free; PostgreSQL has none."""
    if connection.vendor != "sqlite":
        return True
    with connection.cursor() as cursor:
        (patience,) = cursor.execute("PRAGMA busy_timeout").fetchone()
        cursor.execute("PRAGMA busy_timeout = 500")
        try:
            cursor.execute("BEGIN IMMEDIATE")
            cursor.execute("ROLLBACK")
        except OperationalError:
            return False
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {patience}")
    return True


def test_a_part_that_is_delivered_twice_is_added_once(cluster, run, expected):
    frozen = cluster.holder(0)
    freeze(frozen)
    try:
        for _ in range(FILES):
            call(RUN_DO, run.pk)
        cluster.hold.unlink()
        # What the frozen process has is done by the other.
        assert cluster.waits_for(lambda: ended(run))
    finally:
        os.kill(frozen, signal.SIGCONT)
    # The frozen one goes on, and what it has is refused.
    assert cluster.waits_for(cluster.idle)
    run.refresh_from_db()
    assert (run.state, run.error) == ("done", "")
    assert run_files(run) == expected


def test_workers_killed_in_mid_part_are_replaced_and_the_run_comes_to_its_end(
    cluster, run, expected
):
    tokens = set(taken(run).values_list("token", flat=True))
    killed = cluster.processes()
    assert len(killed) == POOL
    for process in killed:
        os.kill(process, signal.SIGKILL)
    assert cluster.waits_for(lambda: len(cluster.processes() - killed) == POOL)
    assert set(taken(run).values_list("token", flat=True)) >= tokens
    cluster.hold.unlink()
    assert cluster.waits_for(lambda: ended(run))
    assert (run.state, run.error, run.attempts) == ("done", "", 1)
    assert run_files(run) == expected
    assert not RunShard.objects.exists()


def test_cancelling_stops_every_part(cluster, run):
    run_cancel(run, now=timezone.now())
    assert cluster.waits_for(lambda: ended(run))
    assert cluster.waits_for(cluster.idle)
    assert cluster.hold.exists()
    assert (run.state, run.result) == (AnalysisRun.State.CANCELLED, None)
    assert not RunShard.objects.exists()


def test_a_release_whose_analysis_needs_a_process_of_its_own_is_made_in_the_pool(cluster):
    """The processes of a pool are daemons, which may have no children of `multiprocessing`."""
    study = live(items=6, form_size=3)
    for n in range(3):
        done_by_someone(study, now=NOW + n * MINUTE)
    run = run_ask(
        study, RELEASE, {"author": AUTHOR}, input_sha256="", author=AUTHOR, now=timezone.now()
    )
    assert cluster.waits_for(lambda: ended(run))
    assert (run.state, run.error) == ("done", "")
    with ZipFile(cluster.hold.parent / "releases" / Release.objects.get().file_name) as archive:
        assert "results/results.json" in archive.namelist()
