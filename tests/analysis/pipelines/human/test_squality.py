"""A real study from its tables: alpha, the shares and the crossed model."""

from pathlib import Path

import pytest
from numpy.testing import assert_allclose

from analysis.frames import Preferences, Ratings
from analysis.pipelines.human.document import document
from analysis.pipelines.human.plan import Overrides, Plan, read_plan
from analysis.pipelines.human.reading import sample_of
from analysis.pipelines.human.study import HumanStudy, analyse
from analysis.reports.documents import plain
from analysis.reports.human import human_report
from analysis.reports.human_words import strength_words
from analysis.stats.crossed_logistic import crossed_logistic
from analysis.tables import read_table

FOLDER = Path("tests/oracles/squality")
ALPHA = {"correctness": 0.45869, "coverage": 0.78127, "overall": 0.79826}


@pytest.fixture(scope="module")
def study() -> HumanStudy:
    ratings = read_table(FOLDER / "ratings.csv", Ratings.TABLE)
    pairs = read_table(FOLDER / "preferences.csv", Preferences.TABLE)
    return analyse(sample_of(ratings, preferences=pairs), Plan(), Overrides(bootstrap=500))


def test_numbers_are_interval_dimensions_and_alpha_is_the_packages(study):
    found = {one.scale.key: one for one in study.agreement}
    assert {key: one.scale.kind for key, one in found.items()} == dict.fromkeys(ALPHA, "interval")
    for key, alpha in ALPHA.items():
        one = found[key].alpha
        assert one.value == pytest.approx(alpha, abs=5e-6)
        assert one.low < one.value < one.high
        assert (one.n_items, one.n_raters, one.n) == (300, 4, 900)


def test_bart_dpr_wins_189_of_300_with_the_exact_interval(study):
    one = study.preference.primary
    assert (one.side, one.other) == ("bart-dpr", "bart")
    assert (one.found.raw.count, one.found.raw.n) == (189, 300)
    # R: binom.test(189, 300)$conf.int
    assert_allclose([one.found.raw.low, one.found.raw.high], [0.5726295, 0.6847750], atol=1e-7)


def test_the_crossed_model_is_the_librarys_on_the_same_rows(study):
    table = read_table(FOLDER / "preferences.csv", Preferences.TABLE)
    rows = table[(table["system_a"] == "bart") & (table["system_b"] == "bart-dpr")]
    y = (rows["preferred"] == "bart-dpr").astype(float)
    direct = crossed_logistic(y, rows["annotator"].to_numpy(str), rows["pair_id"].to_numpy(str))
    found = study.preference.primary.found.mixed
    assert found.at_zero.value == pytest.approx(direct.at_zero.value, abs=1e-6)
    assert found.averaged.value < found.at_zero.value
    assert found.at_zero.low < found.at_zero.value < found.at_zero.high


def test_every_pair_of_systems_is_compared_and_the_person_is_the_strongest(study):
    sides = {(one.side, one.other): one.found.raw.count for one in study.preference.comparisons}
    assert sides == {
        ("bart-dpr", "bart"): 189,
        ("human", "bart"): 298,
        ("human", "bart-dpr"): 294,
    }
    fit = study.preference.strengths
    strongest = max(zip(fit.strengths, fit.players, strict=True), key=lambda pair: pair[0].value)
    assert strongest[1] == "human"


def test_the_report_draws_the_strengths_and_tells_them_from_the_strongest_on(study):
    report = human_report(study, "T")
    drawn = report.alternatives["strengths"]
    (told,) = strength_words(study.preference.strengths)
    for text, names in (
        (drawn, ("human:", "bart-dpr:", "bart:")),
        (told, ("human ", "bart-dpr ", "bart ")),
    ):
        places = [text.index(name) for name in names]
        assert places == sorted(places)
    assert told.endswith("rank 3.")


def test_the_document_is_strict_json_with_the_members_that_others_rely_on(study):
    found = plain(document(study))
    alpha = found["agreement"]["coverage"]
    members = {"value", "low", "high", "level", "items", "raters", "percent", "ac2"}
    assert members <= set(alpha)
    assert alpha["prespecified"] is False
    preference = {"raw", "model", "model_marginal", "cluster_bootstrap", "position_bias"}
    assert preference | {"sd_annotator", "sd_pair", "singular"} <= set(found["preference"])
    assert found["funnel"]["reason"].startswith("these ratings come from a table")


def test_a_plan_with_ranked_conditions_decides_what_is_prespecified():
    pairs = read_table(FOLDER / "preferences.csv", Preferences.TABLE)
    planned = {
        "seed": 2205,
        "tasks": {"comparison": {"higher": {"field": "system", "order": ["bart", "bart-dpr"]}}},
        "plan": {"preference": {"task": "comparison", "side": "greater"}},
    }
    study = analyse(sample_of(None, preferences=pairs, document=planned), read_plan(planned))
    standing = {
        one.side + one.other: one.request.prespecified for one in study.preference.comparisons
    }
    assert standing == {"bart-dprbart": True, "humanbart": False, "humanbart-dpr": False}
