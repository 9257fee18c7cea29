"""The log reads as sentences, page after page, in as many queries however long it is."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import AuditEvent, AuditHead
from annotation.selectors.story import ON_A_PAGE, SENTENCES
from annotation.services.audit import audit_record, audit_verify
from annotation.services.erasure import BY_THEMSELVES, annotator_erase
from annotation.services.payments import payment_decide
from annotation.services.study_states import study_launch, study_pause
from annotation.views import story as story_view
from tests.factories import NOW, annotator, live

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("ada", is_staff=True))
    return client


def text(response):
    return " ".join(response.content.decode().split())


def test_what_was_done_reads_as_sentences(staff):
    study = live(items=3)
    person = annotator(study)
    payment_decide(person, "rejected", reason="Copied <b>.", author="eve", now=NOW)
    study_pause(study, author="ada", now=NOW)
    shown = text(staff.get("/studies/tiny/story/"))
    assert "<strong>ada</strong> paused the study: live → paused." in shown
    assert (
        f"decided on the payment of {person}: pending → rejected. Why: Copied &lt;b&gt;." in shown
    )
    assert f'/studies/tiny/annotators/{person}/">Look at {person}</a>' in shown
    assert "Monday, 2 March 2026" in shown
    only = text(staff.get(f"/studies/tiny/story/?annotator={person}&author=eve"))
    assert "decided on the payment" in only
    assert "paused the study" not in only
    assert "Nothing in the log is of this kind." in text(staff.get("/studies/tiny/story/?author=x"))


def test_every_act_upon_a_study_has_its_sentence():
    code = [
        path.read_text()
        for app in ("annotation", "analysis")
        for path in (Path(settings.BASE_DIR) / app).rglob("*.py")
    ]
    recorded = re.compile(r'audit_record\(\s*"(\w+)",\s*study=(?!"")')
    verbs = {verb for text in code for verb in recorded.findall(text)}
    assert verbs > {"release_store", "api_token_create"}
    assert verbs - SENTENCES.keys() == set()


def test_an_erasure_and_a_resumption_are_told_as_what_they_were(staff):
    study = live(items=3)
    annotator_erase(annotator(study), author=BY_THEMSELVES, now=NOW)
    study_pause(study, author="ada", now=NOW)
    study_launch(study, author="ada", now=NOW)
    shown = text(staff.get("/studies/tiny/story/"))
    assert "<strong>an annotator</strong> had everything about them deleted." in shown
    assert "annotators 1, consents 1" in shown
    assert "<strong>ada</strong> resumed the study: paused → live." in shown


def test_a_long_log_is_read_page_by_page_in_as_many_queries(staff):
    live(items=3)
    counts, pages = [], []
    for more in (0, 2 * ON_A_PAGE):
        for n in range(more):
            audit_record("top_up", study="tiny", author="eve", now=NOW, data={"forms": n})
        with CaptureQueriesContext(connection) as seen:
            pages.append(staff.get("/studies/tiny/story/"))
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 6
    first = pages[1].context["story"]
    second = staff.get(f"/studies/tiny/story/?before={first.before}").context["story"]
    numbers = [act.number for act in (*first.acts, *second.acts)]
    assert numbers == sorted(set(numbers), reverse=True)
    assert len(numbers) == 2 * ON_A_PAGE


def test_the_page_says_whether_the_log_is_as_it_was_written(staff, monkeypatch):
    live(items=3)
    for n in range(6):
        audit_record("top_up", study="tiny", author="eve", now=NOW, data={"forms": n})
    events = AuditEvent.objects.count()
    assert f"all {events} events of this server are as they were written" in text(
        staff.get("/studies/tiny/story/")
    )
    monkeypatch.setattr(story_view, "CHECKED", 4)
    assert f"the newest 4 of all {events} events" in text(staff.get("/studies/tiny/story/"))
    AuditHead.objects.update(events=events + 1)
    shown = text(staff.get("/studies/tiny/story/"))
    assert f"event {events + 1} of {events}, it is missing from the end." in shown


@pytest.mark.parametrize("newest", [None, 4, 1, 100])
def test_the_newest_events_are_held_to_the_one_before_them_and_to_the_head(newest):
    live(items=3)
    for n in range(6):
        audit_record("top_up", study="tiny", author="eve", now=NOW, data={"forms": n})
    events = AuditEvent.objects.count()
    assert audit_verify(newest=newest).first_broken is None
    AuditHead.objects.update(events=events + 1)
    assert audit_verify(newest=newest).problem == "it is missing from the end"
