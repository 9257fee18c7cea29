"""Who plans a published study again must not learn who came when."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest

from annotation.design.items import DesignItem
from annotation.design.planner import plan_forms
from annotation.models import Claim, Form, Slot, Study
from annotation.services import study_import as importing
from annotation.services.order import form_order
from tests import factories

pytestmark = pytest.mark.django_db
SHAPE: dict[str, Any] = {"items": 40, "replication": 3, "form_size": 3}
FORMS = 40
# Kendall's tau of two orders of 40 that have nothing in common has a standard deviation of 0.11.
NEAR_NOTHING = 0.25


@pytest.fixture(autouse=True)
def _a_key(settings):
    settings.IDENTITY_KEY = "a key that stays on the server"


def replanned() -> list[frozenset[str]]:
    """Return the forms as anybody plans them who has the study's folder: its items and its seed."""
    wanted = factories.definition(**SHAPE)
    keys = [row.id for row in wanted.tasks[0].items]
    replicates = tuple(range(1, wanted.assignment.replication + 1))
    design = plan_forms(
        [DesignItem(n, "compare", (), (), replicates) for n in range(len(keys))],
        form_size=wanted.assignment.form_size,
        mix=None,
        seed=wanted.seed,
    )
    return [frozenset(keys[item] for item, _ in form.places) for form in design.forms]


def everyone_comes(study: Study) -> list[Claim]:
    """Return the claims in the order in which people came."""
    return [factories.claimed(factories.annotator(study)) for _ in range(FORMS)]


def given(claims: Sequence[Claim]) -> list[frozenset[str]]:
    """Return which items each person judges, as a release says it."""
    items: dict[int, set[str]] = {}
    of_claims = Claim.objects.filter(pk__in=[claim.pk for claim in claims])
    for claim, key in of_claims.values_list("pk", "assignments__item__key"):
        items.setdefault(claim, set()).add(key)
    return [frozenset(items[claim.pk]) for claim in claims]


def rank_correlation(values: Sequence[float]) -> float:
    """Return Kendall's tau of values with the order in which they stand; ties count as nothing."""
    pairs = list(combinations(values, 2))
    return sum((later > earlier) - (later < earlier) for earlier, later in pairs) / len(pairs)


def recovered(study: Study) -> float:
    """Return how well the planned order, found by the items of each form, tells who came when."""
    plan = replanned()
    forms = given(everyone_comes(study))
    assert set(forms) == set(plan)
    return rank_correlation([plan.index(form) for form in forms])


def test_the_plan_does_not_tell_who_came_when():
    study = factories.live(**SHAPE)
    assert abs(recovered(study)) < NEAR_NOTHING
    # Nor does what hangs on the plan: which replicate a slot is, which side it shows first.
    came = Slot.objects.order_by("form__claims__claimed_at", "form__claims__pk", "place")
    for column in ("replicate", "flipped"):
        assert abs(rank_correlation(list(came.values_list(column, flat=True)))) < NEAR_NOTHING


def test_forms_given_out_as_planned_would_tell(monkeypatch):
    monkeypatch.setattr(importing, "form_order", lambda _study, forms: list(range(1, forms + 1)))
    assert recovered(factories.live(**SHAPE)) == 1


def test_the_order_follows_from_the_key_the_study_and_nothing_else(settings):
    study = factories.imported(**SHAPE)
    first = list(Form.objects.order_by("pk").values_list("seq", flat=True))
    assert sorted(first) == list(range(1, FORMS + 1))
    Form.objects.all().delete()
    assert form_order(study, FORMS) == first
    settings.IDENTITY_KEY = "another"
    assert form_order(study, FORMS) != first


def test_the_forms_of_a_top_up_come_after_the_others_in_an_order_of_their_own():
    study = factories.imported(items=6, replication=1, form_size=3)
    orders = {tuple(form_order(study, n)) for n in range(1, 9)}
    assert {min(order) for order in orders} == {3}
    assert all(sorted(order) == list(range(3, 3 + len(order))) for order in orders)
    assert any(list(order) != sorted(order) for order in orders)


def test_over_many_keys_the_order_has_no_lean(settings):
    study = factories.imported(items=3, replication=1)
    found = []
    for key in range(40):
        settings.IDENTITY_KEY = f"key {key}"
        found.append(rank_correlation(form_order(study, FORMS)))
    assert abs(sum(found) / len(found)) < NEAR_NOTHING / 40**0.5
