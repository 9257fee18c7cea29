"""What the monitor finds unusual, each sign by a case in which it must and one in which it must not appear."""

import numpy as np
import pytest

from analysis.pipelines.monitor.agreement import agreement_so_far
from analysis.pipelines.monitor.observed import Gathered, LeftOut, Observed
from analysis.pipelines.monitor.unusual import unusual
from analysis.stats.alpha import krippendorff_alpha
from analysis.stats.ratings import Ratings

NOBODY = LeftOut(np.array([], dtype=np.int64), np.array([], dtype=np.int64))


def gathered(rows, level="ordinal", order=("1", "2", "3", "4", "5")):
    """Return answers given as (item, person, value)."""
    found = Gathered("rate", "adequacy", level, order)
    items, people, values = zip(*rows, strict=True) if rows else ((), (), ())
    place = np.arange(len(rows))
    found.add(np.array([place, items, people], dtype=np.int64), place, values)
    return found


def observed(*rows, failed=None, dimensions=()):
    """Return answers given as (person, seconds, contradictions)."""
    found = Observed(failed=failed or {}, dimensions=dimensions)
    people, seconds, contradictions = zip(*rows, strict=True) if rows else ((), (), ())
    place = np.arange(len(rows))
    found.add(
        np.array([place, place, people], dtype=np.int64),
        np.array(seconds, dtype=np.float64),
        np.array(contradictions, dtype=np.int64),
    )
    return found


def signs(found, agreement=(), fast=None):
    return {one.person: one.words for one in unusual(found, agreement, fast)}


def test_labels_stand_in_the_order_of_the_scale_and_strangers_after_them():
    ratings = gathered([(1, 7, "5"), (1, 8, "0"), (2, 7, "1")]).ratings()
    assert ratings.labels.tolist() == ["1", "2", "3", "4", "5", "0"]
    assert ratings.code.tolist() == [4, 5, 0]


def test_numbers_are_sorted_as_numbers():
    ratings = gathered([(1, 7, 10.0), (1, 8, 9.0)], "interval", ()).ratings()
    assert ratings.labels.tolist() == [9.0, 10.0]
    assert ratings.code.tolist() == [1, 0]


def test_agreement_is_that_of_the_statistic_on_the_same_table():
    rows = [(1, 7, "1"), (1, 8, "2"), (2, 7, "4"), (2, 8, "4"), (3, 7, "5"), (3, 9, "3")]
    one = agreement_so_far([gathered(rows)], seed=1)[0]
    items, people, values = zip(*rows, strict=True)
    table = Ratings.from_long(items, people, values, labels=["1", "2", "3", "4", "5"])
    assert one.agreement.value == krippendorff_alpha(table, "ordinal").value
    assert one.raters.tolist() == [7, 8, 9]
    assert "distribution" not in one.as_dict()


def test_without_a_second_rating_agreement_says_why():
    one = agreement_so_far([gathered([(1, 7, "1")])], seed=1)[0].as_dict()
    assert one["value"] is None
    assert "no item was rated by two raters" in one["reason"]


def test_nobody_is_left_out_of_nothing():
    empty = Observed(dimensions=(gathered([]),))
    empty.leave_out(NOBODY)
    assert signs(empty, agreement_so_far(empty.dimensions, seed=1)) == {}


def test_what_is_left_out_is_gone_from_every_column():
    whole = observed((7, 1.0, 0), (8, 2.0, 1), (9, 3.0, 0))
    whole.dimensions = (gathered([(1, 7, "1"), (1, 8, "2"), (1, 9, "3")]),)
    whole.leave_out(LeftOut(np.array([7]), np.array([1])))
    assert (list(whole.people), list(whole.seconds)) == ([9], [3.0])
    assert whole.dimensions[0].ratings().labels[whole.dimensions[0].ratings().code] == ["3"]


def test_a_failed_check_of_somebody_who_counts_is_a_sign():
    found = observed((7, 30.0, 0), failed={7: 2, 8: 1})
    assert signs(found) == {7: ("failed 2 attention checks",)}


def test_contradictions_are_counted():
    assert signs(observed((7, 30.0, 1), (7, 30.0, 2), (8, 30.0, 0))) == {
        7: ("contradicts themselves 3 times",)
    }


@pytest.mark.parametrize(
    ("seconds", "fast", "words"),
    [
        ([1, 1, 1, 30], 6.0, "3 of 4 in under 6 s"),
        ([1, 1, 30, 30], 6.0, None),
        ([1, 1, 1] + [30] * 7, 6.0, None),
        ([1, 1, 1, 30], None, "3 of 4 in under 7.5 s"),
    ],
)
def test_haste_is_by_the_rule_of_the_study_or_by_the_median(seconds, fast, words):
    others = [(8, 30.0, 0)] * 20
    found = signs(observed(*[(7, float(s), 0) for s in seconds], *others), fast=fast)
    assert found == ({7: (words,)} if words else {})


def test_unknown_seconds_are_no_haste():
    assert signs(observed(*[(7, None, 0)] * 5), fast=6.0) == {}


def varied(people, items=40):
    """Return people who see each item alike, over the whole scale."""
    return [(item, person, str(item % 5 + 1)) for item in range(items) for person in people]


def test_one_label_only_is_a_sign_where_others_use_the_scale():
    rows = varied(range(10)) + [(item, 99, "5") for item in range(8)]
    agreement = agreement_so_far([gathered(rows)], seed=1)
    assert "always “5” on adequacy, 8 times" in signs(observed((99, 30.0, 0)), agreement)[99]


def test_one_label_only_is_no_sign_where_everybody_gives_it():
    rows = [(item, person, "5") for item in range(20) for person in range(3)]
    agreement = agreement_so_far([gathered(rows)], seed=1)
    assert signs(observed((0, 30.0, 0)), agreement) == {}


def test_who_disagrees_stands_out_with_alpha_with_and_without_them():
    rng = np.random.default_rng(5)
    rows = varied(range(14)) + [(item, 99, str(rng.integers(1, 6))) for item in range(40)]
    agreement = agreement_so_far([gathered(rows)], seed=1)
    found = unusual(observed((99, 30.0, 0)), agreement)
    assert [one.person for one in found] == [99]
    sign = found[0].signs[0]
    assert found[0].words == ("disagrees with the others on adequacy",)
    assert sign.without == pytest.approx(1.0)
    assert sign.alpha < sign.without


def test_among_few_raters_nobody_stands_out():
    rows = varied(range(4)) + [(item, 99, str((item * 7) % 5 + 1)) for item in range(40)]
    assert "disagrees" not in str(signs(observed(), agreement_so_far([gathered(rows)], seed=1)))


def test_the_oddest_comes_first():
    found = unusual(observed((7, 30.0, 1), (8, 30.0, 0), failed={8: 3}), [])
    assert [one.person for one in found] == [8, 7]
