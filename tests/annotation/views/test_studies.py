"""The page of studies: found by name, some at a time, with numbers that can be read."""

import re
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Study
from annotation.selectors.progress import Progress
from annotation.services.claims import slots_release_expired
from tests.factories import MINUTE, NOW, annotator, claimed, definition, imported

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("ada", is_staff=True))
    return client


def many(count):
    """Make many drafts like one, without forms."""
    one = imported(replace(definition(slug="first"), title="Ferries & quays"))
    fields = {"seed": 1, "document": one.document, "folder_sha256": ""}
    Study.objects.bulk_create(
        Study(slug=f"s{n:04}", title=f"Study {n:04}", **fields) for n in range(count)
    )


def titles(client, query=""):
    html = client.get("/" + query).content.decode()
    return re.findall(r">([^<]+)</a>\s*</h2>", html)


def test_a_page_holds_twenty_and_asks_no_more_however_many_there_are(staff):
    asked = []
    for count in (25, 500):
        Study.objects.all().delete()
        many(count)
        with CaptureQueriesContext(connection) as queries:
            assert len(titles(staff)) == 20
        asked.append(len(queries))
    assert asked[0] == asked[1]
    assert len(titles(staff, "?page=26")) == 1
    assert "26 of 26" in staff.get("/?page=99").content.decode()


def test_a_study_is_found_by_a_part_of_its_title_or_slug(staff):
    many(30)
    assert titles(staff, "?q=ferries") == ["Ferries &amp; quays"]
    assert titles(staff, "?q=S0007") == ["Study 0007"]
    nothing = staff.get("/?q=<b>").content.decode()
    assert "No study is called “&lt;b&gt;” or like it." in nothing
    assert titles(staff, "?q=%00") == titles(staff)


def test_states_are_words_and_large_numbers_are_grouped(staff, monkeypatch):
    study = imported()
    study.state, study.launched_at = "live", NOW
    study.save()
    claimed(annotator(study))
    slots_release_expired(study, now=NOW + 61 * MINUTE)
    html = " ".join(staff.get("/").content.decode().split())
    assert "1 timed out" in html
    much = Progress("live", {}, {50: 20_000, 1: 0, 0: 7}, 50, 0, 0, 0, 1_234_567, 0)
    monkeypatch.setattr("annotation.views.studies.study_progress", lambda _: much)
    html = " ".join(staff.get("/").content.decode().split())
    assert all(n in html for n in ("1,000,000", "1,234,567", "20,000 items"))


def test_of_many_bands_those_are_shown_that_have_items():
    coverage = dict.fromkeys(range(51), 0) | {50: 3, 7: 2}
    assert Progress("live", {}, coverage, 50, 0, 0, 0, 0, 0).bands == [(50, 3), (7, 2)]
    few = Progress("live", {}, {0: 1, 1: 0, 2: 0}, 2, 0, 0, 0, 0, 0)
    assert few.bands == [(2, 0), (1, 0), (0, 1)]
