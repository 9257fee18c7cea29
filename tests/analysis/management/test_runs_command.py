"""`clcg --background` and `runs`: queued by a command, listed, cancelled, and its files written."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from analysis.reports.bundle import Report
from analysis.runs.models import AnalysisRun
from analysis.runs.packed import packed
from analysis.runs.queue import run_ask
from fixtures.generate.clcg_scores import FOLDER
from tests.factories import AUTHOR, NOW, live

pytestmark = pytest.mark.django_db
SCORES, LANGUAGES = FOLDER / "scores.parquet", FOLDER / "languages.csv"
TRACES = FOLDER.parent / "trace" / "mgsm"


def said(*arguments):
    out = StringIO()
    call_command(*map(str, arguments), stdout=out)
    return out.getvalue()


def queued(*options):
    return said("clcg", SCORES, "--languages", LANGUAGES, "--background", *options)


def test_it_is_queued_once_and_says_its_number_and_what_to_do(monkeypatch):
    monkeypatch.chdir(FOLDER)
    told = said("clcg", SCORES.name, "--languages", LANGUAGES.name, "--background")
    run = AnalysisRun.objects.get()
    assert f"Run {run.pk} waits for a worker" in told
    assert f"manage.py runs --files {run.pk} --out DIR" in told
    assert json.loads(queued("--json")) == {"run": run.pk, "state": "queued"}
    assert (run.study, run.kind, run.state) == (None, "clcg", "queued")
    assert run.parameters["scores"] == [str(SCORES)]
    assert run.parameters["languages"] == str(LANGUAGES)
    assert len(run.input_sha256) == 64
    queued("--seed", "7")
    assert AnalysisRun.objects.count() == 2


def test_a_table_that_is_not_there_is_named_and_nothing_is_queued():
    with pytest.raises(CommandError, match="no such file"):
        queued("--models", "nowhere.csv")
    assert not AnalysisRun.objects.exists()


def test_a_table_that_may_not_be_read_is_named_and_nothing_is_queued(monkeypatch):
    def denied(_):
        raise PermissionError(13, "Permission denied", "secret.csv")

    for kind in ("clcg", "trace"):
        monkeypatch.setattr(f"analysis.runs.{kind}.files_sha256", denied)
    for asked in (queued, lambda: said("trace", TRACES, "--background")):
        with pytest.raises(CommandError, match=r"secret\.csv: Permission denied\."):
            asked()
    assert not AnalysisRun.objects.exists()


@pytest.mark.parametrize("options", [("--seed", "-1"), ("--resamples", "0")])
def test_a_number_that_means_nothing_is_refused(options):
    with pytest.raises(CommandError, match="is not a whole number from"):
        said("trace", TRACES, "--background", *options)


def test_a_database_that_does_not_answer_is_told(monkeypatch):
    def silent(_):
        raise OperationalError("connection refused")

    monkeypatch.setattr("annotation.management.database.MigrationExecutor", silent)
    for asked in (queued, lambda: said("runs")):
        with pytest.raises(CommandError, match="The database does not answer: connection refused"):
            asked()


@pytest.mark.parametrize("options", [(), ("--out", "x", "--background")])
def test_it_is_either_here_or_in_the_background(options):
    with pytest.raises(CommandError, match="--background"):
        said("clcg", SCORES, "--languages", LANGUAGES, *options)


def test_runs_are_listed_the_newest_first_without_the_monitor_s_own():
    study = live()
    for kind in ("human", "monitor"):
        run_ask(study, kind, {}, input_sha256="", author=AUTHOR, now=NOW)
    assert said("runs").split() == [
        str(AnalysisRun.objects.get(kind="human").pk), "human", "tiny", "queued", "0%",
    ]  # fmt: skip
    queued()
    AnalysisRun.objects.filter(kind="clcg").update(state="running", progress=0.4, doing="Adding up")
    first, second = json.loads(said("runs", "--json"))["runs"]
    assert (first["kind"], first["study"], first["progress"]) == ("clcg", None, 0.4)
    assert (second["kind"], second["study"], second["state"]) == ("human", "tiny", "queued")
    assert "running     40%  Adding up" in said("runs")
    AnalysisRun.objects.filter(kind="clcg").update(state="failed", error="row 2: no\nrow 3: no")
    assert said("runs").splitlines()[0].endswith("40%  row 2: no")


def test_before_the_first_there_is_none():
    assert said("runs") == "No analysis was asked for yet.\n"


def test_one_that_waits_is_cancelled_at_once_and_one_that_runs_is_told_to_stop():
    queued()
    run = AnalysisRun.objects.get()
    assert "cancelled" in said("runs", "--cancel", run.pk)
    assert AnalysisRun.objects.get().state == "cancelled"
    queued()
    later = AnalysisRun.objects.get(state="queued")
    AnalysisRun.objects.filter(pk=later.pk).update(state="running")
    assert "stopping" in said("runs", "--cancel", later.pk)
    assert AnalysisRun.objects.get(pk=later.pk).cancel_asked


def test_one_that_has_ended_is_not_cancelled_and_that_is_said():
    queued()
    run = AnalysisRun.objects.get()
    said("runs", "--cancel", run.pk)
    with pytest.raises(CommandError, match=f"Run {run.pk} is cancelled already; there is nothing"):
        said("runs", "--cancel", run.pk)


def test_the_files_of_one_that_is_done_are_written_and_of_no_other(tmp_path):
    queued()
    run = AnalysisRun.objects.get()
    with pytest.raises(CommandError, match=f"Run {run.pk} is queued; only one that is done"):
        said("runs", "--files", run.pk, "--out", tmp_path / "out")
    AnalysisRun.objects.update(state="done", result=packed(Report("A title", {"b": 1, "a": 2})))
    assert "2 files" in said("runs", "--files", run.pk, "--out", tmp_path / "out")
    assert (tmp_path / "out" / "results.json").read_text() == '{\n "b": 1,\n "a": 2\n}\n'
    with pytest.raises(CommandError, match="is not empty"):
        said("runs", "--files", run.pk, "--out", tmp_path / "out")
    said("runs", "--files", run.pk, "--out", tmp_path / "out", "--force")
    AnalysisRun.objects.update(result={})
    with pytest.raises(CommandError, match="made no files"):
        said("runs", "--files", run.pk, "--out", tmp_path / "again")


@pytest.mark.parametrize("options", [("--files", "1"), ("--out", "x")])
def test_files_and_folder_go_together(options):
    with pytest.raises(CommandError, match="go together") as wrong:
        said("runs", *options)
    assert wrong.value.returncode == 2


def test_a_run_that_is_not_there_is_told():
    with pytest.raises(CommandError, match=r"There is no run 7; manage\.py runs lists"):
        said("runs", "--cancel", "7")
