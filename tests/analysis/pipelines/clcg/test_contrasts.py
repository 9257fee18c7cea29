"""Contrasts beside the gap: exposure, scopes, context gain, repetitions, halves, another corpus."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.pipelines.clcg.exposure import exposure_of
from analysis.pipelines.clcg.external import external_of
from analysis.pipelines.clcg.panel import Dates
from analysis.pipelines.clcg.population import Settings
from analysis.pipelines.clcg.scopes import context_gain, scope_contrast
from analysis.pipelines.clcg.simulate import Sizes, Truth, closed_book, grounded
from analysis.pipelines.clcg.stability import split_halves, stability_of
from tests.analysis.pipelines.clcg.worlds import (
    FAST,
    dated,
    matches,
    population,
    row,
    simulated,
    small_panel,
)


def two_kinds():
    """Return two old documents with a gap of 0.3, two new ones with a gap of 0.5."""
    rows = []
    for i, gap in ((1, 0.3), (2, 0.3), (3, 0.5), (4, 0.5)):
        rows += [row(code, 0.9 - gap, doc_id=f"d{i}") for code in ("sw", "fon", "pt")]
        rows.append(row("en", 0.9, doc_id=f"d{i}"))
    return pd.DataFrame(rows)


def test_memorable_less_new_is_below_zero_where_new_documents_have_larger_gaps():
    found = exposure_of(population(two_kinds(), small_panel(), dates=dated("d3")))
    assert found.pooled.memorable.value == pytest.approx(0.3)
    assert found.pooled.new.value == pytest.approx(0.5)
    assert found.by_model["m"].difference.value == pytest.approx(-0.2)
    assert found.by_class[0].difference.value == pytest.approx(-0.2)
    assert found.coverage["m"] == (2, 2, 0)


@pytest.mark.parametrize(
    ("dates", "reason"),
    [
        (Dates(), "cutoff is not given"),
        (Dates({"m": pd.Timestamp("2025-01-01")}), "dates of the documents are not given"),
        (dated("d9"), "all 4 dated documents appeared before its cutoff"),
        (dated("d0"), "all 4 dated documents appeared after its cutoff"),
    ],
)
def test_without_both_kinds_there_is_no_contrast_and_the_reason_is_told(dates, reason):
    found = exposure_of(population(two_kinds(), small_panel(), dates=dates))
    assert reason in found.reasons["m"]
    assert found.pooled.difference.value is None
    assert "both memorable and new" in found.pooled.difference.reason


def test_a_document_on_the_day_of_the_cutoff_is_memorable():
    day = pd.Timestamp("2025-06-30")
    assert Dates({"m": day}, {"d": day}).is_new("m", "d") is False
    assert Dates({"m": day}, {}).is_new("m", "d") is None


def scoped():
    """Two documents: with the whole text a gap of 0.2, with paragraphs 0.4, without text 0.1."""
    rows = []
    for document in ("d1", "d2"):
        for item in ("a", "b"):
            own = {"doc_id": document, "item_id": f"{document}{item}"}
            rows += [row("en", 0.8, **own), row("sw", 0.6, **own), row("fon", 0.6, **own)]
            if item == "a":
                near = own | {"scope": "item_grounded"}
                rows += [row("en", 0.9, **near), row("sw", 0.5, **near), row("fon", 0.5, **near)]
                rows.append(row("", 0.1, scope="closed_book", **own))
    return pd.DataFrame(rows)


def test_the_scopes_are_compared_on_rows_that_both_have():
    frame = scoped()
    # This row has no match and would change the gap of the whole text.
    frame = pd.concat([frame, pd.DataFrame([row("fon", 0.0, item_id="only")])])
    found = scope_contrast(population(frame, small_panel(baseline=None)), matches(frame))
    assert found.pooled.full.value == pytest.approx(0.2)
    assert found.pooled.grounded.value == pytest.approx(0.4)
    assert found.pooled.difference.value == pytest.approx(-0.2)
    assert found.by_language["fon"].grounded.value == pytest.approx(0.4)
    assert found.by_class[0].difference.value == pytest.approx(-0.2)
    assert (found.documents, found.pooled.full.n) == (2, 6)


def test_context_gain_is_the_score_less_that_without_a_passage_in_any_language():
    frame = scoped()
    found = context_gain(population(frame, small_panel(baseline=None)), matches(frame))
    assert found.closed_mean.value == pytest.approx(0.1)
    assert found.by_language["en"].value == pytest.approx(0.7)
    assert found.by_language["fon"].value == pytest.approx(0.5)
    assert found.coverage["en"] == (2, 2, 1)
    assert found.by_class[2].value == pytest.approx(0.5)


def test_a_scope_that_the_scores_lack_is_named():
    frame = two_kinds()
    whole = population(frame, small_panel())
    assert "no row of the scope 'closed_book'" in context_gain(whole, matches(frame)).reason
    assert "no row of the scope 'item_grounded'" in scope_contrast(whole, matches(frame)).reason


def test_simulated_scopes_show_the_difference_that_was_put_in():
    frame = simulated(sizes=Sizes(documents=30, repeated=6, per_level=2, human=0))
    rng = np.random.default_rng(5)
    frame = pd.concat([frame, grounded(frame, rng), closed_book(frame, rng)], ignore_index=True)
    found = scope_contrast(population(frame), matches(frame)).pooled.difference
    # 0.03 was put in; scores at the ends of the scale cannot take all of it.
    assert found.high < 0
    assert -0.03 < found.value < -0.015


def test_repetitions_are_compared_over_documents_that_have_them_all():
    rows = []
    for repetition, gap in enumerate((0.3, 0.1, 0.2)):
        for document in ("d1", "d2"):
            own = {"doc_id": document, "rep": repetition}
            rows += [row("en", 0.9, **own), row("sw", 0.9 - gap, **own)]
    rows += [row("en", 0.9, doc_id="d3"), row("sw", 0.0, doc_id="d3")]
    found = stability_of(population(pd.DataFrame(rows), small_panel(baseline=None)))
    assert found.documents == 2
    assert found.pooled.gaps == pytest.approx((0.3, 0.1, 0.2))
    assert found.pooled.mean == pytest.approx(0.2)
    assert found.pooled.sd == pytest.approx(0.1)
    assert found.pooled.spread == pytest.approx(0.2)
    assert found.first_only.value == pytest.approx((0.3 + 0.3 + 0.9) / 3)


def test_the_order_of_models_over_repetitions_has_its_concordance():
    found = stability_of(population(simulated(sizes=Sizes(documents=40, repeated=20, human=0))))
    assert found.repetitions == ("0", "1", "2")
    assert 0 < found.w.value <= 1
    assert set(found.pairwise) == {"0 x 1", "0 x 2", "1 x 2"}
    each = [one.value for one in found.pairwise.values()]
    assert found.pairwise_mean == pytest.approx(sum(each) / 3)


def test_one_repetition_is_compared_with_nothing():
    found = stability_of(population(two_kinds(), small_panel()))
    assert "one repetition" in found.w.reason
    assert found.pooled.sd is None


def test_halves_agree_on_the_order_of_languages_that_differ():
    quiet = Truth(gap_sd=0.01, language_sd=0.001, document_sd=0.01)
    sizes = Sizes(documents=30, repeated=0, human=0)
    found = split_halves(population(simulated(sizes=sizes, truth=quiet)))
    assert found.mean.value > 0.8
    assert found.stepped_up.value > found.mean.value


def test_too_few_documents_have_no_halves():
    frame = two_kinds()
    found = split_halves(population(frame[frame["doc_id"] != "d4"], small_panel()))
    assert "four documents" in found.mean.reason


def test_another_corpus_is_compared_in_its_own_band_and_with_the_headline():
    sizes = Sizes(documents=30, repeated=0, human=0)
    one, two = (population(simulated(seed, sizes)) for seed in (1, 2))
    other = replace(two, settings=replace(FAST, band=("L3",)))
    found = external_of(one, other)
    assert found.micro.value == pytest.approx(0.126, abs=0.03)
    assert found.matched.n == 16
    assert found.matched.low < found.matched.value < found.matched.high
    assert found.headline.value != found.matched.value
    assert "pt" not in found.gaps
    assert len(found.by_model) == 5
    assert len(found.agreement_of_models) == 10


def test_settings_hold_all_that_a_run_depends_on():
    assert Settings().band == ("L3", "L4", "L5")
    assert (Settings().resamples, Settings().seed, Settings().margin) == (2000, 42, None)
