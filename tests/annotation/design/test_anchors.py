"""Items on every form: each once a form, the others exactly as often as asked."""

from collections import Counter
from dataclasses import replace
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.design.items import DesignItem
from annotation.design.planner import plan_forms
from tests.annotation.design.shapes import clashing_pairs, forms_of


def items_of(anchors, others, wanted, *, task="trace"):
    """Items of as many problems, spread over four strata."""
    return [
        DesignItem(
            key=key,
            task=task,
            conflicts=(f"problem={task}{key}",),
            margins=(f"s{key % 4}",),
            replicates=() if key < anchors else tuple(range(1, wanted + 1)),
            anchor=key < anchors,
        )
        for key in range(anchors + others)
    ]


def test_four_people_share_ten_anchors_and_halve_the_rest():
    design = plan_forms(items_of(10, 50, 2), form_size=35, mix=None, seed=42)
    forms = [set(form) for form in forms_of(design)]
    assert [len(form) for form in forms] == [35] * 4
    assert set.intersection(*forms) == set(range(10))
    assert Counter(key for form in forms for key in form if key >= 10) == dict.fromkeys(
        range(10, 60), 2
    )
    report = design.report
    assert (report.anchors, report.slots, report.form_sizes) == (10, 140, {35: 4})
    assert (report.coverage_min, report.coverage_max) == (2, 2)


@settings(deadline=None, max_examples=30)
@given(
    st.integers(1, 6), st.integers(1, 40), st.integers(1, 4), st.integers(1, 9), st.integers(0, 99)
)
def test_every_anchor_is_on_every_form_and_every_other_item_is_judged_as_wanted(
    anchors, others, wanted, beside, seed
):
    items = items_of(anchors, others, wanted)
    design = plan_forms(items, form_size=anchors + beside, mix=None, seed=seed)
    count = len(design.forms)
    assert count == max(wanted, ceil(others * wanted / beside))
    slots = Counter(place for form in design.forms for place in form.places)
    expected = {(key, nth): 1 for key in range(anchors) for nth in range(1, count + 1)}
    expected |= {
        (key, nth): 1 for key in range(anchors, anchors + others) for nth in range(1, wanted + 1)
    }
    assert slots == expected
    for form in forms_of(design):
        assert set(range(anchors)) <= set(form)
        assert len(set(form)) == len(form) <= anchors + beside
    assert clashing_pairs(items, forms_of(design)) == 0


def test_anchors_take_their_places_of_the_mix():
    singles, pairs = items_of(2, 12, 2, task="one"), items_of(1, 0, 2, task="two")
    pairs = [replace(item, key=100 + item.key) for item in pairs]
    design = plan_forms([*singles, *pairs], form_size=6, mix={"one": 5, "two": 1}, seed=1)
    assert len(design.forms) == 8
    assert all({0, 1, 100} < set(form) and len(form) == 6 for form in forms_of(design))


def test_the_same_seed_gives_the_same_forms_and_anchors_change_no_other_place():
    items = items_of(3, 20, 2)
    design = plan_forms(items, form_size=8, mix=None, seed=5)
    assert design == plan_forms(items, form_size=8, mix=None, seed=5)
    alone = plan_forms(items[3:], form_size=5, mix=None, seed=5)
    assert [form.places[:-3] for form in design.forms] == [form.places for form in alone.forms]


def test_forms_of_every_group_have_the_anchors_and_nothing_else_in_common():
    items = items_of(4, 40, 2)
    halves = [item if item.anchor else replace(item, pool="ab"[item.key % 2]) for item in items]
    design = plan_forms(halves, form_size=8, mix=None, seed=3)
    forms = {
        pool: [{k for k, _ in f.places} for f in design.forms if f.pool == pool] for pool in "ab"
    }
    assert [len(some) for some in forms.values()] == [10, 10]
    assert all(set(range(4)) < form and len(form) == 8 for some in forms.values() for form in some)
    one, two = (set.union(*some) for some in forms.values())
    assert one & two == set(range(4))
    slots = Counter(place for form in design.forms for place in form.places)
    assert set(slots.values()) == {1}
    assert slots.keys() >= {(0, nth) for nth in range(1, 21)}


@pytest.mark.parametrize(
    ("change", "size", "mix", "told"),
    [
        (lambda items: items, 3, None, "3 anchors leave no place on a form of 3"),
        (lambda items: items, 6, {"trace": 2, "b": 4}, "The mix has 2 places of 'trace'"),
        (lambda items: items[:3], 6, None, "All items are anchors"),
        (
            lambda items: [replace(items[0], replicates=(1,)), *items[1:]],
            6, None, "An anchor wants replicates of its own",
        ),
        (
            lambda items: [*items[:-1], replace(items[-1], conflicts=items[0].conflicts)],
            6, None, "The anchor 0 shares 'problem=trace0' with another item",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_planned_is_refused(change, size, mix, told):
    with pytest.raises(ValueError, match=told):
        plan_forms(change(items_of(3, 9, 2)), form_size=size, mix=mix, seed=1)
