"""Gaps worked by hand, their identities, and what must not change them."""

import numpy as np
import pandas as pd
import pytest

from analysis.frames import Scores
from analysis.pipelines.clcg.aggregation import by_aggregation
from analysis.pipelines.clcg.gaps import (
    band_grid,
    by_class,
    by_group,
    by_language,
    by_model,
    by_parsing_rule,
    by_source,
    gap_set,
    status_counts,
)
from analysis.pipelines.clcg.grid import less
from analysis.pipelines.clcg.levels import levels_of
from analysis.pipelines.clcg.simulate import Sizes
from tests.analysis.pipelines.clcg.worlds import (
    FAST,
    population,
    row,
    simulated,
    small_panel,
    wide_panel,
)


def small(*rows):
    return population(pd.DataFrame(rows), small_panel())


@pytest.fixture
def worked():
    """Two documents; English 0.8 and 0.6, Portuguese 0.6, Swahili twice as often as Fon."""
    return small(
        row("en", 0.8), row("en", 0.6, doc_id="d2"),
        row("pt", 0.6), row("pt", 0.6, doc_id="d2"),
        row("sw", 0.5), row("sw", 0.5, item_id="i2"), row("sw", 0.5, doc_id="d2"),
        row("sw", 0.5, doc_id="d2", item_id="i2"),
        row("fon", 0.2), row("fon", 0.2, doc_id="d2"),
    )  # fmt: skip


def test_micro_weighs_rows_and_macro_weighs_languages(worked):
    found = gap_set(band_grid(worked))
    assert found.reference.value == pytest.approx(0.7)
    assert found.micro.value == pytest.approx(0.7 - 0.4)
    assert found.macro.value == pytest.approx((0.2 + 0.5) / 2)
    assert found.baseline.value == pytest.approx(0.1)
    assert found.net_macro.value == pytest.approx(0.25)
    assert found.net_micro.value == pytest.approx(0.2)
    assert found.relative.value == pytest.approx(0.3 / 0.7)
    assert found.micro.n == 8
    assert found.baseline.n == 4


def test_a_language_has_mean_gap_and_net_and_the_baseline_no_net(worked):
    found = by_language(band_grid(worked))
    assert list(found) == ["pt", "sw", "fon"]
    assert found["fon"].gap.value == pytest.approx(0.5)
    assert found["fon"].net.value == pytest.approx(0.4)
    assert found["fon"].mean.value == pytest.approx(0.2)
    assert "no net gap" in found["pt"].net.reason


def test_a_class_is_the_mean_of_its_languages(worked):
    found = by_class(band_grid(worked))
    assert {c: one.languages for c, one in found.items()} == {0: ("fon",), 2: ("sw",), 4: ("pt",)}
    assert found[0].net.value == pytest.approx(0.4)


def test_without_a_baseline_the_nets_are_undefined_with_the_reason():
    panel = small_panel(baseline=None)
    rows = [row("en", 0.8), row("sw", 0.5), row("fon", 0.2)]
    found = gap_set(band_grid(population(pd.DataFrame(rows), panel)))
    assert found.net_macro.value is None
    assert "baseline" in found.net_macro.reason
    assert found.micro.value == pytest.approx(0.45)


def test_one_document_gives_a_value_and_no_interval():
    found = gap_set(band_grid(small(row("en", 0.8), row("sw", 0.5)))).micro
    assert found.value == pytest.approx(0.3)
    assert found.low is None
    assert "one document" in found.reason


def test_a_reference_that_is_0_has_no_relative_gap():
    found = gap_set(band_grid(small(row("en", 0.0), row("sw", 0.0), row("en", 0.0, doc_id="d2"))))
    assert found.relative.value is None
    assert found.micro.value == 0


def test_a_p_is_never_zero(worked):
    found = gap_set(band_grid(worked)).micro
    assert found.p == pytest.approx(1 / (FAST.resamples + 1))


