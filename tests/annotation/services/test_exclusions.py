"""What is left out is a row with a reason, empties its slots, and can be taken back."""

import pytest
from pytest_django import DjangoAssertNumQueries

from annotation.errors import StateForbids
from annotation.models import (
    Annotator,
    Answer,
    AuditEvent,
    Claim,
    Exclusion,
    ExclusionRevocation,
    Slot,
    Study,
)
from annotation.selectors.judgments import counted_answers
from annotation.selectors.quality import study_funnel
from annotation.services.exclusions import exclusion_by_hand, exclusion_revoke, exclusions_apply
from annotation.services.top_up import top_up
from tests import factories

pytestmark = pytest.mark.django_db

LATER = factories.NOW + 5 * factories.MINUTE


@pytest.fixture
def study() -> Study:
    return factories.live(
        items=6,
        replication=2,
        form_size=3,
        attention=[factories.CHECK],
        quality=[factories.ATTENTION, factories.HASTY],
    )


def careless(study: Study) -> Annotator:
    """Send someone through a form who fails the check."""
    return factories.done_by_someone(study, confidence="3").annotator


def by_rules(study: Study) -> int:
    """Apply the rules and return how many judgments the funnel ends with."""
    return exclusions_apply(study, author="admin", now=LATER).final.judgments


def by_hand(target: Annotator | Answer, reason: str = "not read") -> Exclusion:
    return exclusion_by_hand(target, reason=reason, author="admin", now=LATER)


def revoke(exclusion: Exclusion) -> int:
    return exclusion_revoke(exclusion, reason="a mistake", author="admin", now=LATER)


def sound(study: Study) -> bool:
    """Whether every promise holds and the funnel ends at the analytic sample."""
    assert factories.broken_promises(study) == []
    return study_funnel(study).final.judgments == counted_answers(study).count()


def test_a_rule_leaves_out_whom_it_names_and_opens_the_form(study: Study) -> None:
    factories.done_by_someone(study)
    person = careless(study)
    assert by_rules(study) == 3
    exclusion = Exclusion.objects.get()
    assert (exclusion.annotator, exclusion.unit, exclusion.rule) == (
        person,
        "annotator",
        "attention",
    )
    assert exclusion.rule_version == "1:annotator:failed=1"
    assert exclusion.reason == "failed 1 attention check; 1 excludes"
    assert exclusion.author == "rule"
    claim = Claim.objects.get(annotator=person)
    assert (claim.state, claim.form.state) == ("excluded", "open")
    person.refresh_from_db()
    assert (person.state, person.payment) == ("completed", "pending")
    assert Answer.objects.filter(assignment__annotator=person).count() == 4
    assert sound(study)


def test_applying_the_rules_again_changes_nothing(study: Study) -> None:
    careless(study)
    by_rules(study)
    events = AuditEvent.objects.count()
    assert by_rules(study) == 0
    assert Exclusion.objects.count() == 1
    assert AuditEvent.objects.count() == events


def test_a_judgment_is_left_out_alone(study: Study) -> None:
    claim = factories.claimed(factories.annotator(study))
    first, *rest = factories.screens_of(claim)
    factories.answered(first, seconds=2.0)
    for screen in rest:
        factories.answered(screen)
    assert by_rules(study) == 2
    exclusion = Exclusion.objects.get()
    assert (exclusion.unit, exclusion.answer_id, exclusion.rule) == ("judgment", first.pk, "hasty")
    assert exclusion.reason == "took 2.0 s; less than 6 s excludes"
    claim.refresh_from_db()
    assert (claim.state, claim.form.state) == ("submitted", "done")
    assert sound(study)


def test_who_is_left_out_gets_no_further_form() -> None:
    study = factories.live(items=9, replication=1, form_size=3, forms_per_annotator=3)
    person = factories.done_by_someone(study).annotator
    by_hand(person)
    with pytest.raises(StateForbids, match="all that one person may judge"):
        factories.claimed(person)


def test_leaving_out_by_hand_needs_a_reason(study: Study) -> None:
    person = careless(study)
    for reason in ("", "  \n"):
        with pytest.raises(StateForbids, match="An exclusion needs a reason"):
            by_hand(person, reason)
    assert not Exclusion.objects.exists()
    exclusion = by_hand(person, " a robot ")
    assert (exclusion.rule, exclusion.reason, exclusion.author) == ("by_hand", "a robot", "admin")
    with pytest.raises(StateForbids, match="needs a reason; write why"):
        exclusion_revoke(exclusion, reason=" ", author="admin", now=LATER)
    assert sound(study)


def test_who_is_left_out_in_the_middle_gives_the_form_back(study: Study) -> None:
    claim = factories.claimed(factories.annotator(study))
    factories.answered(factories.judge_screens(claim)[0])
    exclusion = by_hand(claim.annotator)
    claim.refresh_from_db()
    assert (claim.state, claim.form.state) == ("excluded", "open")
    assert revoke(exclusion) == 0
    assert sound(study)


