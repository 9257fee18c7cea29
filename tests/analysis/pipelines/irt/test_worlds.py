"""Worlds in which the model does not hold: what Knowledge comes out as, and which diagnostic says so."""

import pytest

from analysis.pipelines.irt.worlds import MEAN_GLOBAL, WORLDS, Size, outcome, world_row

# One worker makes the nine studies, once.
pytestmark = pytest.mark.xdist_group("irt worlds")
# A mean over 160 cells whose models share 500 English answers: its error is about 0.03.
NEAR = 0.06
# Mean Global, mean Knowledge and share of positive cells, measured elsewhere at 79 models and 13,000
# items; a share is as far off here as such a mean moves it.
MEASURED = {
    "well specified": (MEAN_GLOBAL, -0.006, 0.48),
    "interaction sd 1 in both": (-0.66, 0.001, 0.51),
    "interaction sd 0.5 in CA, 1.5 in CS": (None, 0.16, 0.85),
    "discrimination of CS 0.7": (MEAN_GLOBAL, 0.24, 0.90),
    "discrimination of CS 0.5": (MEAN_GLOBAL, 0.39, 0.97),
    "guessing floor 0.25 in both": (None, 0.004, 0.51),
    "guessing 0.25, CS harder by 1 logit": (None, 0.07, 0.68),
    "true Knowledge 0.75, well specified": (MEAN_GLOBAL, 0.76, 1.0),
    "true Knowledge 0.75, discrimination of CS 0.7": (MEAN_GLOBAL, 0.77, 1.0),
}


@pytest.fixture(scope="module")
def outcomes():
    return {
        name: outcome(setting, Size(models=40, locales=4, items=500), 2)
        for name, setting in WORLDS.items()
    }


def test_every_world_was_measured():
    assert set(WORLDS) == set(MEASURED)


@pytest.mark.parametrize("name", WORLDS)
def test_gaps_are_what_was_measured_in_that_world(outcomes, name):
    found, (base, knowledge, share) = outcomes[name], MEASURED[name]
    assert found.mean_knowledge == pytest.approx(knowledge, abs=NEAR)
    assert found.share_positive == pytest.approx(share, abs=0.1)
    assert found.mean_local - found.mean_global == pytest.approx(found.mean_knowledge, abs=1e-12)
    if base is not None:
        assert found.mean_global == pytest.approx(base, abs=NEAR)


def test_weaker_specific_items_show_in_slope_spread_and_turning_point(outcomes):
    plain = outcomes["well specified"]
    for strength in (0.7, 0.5):
        found = outcomes[f"discrimination of CS {strength}"]
        for diagnostic, name in (("slope", "slope"), ("discrimination", "ability_spread_ratio")):
            ratio = found.number(diagnostic, name) / plain.number(diagnostic, name)
            assert ratio == pytest.approx(strength, abs=0.06)
        turning = found.number("discrimination", "knowledge_is_zero_at")
        assert turning == pytest.approx(strength, abs=0.06)
        sentence = found.diagnostics["discrimination"].sentence
        assert "the mean Knowledge would be zero with nothing else happening" in sentence
        assert "credits Knowledge" in found.diagnostics["slope"].sentence


def test_strengths_by_item_show_as_correlation_and_not_elsewhere(outcomes):
    both = outcomes["interaction sd 1 in both"]
    assert both.number("residual_correlation", "CA") > 0.1
    assert both.specific_correlation == pytest.approx(
        both.number("residual_correlation", "CA"), abs=0.02
    )
    assert "both gaps are shrunk towards zero" in both.diagnostics["residual_correlation"].sentence
    more = outcomes["interaction sd 0.5 in CA, 1.5 in CS"]
    assert more.specific_correlation > more.number("residual_correlation", "CA") + 0.1
    assert "adds to Knowledge by itself" in more.diagnostics["residual_correlation"].sentence
    for name in set(WORLDS) - {n for n in WORLDS if n.startswith("interaction")}:
        assert abs(outcomes[name].specific_correlation) < 0.05
        said = outcomes[name].diagnostics["residual_correlation"].sentence
        assert "close to independent" in said


def test_guessing_is_undone_by_the_floor_and_said_where_it_matters(outcomes):
    equal = outcomes["guessing floor 0.25 in both"].diagnostics["floor"]
    assert "guessing changes the conclusion little" in equal.sentence
    harder = outcomes["guessing 0.25, CS harder by 1 logit"]
    assert abs(harder.number("floor", "knowledge")) < NEAR < harder.mean_knowledge
    assert "noticeably" in harder.diagnostics["floor"].sentence


def test_a_row_holds_what_the_study_of_its_world_says():
    size, name = Size(models=8, locales=2, items=60), "discrimination of CS 0.7"
    row, found = world_row(name, size, 3), outcome(WORLDS[name], size, 3)
    assert (row["world"], row["true_knowledge"]) == (name, 0)
    assert row["knowledge"] == found.mean_knowledge
    assert row["slope"] == found.diagnostics["slope"].numbers["slope"].value
    assert row["correlation_specific"] == found.specific_correlation
    assert row["knowledge_with_floor"] == found.diagnostics["floor"].numbers["knowledge"].value
