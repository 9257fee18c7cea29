"""A form that somebody vanished with comes back, and a late answer has a stated fate."""

from datetime import timedelta

import pytest

from annotation.errors import NothingToClaim
from annotation.models import Answer, Claim, Form
from annotation.selectors.judgments import counted_answers
from annotation.services.claims import slots_release_expired
from annotation.services.exclusions import exclusion_by_hand
from annotation.services.sessions import annotator_return
from annotation.services.study_states import study_pause
from tests import factories

pytestmark = pytest.mark.django_db

LEASE = 60 * factories.MINUTE
SECOND = timedelta(seconds=1)


@pytest.fixture
def claim() -> Claim:
    """The only form of a study, claimed now."""
    study = factories.live(items=3, replication=1, form_size=3)
    return factories.claimed(factories.annotator(study))


def test_before_its_time_is_over_a_form_is_nobody_elses(claim: Claim) -> None:
    other = factories.annotator(claim.form.study)
    with pytest.raises(NothingToClaim):
        factories.claimed(other, now=factories.NOW + LEASE)
    claim.refresh_from_db()
    assert claim.state == "held"


def test_after_its_time_the_next_who_comes_gets_it(claim: Claim) -> None:
    factories.answered(factories.judge_screens(claim)[0])
    other = factories.annotator(claim.form.study)
    taken = factories.claimed(other, now=factories.NOW + LEASE + SECOND)
    assert taken.form_id == claim.form_id
    claim.refresh_from_db()
    claim.annotator.refresh_from_db()
    assert (claim.state, claim.annotator.state) == ("timed_out", "timed_out")
    assert Answer.objects.get().surplus
    assert factories.broken_promises(claim.form.study) == []


def test_a_late_answer_goes_on_where_nobody_has_the_form(claim: Claim) -> None:
    study = claim.form.study
    first, *rest = factories.judge_screens(claim)
    factories.answered(first)
    late = factories.NOW + 2 * LEASE
    assert slots_release_expired(study, now=late) == 1
    assert Answer.objects.get().surplus
    recorded = factories.answered(rest[0], now=late)
    assert not recorded.surplus
    assert not Answer.objects.filter(surplus=True).exists()
    claim.refresh_from_db()
    claim.annotator.refresh_from_db()
    assert (claim.state, claim.annotator.state) == ("held", "working")
    assert claim.lease_until == late + LEASE
    assert factories.answered(rest[1], now=late + SECOND).finished
    assert factories.judged_times(study) == {"c001": 1, "c002": 1, "c003": 1}
    assert factories.broken_promises(study) == []


def test_a_late_answer_is_kept_and_not_counted_where_the_form_is_taken(claim: Claim) -> None:
    study = claim.form.study
    late = factories.NOW + LEASE + SECOND
    other = factories.claimed(factories.annotator(study), now=late)
    recorded = [factories.answered(s, now=late) for s in factories.judge_screens(claim)]
    assert all(one.surplus for one in recorded)
    assert recorded[-1].finished
    claim.annotator.refresh_from_db()
    assert claim.annotator.state == "completed"
    assert not counted_answers(study).exists()
    factories.finished(other, now=late)
    assert factories.judged_times(study) == {"c001": 1, "c002": 1, "c003": 1}
    assert Answer.objects.filter(surplus=True).count() == 3
    assert factories.broken_promises(study) == []


def test_a_form_that_was_done_meanwhile_stays_done_when_the_late_one_finishes(
    claim: Claim,
) -> None:
    study = claim.form.study
    late = factories.NOW + LEASE + SECOND
    factories.finished(factories.claimed(factories.annotator(study), now=late), now=late)
    factories.finished(claim, now=late)
    assert claim.state == "timed_out"
    assert Form.objects.get().state == "done"
    assert set(factories.judged_times(study).values()) == {1}


def test_a_late_answer_after_a_pause_is_kept_and_not_counted(claim: Claim) -> None:
    study = claim.form.study
    late = factories.NOW + LEASE + SECOND
    slots_release_expired(study, now=late)
    study_pause(study, author="researcher", now=late)
    assert factories.answered(factories.judge_screens(claim)[0], now=late).surplus


def test_who_is_excluded_meanwhile_does_not_get_the_form_back(claim: Claim) -> None:
    study = claim.form.study
    late = factories.NOW + LEASE + SECOND
    slots_release_expired(study, now=late)
    exclusion_by_hand(claim.annotator, reason="a robot", author="admin", now=late)
    assert factories.answered(factories.judge_screens(claim)[0], now=late).surplus
    assert study.forms.get().state == "open"


def test_an_answer_in_time_is_counted_although_the_lease_ran_out_unnoticed(claim: Claim) -> None:
    late = factories.NOW + LEASE + SECOND
    assert not factories.answered(factories.judge_screens(claim)[0], now=late).surplus


def test_who_ran_out_of_time_can_still_say_that_they_stop(claim: Claim) -> None:
    slots_release_expired(claim.form.study, now=factories.NOW + 2 * LEASE)
    annotator_return(claim.annotator, now=factories.NOW + 2 * LEASE)
    claim.annotator.refresh_from_db()
    assert claim.annotator.state == "returned"


def test_only_what_ran_out_is_released_and_only_in_its_study(claim: Claim) -> None:
    other = factories.live(slug="other")
    held = factories.claimed(factories.annotator(other))
    late = factories.claimed(factories.annotator(other), now=factories.NOW + LEASE)
    assert slots_release_expired(other, now=factories.NOW + LEASE + SECOND) == 1
    assert slots_release_expired(other, now=factories.NOW + LEASE + SECOND) == 0
    for one, state in ((claim, "held"), (held, "timed_out"), (late, "held")):
        one.refresh_from_db()
        assert one.state == state


def test_who_finished_an_earlier_form_stays_completed_when_the_next_runs_out() -> None:
    study = factories.live(items=6, replication=1, form_size=3, forms_per_annotator=2)
    person = factories.annotator(study)
    factories.finished(factories.claimed(person))
    factories.claimed(person)
    slots_release_expired(study, now=factories.NOW + 2 * LEASE)
    person.refresh_from_db()
    assert person.state == "completed"
    assert counted_answers(study).count() == 3