def test_taking_an_exclusion_back_counts_everything_again(study: Study) -> None:
    person = careless(study)
    by_rules(study)
    assert revoke(Exclusion.objects.get()) == 3
    claim = Claim.objects.get(annotator=person)
    assert (claim.state, claim.form.state) == ("submitted", "done")
    assert counted_answers(study).count() == 3
    assert sound(study)


def test_what_was_taken_back_the_rule_does_not_bring_back(study: Study) -> None:
    careless(study)
    by_rules(study)
    exclusion = Exclusion.objects.get()
    revoke(exclusion)
    assert by_rules(study) == 3
    assert Exclusion.objects.count() == 1
    assert revoke(exclusion) == 0
    assert ExclusionRevocation.objects.count() == 1


def test_a_form_that_somebody_has_taken_stays_theirs() -> None:
    study = factories.live(items=3, replication=1, form_size=3)
    exclusion = by_hand(factories.done_by_someone(study).annotator)
    factories.done_by_someone(study)
    assert revoke(exclusion) == 0
    assert set(factories.judged_times(study).values()) == {1}
    assert Answer.objects.filter(surplus=True).count() == 3
    assert sound(study)


def test_a_form_that_somebody_holds_stays_theirs() -> None:
    study = factories.live(items=3, replication=1, form_size=3)
    exclusion = by_hand(factories.done_by_someone(study).annotator)
    claim = factories.claimed(factories.annotator(study))
    assert revoke(exclusion) == 0
    assert sound(study)
    factories.finished(claim)
    assert set(factories.judged_times(study).values()) == {1}


def test_a_slot_that_a_top_up_offers_is_taken_out_of_it_again() -> None:
    study = factories.live(items=3, replication=1, form_size=3)
    claim = factories.done_by_someone(study)
    exclusions = [by_hand(answer) for answer in Answer.objects.order_by("pk")]
    assert top_up(study, author="admin", now=LATER) == 1
    claim.form.refresh_from_db()
    assert claim.form.state == "void"
    assert sound(study)
    assert [revoke(exclusion) for exclusion in exclusions] == [1, 1, 1]
    claim.form.refresh_from_db()
    assert claim.form.state == "done"
    assert study.forms.get(top_up=True).state == "void"
    assert set(factories.judged_times(study).values()) == {1}
    assert sound(study)
    by_hand(Answer.objects.earliest("pk"))
    assert top_up(study, author="admin", now=LATER) == 1


def test_a_slot_that_a_top_up_gave_away_stays_given() -> None:
    study = factories.live(items=3, replication=1, form_size=3)
    factories.done_by_someone(study)
    exclusion = by_hand(Answer.objects.earliest("pk"))
    top_up(study, author="admin", now=LATER)
    held = factories.claimed(factories.annotator(study))
    assert revoke(exclusion) == 0
    assert sound(study)
    factories.finished(held)
    assert set(factories.judged_times(study).values()) == {1}
    assert sound(study)


def test_a_second_exclusion_keeps_out_what_the_first_no_longer_does(study: Study) -> None:
    person = careless(study)
    by_rules(study)
    rule = Exclusion.objects.get()
    hand = by_hand(person)
    assert revoke(rule) == 0
    assert not counted_answers(study).exists()
    assert sound(study)
    assert revoke(hand) == 3
    assert sound(study)


def test_a_judgment_stays_out_when_its_person_comes_back(study: Study) -> None:
    claim = factories.done_by_someone(study)
    answer = Answer.objects.filter(assignment__kind="judge").earliest("pk")
    of_judgment, of_person = by_hand(answer), by_hand(claim.annotator)
    assert revoke(of_judgment) == 0
    of_judgment = by_hand(answer)
    assert revoke(of_person) == 2
    assert sound(study)
    assert revoke(of_judgment) == 1
    assert sound(study)


def test_every_decision_is_in_the_log(study: Study) -> None:
    person = careless(study)
    revoke(by_hand(person))
    by_rules(study)
    events = AuditEvent.objects.order_by("number").select_related("detail")
    said = [(event.verb, event.author, event.told.get("reason")) for event in events]
    assert said[-4:] == [
        ("exclusion_by_hand", "admin", "not read"),
        ("exclusion_revoke", "admin", "a mistake"),
        ("exclusion_by_rule", "admin", "failed 1 attention check; 1 excludes"),
        ("exclusions_apply", "admin", None),
    ]
    assert all(event.told["annotator"] == person.pseudonym for event in list(events)[-4:-1])


def test_the_rules_cost_the_same_however_many_they_named_before(
    study: Study, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(3):
        careless(study)
    by_rules(study)
    with django_assert_max_num_queries(16):
        by_rules(study)
    assert not Slot.objects.filter(assignments__active=True).exists()
