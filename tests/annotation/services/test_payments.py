"""payment_decide: recorded, with who, what and why; apart from the analysis."""

import pytest

from annotation.errors import StateForbids
from annotation.models import AuditEvent
from annotation.services.exclusions import exclusion_by_hand
from annotation.services.payments import payment_decide
from tests.factories import AUTHOR, NOW, done_by_someone, judged_times, live

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return live()


@pytest.fixture
def person(study):
    return done_by_someone(study).annotator


def decide(person, payment, reason="Thank you."):
    return payment_decide(person, payment, reason=reason, author=AUTHOR, now=NOW)


def acts():
    return [event.told for event in AuditEvent.objects.filter(verb="payment_decide")]


def test_a_decision_is_stored_and_logged(person):
    assert decide(person, "approved")
    person.refresh_from_db()
    assert person.payment == "approved"
    assert acts() == [
        {
            "annotator": person.pseudonym,
            "before": "pending",
            "after": "approved",
            "reason": "Thank you.",
        }
    ]


def test_the_same_decision_again_changes_and_logs_nothing(person):
    decide(person, "approved")
    assert not decide(person, "approved")
    assert len(acts()) == 1


def test_a_decision_can_be_changed(person):
    decide(person, "rejected", "Nothing was read.")
    assert decide(person, "pending", "Looked again.")
    assert [act["after"] for act in acts()] == ["rejected", "pending"]


@pytest.mark.parametrize("reason", ["", "  \n"])
def test_not_paying_needs_a_reason(person, reason):
    with pytest.raises(StateForbids, match="needs a reason"):
        decide(person, "rejected", reason)
    assert acts() == []


def test_there_is_no_other_decision(person):
    with pytest.raises(StateForbids, match="'half' is no decision on a payment"):
        decide(person, "half")


def test_payment_and_analysis_leave_each_other_alone(study, person):
    before = judged_times(study)
    decide(person, "rejected", "Nothing was read.")
    assert judged_times(study) == before
    exclusion_by_hand(person, reason="Random.", author=AUTHOR, now=NOW)
    person.refresh_from_db()
    assert person.payment == "rejected"
