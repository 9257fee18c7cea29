import time
from collections import Counter
from math import ceil, floor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.design.items import DesignItem
from annotation.design.planner import plan_forms
from annotation.studyfile import read_study
from tests.annotation.design.shapes import (
    ANSWER_MIX,
    answer_quality,
    clashing_pairs,
    crossed,
    forms_of,
    meetings,
    spread_after_each_form,
)

FIXTURES = Path(__file__).parents[3] / "fixtures" / "studies"


@pytest.fixture(scope="module")
def items():
    return answer_quality()


@pytest.fixture(scope="module")
def design(items):
    return plan_forms(items, form_size=10, mix=ANSWER_MIX, seed=42)


class TestAnswerQuality:
    def test_every_slot_once_in_two_hundred_forms(self, items, design):
        slots = Counter(place for form in design.forms for place in form.places)
        assert slots == {(item.key, replicate): 1 for item in items for replicate in (1, 2, 3)}
        assert Counter(len(form.places) for form in design.forms) == {10: 198, 9: 2}

    def test_a_form_holds_nine_answers_and_mostly_a_pair(self, items, design):
        task = {item.key: item.task for item in items}
        mixes = Counter(
            tuple(sorted(Counter(task[key] for key in form).items())) for form in forms_of(design)
        )
        assert mixes == {(("comparison", 1), ("response", 9)): 198, (("response", 9),): 2}

    def test_no_article_twice_and_no_two_items_together_twice(self, items, design):
        forms = forms_of(design)
        assert clashing_pairs(items, forms) == 0
        assert set(meetings(forms).values()) == {1}

    def test_three_margins_at_once(self, items, design):
        margins = {item.key: item.margins for item in items if item.task == "response"}
        sizes = [Counter(levels[field] for levels in margins.values()) for field in range(3)]

        def balanced(form):
            held = [margins[key] for key in form if key in margins]
            counts = [Counter(levels[field] for levels in held) for field in range(3)]
            return all(
                floor(9 * size / 600) <= counts[field][level] <= ceil(9 * size / 600)
                for field in range(3)
                for level, size in sizes[field].items()
            )

        share = sum(map(balanced, forms_of(design))) / 200
        assert share >= 0.95
        assert design.report.margins_balanced_share == pytest.approx(share)

    def test_categories_of_one_size_stand_three_times_each(self, items, design):
        category = {item.key: item.margins[1] for item in items if item.task == "response"}
        exact = sum(
            set(Counter(category[key] for key in form if key in category).values()) == {3}
            for form in forms_of(design)
        )
        assert exact >= 190

    def test_coverage_is_even_wherever_collecting_stops(self, items, design):
        assert max(spread_after_each_form(items, forms_of(design))) == 1
        assert (design.report.coverage_min, design.report.coverage_max) == (3, 3)

    def test_lambda_variance_is_the_least_there_is(self, items, design):
        met = 198 * 45 + 2 * 36
        mean = met / (666 * 665 / 2)
        assert design.report.lambda_variance == pytest.approx(mean * (1 - mean))
        assert design.report.warnings == ()

    @pytest.mark.parametrize("seed", range(4))
    def test_other_seeds_are_as_good(self, items, seed):
        started = time.process_time()
        report = plan_forms(items, form_size=10, mix=ANSWER_MIX, seed=seed).report
        assert time.process_time() - started < 10
        assert (report.clashes, report.lambda_max, report.lambda_over_1) == (0, 1, 0)
        assert report.margins_balanced_share >= 0.95

    def test_without_a_mix_the_tasks_are_mixed_in_proportion(self, items):
        report = plan_forms(items, form_size=10, mix=None, seed=42).report
        assert report.form_sizes == {10: 198, 9: 2}
        assert report.clashes == 0


def test_the_shape_of_squality():
    answers = crossed(100, 3)
    pairs = [
        DesignItem(1000 + number, "comparison", (f"question=q{number}",), ("",), (1, 2, 3))
        for number in range(100)
    ]
    design = plan_forms(answers + pairs, form_size=8, mix={"answer": 6, "comparison": 2}, seed=2205)
    assert design.report.form_sizes == {8: 150}
    assert design.report.margins_balanced_share == 1
    assert clashing_pairs(answers + pairs, forms_of(design)) == 0


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_the_demo_study_as_it_lies_in_its_folder(seed):
    study = read_study(FIXTURES / "answer-quality")
    rules = study.assignment
    rows = [(task.key, row.fields) for task in study.tasks for row in task.items]
    items = [
        DesignItem(
            key=number,
            task=task,
            conflicts=tuple(f"{name}={fields[name]}" for name in rules.conflict),
            margins=tuple(str(fields.get(name, "")) for name in rules.balance),
            replicates=tuple(range(1, 1 + rules.replication)),
        )
        for number, (task, fields) in enumerate(rows)
    ]
    started = time.process_time()
    design = plan_forms(items, form_size=10, mix=rules.mix, seed=seed or study.seed)
    assert time.process_time() - started < 10
    report = design.report
    assert (report.slots, report.forms, report.form_sizes) == (1998, 200, {10: 198, 9: 2})
    assert (report.coverage_min, report.coverage_max, report.clashes) == (3, 3, 0)
    assert (report.lambda_max, report.lambda_over_1) == (1, 0)
    assert report.margins_balanced_share >= 0.95
    assert clashing_pairs(items, forms_of(design)) == 0


