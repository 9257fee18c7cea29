"""The sample for people: proportional, shared, repeatable, and still telling nothing to annotators."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.pipelines.trace.sampling import (
    HIDDEN,
    Choice,
    SampleError,
    draw,
    items,
    places,
    power,
    power_words,
    right_pairs,
    shared,
    shares,
    summary,
    tercile,
)

GROUPED = Choice("toy", ("one",), (("en", "es"),), groups=True)
CHOICE = Choice("toy", ("one",), (("en", "es"),))


def scored(n=400, rho=0.254, seed=3):
    rng = np.random.default_rng(seed)
    H = rng.normal(size=n)
    S = rho * H + np.sqrt(1 - rho**2) * rng.normal(size=n)
    return pd.DataFrame(
        {
            "dataset": "toy", "model": "one", "problem_id": [f"p{i}" for i in range(n)],
            "language_a": "en", "language_b": "es", "S": S, "tau": np.where(S > -1, S / 3, np.nan),
            "H": H, "coverage_a": S, "coverage_b": S,
        }
    )  # fmt: skip


def traces(pairs):
    rows = [
        {"dataset": "toy", "model": "one", "problem_id": problem, "language": language,
         "response": f" {language} trace of {problem} ", "correct": 1.0, "question": f"Q {problem}?"}
        for problem in pairs["problem_id"]
        for language in ("en", "es")
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_every_cell_gets_its_share():
    drawn = draw(scored(), CHOICE)
    pool = scored().assign(tercile_H=lambda t: tercile(t["H"]), tercile_S=lambda t: tercile(t["S"]))
    sizes = (pool["tercile_H"] * 3 + pool["tercile_S"]).value_counts().sort_index()
    found = drawn["cell"].value_counts().sort_index()
    assert len(drawn) == 60
    assert (abs(found - sizes * 60 / 400) < 1).all()


def test_the_sample_keeps_spread_and_correlation():
    """Over 200 draws the mean deviation is what proportional allocation promises."""
    pairs = scored()
    found = [
        summary(draw(pairs, Choice("toy", ("one",), (("en", "es"),), seed=seed)), pairs)
        for seed in range(200)
    ]
    ratio = np.mean([one["sd_ratio"]["H"] for one in found])
    drift = np.mean([c["sample"] - c["pool"] for c in (one["correlation_H_S"] for one in found)])
    assert ratio == pytest.approx(1.0, abs=0.01)
    assert drift == pytest.approx(0.0, abs=0.02)


def test_equal_cells_distort_and_say_so_by_their_probabilities():
    pairs = scored(rho=0.6)
    equal = draw(pairs, Choice("toy", ("one",), (("en", "es"),), k=90, allocation="equal"))
    assert (equal["cell"].value_counts() == 10).all()
    weights = 1 / equal["inclusion_probability"]
    assert weights.sum() == pytest.approx(len(pairs))
    assert equal["H"].corr(equal["S"]) < pairs["H"].corr(pairs["S"]) - 0.15


def test_anchors_are_spread_and_counted():
    drawn = draw(scored(), CHOICE)
    assert drawn["anchor"].sum() == 10
    assert drawn.loc[drawn["anchor"], "cell"].nunique() >= 7
    assert not draw(scored(), Choice("toy", ("one",), (("en", "es"),), anchors=0))["anchor"].any()


def test_anchors_are_chosen_among_problems_that_are_drawn_once():
    pairs = scored(n=90).assign(problem_id=[f"p{i // 2}" if i < 60 else f"p{i}" for i in range(90)])
    drawn = draw(pairs, replace(CHOICE, k=80, anchors=12))
    assert drawn["problem_id"].duplicated().any()
    assert shared(drawn)
    anchors = drawn[drawn["anchor"]]
    assert len(anchors) == 12
    assert (drawn["problem_id"].isin(anchors["problem_id"])).sum() == 12
    crowded = draw(pairs, replace(CHOICE, k=80, anchors=60))
    assert crowded["anchor"].sum() == 60
    assert not shared(crowded)
    assert not shared(draw(pairs, replace(CHOICE, anchors=0)))


def test_where_a_problem_has_several_pairs_the_anchors_come_first():
    pool = scored(60).assign(problem_id=[f"p{i % 20}" for i in range(60)])
    pool["pair_id"] = range(60)
    estimates = []
    for seed in range(60):
        drawn = draw(pool, replace(CHOICE, k=40, anchors=3, seed=seed))
        assert (len(drawn), int(drawn["anchor"].sum())) == (40, 3)
        assert shared(drawn)
        assert not drawn["pair_id"].duplicated().any()
        estimates.append((1 / drawn["inclusion_probability"]).sum())
    # Horvitz and Thompson: the sample weighted back counts the pool.
    assert np.mean(estimates) == pytest.approx(60, rel=0.02)


def test_where_too_little_is_left_the_anchors_are_only_marked():
    pool = scored(60).assign(problem_id=[f"p{i % 20}" for i in range(60)])
    drawn = draw(pool, replace(CHOICE, k=58, anchors=3))
    assert int(drawn["anchor"].sum()) == 3
    assert not shared(drawn)


def test_a_form_holds_the_anchors_and_a_share_of_the_rest():
    drawn = draw(scored(), CHOICE)
    assert places(drawn, annotators=2, people=None) == 35
    assert places(drawn, annotators=2, people=10) == 20
    assert places(drawn, annotators=3, people=7) == 10 + 22
    without = draw(scored(), replace(CHOICE, anchors=0))
    assert places(without, annotators=2, people=None) == 10
    assert places(without, annotators=2, people=4) == 30


def test_the_same_seed_draws_the_same_items():
    first, again = draw(scored(), CHOICE), draw(scored(), CHOICE)
    other = draw(scored(), Choice("toy", ("one",), (("en", "es"),), seed=1))
    assert first.equals(again)
    assert set(first["problem_id"]) != set(other["problem_id"])


def test_items_are_blind():
    pairs = scored()
    found = items(draw(pairs, CHOICE), traces(pairs), CHOICE)
    shown = {"id", "question", "trace_1", "trace_2", "trace_1_lang", "trace_2_lang"}
    assert all(set(item) == shown | set(HIDDEN) for item in found)
    assert len({item["id"] for item in found}) == 60
    assert all(item["problem"] not in item["id"] for item in found)
    assert found[0]["trace_1"] == f"en trace of {found[0]['problem']}"
    assert {item["tau"] for item in found if item["S"] < -1} <= {""}


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(SampleError, match="30 pairs of en–es"):
        draw(scored(n=30), CHOICE)
    with pytest.raises(SampleError, match="70 anchors"):
        draw(scored(), Choice("toy", ("one",), (("en", "es"),), anchors=70))
    with pytest.raises(SampleError, match="60 anchors cannot be among 60 items"):
        draw(scored(), Choice("toy", ("one",), (("en", "es"),), k=60, anchors=60))
    with pytest.raises(SampleError, match="0 items are no sample"):
        draw(scored(), Choice("toy", ("one",), (("en", "es"),), k=0, anchors=0))
    pairs = scored()
    with pytest.raises(SampleError, match="column 'question'"):
        items(draw(pairs, CHOICE), traces(pairs).drop(columns="question"), CHOICE)


def test_only_right_pairs_form_the_pool():
    pairs = scored()
    answers = traces(pairs)
    answers.loc[:99, "correct"] = 0.0  # both languages of fifty problems
    answers.loc[100, "correct"] = np.nan
    right = right_pairs(pairs, answers)
    assert len(right) == 349
    assert set(right["problem_id"]) == {f"p{n}" for n in range(51, 400)}


def test_an_equal_share_that_a_cell_lacks_goes_to_the_others():
    assert shares([1, 10, 10], 9, "equal") == [1, 4, 4]
    assert shares([1, 1], 9, "equal") == [1, 1]


def test_two_groups_halve_every_cell_and_change_nothing_else():
    drawn, plain = draw(scored(), GROUPED), draw(scored(), CHOICE)
    assert drawn["problem_id"].tolist() == plain["problem_id"].tolist()
    assert set(drawn.loc[drawn["anchor"], "group"]) == {""}
    rest = drawn[~drawn["anchor"]]
    counts = pd.crosstab(rest["cell"], rest["group"])
    assert (abs(counts["A"] - counts["B"]) <= 1).all()
    assert counts.to_numpy().sum(axis=0).tolist() == [25, 25]
    rows = items(drawn, traces(scored()), GROUPED)
    assert {row["group"] for row in rows} == {"", "A", "B"}
    assert GROUPED.hidden == (*HIDDEN, "group")
    # Four people are two and two: ten anchors, and the half of the others that both judge.
    assert places(drawn, annotators=2, people=None) == 35
    assert places(drawn, annotators=2, people=10) == 20
    assert summary(drawn, scored())["groups"] == [25, 25]


def test_groups_without_anchors_on_every_form_are_refused():
    with pytest.raises(SampleError, match="Two groups are compared on anchors"):
        draw(scored(), replace(GROUPED, anchors=0))


def test_the_power_is_that_of_the_published_difference():
    found = power(draw(scored(), CHOICE))
    assert found.value == pytest.approx(0.59, abs=0.03)
    assert "a probability of 0." in power_words(draw(scored(), CHOICE))
    same = draw(scored(), CHOICE).assign(S=lambda t: t["H"])
    assert (
        power(same).reason == "S and H of the sample are too alike for one alone to follow people"
    )
    assert "is not known" in power_words(same)
    assert power(same.assign(S=1.0)).reason is not None
