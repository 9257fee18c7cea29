"""Runs: asked once, taken once, reaped when silent, stopped when asked."""

import threading
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import QuerySet

from analysis.runs import queue, worker
from analysis.runs.heartbeat import beating
from analysis.runs.kinds import KINDS, Kind
from analysis.runs.models import AnalysisRun
from analysis.runs.queue import (
    ATTEMPTS,
    SILENT_FOR,
    Cancelled,
    run_ask,
    run_cancel,
    run_cancelled,
    run_claim,
    run_done,
    run_failed,
    run_heartbeat,
    run_report,
    run_take,
    runs_reap,
)
from tests.concurrency.threads import at_once
from tests.factories import AUTHOR, MINUTE, NOW, live

State = AnalysisRun.State
pytestmark = pytest.mark.django_db


def double(study, parameters, report):
    """An analysis that doubles a number, or does what the parameters say instead."""
    report(0.5, "half way")
    if parameters.get("fails"):
        raise ValueError("the input is empty")
    return {"study": study.slug, "double": 2 * parameters["number"]}


def unstorable(study, parameters, report):
    """An analysis whose result no database takes."""
    return {"study": study}


@pytest.fixture
def doubling(monkeypatch):
    monkeypatch.setitem(KINDS, "double", Kind("Doubling", __name__, "double"))


@pytest.fixture
def study():
    return live()


def ask(study, **parameters):
    return run_ask(study, "double", parameters, input_sha256="ab", author=AUTHOR, now=NOW)


def test_the_same_question_while_one_is_on_its_way_is_one_run(study):
    first, second = ask(study, number=1), ask(study, number=1)
    assert first.pk == second.pk
    assert ask(study, number=2).pk != first.pk


def test_the_same_question_after_the_end_is_a_new_run(study, doubling):
    first = ask(study, number=1)
    assert worker.work_once()
    assert ask(study, number=1).pk != first.pk


def test_a_run_is_done_and_says_with_what(study, doubling):
    run = ask(study, number=21)
    assert worker.work_once()
    run.refresh_from_db()
    assert run.state == State.DONE
    assert run.result == {"study": study.slug, "double": 42}
    assert run.progress == 1.0
    assert run.plan_sha256 == study.plan_lock.sha256
    assert "numpy" in run.versions
    assert not worker.work_once()


def test_a_run_that_fails_says_why(study, doubling):
    run = ask(study, fails=True)
    worker.work_once()
    run.refresh_from_db()
    assert (run.state, run.error) == (State.FAILED, "ValueError: the input is empty")


def test_the_oldest_comes_first_and_is_taken_once(study):
    first, second = ask(study, number=1), ask(study, number=2)
    assert run_claim(now=NOW).pk == first.pk
    assert run_claim(now=NOW).pk == second.pk
    assert run_claim(now=NOW) is None
    assert not run_take(first.pk, now=NOW)


def test_a_waiting_run_is_cancelled_at_once(study, doubling):
    run = ask(study, number=1)
    run_cancel(run, now=NOW)
    run.refresh_from_db()
    assert run.state == State.CANCELLED
    assert not worker.work_once()


def test_one_that_is_cancelled_while_it_goes_back_to_the_queue_ends(study, monkeypatch):
    """Whoever looks for silent runs has read it before somebody cancels it: it must not wait for ever."""
    run = ask(study, number=1)
    run_claim(now=NOW)
    later = NOW + 2 * SILENT_FOR
    update = QuerySet.update

    def after_the_cancel(rows, **change):
        if "attempts" in change:
            monkeypatch.setattr(QuerySet, "update", update)
            run_cancel(run, now=later)
        return update(rows, **change)

    monkeypatch.setattr(QuerySet, "update", after_the_cancel)
    assert runs_reap(now=later) == 0
    assert runs_reap(now=later) == 1
    run.refresh_from_db()
    assert run.state == State.CANCELLED


def test_one_that_is_to_stop_does_not_wait_again_after_an_erasure(study):
    run = ask(study, number=1)
    run_claim(now=NOW)
    run_cancel(run, now=NOW)
    run_done(run, {}, erasures=-1, now=NOW)
    run.refresh_from_db()
    assert (run.state, run.result, run.ended_at) == (State.CANCELLED, None, NOW)


def test_a_result_that_cannot_be_stored_fails_its_run_and_the_worker_goes_on(study, monkeypatch):
    monkeypatch.setitem(KINDS, "double", Kind("Doubling", __name__, "unstorable"))
    run = ask(study, number=1)
    assert worker.work_once()
    run.refresh_from_db()
    assert run.state == State.FAILED
    assert "not JSON serializable" in run.error


def test_why_a_run_failed_can_be_stored_whatever_it_holds(study):
    run = ask(study, number=1)
    run_claim(now=NOW)
    run_failed(run, "the model 'a\0b' is unknown", now=NOW)
    run.refresh_from_db()
    assert run.error == "the model 'a\\0b' is unknown"


def test_a_running_one_is_cancelled_at_its_next_report(study):
    run = ask(study, number=1)
    run_claim(now=NOW)
    run_report(run, 0.2, "reading", now=NOW)
    run_cancel(run, now=NOW)
    with pytest.raises(Cancelled):
        run_report(run, 0.4, "resampling", now=NOW)
    run_done(run, {}, erasures=0, now=NOW)
    run.refresh_from_db()
    assert run.state == State.DONE  # it finished before it heard


