"""A person gets the next form in planned order, once, and nothing twice."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.errors import NothingToClaim, StateForbids
from annotation.models import Annotator, Claim, Form, Slot
from annotation.services import claims as module
from annotation.services.claims import form_claim
from annotation.services.sessions import annotator_return, consent_give, screening_record
from annotation.studyfile.definition import EligibilityQuestion, Recruitment
from tests import factories

pytestmark = pytest.mark.django_db

# On SQLite; PostgreSQL needs as many. A form of any size, with a check, and a conflict key.
CLAIM_QUERIES = 27


def test_forms_are_given_in_planned_order() -> None:
    study = factories.live(items=6, replication=1, form_size=2)
    given = [factories.claimed(factories.annotator(study)).form.seq for _ in range(3)]
    assert given == [1, 2, 3]
    assert set(study.forms.values_list("state", flat=True)) == {Form.State.HELD}


def test_a_double_click_gets_the_same_form() -> None:
    study = factories.live()
    person = factories.annotator(study)
    first, second = (factories.claimed(person, seed=seed) for seed in (1, 2))
    assert first.pk == second.pk
    assert first.seed == second.seed
    assert Claim.objects.count() == 1


def test_the_order_is_drawn_once_from_the_seed_of_the_claim() -> None:
    study = factories.live(items=12, replication=1, form_size=12)
    claim = factories.claimed(factories.annotator(study))
    shown = [
        Slot.objects.get(assignments=screen).place for screen in factories.judge_screens(claim)
    ]
    places = list(range(1, 13))
    factories.seeded(claim.seed).shuffle(places)
    assert shown == places


def test_a_form_that_somebody_gave_back_is_the_next_at_its_old_place() -> None:
    study = factories.live(items=6, replication=1, form_size=2)
    first, second = (factories.annotator(study) for _ in range(2))
    for person in (first, second):
        factories.claimed(person)
    annotator_return(first, now=factories.NOW)
    assert factories.claimed(factories.annotator(study)).form.seq == 1


def test_who_gave_a_form_back_gets_another_one() -> None:
    study = factories.live(items=6, replication=1, form_size=2)
    person = factories.annotator(study)
    assert factories.claimed(person).form.seq == 1
    annotator_return(person, now=factories.NOW)
    assert factories.claimed(person).form.seq == 2


def test_nobody_judges_an_item_twice_even_where_only_that_is_left() -> None:
    study = factories.live(items=3, replication=2, form_size=3, forms_per_annotator=2)
    person = factories.annotator(study)
    factories.finished(factories.claimed(person))
    with pytest.raises(NothingToClaim, match="no set left for you right now"):
        factories.claimed(person)


def test_a_person_gets_the_first_form_without_an_article_met_before() -> None:
    study = factories.live(items=12, articles=6, replication=1, form_size=2, forms_per_annotator=6)
    person = factories.annotator(study)
    met: set[str] = set()
    while True:
        suitable = [form for form in study.forms.filter(state="open") if not met & articles(form)]
        if not suitable:
            break
        form = factories.finished(factories.claimed(person)).form
        assert form.seq == min(one.seq for one in suitable)
        met |= articles(form)
    assert person.claims.count() > 1
    with pytest.raises(NothingToClaim):
        factories.claimed(person)


def articles(form: Form) -> set[str]:
    """Return the articles of a form's items."""
    return {key for slot in form.slots.all() for key in slot.item.conflicts}


def test_a_suitable_form_is_found_behind_many_that_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "LOOK", 1)
    study = factories.live(items=4, replication=4, form_size=2, forms_per_annotator=2, articles=4)
    person = factories.annotator(study)
    first = factories.finished(factories.claimed(person))
    items = {screen.item_id for screen in factories.judge_screens(first)}
    second = factories.claimed(person)
    assert second.form.seq > first.form.seq
    assert not items & {screen.item_id for screen in factories.judge_screens(second)}


def test_a_person_judges_as_many_forms_as_the_study_allows() -> None:
    study = factories.live(items=9, replication=1, form_size=3, forms_per_annotator=2)
    person = factories.annotator(study)
    for _ in range(2):
        factories.finished(factories.claimed(person))
    with pytest.raises(StateForbids, match="all that one person may judge"):
        factories.claimed(person)