def test_rows_languages_models_and_documents_can_have_equal_weight():
    rows = [
        row("en", 0.8), row("sw", 0.6), row("sw", 0.6, item_id="i2"), row("fon", 0.2),
        row("en", 0.9, model="n"), row("sw", 0.5, model="n", doc_id="d2"),
        row("en", 0.7, model="n", doc_id="d2"), row("fon", 0.1, doc_id="d3"),
        row("sw", 0.3, doc_id="d3"),
    ]  # fmt: skip
    whole = small(*rows)
    found = by_aggregation(band_grid(whole), by_model(whole))
    assert found["rows"].value == pytest.approx(0.8 - 2.3 / 6)
    assert found["languages"].value == pytest.approx((0.8 - 0.5 + 0.8 - 0.15) / 2)
    assert found["models"].value == pytest.approx((0.8 - 1.8 / 5 + 0.8 - 0.5) / 2)
    # The third document has no reference row, and so no gap of its own.
    assert found["documents"].value == pytest.approx((0.85 - 1.4 / 3 + 0.7 - 0.5) / 2)
    assert found["documents"].n == 2


def test_failures_count_as_zero_or_are_left_out():
    rows = [
        row("en", 0.8), row("en", 0.6, doc_id="d2"),
        row("sw", 0.4), row("sw", np.nan, doc_id="d2", status="unparseable"),
        row("fon", 0.2), row("fon", np.nan, doc_id="d2", status="missing"),
    ]  # fmt: skip
    found = small(*rows)
    rules = by_group(by_parsing_rule(found))
    assert rules["failures_as_zero"].micro.value == pytest.approx(0.7 - 0.6 / 4)
    assert rules["failures_excluded"].micro.value == pytest.approx(0.7 - 0.3)
    assert status_counts(found) == {"ok": 4, "unparseable": 1, "missing": 1}


def test_human_items_enter_by_source_with_and_without_a_level():
    rows = [
        row("en", 0.8), row("sw", 0.5),
        row("en", 0.9, item_id="h", source="human", level=""),
        row("sw", 0.5, item_id="h", source="human", level=""),
    ]  # fmt: skip
    found = by_group(by_source(small(*rows)))
    assert found["llm"].micro.value == pytest.approx(0.3)
    assert found["human"].micro.value == pytest.approx(0.4)


def test_the_identities_hold_to_rounding():
    whole = population(simulated())
    for grid, groups in ((band_grid(whole), 1), (by_model(whole), 5)):
        for group in range(groups):
            found = gap_set(grid, group)
            assert found.micro.value == pytest.approx(
                found.baseline.value + found.net_micro.value, abs=1e-12
            )
            assert found.macro.value == pytest.approx(
                found.baseline.value + found.net_macro.value, abs=1e-12
            )
            targets = [grid.place(code) for code in grid.panel.targets]
            gaps = grid.means[0, group, 0] - grid.means[0, group, targets]
            assert found.macro.value == pytest.approx(gaps.mean(), abs=1e-12)
            weights = grid.counts[group, targets] / grid.counts[group, targets].sum()
            assert found.micro.value == pytest.approx(weights @ gaps, abs=1e-12)


def test_the_identities_hold_in_every_replicate():
    grid = band_grid(population(simulated()))
    macro, net = grid.macro(0), less(grid.macro(0), grid.gap(0, "pt"))
    targets = [grid.place(code) for code in grid.panel.targets]
    portuguese = grid.drawn[:, 0, [grid.place("pt")]] - grid.drawn[:, 0][:, targets]
    assert np.abs(portuguese.mean(axis=1) - net(grid.drawn)).max() < 1e-12
    gaps = grid.drawn[:, 0, [0]] - grid.drawn[:, 0][:, targets]
    assert np.abs(gaps.mean(axis=1) - macro(grid.drawn)).max() < 1e-12


def values(whole):
    found = gap_set(band_grid(whole))
    return [
        number for one in vars(found).values() for number in (one.value, one.low, one.high, one.p or 0)
    ]  # fmt: skip


def test_shuffled_rows_change_nothing():
    frame = simulated()
    shuffled = frame.sample(frac=1, random_state=3).reset_index(drop=True)
    assert values(population(shuffled)) == pytest.approx(values(population(frame)), abs=1e-12)


