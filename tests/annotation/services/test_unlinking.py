"""The platform's ids go so many days after a study is closed and paid, and not before."""

from datetime import timedelta

import pytest

from annotation.models import Annotator, AuditEvent, PlatformIdentity
from annotation.providers import Entry
from annotation.selectors.unlinking import unlinking
from annotation.services.identities import identities_unlink_due
from annotation.services.payments import payment_decide
from annotation.services.sessions import consent_give, session_start
from annotation.services.study_states import study_close
from annotation.studyfile.definition import PaymentRules, Recruitment
from tests.factories import AUTHOR, NOW, claimed, definition, finished, live

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def study():
    recruitment = Recruitment(
        provider="prolific",
        codes={"complete": "DONE1"},
        payment=PaymentRules("GBP", "3.50"),
        unlink_days=14,
    )
    return live(definition(items=3, recruitment=recruitment))


@pytest.fixture
def person(study):
    someone = session_start(study, Entry("pid", "visit"), entry_token="", now=NOW)
    consent_give(someone, given=True, language="en", now=NOW)
    finished(claimed(someone), now=NOW)
    return Annotator.objects.get(pk=someone.pk)


def test_by_the_clock(study, person):
    assert unlinking(study).waits_for == "the study is closed"
    study_close(study, author=AUTHOR, now=NOW)
    study.refresh_from_db()
    assert unlinking(study).waits_for == "every payment is decided"
    assert identities_unlink_due(author="schedule", now=NOW + 400 * DAY) == {}
    paid = NOW + 3 * DAY
    payment_decide(person, "approved", reason="", author=AUTHOR, now=paid)
    assert unlinking(study).due == paid + 14 * DAY
    assert identities_unlink_due(author="schedule", now=paid + 14 * DAY - DAY / 24) == {}
    assert PlatformIdentity.objects.count() == 1
    assert identities_unlink_due(author="schedule", now=paid + 14 * DAY) == {"tiny": 1}
    assert identities_unlink_due(author="schedule", now=paid + 15 * DAY) == {}
    assert AuditEvent.objects.filter(verb="identities_unlink", author="schedule").count() == 1
    assert not PlatformIdentity.objects.exists()
