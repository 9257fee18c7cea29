"""Every case of tests/oracles/trace.json, at 1e-12."""

import json
from pathlib import Path

import numpy as np
import pytest

from analysis.stats import trace_cells, trace_position, trace_review, trace_scores
from analysis.stats.trace_order import order

CASES = {
    case["name"]: case
    for case in json.loads(
        (Path(__file__).parents[2] / "oracles" / "trace.json").read_text(encoding="utf-8")
    )["cases"]
}
MATRICES = sorted(name for name, case in CASES.items() if "M" in case["input"])
# Held elsewhere: these are not about traces and stand in tests of the statistics they belong to.
OF_OTHER_MODULES = {"williams", "delong", "spearman_midranks", "quadratic_kappa"}


def near(value):
    return pytest.approx(value, abs=1e-12, rel=0)


def case(name):
    return CASES[name]["input"], CASES[name]["expect"]


@pytest.mark.parametrize("name", MATRICES)
def test_similarity_of_a_matrix(name):
    given, expect = case(name)
    score = trace_scores.structural(np.array(given["M"]))
    assert score.similarity == near(expect["S"])
    assert score.coverage_a == near(expect["row_mean"])
    assert score.coverage_b == near(expect["col_mean"])


@pytest.mark.parametrize("name", MATRICES)
def test_order_of_a_matrix(name):
    given, expect = case(name)
    result = order(np.array(given["M"]))
    if expect["tau"] is None:
        assert result.tau is None
        assert result.reason
        return
    assert result.tau == near(expect["tau"])
    assert result.forward == near(expect["tau_forward"])
    assert result.backward == near(expect["tau_backward"])
    if "gamma_forward" in expect and result.gamma is not None:
        assert result.gamma == near((expect["gamma_forward"] + expect["gamma_backward"]) / 2)


def test_clip():
    given, expect = case("calibrate_clip")
    calibrate = trace_scores.Calibration(given["floor"], given["ceil"])
    assert calibrate(np.array(given["cos"])).tolist() == near(expect["k"])


@pytest.mark.parametrize("name", ["ceiling_p90", "ceiling_cap"])
def test_ceiling(name):
    given, expect = case(name)
    pooled = np.array(given["forward"] + given["backward"])
    assert trace_scores.ceiling_of(pooled, cap=given["cap"]) == near(expect["ceil"])


def test_floor():
    given, expect = case("floor_mean")
    unrelated = np.array(given["unrelated_cos"])
    assert trace_scores.floor_of(unrelated) == near(expect["mean"])
    assert trace_scores.floor_of(unrelated, kind="median") == near(expect["median"])


def test_step_pair():
    given, expect = case("step_pair_score")
    matrix = np.array(given["calibrated_sentence_matrix"])
    assert trace_scores.step_similarity(matrix, np.array([0]), np.array([0]))[0, 0] == near(
        expect["score"]
    )


def unit(steps):
    angles = np.radians([angle for step in steps for angle in step])
    starts = np.cumsum([0, *(len(step) for step in steps[:-1])])
    return np.column_stack([np.cos(angles), np.sin(angles)]), starts


def test_end_to_end_from_vectors():
    given, expect = case("end_to_end_angles")
    a, starts_a = unit(given["A_steps_deg"])
    b, starts_b = unit(given["B_steps_deg"])
    calibrate = trace_scores.Calibration(given["floor"], given["ceil"])
    M = trace_scores.step_similarity(calibrate(a @ b.T), starts_a, starts_b)
    assert M.ravel().tolist() == near(np.ravel(expect["M"]).tolist())
    assert trace_scores.structural(M).similarity == near(expect["S"])
    assert order(M).tau == near(expect["tau"])
    assert order(M, p=1).tau == near(expect["tau_p1"])
    assert order(M, p=5).tau == near(expect["tau_p5"])


def test_top_quartile():
    given, expect = case("top_quartile")
    H, S = np.array(given["H"]), np.array(given["S"])
    cell = trace_cells.Cell(H, S, np.arange(H.size))
    once = np.ones((1, H.size))
    assert trace_cells.quantiles_under(H, once, [0.75])[0, 0] == near(expect["q75_H"])
    assert trace_cells.quantiles_under(S, once, [0.75])[0, 0] == near(expect["q75_S"])
    counts = trace_cells.top_counts(cell, once)
    assert counts.top[0] == expect["n_top_H"]
    assert counts.not_top[0] == expect["n_top_H_not_top_S"]
    assert counts.bottom[0] == expect["n_top_H_bottom_S"]
    assert trace_cells.dissociation([cell], n_min=8).not_top.value == near(expect["share"])


def test_joint_resample():
    given, expect = case("bootstrap_joint_resample")
    table = np.array(given["problem_by_pair"], dtype=float)
    weights = np.array([np.bincount(rows, minlength=4) for rows in given["resamples"]], dtype=float)
    means = trace_cells.pooled_means(
        np.nansum(table, axis=1), (~np.isnan(table)).sum(axis=1).astype(float), weights
    )
    assert means.tolist() == near(expect["means"])


def test_positions():
    given, expect = case("positional")
    best = np.array(given["best_match_per_english_step"])
    found = [trace_position.branch(best, threshold=theta) for theta in given["theta"]]
    assert [branch.step for branch in found] == expect["branch_index_1based"]
    assert [branch.position for branch in found] == expect["branch_relative_(i-1)/(n-1)"]
    assert trace_position.profile(best).tolist() == near(expect["quintile_means"])
    assert trace_position.last_minus_middle(best) == near(expect["last_minus_middle"])


def test_review_lift():
    given, expect = case("review_lift_25")
    score, wrong = np.array(given["score"]), np.array(given["shared_wrong"], dtype=bool)
    assert trace_review.captured(score, wrong, places=expect["k"]) == near(expect["captured"])
    lift = trace_review.review_lift(score, wrong, budget=given["budget"])
    assert lift.value == near(expect["lift"])
    assert lift.value * given["budget"] == near(expect["capture_share"])


def test_matched_contrast():
    given, expect = case("difficulty_matched_contrast")
    groups, strata, S = zip(*given["rows_group_k_S"], strict=True)
    wrong = np.array([group == "wrong" for group in groups])
    S = np.array(S)
    assert S[~wrong].mean() - S[wrong].mean() == near(expect["raw"])
    assert trace_review.matched_contrast(S, wrong, np.array(strata)).value == near(
        expect["matched"]
    )


def test_same_language_control():
    given, expect = case("same_language_control")
    found = trace_review.same_language_differences(given["S_en_paraphrase"], given["S_en_x"])
    assert found.tolist() == near(expect["delta_per_problem"])
    assert found.mean() == near(expect["delta"])


def test_allocation():
    given, expect = case("proportional_allocation")
    cells = given["cells_H_tercile_x_S_tercile"]
    assert trace_review.allocate(cells, given["k"]) == expect["n"]


def test_every_case_is_held():
    held = {*MATRICES, *OF_OTHER_MODULES, "calibrate_clip", "ceiling_p90", "ceiling_cap"}
    held |= {"floor_mean", "step_pair_score", "end_to_end_angles", "top_quartile", "positional"}
    held |= {"bootstrap_joint_resample", "review_lift_25", "difficulty_matched_contrast"}
    held |= {"same_language_control", "proportional_allocation"}
    assert held == set(CASES)
