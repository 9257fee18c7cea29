"""The worker that needs no broker goes on when its database was away."""

import threading
from unittest.mock import Mock

import pytest
from django.db import OperationalError, connection, connections

from analysis.runs import worker
from analysis.runs.worker import work


@pytest.fixture
def stop():
    return threading.Event()


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(worker, "AWAY_SECONDS", 0.01)
    monkeypatch.setattr(worker, "see_to_what_is_due", lambda **_: None)


def test_a_database_that_is_away_is_waited_for_over_a_new_connection(monkeypatch, stop, caplog):
    close = Mock()
    monkeypatch.setattr(connections, "close_all", close)
    answers = iter([OperationalError("gone"), OperationalError("still gone"), True])

    def work_once():
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        stop.set()
        return answer

    monkeypatch.setattr(worker, "work_once", work_once)
    work(stop)
    assert close.call_count == 2
    assert caplog.text.count("the work goes on when it does") == 2


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_the_server_ended_is_opened_anew(monkeypatch, stop):
    done = worker.work_once
    asked = []

    def work_once():
        asked.append(connection.connection is None)
        if len(asked) > 2:
            stop.set()
        return done()

    monkeypatch.setattr(worker, "work_once", work_once)
    connection.ensure_connection()
    if server := connection.vendor == "postgresql":
        other = connection.copy()
        with connection.cursor() as cursor, other.cursor() as ender:
            cursor.execute("SELECT pg_backend_pid()")
            ender.execute("SELECT pg_terminate_backend(%s)", cursor.fetchone())
        other.close()
    work(stop, every=0.01)
    assert asked == [False, server, False]
