"""Many claimers at once: three judgments an item, never four; and what guards that, taken away."""

from collections.abc import Callable
from contextlib import nullcontext
from threading import Barrier
from time import monotonic, sleep
from types import SimpleNamespace

import pytest
from django.db import connection

from annotation.errors import NothingToClaim
from annotation.models import Annotator, Assignment, Claim, Form, Study
from annotation.selectors.progress import study_progress
from annotation.services import claims as module
from annotation.services.exclusions import exclusion_by_hand
from annotation.services.sessions import annotator_return
from tests import factories
from tests.concurrency.threads import PATIENCE, at_once

pytestmark = [
    pytest.mark.concurrency,
    pytest.mark.django_db(transaction=True),
    # One crowd at a time: a server has a hundred connections for all tests together.
    pytest.mark.xdist_group("crowds"),
]

CLAIMERS = 64
RETURNS, EXCLUDED = 0.15, 0.11


def collector(study: Study, number: int) -> Callable[[], int]:
    """Return one claimer: people come one after the other until every form is done."""
    rng = factories.seeded(number)

    def collect() -> int:
        claims = 0
        person = factories.annotator(study)
        tired = monotonic() + 2 * PATIENCE
        while study.forms.filter(state__in=["open", "held"]).exists():
            # A form may be held by one who broke down, whose failure is told once all have ended.
            assert monotonic() < tired, "the pool does not fill"
            try:
                claim = module.form_claim(person, now=factories.NOW, rng=rng)
            except NothingToClaim:
                sleep(rng.uniform(0.1, 0.5))
                continue
            claims += 1
            if rng.random() < RETURNS:
                annotator_return(person, now=factories.NOW)
            else:
                factories.finished(claim)
                if rng.random() < EXCLUDED:
                    exclusion_by_hand(person, reason="a robot", author="a", now=factories.NOW)
            person = factories.annotator(study)
        return claims

    return collect


def test_64_claimers_fill_a_pool_exactly() -> None:
    study = factories.live(items=72, articles=36, replication=3, form_size=6)
    claims = sum(at_once([collector(study, number) for number in range(CLAIMERS)]))
    assert claims >= study.forms.count() == 36
    assert set(factories.judged_times(study).values()) == {3}
    assert factories.broken_promises(study) == []
    progress = study_progress(study)
    assert (progress.over_assigned, progress.open_forms, progress.unplanned_slots) == (0, 0, 0)


def test_people_who_begin_at_the_same_moment_get_different_forms() -> None:
    study = factories.live(items=24, replication=1, form_size=3)
    people = [factories.annotator(study) for _ in range(8)]
    claims = at_once([claiming(person) for person in people])
    assert sorted(claim.form.seq for claim in claims) == list(range(1, 9))


def test_of_twenty_people_five_get_the_last_five_forms() -> None:
    study = factories.live(items=5, replication=1, form_size=1)
    people = [factories.annotator(study) for _ in range(20)]

    def claim_or_none(person: Annotator) -> Callable[[], Claim | None]:
        def claim() -> Claim | None:
            try:
                return claiming(person)()
            except NothingToClaim:
                return None

        return claim

    given = [claim for claim in at_once([claim_or_none(p) for p in people]) if claim]
    assert sorted(claim.form.seq for claim in given) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("clicks", [2, 20])
def test_many_clicks_of_one_person_get_one_form(clicks: int) -> None:
    study = factories.live(items=24, replication=1, form_size=3)
    person = factories.annotator(study)
    claims = at_once([claiming(person)] * clicks)
    assert len({claim.pk for claim in claims}) == 1
    assert Claim.objects.count() == 1
    assert Assignment.objects.count() == 3


def claiming(person: Annotator) -> Callable[[], Claim]:
    """Return the act of claiming a form."""
    return lambda: module.form_claim(
        person, now=factories.NOW, rng=factories.seeded(f"claim {person.pk}")
    )


def check_then_act(window: Barrier) -> Callable[[Form], None]:
    """Return what takes a form as one would write it without thinking of others."""

    def take(form: Form) -> None:
        if Form.objects.get(pk=form.pk).state != Form.State.OPEN:
            raise module._Overtaken
        window.wait(PATIENCE)
        Form.objects.filter(pk=form.pk).update(state=Form.State.HELD)

    return take


def without_constraints() -> None:
    """Drop what keeps a second holder out of a form and of a slot."""
    doomed = {
        Claim: {"claim_one_a_form"},
        Assignment: {"assignment_one_holder_a_slot"},
    }
    with connection.schema_editor() as editor:
        for model, names in doomed.items():
            for constraint in model._meta.constraints:
                if constraint.name in names:
                    editor.remove_constraint(model, constraint)


@pytest.mark.usefixtures("scratch_url")
def test_without_constraints_and_locks_the_race_does_happen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control: should this fail, the tests above would prove nothing."""
    without_constraints()
    study = factories.live(items=24, replication=1, form_size=3)
    people = [factories.annotator(study) for _ in range(8)]
    with monkeypatch.context() as patch:
        patch.setattr(module, "_take", check_then_act(Barrier(len(people))))
        patch.setattr(module, "_locked", lambda rows, *_: rows)
        patch.setattr(
            module,
            "annotator_locked",
            lambda pk: Annotator.objects.select_related("study").get(pk=pk),
        )
        patch.setattr(module, "transaction", SimpleNamespace(atomic=nullcontext))
        claims = at_once([claiming(person) for person in people])
    assert {claim.form.seq for claim in claims} == {1}
    for claim in claims:
        factories.finished(claim)
    over = [p for p in factories.broken_promises(study) if "is judged 8 times instead of 1" in p]
    assert len(over) == 3
    assert study_progress(study).over_assigned == 3
