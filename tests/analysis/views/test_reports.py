"""Reports: asked for, followed, cancelled, looked at; no request waits for one."""

from base64 import b64decode
from io import BytesIO
from zipfile import ZipFile

import pytest

from analysis.runs.models import AnalysisRun
from analysis.runs.worker import work_once
from annotation.services.exclusions import exclusion_by_hand
from tests.factories import AUTHOR, NOW, done_by_someone, live

pytestmark = pytest.mark.django_db
LIST, START = "/studies/tiny/reports/", "/studies/tiny/reports/start/"


def text(response):
    return " ".join(response.content.decode().split())


@pytest.fixture
def study():
    study = live(items=6, form_size=3, responses=0, replication=2)
    for _ in range(4):
        done_by_someone(study)
    return study


def started(staff):
    response = staff.post(START, {"kind": "human"})
    assert response.status_code == 303
    return response["Location"]


def test_before_the_first_there_is_none(staff):
    live()
    shown = text(staff.get(LIST))
    assert "Start: Report of the human study" in shown
    assert "None yet." in shown


def test_a_double_click_starts_one(staff, study):
    assert started(staff) == started(staff)
    assert AnalysisRun.objects.count() == 1


def test_a_waiting_run_says_so_and_its_part_comes_alone(staff, study):
    path = started(staff)
    assert "Waiting for a worker." in text(staff.get(path))
    part = text(staff.get(path, {"part": "1"}))
    assert "<html" not in part
    assert 'value="0"' in part
    AnalysisRun.objects.update(state="running", progress=0.4, doing="Computing")
    assert "40 % Computing" in text(staff.get(path, {"part": "1"}))


def test_a_finished_report_is_shown_with_what_it_stands_on(staff, study):
    path = started(staff)
    assert work_once()
    run = AnalysisRun.objects.get()
    assert run.error == ""
    assert "data-refresh-end" in text(staff.get(path, {"part": "1"}))
    shown = text(staff.get(path))
    assert "Open the report" in shown
    assert run.plan_sha256[:12] in shown
    assert run.input_sha256[:12] in shown
    assert "numpy" in shown
    assert "has changed since" not in shown
    page = staff.get(path + "report/")
    assert "Agreement" in text(page)
    policy = page.headers["Content-Security-Policy"]
    assert "sandbox" in policy
    assert "script-src 'none'" in policy
    assert "default-src 'none'" in policy
    document = staff.get(path + "json/").json()
    assert {"choice", "prefers_higher"} <= set(document["agreement"])


def test_all_files_come_as_one_archive(staff, study):
    path = started(staff)
    work_once()
    response = staff.get(path + "files/")
    assert response.headers["Content-Disposition"].startswith('attachment; filename="tiny-')
    with ZipFile(BytesIO(response.content)) as archive:
        names = archive.namelist()
    assert {"report.html", "results.json"} <= set(names)
    assert any(name.endswith(".svg") for name in names)
    assert response.content == b64decode(AnalysisRun.objects.get().result["archive"])


def test_a_report_says_when_the_study_has_changed_since(staff, study):
    path = started(staff)
    work_once()
    person = study.annotators.first()
    exclusion_by_hand(person, reason="Told so.", author=AUTHOR, now=NOW)
    assert "has changed since" in text(staff.get(path))
    assert started(staff) != path


def test_a_waiting_run_is_cancelled_at_once(staff, study):
    path = started(staff)
    assert staff.post(path + "cancel/")["Location"] == path
    assert "It was cancelled." in text(staff.get(path))
    assert staff.get(path + "report/").status_code == 404


def test_a_run_that_failed_says_why(staff, study, monkeypatch):
    monkeypatch.setattr("analysis.runs.human.study_sample", lambda *_: 1 / 0)
    path = started(staff)
    work_once()
    assert "ZeroDivisionError: division by zero" in text(staff.get(path))
    assert "failed" in text(staff.get(LIST))


def test_there_is_no_report_of_an_unknown_kind_or_of_another_study(staff, study):
    for kind in ("", "monitor", "x"):
        assert staff.post(START, {"kind": kind}).status_code == 404
    path = started(staff).replace("tiny", "other")
    for act in ("", "report/", "json/", "files/"):
        assert staff.get(path + act).status_code == 404
    assert staff.post(path + "cancel/").status_code == 404


def test_a_study_with_nothing_yet_has_a_report_that_says_so(staff):
    live()
    path = started(staff)
    work_once()
    assert AnalysisRun.objects.get().error == ""
    assert staff.get(path + "report/").status_code == 200
