"""The monitor: what it shows, in how many queries, and that looking changes nothing."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from analysis.runs import watch as watching
from analysis.runs.models import AnalysisRun
from analysis.runs.worker import work_once
from analysis.views.shown import _coverage
from tests.factories import ATTENTION, CHECK, HASTY, MINUTE, done_by_someone, live

pytestmark = pytest.mark.django_db
PAGE, REFRESH = "/studies/tiny/monitor/", "/studies/tiny/monitor/refresh/"


def judged(people, **shape):
    """Return a study that some people have judged in the last hours."""
    study = live(**shape)
    for n in range(people):
        done_by_someone(study, now=timezone.now() - (people - n) * 10 * MINUTE)
    return study


def queries(client, path):
    client.get(path)
    with CaptureQueriesContext(
        connection,
    ) as seen:
        assert client.get(path).status_code == 200
    return [query["sql"] for query in seen.captured_queries]


def text(response):
    return " ".join(response.content.decode().split())


def test_before_the_first_numbers_the_page_says_so(staff):
    live()
    shown = text(staff.get(PAGE))
    assert "not computed yet" in shown
    assert "nobody has come yet, 4 forms open" in shown
    assert not AnalysisRun.objects.exists()


def test_a_refresh_asks_for_numbers_and_the_page_shows_them(staff):
    judged(3, attention=[CHECK], quality=[ATTENTION, HASTY])
    assert staff.post(REFRESH).headers["Location"] == PAGE
    assert work_once()
    shown = text(staff.get(PAGE))
    assert "updated 0 s ago" in shown
    assert "<dt>judgments</dt> <dd> 9 </dd>" in shown
    assert "passed every check, of 3 who met one" in shown
    assert "<span>Passed the checks</span>" in shown
    assert "1 more person needed" in shown
    assert "9 judgments in the last 24 hours" in shown
    assert "3 completed, 1 form open" in shown


def test_what_is_wanted_of_usual_items_and_of_anchors_is_told_apart():
    bands = _coverage([[4, 2], [2, 7], [1, 1], [0, 0]], 10, 2)
    assert [(band["times"], band["kind"]) for band in bands] == [
        ("4, all that is wanted of anchors", "full"),
        ("2, all that is wanted of usual items", "full"),
        ("1", "few"),
        ("0", "none"),
    ]
    assert _coverage([[2, 9], [1, 1]], 10, 2)[0]["times"] == "2, all that is wanted"


def test_the_part_that_changes_comes_alone(staff):
    judged(1)
    part = text(staff.post(REFRESH, {"part": "1"}))
    assert "<html" not in part
    assert "new numbers are on their way, 0 %" in part


def test_a_dimension_on_which_nobody_can_agree_yet_says_why(staff):
    judged(1)
    staff.post(REFRESH)
    work_once()
    assert "no item was rated by two raters" in text(staff.get(PAGE))


def test_a_study_without_a_judgment_says_so(staff):
    live()
    staff.post(REFRESH)
    work_once()
    shown = text(staff.get(PAGE))
    assert "Nobody has judged anything yet." in shown
    assert "Nobody stands out." in shown


def test_numbers_are_asked_for_only_when_they_are_due(staff):
    study = judged(1)
    for _ in range(3):
        staff.post(REFRESH, {"part": "1"})
    assert AnalysisRun.objects.count() == 1
    work_once()
    staff.post(REFRESH)
    assert AnalysisRun.objects.count() == 1
    now = timezone.now() + watching.EVERY
    watching.monitor_ask(study, author="staff", now=now)
    assert AnalysisRun.objects.count() == 2


def test_costly_numbers_are_asked_for_less_often(staff):
    study = judged(1)
    staff.post(REFRESH)
    work_once()
    run = AnalysisRun.objects.get()
    AnalysisRun.objects.update(result=run.result | {"took": 60.0})
    found = watching.watch(study)
    assert not found.due(run.asked_at + timedelta(seconds=239))
    assert found.due(run.asked_at + timedelta(seconds=240))


def test_old_numbers_are_forgotten(staff):
    study = judged(1)
    for n in range(8):
        watching.monitor_ask(study, author="staff", now=timezone.now() + n * MINUTE)
        work_once()
    assert AnalysisRun.objects.count() == watching.KEPT + 1


def test_an_update_that_nobody_takes_says_that_no_worker_runs(staff):
    study = judged(1)
    watching.monitor_ask(study, author="staff", now=timezone.now() - MINUTE)
    assert "no worker runs" in text(staff.get(PAGE))


def test_an_update_that_failed_says_why(staff, monkeypatch):
    judged(1)
    monkeypatch.setattr("analysis.runs.monitor.study_progress", lambda _: 1 / 0)
    staff.post(REFRESH)
    work_once()
    assert "The last update failed: ZeroDivisionError" in text(staff.get(PAGE))


@pytest.mark.parametrize("path", [PAGE, "/studies/tiny/annotators/", "/studies/tiny/reports/"])
def test_a_page_makes_the_same_queries_whatever_the_size(staff, path):
    study = judged(1, items=60, form_size=3)
    staff.post(REFRESH)
    work_once()
    few = queries(staff, path)
    for _ in range(12):
        done_by_someone(study, now=timezone.now())
    AnalysisRun.objects.update(asked_at=timezone.now() - MINUTE)
    staff.post(REFRESH)
    work_once()
    many = queries(staff, path)
    assert len(few) == len(many) <= 8


def test_a_get_cannot_ask_and_a_forged_post_is_refused(staff, django_user_model):
    live()
    assert staff.get(REFRESH).status_code == 405
    strict = type(staff)(enforce_csrf_checks=True)
    strict.force_login(django_user_model.objects.get())
    assert strict.post(REFRESH).status_code == 403
    assert not AnalysisRun.objects.exists()


def test_what_is_not_there_is_not_found(staff):
    live()
    assert staff.get("/studies/other/monitor/").status_code == 404
    assert staff.post("/studies/other/monitor/refresh/").status_code == 404
