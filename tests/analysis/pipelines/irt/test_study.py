"""The whole analysis: settings in the result, summaries from the chosen models, strict JSON, tables."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis import frames
from analysis.pipelines.irt.background import Background, background
from analysis.pipelines.irt.document import document
from analysis.pipelines.irt.gap_grid import grid_of_table
from analysis.pipelines.irt.result_tables import result_tables
from analysis.pipelines.irt.selection import keep_items
from analysis.pipelines.irt.study import Settings, analyse
from analysis.pipelines.irt.summaries import Region
from analysis.pipelines.irt.summary import summarise
from analysis.reports.documents import json_text
from analysis.reports.irt import irt_report
from analysis.reports.irt_words import map_words
from analysis.stats.rasch import fit_complete
from tests.analysis.pipelines.irt.studies import small

KNOWN = Background(
    levels={"FR": 4, "ZH": 2},
    regions={"Home": Region(("m00", "m01"), ("FR",))},
    sizes={f"m{i:02d}": float(2**i) for i in range(6)},
    families={f"m{i:02d}": "even" if i % 2 == 0 else "odd" for i in range(6)},
    adapted={"m11": "ZH"},
    main=tuple(f"m{i:02d}" for i in range(11)),
)


def clock():
    ticks = iter((10.0, 10.25))
    return lambda: next(ticks)


def study(**settings):
    chosen = Settings(**{"resamples": 40, "folds": 3} | settings)
    answers = small()
    answers.specific["FR"].answers[3, 1] = 1
    answers.specific["ZH"].answers[5, 0] = 2
    return analyse(answers, chosen, clock=clock(), background=KNOWN)


@pytest.fixture(scope="module")
def done():
    return study(adam=False)


def test_the_document_is_strict_and_has_what_others_rely_on(done):
    found = json.loads(json_text(document(done, summarise(done))))
    assert found["models"] == 12
    assert found["items"] == 480
    assert found["responses"] == 12 * (200 * 3 + 2 * 280) - 160
    assert found["seconds_fit"] == 0.25
    assert found["residual"] < 1e-8
    assert len(found["gaps"]) == 24
    assert {"model", "locale", "global", "local", "knowledge"} <= found["gaps"][0].keys()
    assert found["settings"]["seed"] == 42
    assert found["cross_validation"]["folds"] == 3
    keys = ["slope", "residual_correlation", "discrimination", "floor"]
    assert list(found["diagnostics"]) == keys


def test_an_undefined_gap_is_null_with_its_reason_in_json_and_empty_in_the_table(done):
    found = document(done, summarise(done))["gaps"]
    row = next(r for r in found if (r["model"], r["locale"]) == ("m03", "FR"))
    assert row["knowledge"].as_dict()["value"] is None
    assert row["knowledge"].reason == "every answer to CS_FR in fr is correct"
    table = result_tables(done, summarise(done))["gaps"].set_index(["model", "locale"])
    assert np.isnan(table.loc[("m03", "FR"), "local"])
    assert table.loc[("m05", "ZH"), "local_reason"] == "no answer to CS_ZH in en"


def test_summaries_stand_on_the_main_models_and_adapted_ones_beside_them(done):
    found = summarise(done)
    assert len(found.models) == 11
    grid = done.gaps.grid
    expected = np.nanmean(grid.points[0][:11])
    assert found.mean["global"].value == pytest.approx(expected)
    row = found.adaptation["m11"]["global"]
    assert row.inside.value == pytest.approx(grid.points[0, 11, 1])
    assert row.outside.value == pytest.approx(np.nanmean(grid.points[0, :11, 1]))


def test_the_interval_of_a_mean_is_of_the_mean_of_each_replicate(done):
    drawn = done.gaps.grid.replicates[:, 0, :11]
    low, high = np.quantile(np.nanmean(drawn, axis=(1, 2)), [0.025, 0.975])
    found = summarise(done).mean["global"]
    assert (found.low, found.high) == pytest.approx((low, high))


def test_without_background_the_parts_that_need_it_are_left_out():
    bare = analyse(small(), Settings(resamples=0, folds=0), clock=clock())
    found = summarise(bare)
    assert found.by_level == {}
    assert found.level_correlation == {}
    assert found.size == {}
    assert found.models == bare.fits.answers.models
    report = irt_report(bare)
    assert "level_means" not in report.tables
    assert "gap_by_size" not in report.figures
    assert "cross_validation" not in report.results


def test_the_tables_hold_every_ability_and_item_once(done):
    tables = result_tables(done, summarise(done))
    assert len(tables["abilities"]) == 12 * (3 + 2 + 2)
    assert not tables["abilities"].duplicated(["block", "model", "query"]).any()
    assert len(tables["items"]) == 480
    flagged = tables["abilities"].query("flag != ''")
    assert set(flagged["model"]) == {"m03", "m05"}
    perfect = flagged.query("model == 'm03'").iloc[0]
    assert perfect["ability"] == np.inf
    assert np.isfinite(perfect["ability_warm"])


def test_a_map_is_told_by_its_ends(done):
    told = irt_report(done).alternatives["heat_map_global"]
    values = done.gaps.grid.points[0]
    assert told.startswith("Global gap of 12 models in 2 locales: from ")
    assert f"from {values.min():+.2f} (m" in told
    assert f"to {values.max():+.2f} (m" in told
    nothing = replace(done.gaps.grid, points=np.full_like(done.gaps.grid.points, np.nan))
    assert map_words(nothing, "local") == "Local gap of 12 models in 2 locales: none is defined."


def test_counts_are_whole_numbers_also_where_some_are_missing(done):
    counts = result_tables(done, summarise(done))["diagnostics"]["n"]
    assert counts.isna().any()
    assert str(counts.dtype) == "Int64"


def test_the_gaps_table_can_be_read_as_a_grid_again(done):
    table = result_tables(done, summarise(done))["gaps"]
    columns = [column.name for column in frames.Gaps.TABLE.columns]
    again = grid_of_table(table[columns])
    assert np.array_equal(again.points, done.gaps.grid.points, equal_nan=True)


def test_abilities_follow_accuracy_within_a_block(done):
    found = summarise(done).accuracy
    assert set(found) == {"CA", "CS_FR", "CS_ZH"}
    assert all(estimate.value > 0.95 for estimate in found.values())


def test_the_error_rate_of_people_stands_beside_the_gaps():
    table = pd.DataFrame(
        [(f"cs_fr-{i:04d}", "FR", int(i >= 12)) for i in range(120)]
        + [(f"cs_zh-{i:04d}", "ZH", 1) for i in range(160)],
        columns=["item", "locale", "keep"],
    )
    kept = keep_items(small(), table)
    found = analyse(
        small(), Settings(resamples=0, folds=0), clock=clock(), kept=kept, background=KNOWN
    )
    rates = summarise(found).error_rates
    assert rates["FR"].value == pytest.approx(0.1)
    assert rates["FR"].low < 0.1 < rates["FR"].high
    assert rates["ZH"].value == 0
    assert len(found.fits.specific["FR"].block.items) == 108
    flat = kept.answers.specific["FR"].flat()[0]
    assert np.allclose(
        found.fits.specific["FR"].fit.ability, fit_complete(flat).ability, equal_nan=True
    )
    people = document(found, summarise(found))["people"]
    assert people["kept_items_not_in_responses"] == 0
    assert people["error_rate_counts"] == "items not kept"
    beside = result_tables(found, summarise(found))["locale_means"].set_index("locale")
    assert beside["error_rate"].to_dict() == {"FR": pytest.approx(0.1), "ZH": 0}
    assert "these are not error rates" in sentences(irt_report(found), "Items that people judged")


def sentences(report, heading):
    (section,) = (part for part in report.sections if part.heading == heading)
    return " ".join(section.sentences)


def test_what_did_not_enter_or_has_no_estimate_is_named_and_counted():
    answers = small()
    answers.specific["FR"].answers[2, 1] = 0
    answers.specific["FR"].answers[3, 1] = 1
    answers.specific["FR"].answers[:, :, 7] = 1
    one = answers.specific["ZH"].only(items=np.arange(160) == 7)
    one.answers[[0, 1]] = 1
    answers.specific["ZH"] = one
    for block in answers.blocks:
        block.answers[4] = 2
    found = irt_report(analyse(answers, Settings(resamples=0, folds=0), clock=clock()))
    told = sentences(found, "What was analysed")
    low = {row["model"] for row in found.results["dropped"]} - {"m04"}
    assert "m02" in low
    assert "1 more answered nothing and did not enter: m04." in told
    assert (
        f"{len(low)} more did not exceed the accuracy of 0.35 everywhere and did not enter" in told
    )
    assert "CS_ZH (1 item) has no estimates: fewer than two models or two items are left" in told
    extreme = sum(block["extreme_items"] for block in found.results["blocks"])
    assert extreme >= 1
    assert f"{extreme} items were answered correctly by all or by none" in told
    assert "times a model had all or none of a set right in a language" in told


def test_rates_of_wrong_translations_are_called_that():
    table = pd.DataFrame(
        [
            ("cs_fr-0000", "FR", 0, 1),
            ("cs_fr-0001", "FR", 0, 0),
            ("cs_fr-0002", "FR", 1, 0),
            ("cs_fr-0003", "FR", 1, 0),
            *((f"cs_zh-{i:04d}", "ZH", 1, 0) for i in range(160)),
        ],
        columns=["item", "locale", "keep", "error"],
    )
    settings = Settings(resamples=0, folds=0, threshold=0)
    kept = keep_items(small(), table)
    report = irt_report(analyse(small(), settings, clock=clock(), kept=kept))
    told = sentences(report, "Items that people judged")
    assert "Rates of wrong translations among the judged items, by locale: FR 25% [" in told
    assert "not error rates" not in told
    assert report.results["people"]["error_rate_counts"] == "wrong translations"


def test_every_figure_and_table_of_the_report_has_a_place_on_its_page(done):
    report = irt_report(done)
    placed = {name for section in report.sections for name in (*section.tables, *section.figures)}
    assert set(report.figures) <= placed
    assert {"gaps", "level_means", "home_advantage", "adaptation", "diagnostics"} <= placed
    maps = {"heat_map_global", "heat_map_local", "heat_map_knowledge"}
    assert set(report.figures) == maps | {"level_lines", "gap_by_size", "ability_by_accuracy"}


def test_the_background_comes_from_the_tables():
    models = pd.DataFrame(
        [("a", 1, "F", 7.0, "R", ""), ("b", 0, "", np.nan, "", "ZH")],
        columns=["model", "main", "family", "size_b", "region", "adapted"],
    )
    locales = pd.DataFrame({"locale": ["ZH"], "level": [4]})
    regions = pd.DataFrame({"region": ["R", "R"], "locale": ["ZH", "FR"]})
    found = background(models, locales, regions)
    assert found.levels == {"ZH": 4}
    assert found.regions == {"R": Region(("a",), ("ZH", "FR"))}
    assert (found.sizes, found.families, found.adapted) == ({"a": 7.0}, {"a": "F"}, {"b": "ZH"})
    assert found.main_of(["b", "a"]) == ("a",)
    assert background().main_of(["b", "a"]) == ("b", "a")