def test_a_silent_worker_loses_its_run_and_after_some_attempts_it_has_failed(study):
    run = ask(study, number=1)
    now = NOW
    for attempt in range(ATTEMPTS):
        assert run_claim(now=now).pk == run.pk
        assert runs_reap(now=now + SILENT_FOR - timedelta(seconds=1)) == 0
        now += SILENT_FOR + MINUTE
        assert runs_reap(now=now) == 1
        run.refresh_from_db()
        assert run.state == (State.FAILED if attempt == ATTEMPTS - 1 else State.QUEUED)
    assert run.error == "Its worker stopped without a word."


def test_a_reaped_worker_cannot_store_its_result(study):
    run = ask(study, number=1)
    run_claim(now=NOW)
    runs_reap(now=NOW + 2 * SILENT_FOR)
    run_done(run, {"late": True}, erasures=0, now=NOW)
    run.refresh_from_db()
    assert (run.state, run.result) == (State.QUEUED, None)


def everything_that_a_worker_says(run):
    """Let a worker say all that it can of its run; whether it heard that it should stop."""
    later = NOW + 9 * SILENT_FOR
    run_heartbeat(run, now=later)
    run_failed(run, "too late", now=later)
    run_cancelled(run, now=later)
    run_done(run, {"late": True}, erasures=0, now=later)
    with suppress(Cancelled):
        run_report(run, 0.9, "still here", now=later)
        return False
    return True


def test_a_worker_that_was_only_slow_says_nothing_more_of_what_another_has(study):
    ask(study, number=1)
    slow = run_claim(now=NOW)
    runs_reap(now=NOW + 2 * SILENT_FOR)
    other = run_claim(now=NOW + 3 * SILENT_FOR)
    before = AnalysisRun.objects.filter(pk=other.pk).values().get()
    assert (other.pk, before["state"]) == (slow.pk, State.RUNNING)
    assert everything_that_a_worker_says(slow)
    assert AnalysisRun.objects.filter(pk=other.pk).values().get() == before


def test_without_the_number_of_its_attempt_it_would(study):
    """The control: the test above would notice."""
    ask(study, number=1)
    slow = run_claim(now=NOW)
    runs_reap(now=NOW + 2 * SILENT_FOR)
    slow.attempts = run_claim(now=NOW + 3 * SILENT_FOR).attempts
    everything_that_a_worker_says(slow)
    slow.refresh_from_db()
    assert (slow.state, slow.error) == (State.FAILED, "too late")


def test_what_else_the_database_refuses_is_told_and_never_taken_for_the_same_question(study):
    with pytest.raises(IntegrityError, match="author"):
        run_ask(study, "double", {}, input_sha256="ab", author=None, now=NOW)
    ask(study, number=1)
    with pytest.raises(IntegrityError, match="author"):
        run_ask(study, "double", {"number": 1}, input_sha256="ab", author=None, now=NOW)


def test_one_that_ended_just_before_it_was_looked_for_is_asked_again(study, monkeypatch):
    first = ask(study, number=1)
    stored = queue._stored

    def refused(run):
        """Refuse, and then end the run that was in the way."""
        was = stored(run)
        AnalysisRun.objects.filter(pk=first.pk).update(state=State.CANCELLED)
        return was

    monkeypatch.setattr(queue, "_stored", refused)
    second = ask(study, number=1)
    assert (second.pk != first.pk, second.state) == (True, State.QUEUED)


@pytest.mark.parametrize(
    "broken",
    [{"state": "gone"}, {"state": "done", "result": None}, {"progress": 1.5}],
    ids=["state", "result", "progress"],
)
def test_the_database_refuses(study, broken):
    run = ask(study, number=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        AnalysisRun.objects.filter(pk=run.pk).update(**broken)


def test_a_beat_that_the_database_does_not_take_is_not_the_last():
    beats, heard = [], threading.Event()

    def beat():
        beats.append(1)
        if len(beats) == 1:
            raise OperationalError("database is locked")
        heard.set()

    with beating(beat, every=0.001):
        assert heard.wait(5)


@pytest.mark.concurrency
@pytest.mark.django_db(transaction=True)
def test_many_workers_do_each_run_once():
    study = live()
    asked = {ask(study, number=n).pk for n in range(20)}
    taken, lock = [], threading.Lock()
    gate = threading.Barrier(8)

    def take_all():
        gate.wait()
        try:
            while (run := run_claim(now=NOW)) is not None:
                with lock:
                    taken.append(run.pk)
        finally:
            connection.close()

    threads = [threading.Thread(target=take_all) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == sorted(asked)


@pytest.mark.concurrency
@pytest.mark.django_db(transaction=True)
def test_many_who_ask_the_same_at_once_get_one_run():
    study = live()
    assert len({run.pk for run in at_once([lambda: ask(study, number=1)] * 6)}) == 1
    assert AnalysisRun.objects.count() == 1


@pytest.mark.concurrency
@pytest.mark.django_db(transaction=True)
def test_without_the_constraint_they_would_not():
    """The control: all look, all find none, and all but one meet the constraint."""
    study, looked = live(), threading.Barrier(4)

    def look_and_store():
        assert not AnalysisRun.objects.filter(fingerprint="ab").exists()
        looked.wait(30)
        try:
            AnalysisRun.objects.create(
                study=study, kind="double", fingerprint="ab", author=AUTHOR, asked_at=NOW
            )
        except IntegrityError:
            return False
        return True

    assert sum(at_once([look_and_store] * 4)) == 1
