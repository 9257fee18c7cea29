"""Archives are kept under names that the server chooses, and all go when one must go."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from annotation.errors import StateForbids
from annotation.models import AuditEvent, Erasure, Release
from annotation.services.releases import (
    erasures_of,
    release_path,
    release_store,
    releases_erase,
)
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(settings, tmp_path):
    settings.RELEASES_DIR = tmp_path / "kept"
    return factories.live(items=6)


def stored(study, tmp_path, content=b"zip", erasures=0):
    archive = tmp_path / "draft.zip"
    archive.write_bytes(content)
    return release_store(
        study, archive, {"files": []}, erasures=erasures, author="boss", now=factories.NOW
    )


def test_releases_are_numbered_and_kept(study, tmp_path):
    first, second = stored(study, tmp_path), stored(study, tmp_path, b"another")
    assert (first.number, second.number) == (1, 2)
    assert release_path(first).read_bytes() == b"zip"
    assert release_path(second).read_bytes() == b"another"
    assert first.sha256 != second.sha256
    assert (first.size, second.size) == (3, 7)
    assert not (tmp_path / "draft.zip").exists()
    assert AuditEvent.objects.filter(verb="release_store").count() == 2


def test_erased_they_are_gone_and_their_rows_say_so(
    study, tmp_path, django_capture_on_commit_callbacks
):
    kept = [stored(study, tmp_path), stored(study, tmp_path)]
    later = factories.NOW + timedelta(hours=1)
    with django_capture_on_commit_callbacks(execute=True):
        assert releases_erase(study, author="boss", now=later) == 2
    assert not any(release_path(one).exists() for one in kept)
    rows = Release.objects.values_list("state", "erased_at", "manifest")
    assert set(map(str, rows)) == {str(("erased", later, {}))}
    event = AuditEvent.objects.get(verb="releases_erase")
    assert event.data == {"numbers": [1, 2]}
    assert releases_erase(study, author="boss", now=later) == 0
    assert stored(study, tmp_path).number == 3


def test_what_an_erasure_left_lying_goes_with_the_next(
    study, tmp_path, django_capture_on_commit_callbacks
):
    one = stored(study, tmp_path)
    releases_erase(study, author="boss", now=factories.NOW)
    assert release_path(one).exists()
    with django_capture_on_commit_callbacks(execute=True):
        releases_erase(study, author="boss", now=factories.NOW)
    assert not release_path(one).exists()


def test_what_a_killed_worker_left_goes_with_an_erasure_and_no_other_study_s(
    study, tmp_path, django_capture_on_commit_callbacks
):
    kept = tmp_path / "kept"
    for name in (f"{study.pk}-making-x", f"{study.pk}1-making-x"):
        (kept / name).mkdir(parents=True)
        (kept / name / "judgments.csv").write_text("p1")
    with django_capture_on_commit_callbacks(execute=True):
        releases_erase(study, author="boss", now=factories.NOW)
    assert [path.name for path in kept.iterdir()] == [f"{study.pk}1-making-x"]


def test_an_archive_begun_before_an_erasure_is_not_kept(study, tmp_path):
    before = erasures_of(study)
    Erasure.objects.create(
        receipt="r", study=study, at=factories.NOW, author="annotator", counts={}
    )
    with pytest.raises(StateForbids, match="make it again"):
        stored(study, tmp_path, erasures=before)
    assert not Release.objects.exists()
    assert stored(study, tmp_path, erasures=erasures_of(study)).number == 1


def test_the_database_refuses_a_release_that_is_neither_made_nor_erased(study, tmp_path):
    one = stored(study, tmp_path)
    wrong = [
        {"state": "lost"},
        {"state": "erased"},
        {"state": "erased", "erased_at": factories.NOW},
        {"erased_at": factories.NOW},
        {"number": 0},
    ]
    for change in wrong:
        with pytest.raises(IntegrityError), transaction.atomic():
            Release.objects.filter(pk=one.pk).update(**change)
    with pytest.raises(IntegrityError), transaction.atomic():
        Release.objects.create(
            study=study, number=1, made_at=factories.NOW, author="boss", sha256="", size=0
        )
