"""Processes that belong together end together; who should live is started again."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

import pytest

from annotation.management import supervisor
from annotation.management.supervisor import Child, end, supervise
from annotation.management.web_server import free_port

ROOT = Path(__file__).resolve().parents[3]
FOREVER = [sys.executable, "-c", "import time; time.sleep(600)"]
DEAF_WORDS = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("deaf", flush=True)
time.sleep(600)
"""
DEAF = [sys.executable, "-c", DEAF_WORDS]


def ends(status):
    return [sys.executable, "-c", f"raise SystemExit({status})"]


def supervised(children, *, seconds=None):
    """Supervise until all ends, or for some seconds; return the status and what was said."""
    stop, said = threading.Event(), []
    if seconds is not None:
        threading.Timer(seconds, stop.set).start()
    return supervise(children, stop, said.append), said


def test_the_end_of_one_that_is_not_restarted_ends_all():
    web, worker = Child("web server", ends(3)), Child("worker", FOREVER, restarts=True)
    status, said = supervised([web, worker])
    assert status == 3
    assert said == ["The web server ended with status 3; so does the rest."]
    assert worker.died() == -signal.SIGTERM


def test_one_that_is_to_live_is_started_again(monkeypatch):
    monkeypatch.setattr(supervisor, "LOOK_EVERY_SECONDS", 0.02)
    web = Child("web server", FOREVER)
    worker = Child("worker", FOREVER, restarts=True, pause=0.05)
    stop = threading.Event()
    pids = []

    def kill_twice():
        for _ in range(2):
            while worker.process is None or worker.died() is not None:
                time.sleep(0.02)
            pids.append(worker.process.pid)
            worker.process.kill()
            while worker.process.pid == pids[-1]:
                time.sleep(0.02)
        pids.append(worker.process.pid)
        stop.set()

    thread = threading.Thread(target=kill_twice)
    thread.start()
    said = []
    assert supervise([web, worker], stop, said.append) == 0
    thread.join()
    assert len(set(pids)) == 3
    assert len(said) == 2
    assert web.died() is not None
    assert worker.died() is not None


def test_one_that_dies_at_once_is_started_ever_more_seldom(monkeypatch):
    monkeypatch.setattr(supervisor, "LOOK_EVERY_SECONDS", 0.01)
    worker = Child("worker", ends(1), restarts=True, pause=0.2)
    _, said = supervised([worker, Child("web server", FOREVER)], seconds=1.5)
    # Pauses of 0.2, 0.4 and 0.8 s leave room for four ends in 1.5 s; equal ones would for eight.
    assert 1 <= len(said) <= 4
    assert worker.pause >= 0.4


def test_one_that_does_not_listen_is_killed(monkeypatch):
    monkeypatch.setattr(supervisor, "ENDS_WITHIN_SECONDS", 0.3)
    deaf = Child("worker", DEAF)
    deaf.process = subprocess.Popen(DEAF, stdout=subprocess.PIPE)
    with deaf.process.stdout as said:
        assert said.readline() == b"deaf\n"
    end([deaf])
    assert deaf.died() == -signal.SIGKILL


def alive(pid):
    """Whether a process runs; one that ended and was not yet waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def children_of(pid):
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in text.split()]


@pytest.mark.slow
def test_serve_runs_pages_and_a_worker_and_one_signal_ends_both(tmp_path):
    port = free_port(8600 + os.getpid() % 300)
    environment = os.environ | {"PARALLAX_VAR": str(tmp_path), "DATABASE_URL": ""}
    command = [sys.executable, "manage.py", "serve", "--bind", f"127.0.0.1:{port}"]
    serve = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE)
    try:
        assert b"Serving" in serve.stdout.readline()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                with closing(urlopen(f"http://127.0.0.1:{port}/login/")) as page:
                    assert page.status == 200
                    break
            except OSError:
                time.sleep(0.2)
        children = children_of(serve.pid)
        commands = [Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0") for pid in children]
        assert sorted(b"work" in words for words in commands) == [False, True]
        serve.send_signal(signal.SIGTERM)
        assert serve.wait(timeout=60) == 0
        assert not [pid for pid in children if alive(pid)]
    finally:
        serve.kill()
        serve.stdout.close()
        serve.wait()
