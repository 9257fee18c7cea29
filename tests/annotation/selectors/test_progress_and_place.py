"""Where a person is and how far a study has come, read without side effects."""

import pytest
from django.db import connection
from django.db.models import Count
from pytest_django import DjangoAssertNumQueries

from annotation.errors import StudyNotFound
from annotation.models import Annotator, Answer, Assignment, Study
from annotation.selectors.collected import collected
from annotation.selectors.place import Place, Step, person_with, place_of
from annotation.selectors.progress import HOLDS, study_progress
from annotation.selectors.studies import study_definition, study_named
from annotation.services.claims import slots_release_expired
from annotation.services.exclusions import exclusion_by_hand
from annotation.services.sessions import annotator_return, consent_give
from annotation.studyfile.definition import EligibilityQuestion, Recruitment
from tests import factories

pytestmark = pytest.mark.django_db

LATE = factories.NOW + 61 * factories.MINUTE


def test_a_person_is_led_from_consent_to_the_end() -> None:
    study = factories.live(items=2, replication=1, form_size=2, practice=1)
    person = factories.arrived(study)
    assert place_of(person) == Place(Step.CONSENT)
    person = factories.annotator(study)
    assert place_of(person) == Place(Step.INSTRUCTIONS)
    claim = factories.claimed(person)
    person.refresh_from_db()
    tried, *screens = factories.screens_of(claim)
    assert place_of(person) == Place(Step.PRACTICE, 1)
    factories.answered(tried)
    assert place_of(person) == Place(Step.JUDGE, 1)
    factories.answered(screens[0])
    assert place_of(person) == Place(Step.JUDGE, 2)
    factories.answered(screens[1])
    person.refresh_from_db()
    assert place_of(person) == Place(Step.FINISH)


def test_the_questions_of_eligibility_come_after_consent() -> None:
    asked = EligibilityQuestion("english", "Do you read English?", ("yes",))
    study = factories.live(factories.definition(recruitment=Recruitment(eligibility=(asked,))))
    person = factories.arrived(study)
    consent_give(person, given=True, language="en", now=factories.NOW)
    assert place_of(person) == Place(Step.ELIGIBILITY)


def test_who_ran_out_of_time_is_still_where_they_were() -> None:
    study = factories.live(items=2, replication=1, form_size=2)
    claim = factories.claimed(factories.annotator(study))
    factories.answered(factories.judge_screens(claim)[0])
    slots_release_expired(study, now=LATE)
    claim.annotator.refresh_from_db()
    assert place_of(claim.annotator) == Place(Step.JUDGE, 2)
    annotator_return(claim.annotator, now=LATE)
    claim.annotator.refresh_from_db()
    assert place_of(claim.annotator) == Place(Step.FINISH)


def test_a_key_that_nobody_has_is_nobody() -> None:
    person = factories.annotator(factories.live())
    assert person_with(person.access_key) == person
    assert person_with(person.access_key.swapcase()) is None
    assert person_with("a\x00b") is None


def test_coverage_counts_items_by_valid_judgments() -> None:
    study = factories.live(items=6, replication=2, form_size=3)
    first = factories.done_by_someone(study)
    factories.done_by_someone(study)
    answer = Answer.objects.filter(assignment__claim=first).earliest("pk")
    exclusion_by_hand(answer, reason="not read", author="a", now=factories.NOW)
    progress = study_progress(study)
    assert progress.judgments == 5
    assert sum(progress.coverage.values()) == progress.items == 6
    assert progress.annotators == {"completed": 2}
    assert (progress.open_forms, progress.unplanned_slots) == (2, 1)
    assert progress.needed_annotators == 3


def test_progress_costs_a_fixed_number_of_queries(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    study = factories.live(items=12, replication=2, form_size=3)
    for _ in range(4):
        factories.done_by_someone(study)
    with django_assert_max_num_queries(6):
        study_progress(study)


def test_what_is_at_work_or_of_a_pilot_is_no_judgment_yet() -> None:
    study = factories.live(items=6, replication=2, form_size=3)
    factories.done_by_someone(study)
    claim = factories.claimed(factories.annotator(study))
    factories.answered(factories.judge_screens(claim)[0])
    assert study_progress(study).judgments == 3
    assert sum(study_progress(study).coverage.values()) == 6
    pilot = factories.pilot(items=6, replication=2, form_size=3, slug="pilot")
    factories.done_by_someone(pilot)
    assert study_progress(pilot).coverage == {0: 6, 1: 0, 2: 0}


def test_judgments_are_counted_along_an_index_alone() -> None:
    study = factories.live(items=6, replication=2, form_size=3)
    if connection.vendor != "sqlite":
        return  # PostgreSQL reads so few rows as they lie.
    holders = Assignment.objects.filter(HOLDS, item__study=study).values("item")
    assert "COVERING INDEX assignment_holds" in holders.annotate(n=Count("pk")).explain()
    people = Annotator.objects.filter(study=study, pilot=False).values("state", "simulated")
    assert "COVERING INDEX annotator_counted_by" in people.annotate(n=Count("pk")).explain()


def test_the_analytic_sample_yields_one_row_a_dimension() -> None:
    study = factories.live(items=3, replication=1)
    factories.done_by_someone(study)
    (some,) = collected(study)
    keys = dict(study.items.values_list("pk", "key"))
    assert sorted(keys[pk] for pk in some.items) == ["c001", "c002", "c003"]
    assert all(
        [row.dimension for row in some.kinds[kind].rows]
        == ["choice", "confidence", "prefers_higher"]
        for kind in some.kind
    )


def test_a_study_is_found_by_its_slug_or_the_slugs_are_told() -> None:
    with pytest.raises(StudyNotFound, match="There is none yet: study_import"):
        study_named("none")
    study = factories.live()
    assert study_named("tiny") == study
    with pytest.raises(StudyNotFound, match=r"No study is called 'none'\. There are: tiny\."):
        study_named("none")


def test_a_draft_imported_again_is_another_definition() -> None:
    first = factories.imported(items=4)
    assert study_definition(first).assignment.form_size == 3
    factories.imported(items=4, form_size=2)
    again = Study.objects.get()
    assert study_definition(again).assignment.form_size == 2
