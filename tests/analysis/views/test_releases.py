"""The page of releases: what leaves is said, an archive is made in the background, taken, and gone."""

from zipfile import ZipFile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from analysis.runs.models import AnalysisRun
from analysis.runs.queue import Cancelled
from analysis.runs.release import release as release_run
from analysis.runs.worker import work_once
from annotation.errors import StateForbids
from annotation.exports import checks
from annotation.models import AuditEvent, Release
from annotation.services.erasure import annotator_erase
from annotation.services.releases import release_store, releases_erase
from tests.factories import AUTHOR, NOW, done_by_someone, imported, live

pytestmark = pytest.mark.django_db
PAGE = "/studies/tiny/release/"
MAKE, CANCEL, FIRST = f"{PAGE}make/", f"{PAGE}cancel/", f"{PAGE}1/"


def text(response):
    return " ".join(response.content.decode().split())


@pytest.fixture(autouse=True)
def kept(settings, tmp_path):
    settings.RELEASES_DIR = tmp_path / "kept"
    return tmp_path / "kept"


@pytest.fixture
def study():
    study = live(items=6, form_size=3, responses=0, replication=2)
    done_by_someone(study)
    return study


def store(study, tmp_path):
    """Keep some archive."""
    archive = tmp_path / "draft.zip"
    archive.write_bytes(b"zip")
    (tmp_path / "kept").mkdir(exist_ok=True)
    manifest = {"checks": [{"check": "nothing is wrong", "ok": True, "detail": "3 bytes"}]}
    return release_store(study, archive, manifest, erasures=0, author=AUTHOR, now=NOW)


def test_it_says_what_leaves_and_what_is_missing(staff, study):
    shown = text(staff.get(PAGE))
    assert "None yet." in shown
    assert "No licence is declared" in shown
    assert "judgments_wide" in shown
    assert "PlatformIdentity.ciphertext" in shown
    assert "order within the person only" in shown
    assert PAGE in text(staff.get("/studies/tiny/monitor/"))


def test_a_draft_has_nothing_to_release(staff):
    imported()
    assert "nothing to release" in text(staff.get(PAGE))
    assert "Make the release" not in text(staff.get(MAKE))
    assert staff.post(MAKE).status_code == 400
    assert not AnalysisRun.objects.exists()


def test_it_warns_then_makes_one_however_often_it_is_asked(staff, study, kept):
    assert "cannot be recalled" in text(staff.get(MAKE))
    assert not AnalysisRun.objects.exists()
    for _ in range(2):
        assert staff.post(MAKE)["Location"] == PAGE
    assert AnalysisRun.objects.count() == 1
    assert "Waiting for a worker." in text(staff.get(PAGE, {"part": "1"}))
    assert work_once()
    run = AnalysisRun.objects.get()
    assert (run.state, run.error) == ("done", "")
    made = Release.objects.get()
    assert run.result == {"number": 1, "sha256": made.sha256, "bytes": made.size}
    assert [path.name for path in kept.iterdir()] == [made.file_name]
    shown = text(staff.get(PAGE))
    assert made.sha256 in shown
    assert "no identifier stands in any file" in shown
    assert "data-refresh-end" in text(staff.get(PAGE, {"part": "1"}))
    with ZipFile(kept / made.file_name) as archive:
        assert {"judgments.parquet", "results/results.json"} <= set(archive.namelist())


def test_it_can_be_made_by_item(staff, study, kept):
    assert "counts of values by item alone" in text(staff.get(MAKE))
    staff.post(MAKE, {"tells": "by_item"})
    assert work_once()
    with ZipFile(next(kept.iterdir())) as archive:
        assert "item_values.csv" in archive.namelist()
        assert "annotators.csv" not in archive.namelist()


