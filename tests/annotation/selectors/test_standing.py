"""What a person may still do, and with which code they leave."""

from dataclasses import replace

import pytest

from annotation.models import Annotator, Claim, Exclusion
from annotation.selectors.standing import answered_claims, forms_left, outcome_of, why_unwanted
from annotation.services.claims import slots_release_expired
from annotation.services.exclusions import exclusion_by_hand, exclusion_revoke
from annotation.services.study_states import study_pause
from annotation.studyfile.definition import Recruitment
from tests import factories

pytestmark = pytest.mark.django_db

CODES = {"complete": "DONE1", "failed_attention": "ATT7", "timed_out": "LATE2"}


def fresh(person):
    return Annotator.objects.select_related("study").get(pk=person.pk)


def test_a_form_that_was_finished_too_late_is_one_of_those_a_person_may_do():
    study = factories.live(items=4, replication=1, form_size=2)
    claim = factories.claimed(factories.annotator(study))
    late = factories.NOW + 200 * factories.MINUTE
    slots_release_expired(study, now=late)
    factories.claimed(factories.annotator(study, now=late), now=late)
    factories.finished(claim, now=late)
    assert answered_claims(claim.annotator).count() == 1
    assert forms_left(fresh(claim.annotator)) == 0


def test_who_is_excluded_is_wanted_again_when_the_exclusion_is_taken_back():
    study = factories.live(items=4, replication=1, form_size=2)
    person = factories.annotator(study)
    assert why_unwanted(fresh(person)) == ""
    exclusion = exclusion_by_hand(person, reason="a robot", author="admin", now=factories.NOW)
    assert "all that one person may judge" in why_unwanted(fresh(person))
    exclusion_revoke(exclusion, reason="a mistake", author="admin", now=factories.NOW)
    assert why_unwanted(fresh(person)) == ""
    study_pause(study, author="researcher", now=factories.NOW)
    assert "not open" in why_unwanted(fresh(person))


def with_codes(**shape):
    wanted = factories.definition(
        items=4, replication=1, form_size=2, quality=[factories.ATTENTION], **shape
    )
    return factories.live(
        replace(wanted, recruitment=Recruitment(codes=CODES, time_limit_minutes=30))
    )


def test_a_failed_check_has_its_own_code_where_the_study_declares_one():
    study = with_codes(attention=[factories.CHECK])
    passed = factories.finished(factories.claimed(factories.annotator(study)))
    assert outcome_of(fresh(passed.annotator)) == "complete"
    failed = factories.claimed(factories.annotator(study))
    for screen in factories.screens_of(failed):
        changed = {"confidence": "3"} if screen.kind == "check" else {}
        factories.answered(screen, **changed)
    assert outcome_of(fresh(failed.annotator)) == "failed_attention"
    assert not Exclusion.objects.exists()  # a code is a proposal; the rule decides later


def test_a_late_end_has_its_own_code_where_the_study_declares_one():
    study = with_codes()
    claim = factories.claimed(factories.annotator(study))
    late = factories.NOW + 60 * factories.MINUTE
    slots_release_expired(study, now=late)
    factories.claimed(factories.annotator(study, now=late), now=late)
    factories.finished(claim, now=late)
    assert Claim.objects.get(pk=claim.pk).state == Claim.State.TIMED_OUT
    assert outcome_of(fresh(claim.annotator)) == "timed_out"


def test_nobody_has_a_code_before_the_last_answer_is_stored():
    study = factories.live(items=4, replication=1, form_size=2)
    claim = factories.claimed(factories.annotator(study))
    assert outcome_of(fresh(claim.annotator)) is None
