"""From draft to launch on pages: what annotators see, who has looked at it, pilot, launch."""

import pytest

from annotation.models import Annotator, Assignment, AuditEvent, Draft, Study
from annotation.selectors.preparation import steps_to_launch
from annotation.services.study_import import study_import
from tests.factories import (
    AUTHOR,
    CHECK,
    NOW,
    definition,
    done_by_someone,
    imported,
    live,
)

pytestmark = pytest.mark.django_db
PAGE = "/studies/tiny/"
COMPARE = "/studies/tiny/preview/task/compare/"


@pytest.fixture
def staff(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("ada", is_staff=True))
    return client


def text(response):
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def done(study):
    return [step.done for step in steps_to_launch(study)]


def test_a_study_goes_from_draft_to_live_on_its_page(staff):
    study = imported(responses=6, attention=[CHECK])
    assert done(study) == [True, False, False, False]
    for page in (PAGE, "/studies/tiny/state/launch/"):
        assert "Not yet looked at: compare, rate." in text(staff.get(page))
    for task in ("compare", "rate"):
        staff.post(f"/studies/tiny/preview/task/{task}/seen/")
    assert done(study) == [True, True, False, False]
    assert staff.post("/studies/tiny/state/pilot/")["Location"] == PAGE
    study.refresh_from_db()
    done_by_someone(study)
    assert "1 of 1 who came in the pilot finished." in text(staff.get(PAGE))
    assert "http://testserver/s/tiny/" in text(staff.get(PAGE))
    staff.post("/studies/tiny/state/launch/")
    study.refresh_from_db()
    assert done(study) == [True] * 4
    assert study.plan_lock.sha256 in text(staff.get(PAGE))
    assert study.state == "live"


def test_the_launch_does_not_resume_and_the_resumption_does_not_launch(staff):
    study = imported()
    assert staff.post("/studies/tiny/state/resume/").status_code == 400
    study.refresh_from_db()
    assert study.state == "draft"
    Study.objects.update(state="paused", launched_at=NOW)
    assert (
        "for a study that is draft or pilot"
        in staff.post("/studies/tiny/state/launch/").content.decode()
    )
    study.refresh_from_db()
    assert study.state == "paused"


def test_a_task_is_noted_as_seen_once_and_again_for_another_folder(staff):
    study = imported()
    for _ in range(2):
        staff.post(COMPARE + "seen/")
    events = AuditEvent.objects.filter(verb="preview_confirm")
    assert [event.data["task"] for event in events] == ["compare"]
    assert "looked at" in text(staff.get(COMPARE))
    study_import(definition(items=5), author=AUTHOR, now=NOW)
    study.refresh_from_db()
    assert not done(study)[1]
    assert "looked at a task as annotators see it" in text(staff.get("/studies/tiny/story/"))


def test_a_preview_is_the_annotator_s_page_and_stores_nothing(staff):
    imported(items=3, practice=1)
    first, second = text(staff.get(COMPARE)), text(staff.get(COMPARE + "?page=2"))
    assert "This one is for practice" in first
    assert "Question 1?" in second
    assert "Which answers the question better?" in second
    assert "data-draft-url" not in second
    assert "autosave.js" not in second
    assert "This one is for practice" in text(staff.get(COMPARE + "?page=x"))
    assert "Question 3?" in text(staff.get(COMPARE + "?page=99"))
    for model in (Annotator, Assignment, Draft):
        assert not model.objects.exists()


def test_the_sides_are_turned_and_what_is_hidden_is_shown_on_request(staff):
    imported(items=3)
    plain, turned = text(staff.get(COMPARE)), text(staff.get(COMPARE + "?flipped=1"))
    assert plain.index("One 1") < plain.index("Two 1")
    assert turned.index("Two 1") < turned.index("One 1")
    assert "condition_1" not in plain
    assert "condition_1" in text(staff.get(COMPARE + "?hidden=1"))


def test_an_attention_check_is_shown_as_it_is_asked(staff):
    imported(responses=6, attention=[CHECK])
    assert "Please choose 1." in text(staff.get(COMPARE + "?check=0"))
    assert "Please choose 1." not in text(staff.get(COMPARE))
    for other in (COMPARE + "?check=7", "/studies/tiny/preview/task/rate/?check=0"):
        assert "Please choose 1." not in text(staff.get(other))


def test_the_texts_are_shown_and_what_is_not_there_is_not(staff):
    live()
    assert "You may stop at any time." in text(staff.get("/studies/tiny/preview/consent/"))
    assert "Read, then judge." in text(staff.get("/studies/tiny/preview/instructions/"))
    for nothing in ("preview/debrief/", "preview/task/nothing/"):
        assert staff.get(PAGE + nothing).status_code == 404
    assert staff.post("/studies/tiny/preview/task/nothing/seen/").status_code == 404
