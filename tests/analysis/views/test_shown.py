"""Numbers as the monitor shows them."""

import pytest

from analysis.views.shown import _coverage, _facts

FOUND = {
    "annotators": 3,
    "judgments": 1234,
    "items": 50,
    "items_judged": 40,
    "checks": {"value": None},
    "median_seconds_item": 60.0,
}


@pytest.mark.parametrize(
    ("form", "told"),
    [
        (600.0, "median for an item, 10 min for a form"),
        # Of simulated people, who only say that they take their time.
        (8.0, "median for an item"),
        (None, "median for an item"),
    ],
)
def test_the_time_of_a_form_is_told_where_it_can_be_one(form, told):
    fact = _facts(FOUND | {"median_seconds_form": form})[3]
    assert fact == {"value": "1 min", "name": told}


def test_of_many_bands_those_are_shown_that_have_items():
    bands = [[n, 0] for n in range(51)]
    bands[50], bands[7] = [50, 3], [7, 1]
    shown = [(one["times"], one["items"]) for one in _coverage(bands, 4, 50)]
    assert shown == [("50, all that is wanted", "3"), ("7", "1")]
    assert len(_coverage([[0, 1], [1, 0], [2, 0]], 1, 2)) == 3
