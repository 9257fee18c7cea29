"""The family of tests, equivalence, mixed models and factors of languages."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.pipelines.clcg.exposure import exposure_of
from analysis.pipelines.clcg.factors import factors_of
from analysis.pipelines.clcg.gaps import band_grid, by_group, by_model, by_source, gap_set
from analysis.pipelines.clcg.hypotheses import equivalences, family_of
from analysis.pipelines.clcg.levels import levels_of
from analysis.pipelines.clcg.mixed import mixed_models
from analysis.pipelines.clcg.simulate import Sizes
from analysis.stats.mixed import crossed_linear
from tests.analysis.pipelines.clcg.worlds import (
    FAST,
    population,
    row,
    simulated,
    small_panel,
    wide_panel,
)


def family(whole):
    grid, levels = band_grid(whole), levels_of(whole)
    return family_of(
        gap_set(grid), by_group(by_model(whole)), exposure_of(whole), levels,
        by_source(whole), mixed_models(whole, levels),
    )  # fmt: skip


@pytest.fixture(scope="module")
def whole():
    return population(simulated(sizes=Sizes(documents=24, repeated=6, per_level=2, human=3)))


def test_the_family_has_ten_tests_and_what_has_no_p_leaves_it(whole):
    found = family(whole)
    assert len(found.tests) == 10
    assert found.left_out == ("H2", "H2 mixed model")
    assert found.size == 8
    by_key = {test.key: test for test in found.tests}
    assert by_key["H2"].supported is None
    assert by_key["H1"].supported is True
    assert by_key["H1"].p_adjusted >= by_key["H1"].estimate.p


def test_a_hypothesis_needs_an_interval_that_excludes_zero():
    rows = []
    for i, gap in enumerate((0.4, -0.3, 0.5, -0.35)):
        rows += [row("en", 0.5, doc_id=f"d{i}"), row("sw", 0.5 - gap, doc_id=f"d{i}")]
    found = family(population(pd.DataFrame(rows), small_panel(baseline=None)))
    assert found.tests[0].supported is False


def test_equivalence_needs_a_margin_and_then_tells(whole):
    none = equivalences(band_grid(whole), by_source(whole))
    assert all("no margin" in one.reason for one in none.values())
    wide = replace(whole, settings=replace(FAST, margin=0.5))
    found = equivalences(band_grid(wide), by_source(wide))
    assert found["baseline"].equivalent
    assert found["baseline_paired_t"].equivalent
    narrow = replace(whole, settings=replace(FAST, margin=0.001))
    assert not equivalences(band_grid(narrow), by_source(narrow))["baseline"].equivalent


def test_the_paired_version_compares_the_documents_means(whole):
    wide = replace(whole, settings=replace(FAST, margin=0.5))
    found = equivalences(band_grid(wide), by_source(wide))["baseline_paired_t"]
    means = band_grid(wide).document_means[:, 0]
    assert found.value == pytest.approx((means[:, 0] - means[:, 1]).mean())


def test_sums_give_the_same_mixed_models_as_rows():
    frame = simulated(sizes=Sizes(documents=10, repeated=3, per_level=1, human=1))
    made = population(frame)
    found = mixed_models(made, levels_of(made))
    primary = frame[(frame["language"] != "pt")]
    band = primary[primary["level"].isin(FAST.band)]
    english = (band["language"] == "en").astype(float)
    X = np.column_stack([np.ones(len(band)), english])
    expected = crossed_linear(
        band["token_f1"], X, band["doc_id"].astype(str), band["model"].astype(str)
    )
    assert found["H1"].coefficient.value == pytest.approx(expected.coefficients[1].value, abs=1e-8)
    assert found["H1"].fit.criterion == pytest.approx(expected.criterion, rel=1e-9)
    assert found["H1"].fit.variance_first == pytest.approx(expected.variance_first, rel=1e-5)
    assert found["H1"].supports

    human = (primary["source"] == "human").astype(float)
    either = primary["level"].isin(FAST.band) | (human == 1)
    rows, human = primary[either], human[either]
    english = (rows["language"] == "en").astype(float)
    X = np.column_stack([np.ones(len(rows)), english, human, english * human])
    expected = crossed_linear(
        rows["token_f1"], X, rows["doc_id"].astype(str), rows["model"].astype(str)
    )
    assert found["H4"].coefficient.value == pytest.approx(expected.coefficients[3].value, abs=1e-8)


def test_the_mixed_model_of_levels_is_that_of_standardised_rows():
    frame = simulated(sizes=Sizes(documents=8, repeated=2, per_level=1, human=0))
    made = population(frame)
    found = mixed_models(made, levels_of(made))["H3"]
    score = frame["token_f1"] / frame.groupby("level", observed=True)["token_f1"].transform(
        "std", ddof=0
    )
    keep = (frame["language"] != "pt").to_numpy()
    english = (frame["language"] == "en").to_numpy(dtype=float)
    level = frame["level"].astype(str).str[1:].astype(float).to_numpy()
    X = np.column_stack([np.ones(len(frame)), english, level, english * level])[keep]
    expected = crossed_linear(
        score[keep], X, frame["doc_id"].astype(str)[keep], frame["model"].astype(str)[keep]
    )
    assert found.coefficient.value == pytest.approx(expected.coefficients[3].value, abs=1e-8)


def test_a_mixed_model_that_is_not_identified_supports_nothing():
    rows = [
        row(code, score, doc_id=d)
        for code, score in (("en", 0.8), ("sw", 0.5))
        for d in ("d1", "d2")
    ]
    made = population(pd.DataFrame(rows), small_panel(baseline=None))
    found = mixed_models(made, levels_of(made))["H1"]
    assert not found.supports
    assert found.coefficient.value is None
    assert found.coefficient.reason


PRINTED = dict(zip(
    ("pt", "is", "mt", "eu", "ka", "ht", "sw", "ne", "ceb", "xh", "sm", "fon", "gn", "mg", "am", "ay", "quy"),
    (0.061, 0.062, 0.063, 0.065, 0.074, 0.064, 0.045, 0.073, 0.066, 0.080, 0.070, 0.104, 0.093, 0.078, 0.0735, 0.109, 0.12),
    strict=True,
))  # fmt: skip


def test_factors_take_languages_with_a_class_and_the_sensitivity_takes_one_more():
    found = factors_of(PRINTED, wide_panel(), FAST)
    assert found.rank["resource_class"].n == len(found.languages)
    assert "quy" not in found.languages
    assert found.sensitivity.n == found.rank["resource_class"].n + 1
    assert found.rank["resource_class"].value < 0
    assert found.rank["resource_class"].low < found.rank["resource_class"].high


def test_partial_correlations_name_their_degrees_of_freedom():
    panel = wide_panel()
    known = {
        **panel.factors,
        "non_latin": {code: float(i % 3 == 0) for i, code in enumerate(panel.compared)},
    }
    found = factors_of(PRINTED, replace(panel, factors=known), FAST)
    both = found.partial["fertility"]
    assert both["n-2-k"].value == both["n-2"].value
    assert both["n-2-k"].p > both["n-2"].p
    assert found.regression.n == len(found.languages)
    assert 0 < found.regression.r_squared < 1
    assert set(found.regression.coefficients) == {"resource_class", "fertility", "non_latin"}


def test_the_standardised_regression_is_that_of_worked_columns():
    codes = [f"l{i}" for i in range(8)]
    rng = np.random.default_rng(2)
    columns = {name: rng.normal(size=8) for name in ("resource_class", "fertility", "non_latin")}
    gap = 2 * columns["resource_class"] - columns["fertility"]
    panel = small_panel(
        baseline=None, targets=tuple(codes),
        factors={name: dict(zip(codes, map(float, v), strict=True)) for name, v in columns.items()},
    )  # fmt: skip
    found = factors_of(dict(zip(codes, gap, strict=True)), panel, FAST).regression
    assert found.r_squared == pytest.approx(1)
    assert found.coefficients["resource_class"] == pytest.approx(
        2 * columns["resource_class"].std() / gap.std()
    )
    assert found.coefficients["non_latin"] == pytest.approx(0, abs=1e-9)


def test_factors_that_are_not_known_are_undefined_with_the_reason():
    found = factors_of({"sw": 0.2, "fon": 0.1}, small_panel(), FAST)
    assert "known of no language" in found.rank["fertility"].reason
    assert found.regression.r_squared is None
    assert "too few" in found.regression.reason
    assert "no language was declared" in found.sensitivity.reason