def test_renamed_languages_change_nothing_but_the_names():
    frame = simulated()
    new = {code: f"x-{code}" for code in frame["language"].cat.categories}
    renamed = frame.assign(language=frame["language"].astype(str).map(new))
    panel = wide_panel()
    other = small_panel(
        reference="x-en", baseline="x-pt", targets=tuple(new[c] for c in panel.targets), factors={}
    )
    assert values(population(renamed, other)) == pytest.approx(values(population(frame)), abs=1e-12)


def test_doubled_documents_keep_the_values_and_narrow_the_intervals():
    frame = simulated(sizes=Sizes(documents=24, per_level=1, human=0, repeated=0))
    again = frame.assign(doc_id="again-" + frame["doc_id"].astype(str))
    one, two = population(frame), population(pd.concat([frame, again], ignore_index=True))
    first, second = gap_set(band_grid(one)).micro, gap_set(band_grid(two)).micro
    assert second.value == pytest.approx(first.value, abs=1e-12)
    ratio = (second.high - second.low) / (first.high - first.low)
    assert ratio == pytest.approx(1 / np.sqrt(2), rel=0.25)


def test_a_constant_on_all_scores_moves_the_means_and_no_gap():
    frame = simulated()
    lifted = frame.assign(token_f1=frame["token_f1"] + 0.25)
    one, two = (gap_set(band_grid(population(f))) for f in (frame, lifted))
    assert two.reference.value == pytest.approx(one.reference.value + 0.25, abs=1e-12)
    for name in ("micro", "macro", "baseline", "net_macro"):
        a, b = getattr(one, name), getattr(two, name)
        assert (b.value, b.low, b.high) == pytest.approx((a.value, a.low, a.high), abs=1e-12)


def test_swapped_reference_and_target_turn_the_sign():
    frame = simulated()
    pair = frame[frame["language"].isin(["en", "sw"])]
    there = small_panel(reference="en", baseline=None, targets=("sw",))
    back = small_panel(reference="sw", baseline=None, targets=("en",))
    one, two = (gap_set(band_grid(population(pair, p))).micro for p in (there, back))
    assert two.value == pytest.approx(-one.value, abs=1e-12)
    assert (two.low, two.high) == pytest.approx((-one.high, -one.low), abs=1e-12)


def test_the_replicates_are_those_of_resampled_rows():
    frame = simulated(sizes=Sizes(documents=6, repeated=2, per_level=1, human=0))
    grid = band_grid(population(frame))
    band = frame[frame["level"].isin(FAST.band)]
    documents = sorted(band["doc_id"].unique())
    draws = np.random.default_rng(FAST.seed).integers(0, 6, size=(FAST.resamples, 6))
    for replicate in (0, 7, 199):
        parts = [band[band["doc_id"] == documents[k]] for k in draws[replicate]]
        rows = pd.concat(parts)
        english = rows["language"] == "en"
        target = ~rows["language"].isin(["en", "pt"])
        expected = rows.loc[english, "token_f1"].mean() - rows.loc[target, "token_f1"].mean()
        assert grid.micro(0)(grid.drawn)[replicate] == pytest.approx(expected, abs=1e-12)


def test_levels_are_standardised_over_all_their_rows():
    frame = simulated()
    found = levels_of(population(frame))
    level = frame[frame["level"] == "L4"]
    deviation = level["token_f1"].std(ddof=0)
    assert found.deviations["L4"] == pytest.approx(deviation)
    z = (level["token_f1"] - level["token_f1"].mean()) / deviation
    target = ~level["language"].isin(["en", "pt"])
    expected = z[level["language"] == "en"].mean() - z[target].mean()
    assert found.standardised["L4"].value == pytest.approx(expected, abs=1e-12)
    gaps = [found.standardised[level].value for level in Scores.LEVELS]
    assert found.slope.value == pytest.approx(np.polyfit(range(6), gaps, 1)[0])


def test_a_level_that_does_not_vary_has_no_standardised_gap_and_one_level_no_slope():
    found = levels_of(small(row("en", 0.5), row("sw", 0.5)))
    assert "equal" in found.standardised["L3"].reason
    assert "slope" in found.slope.reason
