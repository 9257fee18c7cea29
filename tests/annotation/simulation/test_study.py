"""A whole study of people who are careless, leave and vanish ends with every item judged as wanted."""

from datetime import timedelta
from pathlib import Path

import pytest

from annotation.models import Answer, AuditEvent, Claim, Exclusion, Form, Study
from annotation.selectors.progress import study_progress
from annotation.selectors.quality import study_funnel
from annotation.services import study_import as study_importing
from annotation.services.study_import import study_import
from annotation.services.study_states import study_launch
from annotation.simulation.population import Population, drawn
from annotation.simulation.study import simulate
from annotation.studyfile import read_study
from annotation.studyfile.definition import EligibilityQuestion, Recruitment
from annotation.tasktypes.base import SimulatedPerson
from tests import factories

pytestmark = pytest.mark.django_db

HARD = Population(seed=5, abandon=0.15, careless=0.11)
ANSWER_QUALITY = Path(__file__).parents[3] / "fixtures" / "studies" / "answer-quality"


def run(study: Study, population: Population, *, people: int, to_the_end: bool) -> dict[str, int]:
    now = factories.NOW + timedelta(days=30)
    tally = simulate(
        study,
        population,
        annotators=people,
        until_complete=to_the_end,
        site=None,
        author="test",
        now=now,
    )
    return tally.as_dict()


def assert_complete(study: Study, replication: int) -> None:
    """Require that every item has exactly the wanted judgments, and no promise is broken."""
    progress = study_progress(study)
    assert progress.coverage == dict.fromkeys(range(replication), 0) | {replication: progress.items}
    assert (progress.over_assigned, progress.open_forms, progress.unplanned_slots) == (0, 0, 0)
    assert progress.needed_annotators == 0
    assert factories.broken_promises(study) == []
    assert study_funnel(study).final.judgments == replication * progress.items


def test_a_small_study_is_completed_exactly() -> None:
    study = factories.live(
        items=30,
        articles=15,
        replication=3,
        form_size=5,
        attention=[factories.CHECK],
        quality=[factories.ATTENTION, factories.HASTY],
    )
    counts = run(study, HARD, people=200, to_the_end=True)
    assert_complete(study, 3)
    assert counts["arrived"] == study.annotators.count()
    assert counts["arrived"] == sum(
        counts[word] for word in ("completed", "returned", "timed_out", "full")
    )
    assert counts["returned"] + counts["timed_out"] > 0
    assert Exclusion.objects.filter(rule="attention").count() == counts["failed_attention"] > 0


@pytest.mark.slow
def test_the_answer_quality_study_is_completed_exactly() -> None:
    study = study_import(read_study(ANSWER_QUALITY), author="t", now=factories.NOW).study
    study_launch(study, author="t", now=factories.NOW)
    study.refresh_from_db()
    run(study, HARD, people=600, to_the_end=True)
    assert_complete(study, 3)
    assert study_progress(study).items == 666


def test_the_same_seed_gives_the_same_study(monkeypatch: pytest.MonkeyPatch) -> None:
    # Two studies give their forms out in orders of their own.
    monkeypatch.setattr(
        study_importing, "form_order", lambda _study, forms: list(range(1, forms + 1))
    )
    answers = []
    for slug in ("one", "two"):
        study = factories.live(slug=slug, items=6, replication=1, form_size=3)
        run(study, HARD, people=4, to_the_end=False)
        rows = Answer.objects.filter(assignment__item__study=study).order_by("assignment__item")
        answers.append(list(rows.values_list("assignment__item__key", "active_seconds")))
    assert answers[0] == answers[1] != []


def test_who_declines_or_is_not_eligible_judges_nothing() -> None:
    asked = EligibilityQuestion("english", "Do you read English?", ("yes",))
    study = factories.live(factories.definition(recruitment=Recruitment(eligibility=(asked,))))
    counts = run(study, Population(declines=0.5, ineligible=0.6), people=20, to_the_end=False)
    states = {state: study.annotators.filter(state=state).count() for state in counts}
    assert counts["declined"] == states["declined"] > 0
    assert counts["screened_out"] == states["screened_out"] > 0
    left = {"declined", "screened_out"}
    assert not Claim.objects.filter(annotator__state__in=left).exists()


def test_a_study_that_is_full_says_so() -> None:
    study = factories.live(items=3, replication=1)
    counts = run(study, Population(abandon=0, careless=0), people=3, to_the_end=False)
    assert (counts["completed"], counts["full"]) == (1, 2)


def test_people_judge_as_many_forms_as_the_study_allows() -> None:
    study = factories.live(items=9, replication=1, form_size=3, forms_per_annotator=3)
    run(study, Population(abandon=0, careless=0), people=1, to_the_end=True)
    assert set(Form.objects.values_list("state", flat=True)) == {"done"}
    assert study.annotators.count() == 1
    assert AuditEvent.objects.filter(verb="top_up").count() == 0


def test_a_person_is_drawn_from_the_seed_and_the_number_alone() -> None:
    one, again, other = (drawn(HARD, number) for number in (7, 7, 8))
    assert (one.mind, one.seconds, one.leaves_after) == (
        again.mind,
        again.seconds,
        again.leaves_after,
    )
    assert one.mind != other.mind
    assert [one.pause() for _ in range(3)] == [again.pause() for _ in range(3)]


def test_a_population_is_what_its_shares_say() -> None:
    people = [drawn(Population(abandon=0.15, careless=0.11), n) for n in range(3_000)]
    shares = {
        "careless": sum(person.mind.careless for person in people),
        "abandon": sum(person.leaves_after is not None for person in people),
        "say so": sum(person.says_so for person in people if person.leaves_after is not None),
    }
    assert shares["careless"] / 3_000 == pytest.approx(0.11, abs=0.02)
    assert shares["abandon"] / 3_000 == pytest.approx(0.15, abs=0.02)
    assert shares["say so"] / shares["abandon"] == pytest.approx(0.5, abs=0.07)
    assert all(0 <= person.mind.ability <= 1 for person in people)
    assert isinstance(people[0].mind, SimulatedPerson)