def test_cancelled_nothing_is_kept(staff, study, kept):
    staff.post(MAKE)
    assert staff.post(CANCEL).status_code == 303
    assert AnalysisRun.objects.get().state == "cancelled"
    assert not work_once()

    def stop(progress, doing):
        if progress > 0:
            raise Cancelled

    with pytest.raises(Cancelled):
        release_run(study, {"author": AUTHOR}, stop)
    assert list(kept.iterdir()) == []
    assert not Release.objects.exists()
    assert "nothing of it was kept" in text(staff.get(PAGE))


def test_what_a_killed_worker_left_is_gone_with_the_next(study, kept):
    left = kept / f"{study.pk}-making-x"
    left.mkdir(parents=True)
    release_run(study, {"author": AUTHOR}, lambda *_: None)
    assert [path.name for path in kept.iterdir()] == [f"{study.pk}-1.zip"]


def test_when_somebody_is_erased_meanwhile_it_says_so(
    study, kept, django_capture_on_commit_callbacks
):
    person = done_by_someone(study).annotator

    def report(progress, doing):
        if doing == "Analysing the tables":
            with django_capture_on_commit_callbacks(execute=True):
                annotator_erase(person, author=AUTHOR, now=NOW)
            assert list(kept.iterdir()) == []

    with pytest.raises(StateForbids, match="erased while the release was being made"):
        release_run(study, {"author": AUTHOR}, report)
    assert list(kept.iterdir()) == []
    assert not Release.objects.exists()


def test_one_whose_check_fails_says_why_in_a_sentence(staff, study, monkeypatch):
    failed = checks.Check("the plan stands", ok=False, detail="it was moved")
    monkeypatch.setattr(checks, "plan_unchanged", lambda *_: failed)
    staff.post(MAKE)
    assert work_once()
    said = ">Nothing was released, since a check failed. the plan stands: it was moved</p>"
    assert said in text(staff.get(PAGE))


def test_taken_it_is_noted_and_named_by_the_server(staff, study, tmp_path):
    store(study, tmp_path)
    assert "stands in the log" in text(staff.get(FIRST))
    assert not AuditEvent.objects.filter(verb="release_taken").exists()
    response = staff.post(FIRST)
    assert b"".join(response.streaming_content) == b"zip"
    assert response["Content-Disposition"] == 'attachment; filename="tiny-release-1.zip"'
    assert response["Content-Type"] == "application/zip"
    assert AuditEvent.objects.get(verb="release_taken").data["number"] == 1
    assert staff.get(f"{PAGE}2/").status_code == 404


def test_erased_it_is_gone(staff, study, tmp_path, django_capture_on_commit_callbacks):
    store(study, tmp_path)
    with django_capture_on_commit_callbacks(execute=True):
        releases_erase(study, author=AUTHOR, now=timezone.now())
    for method in (staff.get, staff.post):
        response = method(FIRST)
        assert response.status_code == 410
        assert "Release 1 is gone" in text(response)
    assert "download" not in text(staff.get(PAGE))


def test_a_file_that_is_not_there_is_said_to_be(staff, study, tmp_path, kept):
    (kept / store(study, tmp_path).file_name).unlink()
    assert "look in the backup" in text(staff.get(FIRST))


def test_it_asks_as_often_however_many_there_are(staff, study, tmp_path):
    def queries():
        with CaptureQueriesContext(connection) as asked:
            staff.get(PAGE)
        return len(asked)

    store(study, tmp_path)
    few = queries()
    store(study, tmp_path)
    done_by_someone(study)
    assert queries() == few <= 14


@pytest.mark.parametrize("path", [PAGE, MAKE, CANCEL, FIRST])
def test_it_is_for_staff(client, django_user_model, study, tmp_path, path):
    store(study, tmp_path)
    client.force_login(django_user_model.objects.create_user("ann"))
    for method in (client.get, client.post):
        assert method(path).status_code in {403, 405}
    assert not AnalysisRun.objects.exists()
    assert not AuditEvent.objects.filter(verb="release_taken").exists()
