import json

import pytest

from annotation.design.cautions import cautions
from annotation.design.items import DesignItem
from annotation.design.measures import measure
from annotation.design.planner import plan_forms
from tests.annotation.design.shapes import crossed


def item(key, *, task="answer", conflict="", level="", wanted=2):
    return DesignItem(
        key, task, (conflict,) if conflict else (), (level,), tuple(range(1, 1 + wanted))
    )


def form(*keys, replicate=1):
    return ("", tuple((key, replicate) for key in keys))


class TestFigures:
    def test_clashes_are_counted_on_the_forms_themselves(self):
        items = [item(1, conflict="a=1"), item(2, conflict="a=1"), item(3, conflict="a=2")]
        assert measure(items, [form(1, 2, 3), form(1, 3)]).clashes == 1
        assert measure(items, [form(1, 1)]).clashes == 1

    def test_coverage_counts_items_that_got_nothing(self):
        report = measure([item(1), item(2), item(3, wanted=0)], [form(1), form(1)])
        assert (report.coverage_min, report.coverage_max) == (0, 2)

    def test_lambda_of_four_items_in_three_forms(self):
        report = measure([item(n) for n in range(4)], [form(0, 1), form(0, 1, 2), form(0, 1)])
        assert (report.lambda_max, report.lambda_over_1) == (3, 1)
        # Six pairs meet 3, 1, 1, 0, 0 and 0 times.
        assert report.lambda_variance == pytest.approx(11 / 6 - (5 / 6) ** 2)

    def test_items_of_different_pools_are_no_pair(self):
        items = [
            DesignItem(n, "answer", (), (), (1,), pool=pool)
            for n, pool in enumerate(["hi", "hi", "ar", "ar"])
        ]
        forms = [("hi", ((0, 1), (1, 1))), ("ar", ((2, 1),)), ("ar", ((3, 1),))]
        assert measure(items, forms).lambda_variance == pytest.approx(0.25)

    def test_a_single_item_has_no_pair_to_vary(self):
        assert measure([item(1)], [form(1)]).lambda_variance == 0

    def test_margins_follow_the_share_of_each_task(self):
        items = [item(n, level="xy"[n % 2]) for n in range(4)]
        items.append(item(9, task="pair", level="x"))
        report = measure(items, [form(0, 1, 9), form(0, 2, 9), form(1, 2), form(3, 1)])
        assert report.margins_balanced_share == 0.5

    def test_a_rare_level_may_be_absent_but_not_twice(self):
        items = [item(n, level="rare" if n < 2 else "usual") for n in range(8)]
        report = measure(items, [form(0, 1, 2), form(0, 2, 3), form(4, 5, 6)])
        assert report.margins_balanced_share == pytest.approx(2 / 3)

    def test_a_level_that_a_form_must_hold_is_missed_when_absent(self):
        items = [item(n, level="xy"[n % 2]) for n in range(4)]
        assert measure(items, [form(0, 2)]).margins_balanced_share == 0

    def test_the_report_is_plain_json_with_the_largest_forms_first(self):
        report = plan_forms(crossed(7, 3), form_size=4, mix=None, seed=1).report
        kept = json.loads(json.dumps(report.as_dict()))
        assert kept["slots"] == 63
        assert list(kept["form_sizes"].items()) == [("4", 15), ("3", 1)]
        assert kept["warnings"] == list(report.warnings)


class TestWarnings:
    def test_forms_longer_than_the_conflict_values_there_are(self):
        report = plan_forms(crossed(6, 8), form_size=9, mix=None, seed=1).report
        assert report.form_sizes == {6: 24}
        assert report.warnings[0] == (
            "24 of 24 forms (100.0%) miss two or more of 9 places: items that share 'question=q0' "
            "want 24 slots and never stand in one form; 'question' has 6 distinct values, and form_size "
            "cannot usefully be larger than that."
        )

    def test_a_mix_that_does_not_fit_the_slots(self):
        items = [item(n, wanted=1) for n in range(36)]
        items += [item(100 + n, task="pair", wanted=1) for n in range(12)]
        report = plan_forms(items, form_size=10, mix={"answer": 9, "pair": 1}, seed=1).report
        assert report.warnings == (
            (
                "12 of 12 forms (100.0%) miss two or more of 10 places: the mix asks for 9 answer "
                "and 1 pair in a form, but there are 36 answer and 12 pair slots."
            ),
        )

    def test_too_few_slots_for_one_form(self):
        report = plan_forms([item(n, wanted=1) for n in range(3)], form_size=9, mix=None, seed=1)
        assert report.report.warnings == (
            "1 of 1 forms (100.0%) misses two or more of 9 places: 3 slots do not fill forms of 9.",
        )

    def test_repeats_that_a_small_pool_forces(self):
        report = plan_forms([item(n, wanted=3) for n in range(6)], form_size=4, mix=None, seed=1)
        (warning,) = report.report.warnings
        assert warning.endswith(
            "an item has up to 9 neighbours in 3 forms of 4, the smallest pool holds 5 other "
            "items, so repeats cannot be avoided."
        )
        assert warning.startswith(f"{report.report.lambda_over_1} pairs of items meet in more")

    def test_repeats_without_a_proof_that_they_must_be(self):
        items = [item(n, wanted=2) for n in range(8)]
        figures = measure(items, [form(0, 1, 2), form(0, 1, 3), form(4, 5, 6)])
        (warning,) = cautions(figures, items, 3, None)
        assert warning == (
            "1 pair of items meet in more than one form, at most in 2: an item has up to 4 "
            "neighbours in 2 forms of 3, the smallest pool holds 7 other items, and conflicts "
            "and margins leave too little choice to avoid every repeat."
        )

    def test_clashes_and_margins_in_a_form_that_was_not_planned_here(self):
        items = [item(n, conflict="a=1", level="xy"[n], wanted=1) for n in range(2)]
        items += [item(5, conflict="a=2", level="x", wanted=1), item(6, level="y", wanted=1)]
        figures = measure(items, [form(0, 1), form(5), form(6)])
        assert cautions(figures, items, 2, None) == (
            (
                "1 pair of items that must not meet stand in one form; make form_size smaller or the "
                "conflict rule narrower."
            ),
        )
        figures = measure(items, [form(0, 5), form(1, 6), form(5)])
        assert cautions(figures, items, 2, None) == (
            (
                "2 of 3 forms (66.7%) miss the balance of a field by at least one place: where "
                "fields hang together, a level is rare or conflicts are strict, there may be no "
                "better form."
            ),
        )

    def test_a_good_design_needs_no_words(self):
        assert plan_forms(crossed(100, 3), form_size=6, mix=None, seed=3).report.warnings == ()
