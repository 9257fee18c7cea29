from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from annotation.design.composition import compose

counts = st.lists(st.integers(0, 200), min_size=1, max_size=4)


def test_the_gaps_of_the_scarcer_task_are_spread():
    forms = compose([1800, 198], 10, [9, 1], 1)
    assert Counter(forms) == {(9, 1): 198, (9, 0): 2}
    first, second = (number for number, form in enumerate(forms) if form == (9, 0))
    assert second - first == 100


def test_the_rest_of_a_division_is_spread_and_not_left_to_the_last_person():
    assert Counter(compose([2000], 9, [9], 1)) == {(9,): 216, (8,): 7}


def test_a_mix_that_the_slots_do_not_fill_gives_shorter_forms():
    assert Counter(compose([1800, 300], 10, [9, 1], 1)) == {(6, 1): 300}


def test_without_a_mix_forms_are_as_few_as_possible():
    forms = compose([1000, 10], 10, None, 1)
    assert len(forms) == 101
    assert max(pairs for _, pairs in forms) == 1


def test_conflicts_may_want_more_forms_than_the_places_do():
    assert Counter(compose([12], 6, None, 4)) == {(3,): 4}


def test_no_slots_need_no_forms():
    assert compose([0, 0], 10, [9, 1], 0) == []


@given(counts, st.integers(1, 12), st.integers(1, 30))
def test_every_slot_has_one_place_and_forms_differ_by_one(slots, form_size, least):
    forms = compose(slots, form_size, None, least)
    assert [sum(column) for column in zip(*forms, strict=True)] == (slots if any(slots) else [])
    sizes = {sum(form) for form in forms}
    assert max(sizes, default=0) <= form_size
    assert max(sizes, default=0) - min(sizes, default=0) <= 1
    assert not forms or len(forms) >= least


@given(counts, st.data())
def test_no_task_gets_more_places_than_its_mix(slots, data):
    mix = data.draw(
        st.lists(st.integers(1, 9), min_size=len(slots), max_size=len(slots)), label="mix"
    )
    forms = compose(slots, sum(mix), mix, 1)
    assert [sum(column) for column in zip(*forms, strict=True)] == (slots if any(slots) else [])
    for form in forms:
        assert all(places <= allowed for places, allowed in zip(form, mix, strict=True))
