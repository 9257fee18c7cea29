"""The page of analyses over files: listed, followed, cancelled, looked at and taken."""

from io import BytesIO
from zipfile import ZipFile

import pytest

from analysis.pipelines.clcg.population import Settings
from analysis.pipelines.clcg.reading import Inputs
from analysis.reports.bundle import Report
from analysis.runs.clcg import clcg_ask
from analysis.runs.models import AnalysisRun
from analysis.runs.packed import packed
from analysis.runs.queue import run_ask
from fixtures.generate.clcg_scores import FOLDER
from tests.factories import AUTHOR, NOW, live

pytestmark = pytest.mark.django_db
LIST, TITLE = "/analyses/", "The cross-lingual gap"


def text(response):
    return " ".join(response.content.decode().split())


@pytest.fixture
def run():
    scores = (FOLDER / "scores.parquet",)
    inputs = Inputs(scores, {"token_f1": (0.0, 1.0)}, Settings(), FOLDER / "languages.csv")
    return clcg_ask(inputs, figures=False, author=AUTHOR, now=NOW)


@pytest.fixture
def done(run):
    report = Report("A title", {"b": 1, "a": 2})
    AnalysisRun.objects.update(state="done", progress=1.0, result=packed(report))
    return run


def test_before_the_first_it_says_how_to_ask(staff):
    shown = text(staff.get(LIST))
    assert "None yet." in shown
    assert "--background" in shown


def test_it_lists_runs_over_files_alone(staff, run):
    run_ask(live(), "human", {}, input_sha256="", author=AUTHOR, now=NOW)
    shown = text(staff.get(LIST))
    assert TITLE in shown
    assert "scores.parquet" in shown
    assert "Report of the human study" not in shown
    AnalysisRun.objects.filter(pk=run.pk).update(state="running", progress=0.25)
    assert "running 25 %" in text(staff.get(LIST))


def test_the_list_costs_the_same_however_many_there_are(staff, run, django_assert_num_queries):
    staff.get(LIST)
    for n in range(3):
        AnalysisRun.objects.create(kind="clcg", fingerprint=n, author=AUTHOR, asked_at=NOW)
    with django_assert_num_queries(4):
        staff.get(LIST)


def test_older_runs_are_on_further_pages(staff, run):
    more = (
        AnalysisRun(kind="clcg", fingerprint=n, state="failed", author=AUTHOR, asked_at=NOW)
        for n in range(60)
    )
    AnalysisRun.objects.bulk_create(more)
    assert "1 of 2" in text(staff.get(LIST))
    assert f"{LIST}{run.pk}/" in text(staff.get(LIST, {"page": "2"}))


def test_a_run_is_followed_and_its_part_comes_alone(staff, run):
    path = f"{LIST}{run.pk}/"
    shown = text(staff.get(path))
    assert "is one running (<code>manage.py work</code>)?" in shown
    assert f"<title> {TITLE} {run.pk} · Parallax </title>" in shown
    assert str(FOLDER / "languages.csv") in shown
    assert run.input_sha256[:12] in shown
    AnalysisRun.objects.update(state="running", progress=0.4, doing="Reading: Part 2 of 3")
    part = text(staff.get(path, {"part": "1"}))
    assert "40 % Reading: Part 2 of 3" in part
    assert "<html" not in part
    assert staff.post(path + "cancel/")["Location"] == path
    assert "Stopping." in text(staff.get(path))


def test_one_that_waits_is_cancelled_at_once(staff, run):
    path = f"{LIST}{run.pk}/"
    assert staff.post(path + "cancel/").status_code == 303
    assert "It was cancelled." in text(staff.get(path))
    assert "data-refresh-end" in text(staff.get(path, {"part": "1"}))
    for act in ("report", "json", "files"):
        assert staff.get(f"{path}{act}/").status_code == 404


def test_one_that_failed_says_every_line_of_why(staff, run):
    AnalysisRun.objects.update(state="failed", error="ShardFailed: Part 1: a.csv\nrow 2: <b>")
    shown = staff.get(f"{LIST}{run.pk}/").content.decode()
    assert "Part 1: a.csv\nrow 2: &lt;b&gt;" in shown
    assert "failed" in text(staff.get(LIST))


def test_what_came_of_one_is_shown_and_taken(staff, done):
    path = f"{LIST}{done.pk}/"
    assert "Open the report" in text(staff.get(path))
    page = staff.get(path + "report/")
    assert "A title" in text(page)
    assert "sandbox" in page.headers["Content-Security-Policy"]
    numbers = staff.get(path + "json/")
    assert numbers.content == b'{\n "b": 1,\n "a": 2\n}\n'
    assert f"analysis-{done.pk}.json" in numbers.headers["Content-Disposition"]
    with ZipFile(BytesIO(staff.get(path + "files/").content)) as archive:
        assert archive.namelist() == ["report.html", "results.json"]
        assert archive.read("results.json") == numbers.content


def test_a_run_of_a_study_is_not_reached_from_here(staff):
    run = run_ask(live(), "human", {}, input_sha256="", author=AUTHOR, now=NOW)
    for act in ("", "report/", "json/", "files/"):
        assert staff.get(f"{LIST}{run.pk}/{act}").status_code == 404
    assert staff.post(f"{LIST}{run.pk}/cancel/").status_code == 404
    assert AnalysisRun.objects.get().state == "queued"


def test_every_page_of_staff_leads_here(staff):
    assert 'href="/analyses/"' in text(staff.get("/"))
