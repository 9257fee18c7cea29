"""Coming in, coming back, saying yes or no, and every way to leave."""

import pytest

from annotation.models import (
    Annotator,
    Answer,
    AuditEvent,
    Claim,
    Consent,
    PlatformIdentity,
    PlatformSession,
    Study,
)
from annotation.providers import Entry
from annotation.selectors.collected import records_in_parts
from annotation.selectors.judgments import collected_answers, counted_answers
from annotation.services.identities import decrypted
from annotation.services.sessions import (
    annotator_return,
    annotator_withdraw,
    consent_give,
    session_start,
)
from annotation.studyfile.definition import Recruitment
from tests import factories

pytestmark = pytest.mark.django_db


def prolific(slug: str = "tiny") -> Study:
    return factories.live(
        factories.definition(slug=slug, recruitment=Recruitment(provider="prolific"))
    )


def visit(study: Study, person: str, session: str = "") -> Annotator:
    return session_start(study, Entry(person, session), entry_token="", now=factories.NOW)


def test_the_same_platform_id_is_the_same_person_with_each_visit_kept() -> None:
    study = prolific()
    first = visit(study, "P1", "A")
    assert visit(study, "P1", "A") == visit(study, "P1", "B") == visit(study, "P1") == first
    assert Annotator.objects.count() == PlatformIdentity.objects.count() == 1
    stored = PlatformSession.objects.order_by("pk").values_list("ciphertext", flat=True)
    assert [decrypted(bytes(one)) for one in stored] == ["A", "B"]


def test_the_case_of_an_id_tells_two_people_apart_and_so_does_the_study() -> None:
    study, other = prolific(), prolific("other")
    assert len({visit(study, "P1").pk, visit(study, "p1").pk, visit(other, "P1").pk}) == 3
    lookups = PlatformIdentity.objects.values_list("lookup", flat=True)
    assert len(set(lookups)) == 3


def test_an_id_stands_nowhere_in_the_clear() -> None:
    person = visit(prolific(), "61a2b3c4d5e6", "session77")
    identity = PlatformIdentity.objects.get()
    assert decrypted(bytes(identity.ciphertext)) == "61a2b3c4d5e6"
    tables = (Annotator, PlatformIdentity, PlatformSession)
    rows = [list(table._default_manager.values()) for table in tables]
    assert "61a2b3c4d5e6" not in repr(rows)
    assert "session77" not in repr(rows)
    assert person.pseudonym not in identity.lookup


def test_a_double_click_on_the_open_link_is_one_person() -> None:
    study = factories.live()
    people = {
        session_start(study, None, entry_token=token, now=factories.NOW).pk
        for token in ("one", "one", "two")
    }
    assert len(people) == 2


def test_who_was_let_in_comes_back_although_the_study_is_paused() -> None:
    study = prolific()
    person = visit(study, "P1")
    type(study).objects.update(state="paused")
    study.refresh_from_db()
    assert visit(study, "P1") == person


def test_consent_is_stored_with_its_text_before_anything_else() -> None:
    person = factories.annotator(factories.live())
    consent_give(person, given=True, language="de", now=factories.NOW + factories.MINUTE)
    consent = Consent.objects.get()
    assert (consent.given, consent.language, consent.at) == (True, "en", factories.NOW)
    assert len(consent.text_sha256) == 64


def test_a_no_can_still_become_a_yes_and_not_the_other_way_round() -> None:
    study = factories.live()
    person = factories.arrived(study)
    consent_give(person, given=False, language="en", now=factories.NOW)
    person.refresh_from_db()
    assert (person.state, person.finished_at) == ("declined", factories.NOW)
    consent_give(person, given=True, language="en", now=factories.NOW)
    person.refresh_from_db()
    assert (person.state, person.finished_at) == ("arrived", None)
    claim = factories.claimed(person)
    consent_give(person, given=False, language="en", now=factories.NOW)
    person.refresh_from_db()
    assert person.state == "working"
    assert claim.consent.given


def test_who_stops_in_the_middle_gives_the_form_back_and_keeps_the_answers() -> None:
    study = factories.live(items=3, replication=1)
    claim = factories.claimed(factories.annotator(study))
    factories.answered(factories.judge_screens(claim)[0])
    for _ in range(2):
        annotator_return(claim.annotator, now=factories.NOW)
    claim.refresh_from_db()
    claim.form.refresh_from_db()
    claim.annotator.refresh_from_db()
    assert (claim.state, claim.form.state, claim.annotator.state) == (
        "returned",
        "open",
        "returned",
    )
    assert Answer.objects.get().surplus
    assert not counted_answers(study).exists()
    assert factories.broken_promises(study) == []


def test_who_has_finished_stays_completed_when_they_stop() -> None:
    claim = factories.done_by_someone(factories.live())
    annotator_return(claim.annotator, now=factories.NOW)
    claim.annotator.refresh_from_db()
    claim.refresh_from_db()
    assert (claim.annotator.state, claim.state) == ("completed", "submitted")


def test_withdrawing_keeps_the_answers_out_of_everything() -> None:
    study = factories.live(items=3, replication=1)
    claim = factories.done_by_someone(study)
    annotator_withdraw(claim.annotator, now=factories.NOW)
    assert Answer.objects.count() == 3
    assert not collected_answers(study).exists()
    assert not counted_answers(study).exists()
    (people,) = records_in_parts(study)
    assert [one.judged for one in people] == [()]
    claim.refresh_from_db()
    assert claim.state == "withdrawn"
    assert study.forms.get().state == "open"
    event = AuditEvent.objects.latest("number")
    assert event.data == {}
    assert event.told == {
        "annotator": claim.annotator.pseudonym,
        "before": "completed",
        "after": "withdrawn",
    }


def test_withdrawing_twice_is_withdrawing_once() -> None:
    person = factories.done_by_someone(factories.live(items=3, replication=1)).annotator
    for _ in range(2):
        annotator_withdraw(person, now=factories.NOW)
    assert AuditEvent.objects.filter(verb="annotator_withdraw").count() == 1


def test_who_has_withdrawn_after_running_out_of_time_cannot_be_revived() -> None:
    study = factories.live(items=3, replication=1)
    claim = factories.claimed(factories.annotator(study))
    Claim.objects.update(state="timed_out")
    claim.assignments.update(active=False)
    study.forms.update(state="open")
    annotator_withdraw(claim.annotator, now=factories.NOW)
    with pytest.raises(Exception, match="You have withdrawn"):
        factories.answered(factories.judge_screens(claim)[0])
    claim.refresh_from_db()
    assert claim.state == "timed_out"