def test_the_last_form_is_given_and_then_the_study_is_full() -> None:
    study = factories.live(items=2, replication=1, form_size=2)
    factories.claimed(factories.annotator(study))
    late = factories.annotator(study)
    with pytest.raises(NothingToClaim, match="Thank you for coming") as refusal:
        factories.claimed(late)
    assert refusal.value.code == "full"
    assert Claim.objects.count() == 1


def test_nothing_is_judged_before_consent() -> None:
    study = factories.live()
    person = factories.arrived(study)
    with pytest.raises(StateForbids, match="before consent is given"):
        factories.claimed(person)
    consent_give(person, given=False, language="en", now=factories.NOW)
    with pytest.raises(StateForbids, match="You have left this study"):
        factories.claimed(person)
    assert not Claim.objects.exists()


def test_nothing_is_judged_before_the_questions_of_eligibility() -> None:
    asked = EligibilityQuestion("english", "Do you read English?", ("yes",))
    study = factories.live(factories.definition(recruitment=Recruitment(eligibility=(asked,))))
    person, other = (factories.arrived(study) for _ in range(2))
    for someone in (person, other):
        consent_give(someone, given=True, language="en", now=factories.NOW)
    with pytest.raises(StateForbids, match="questions about yourself first"):
        factories.claimed(person)
    assert screening_record(person, {"english": "yes"}, now=factories.NOW)
    assert factories.claimed(person).state == "held"
    assert not screening_record(other, {"english": "no"}, now=factories.NOW)
    assert not screening_record(other, {"english": "yes"}, now=factories.NOW)
    with pytest.raises(StateForbids, match="You have left this study"):
        factories.claimed(other)


def test_a_claim_that_fails_half_way_leaves_the_form_open(monkeypatch: pytest.MonkeyPatch) -> None:
    study = factories.live()
    person = factories.annotator(study)

    def broken(*_: object) -> None:
        raise RuntimeError("power cut")

    with monkeypatch.context() as patch:
        patch.setattr(module, "screens_make", broken)
        with pytest.raises(RuntimeError):
            factories.claimed(person)
    assert not Claim.objects.exists()
    assert not study.forms.exclude(state="open").exists()
    assert factories.claimed(person).form.seq == 1


def test_who_is_overtaken_looks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    study = factories.live(items=6, replication=1, form_size=3)
    look, looks = module._next_form, []

    def overtaken(person: Annotator, **options: int) -> Form:
        form = look(person, **options)
        looks.append(options["look"])
        if len(looks) == 1:
            Form.objects.filter(pk=form.pk).update(state="held")
        return form

    monkeypatch.setattr(module, "_next_form", overtaken)
    assert factories.claimed(factories.annotator(study)).form.seq == 1
    assert looks == [module.LOOK, 2 * module.LOOK]


def test_a_claim_has_the_lease_of_the_study() -> None:
    study = factories.live()
    claim = factories.claimed(factories.annotator(study))
    assert claim.lease_until == factories.NOW + 60 * factories.MINUTE
    endless = factories.live(factories.definition(slug="endless", recruitment=Recruitment()))
    assert factories.claimed(factories.annotator(endless)).lease_until == (
        factories.NOW + module.OPEN_ENDED
    )


@pytest.mark.parametrize("key", ["q", "r", "a key that stays on the server"])
def test_a_claim_costs_the_same_however_large_the_study_is(settings: Any, key: str) -> None:
    # The key decides which form comes first, and so what suits its check.
    settings.IDENTITY_KEY = key
    counts = []
    for items in (12, 96):
        study = factories.live(
            slug=f"of-{items}",
            items=items,
            articles=items,
            form_size=6,
            attention=[factories.CHECK],
        )
        person = factories.annotator(study)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            form_claim(person, now=factories.NOW, rng=factories.seeded(3))
        counts.append(len(queries))
    assert counts[0] == counts[1] <= CLAIM_QUERIES


def test_each_slot_of_a_form_is_on_one_screen() -> None:
    study = factories.live(items=6, replication=1, form_size=6, attention=[factories.CHECK])
    claim = factories.claimed(factories.annotator(study))
    on_screens = {screen.slot_id for screen in factories.judge_screens(claim)}
    assert on_screens == set(Slot.objects.filter(form=claim.form).values_list("pk", flat=True))