@pytest.mark.slow
def test_ten_thousand_items(record_property):
    items = answer_quality(9000, 990, articles=450)
    started = time.process_time()
    report = plan_forms(items, form_size=10, mix=ANSWER_MIX, seed=1).report
    taken = time.process_time() - started
    record_property("cpu_seconds", taken)
    assert taken < 20
    assert (report.clashes, report.lambda_max) == (0, 1)
    assert report.margins_balanced_share >= 0.99


class TestDeterminism:
    def test_same_seed_same_design_whatever_the_order_of_items(self, items, design):
        again = plan_forms(items[::-1], form_size=10, mix=ANSWER_MIX, seed=42)
        assert again == design

    def test_another_seed_gives_another_design(self, items, design):
        assert plan_forms(items, form_size=10, mix=ANSWER_MIX, seed=43).forms != design.forms

    def test_a_pool_keeps_its_forms_when_another_one_is_added(self):
        hindi = crossed(20, 3, pool="hi")
        arabic = [
            DesignItem(item.key + 500, item.task, item.conflicts, item.margins, (1, 2), "ar")
            for item in crossed(20, 3)
        ]
        alone = plan_forms(hindi, form_size=6, mix=None, seed=5)
        both = plan_forms(hindi + arabic, form_size=6, mix=None, seed=5)
        assert [form for form in both.forms if form.pool == "hi"] == list(alone.forms)
        pools = {item.key: item.pool for item in hindi + arabic}
        assert all(pools[key] == form.pool for form in both.forms for key, _ in form.places)


class TestDegenerate:
    def test_no_items(self):
        design = plan_forms([], form_size=10, mix=None, seed=1)
        assert design.forms == ()
        assert (design.report.slots, design.report.form_sizes) == (0, {})
        assert design.report.margins_balanced_share == 1

    def test_items_that_want_nothing_are_left_out(self):
        design = plan_forms(crossed(5, 2, replicates=()), form_size=4, mix=None, seed=1)
        assert design.forms == ()

    def test_forms_of_one_place(self):
        design = plan_forms(crossed(4, 2), form_size=1, mix=None, seed=1)
        assert Counter(len(form.places) for form in design.forms) == {1: 24}
        assert max(spread_after_each_form(crossed(4, 2), forms_of(design))) == 1

    def test_one_conflict_value_for_all_gives_forms_of_one_and_says_why(self):
        design = plan_forms(crossed(1, 8), form_size=4, mix=None, seed=1)
        assert design.report.form_sizes == {1: 24}
        assert design.report.clashes == 0
        (warning,) = design.report.warnings
        assert warning.startswith(
            "24 of 24 forms (100.0%) miss two or more of 4 places: items that share"
        )
        assert "'question' has 1 distinct value" in warning

    def test_one_item_never_meets_itself(self):
        design = plan_forms(crossed(1, 1), form_size=9, mix=None, seed=1)
        assert [form.places for form in design.forms] == [((0, 1),), ((0, 2),), ((0, 3),)]

    def test_two_tasks_in_forms_of_one_place(self):
        items = [DesignItem(n, "ab"[n % 2], (), (), (1, 2)) for n in range(6)]
        design = plan_forms(items, form_size=1, mix=None, seed=1)
        assert design.report.form_sizes == {1: 12}


class TestTopUp:
    def test_only_the_missing_replicates_are_planned(self):
        items = [
            DesignItem(3, "answer", ("q=1",), ("m1",), (2,)),
            DesignItem(4, "answer", ("q=1",), ("m2",), (1, 3)),
            DesignItem(9, "answer", ("q=2",), ("m1",), (3,)),
            DesignItem(10, "answer", ("q=2",), ("m2",), ()),
        ]
        design = plan_forms(items, form_size=9, mix={"answer": 9}, seed=7)
        places = [place for form in design.forms for place in form.places]
        assert sorted(places) == [(3, 2), (4, 1), (4, 3), (9, 3)]
        assert clashing_pairs(items, forms_of(design)) == 0
        assert len(design.forms) == 3

    def test_a_single_missing_slot_is_a_form(self):
        design = plan_forms(
            [DesignItem(5, "answer", ("q=1",), ("m",), (2,))], form_size=9, mix=None, seed=1
        )
        assert [form.places for form in design.forms] == [((5, 2),)]

    def test_the_neediest_items_come_first(self):
        items = [
            DesignItem(n, "answer", (f"q={n}",), (), (1, 2, 3)[: 1 + 2 * (n < 4)])
            for n in range(20)
        ]
        design = plan_forms(items, form_size=4, mix=None, seed=1)
        assert set(forms_of(design)[0]) == {0, 1, 2, 3}

    def test_a_task_without_missing_slots_needs_no_places(self):
        mix = {"answer": 9, "comparison": 1}
        design = plan_forms(crossed(9, 1, (3,)), form_size=10, mix=mix, seed=1)
        assert design.report.form_sizes == {9: 1}
        assert design.report.warnings == ()


