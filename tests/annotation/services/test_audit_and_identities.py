"""The log is a chain that recomputes; platform ids can be cut off and nothing else breaks."""

from datetime import timedelta, timezone

import pytest

from annotation.errors import StateForbids
from annotation.models import (
    Annotator,
    Answer,
    AuditEvent,
    PlatformIdentity,
    PlatformSession,
    Study,
)
from annotation.providers import Entry
from annotation.selectors.judgments import counted_answers
from annotation.services.audit import audit_record, event_digest
from annotation.services.exclusions import exclusion_by_hand
from annotation.services.identities import identities_unlink
from annotation.services.sessions import session_start
from annotation.services.study_states import study_close, study_pause
from annotation.studyfile.definition import Recruitment
from tests import factories

pytestmark = pytest.mark.django_db


def assert_whole_chain() -> None:
    """Require that every event binds itself and the one before."""
    previous = ""
    for number, event in enumerate(AuditEvent.objects.order_by("number"), start=1):
        assert event.number == number
        assert event.previous == previous
        assert event.sha256 == event_digest(event)
        previous = event.sha256


def test_the_log_of_a_study_recomputes_from_what_is_stored() -> None:
    study = factories.live()
    person = factories.done_by_someone(study).annotator
    exclusion_by_hand(person, reason="“ü” ☃ \\ 1.0", author="admin", now=factories.NOW)
    study_pause(study, author="researcher", now=factories.NOW)
    study_close(study, author="researcher", now=factories.NOW)
    assert AuditEvent.objects.count() == 5
    assert_whole_chain()


def test_the_zone_in_which_a_time_was_given_does_not_matter() -> None:
    elsewhere = factories.NOW.astimezone(timezone(timedelta(hours=5, minutes=30)))
    audit_record("tried", study="s", author="a", now=elsewhere, data={"share": 0.1, "n": 3})
    assert_whole_chain()


@pytest.mark.parametrize(
    ("field", "value"),
    [("author", "someone"), ("verb", "none"), ("data", {"n": 2}), ("study", "t"), ("number", 7)],
)
def test_an_event_that_was_altered_does_not_recompute(field: str, value: object) -> None:
    event = audit_record("tried", study="s", author="a", now=factories.NOW, data={"n": 1})
    setattr(event, field, value)
    assert event_digest(event) != event.sha256


def test_what_is_rolled_back_leaves_no_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    study = factories.live()

    def broken(*_: object, **__: object) -> None:
        raise OSError("the power is gone")

    with monkeypatch.context() as patch:
        patch.setattr(Study, "save", broken)
        with pytest.raises(OSError, match="the power is gone"):
            study_pause(study, author="researcher", now=factories.NOW)
    study_pause(study, author="researcher", now=factories.NOW)
    assert_whole_chain()


def prolific() -> Study:
    """Return a closed study with two people and the answers of one."""
    study = factories.live(
        factories.definition(items=3, replication=1, recruitment=Recruitment(provider="prolific"))
    )
    session_start(study, Entry("P1", "A"), entry_token="", now=factories.NOW)
    claim = factories.done_by_someone(study)
    PlatformIdentity.objects.create(
        annotator=claim.annotator, study=study, provider="prolific", lookup="f", ciphertext=b"x"
    )
    return study


def test_a_closed_study_is_unlinked_and_nothing_else_is_lost() -> None:
    study = prolific()
    study_close(study, author="researcher", now=factories.NOW)
    pseudonyms = set(Annotator.objects.values_list("pseudonym", flat=True))
    assert identities_unlink(study, author="admin", now=factories.NOW) == 2
    assert not PlatformIdentity.objects.exists()
    assert not PlatformSession.objects.exists()
    assert set(Annotator.objects.values_list("pseudonym", flat=True)) == pseudonyms
    assert Answer.objects.count() == counted_answers(study).count() == 3
    assert AuditEvent.objects.latest("number").data == {"people": 2}
    assert identities_unlink(study, author="admin", now=factories.NOW) == 0


def test_only_the_study_named_is_unlinked() -> None:
    study, other = prolific(), factories.live(slug="other")
    study_close(other, author="researcher", now=factories.NOW)
    assert identities_unlink(other, author="admin", now=factories.NOW) == 0
    assert PlatformIdentity.objects.filter(study=study).count() == 2


def test_while_people_may_come_back_they_must_be_known_again() -> None:
    study = prolific()
    with pytest.raises(StateForbids, match="tiny is live; its people may still come back"):
        identities_unlink(study, author="admin", now=factories.NOW)
    assert PlatformIdentity.objects.count() == 2
