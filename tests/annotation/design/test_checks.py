import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.design.checks import Screen, item_order, screens


def layout(places, positions):
    return [
        f"check{screen.check}" if screen.is_check else screen.item
        for screen in screens(places, positions)
    ]


def test_the_check_is_the_seventh_of_eleven_screens():
    assert layout(10, [7]) == [0, 1, 2, 3, 4, 5, "check0", 6, 7, 8, 9]


def test_a_short_form_ends_with_the_check():
    assert layout(3, [7]) == [0, 1, 2, "check0"]
    assert layout(0, [7]) == ["check0"]


def test_the_check_may_come_first_or_exactly_last():
    assert layout(2, [1]) == ["check0", 0, 1]
    assert layout(2, [3]) == [0, 1, "check0"]


def test_checks_keep_their_own_positions_in_any_order_of_declaration():
    assert layout(6, [7, 3]) == [0, 1, "check1", 2, 3, 4, "check0", 5]


def test_a_second_check_at_one_position_follows_the_first():
    assert layout(3, [2, 2]) == [0, "check0", "check1", 1, 2]
    assert layout(3, [2, 2, 3]) == [0, "check0", "check1", "check2", 1, 2]


def test_a_form_without_checks():
    assert screens(2, []) == [Screen(item=0), Screen(item=1)]


def test_a_position_before_the_first_screen_is_refused():
    with pytest.raises(ValueError, match="position 0; the first screen is 1"):
        screens(3, [7, 0])


@given(st.integers(0, 30), st.lists(st.integers(1, 40), max_size=5, unique=True))
def test_items_keep_their_order_and_checks_their_screens(places, positions):
    shown = screens(places, positions)
    assert [screen.item for screen in shown if not screen.is_check] == list(range(places))
    assert sorted(screen.check for screen in shown if screen.is_check) == list(
        range(len(positions))
    )
    for number, screen in enumerate(shown, start=1):
        if screen.is_check and positions[screen.check] <= places:
            assert number == positions[screen.check]


@given(st.integers(0, 40), st.integers(0, 2**62))
def test_an_order_is_a_permutation_that_can_be_drawn_again(places, seed):
    order = item_order(places, seed)
    assert sorted(order) == list(range(places))
    assert order == item_order(places, seed)


def test_orders_of_different_people_differ():
    assert len({tuple(item_order(10, seed)) for seed in range(50)}) == 50


def test_a_stored_seed_keeps_its_order():
    """Answers refer to what was shown, so an upgrade must not redraw a claim's order."""
    assert item_order(10, 2205) == [2, 4, 0, 7, 6, 3, 8, 5, 1, 9]