class TestRefusals:
    def test_an_item_twice(self):
        item = crossed(1, 1)[0]
        with pytest.raises(ValueError, match="Item 0 is given twice"):
            plan_forms([item, item], form_size=3, mix=None, seed=1)

    def test_a_replicate_twice(self):
        with pytest.raises(ValueError, match=r"Item 0 wants a replicate twice \(\[2, 2\]\)"):
            plan_forms(crossed(1, 1, (2, 2)), form_size=3, mix=None, seed=1)

    def test_margins_of_different_length(self):
        items = [DesignItem(1, "a", (), ("x",), (1,)), DesignItem(2, "a", (), (), (1,))]
        with pytest.raises(ValueError, match="Item 2 has 0 margins, others have 1"):
            plan_forms(items, form_size=3, mix=None, seed=1)

    def test_a_form_without_places(self):
        with pytest.raises(ValueError, match="form_size is 0; a form has at least one place"):
            plan_forms(crossed(2, 2), form_size=0, mix=None, seed=1)

    def test_a_task_that_the_mix_forgets(self):
        with pytest.raises(ValueError, match="The mix gives 'answer' no place"):
            plan_forms(crossed(2, 2), form_size=4, mix={"pair": 1}, seed=1)

    def test_a_mix_larger_than_the_form(self):
        with pytest.raises(ValueError, match="fills 5 places, but form_size is 4"):
            plan_forms(crossed(2, 2), form_size=4, mix={"answer": 5}, seed=1)


@st.composite
def studies(draw, equal):
    """Small studies of one to three tasks with shared conflict values and two margins."""
    k = draw(st.integers(1, 4))
    count = draw(st.integers(1, 24))
    values = draw(st.integers(1, 12))
    return [
        DesignItem(
            key=index * 3,
            task=draw(st.sampled_from(["pair", "single"])),
            conflicts=(f"article={draw(st.integers(1, values))}",)
            * draw(st.sampled_from([0, 1, 1])),
            margins=(draw(st.sampled_from("abc")), draw(st.sampled_from(["", "x", "y"]))),
            replicates=tuple(range(1, 1 + (k if equal else draw(st.integers(0, k))))),
        )
        for index in range(count)
    ]


mixes = st.sampled_from([None, {"single": 3, "pair": 1}, {"single": 2, "pair": 3}])
seeds = st.integers(0, 2**62)


@settings(max_examples=40, deadline=None)
@given(studies(equal=False), st.integers(5, 9), mixes, seeds)
def test_every_slot_is_planned_once_and_nobody_meets_a_conflict(items, form_size, mix, seed):
    design = plan_forms(items, form_size=form_size, mix=mix, seed=seed)
    slots = Counter(place for form in design.forms for place in form.places)
    assert slots == {(item.key, number): 1 for item in items for number in item.replicates}
    assert clashing_pairs(items, forms_of(design)) == design.report.clashes == 0
    task = {item.key: item.task for item in items}
    for form in forms_of(design):
        assert 0 < len(form) <= form_size
        if mix:
            assert all(n <= mix[name] for name, n in Counter(map(task.get, form)).items())
    assert design == plan_forms(items, form_size=form_size, mix=mix, seed=seed)


@settings(max_examples=40, deadline=None)
@given(studies(equal=True), st.integers(5, 9), mixes, seeds)
def test_no_item_is_two_judgments_ahead_of_another(items, form_size, mix, seed):
    forms = forms_of(plan_forms(items, form_size=form_size, mix=mix, seed=seed))
    assert max(spread_after_each_form(items, forms)) <= 1


@settings(max_examples=30, deadline=None)
@given(st.integers(4, 12), st.integers(1, 4), st.integers(1, 4), seeds)
def test_forms_are_full_where_there_are_enough_conflict_values(values, systems, k, seed):
    items = crossed(values, systems, tuple(range(1, k + 1)))
    report = plan_forms(items, form_size=4, mix=None, seed=seed).report
    assert report.forms == ceil(values * systems * k / 4)
