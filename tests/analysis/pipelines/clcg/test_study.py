"""The whole analysis on poor tables: every number is there, or the reason why it is not."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.figures.clcg import clcg_figures
from analysis.pipelines.clcg.panel import Dates
from analysis.pipelines.clcg.population import Settings
from analysis.pipelines.clcg.simulate import Sizes, closed_book, grounded
from analysis.pipelines.clcg.study import analyse
from analysis.pipelines.clcg.sums import ClcgError
from analysis.reports.bundle import report_files
from analysis.reports.clcg import clcg_report
from analysis.reports.clcg_words import shown
from analysis.stats.results import Estimate
from tests.analysis.pipelines.clcg.worlds import (
    matches,
    population,
    row,
    simulated,
    small_panel,
    wide_panel,
)

POOR = Settings(resamples=20, splits=4, margin=0.05)


def studied(frame, panel, dates=None):
    return analyse(population(frame, panel, POOR, dates), matches(frame))


def files_of(frame, panel, dates=None):
    return report_files(clcg_report(studied(frame, panel, dates), figures=False))


def refuse_constants(name):
    raise AssertionError(f"{name} is not strict JSON")


SMALLEST = [
        [row("en", 0.8), row("sw", 0.5)],
        [row("en", 0.8), row("sw", 0.5), row("fon", 0.5)],
        [row(c, 0.5, doc_id=d) for c in ("en", "sw", "pt") for d in ("d1", "d2")],
        [row(c, s, doc_id=d) for c, s in (("en", 0.9), ("sw", 0.1)) for d in ("d1", "d2", "d3")],
        [row("en", 0.8), row("sw", np.nan, status="missing")],
        [row("en", 0.8), row("sw", 0.5), row("", 0.2, scope="closed_book", item_id="else")],
        [row("en", 0.8), row("sw", 0.5), row("sw", 0.5, scope="item_grounded")],
        [row("en", 0.8), row("sw", 0.5, doc_id="d2"), row("en", 0.7, doc_id="d2"), row("pt", 0.1, doc_id="d2")],
        [row("en", 0.8), row("sw", 0.5), row("en", 0.4, rep=1), row("fon", 0.5, rep=1)],
    ]  # fmt: skip


@pytest.mark.parametrize("rows", SMALLEST)
def test_the_smallest_tables_give_a_strict_document(rows):
    files = files_of(pd.DataFrame(rows), small_panel())
    document = json.loads(files["results.json"], parse_constant=refuse_constants)
    assert document["micro"]["value"] is not None
    for found in (document["micro"], document["net_macro"], document["mixed_model"]):
        assert found["value"] is not None or found["reason"]
    assert b"NaN" not in files["results.json"]
    assert b"nan" not in files["report.html"]


@pytest.mark.parametrize("rows", [SMALLEST[0], SMALLEST[4], SMALLEST[6], SMALLEST[8]])
def test_the_smallest_tables_have_their_figures(rows):
    for figure in clcg_figures(studied(pd.DataFrame(rows), small_panel())).values():
        figure.draw_without_rendering()


@pytest.mark.parametrize("seed", range(6))
def test_random_holes_give_a_strict_document_or_a_named_error(seed):
    rng = np.random.default_rng(seed)
    frame = simulated(seed, Sizes(documents=5, repeated=2, per_level=1, human=1))
    frame = pd.concat([frame, grounded(frame, rng), closed_book(frame, rng, 2)], ignore_index=True)
    frame = frame[rng.random(len(frame)) < rng.choice([0.01, 0.05, 0.3])].reset_index(drop=True)
    dates = Dates(
        {m: pd.Timestamp("2025-06-01") for m in frame["model"].unique()[:3]},
        {d: pd.Timestamp(f"2025-0{1 + i}-01") for i, d in enumerate(sorted(set(frame["doc_id"])))},
    )
    try:
        files = files_of(frame, wide_panel(), dates)
    except ClcgError as error:
        files = {"results.json": json.dumps(str(error))}
    assert json.loads(files["results.json"], parse_constant=refuse_constants)


def test_a_reader_is_told_what_was_not_analysed():
    rows = [row(c, s, doc_id=d) for c, s in (("en", 0.9), ("sw", 0.1)) for d in ("d1", "d2", "d3")]
    page = files_of(pd.DataFrame(rows), small_panel())["report.html"].decode()
    for words in (
        "There is one repetition.",
        "No other corpus was given.",
        "the scores have no row of the scope &#x27;closed_book&#x27;",
        "the model&#x27;s knowledge cutoff is not given",
        "Without a p, and out of the family: H2, H2 mixed model, H3, H4",
    ):
        assert words in page


def test_a_tiny_p_is_told_as_such_and_a_bootstrap_one_as_it_is():
    estimate = Estimate(0.5, 0.4, 0.6, p=0.0)
    assert shown(estimate) == "0.500 [0.400, 0.600], p < 0.0001"
    assert shown(replace(estimate, p=0.0005)).endswith("p = 0.0005")
