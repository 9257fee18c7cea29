"""From tables to results, with an encoder whose idea of meaning is known."""

import json

import numpy as np
import pandas as pd
import pytest

from analysis.pipelines.trace.agreement import cell_table, evaluation, sensitivity
from analysis.pipelines.trace.analyse import Embedding, NothingToScoreError, Options, analyse
from analysis.pipelines.trace.cache import MemoryStore
from analysis.pipelines.trace.control import same_language_control
from analysis.pipelines.trace.encoder_sensitivity import encoder_sensitivity
from analysis.pipelines.trace.encoders import EncoderError, HashingEncoder
from analysis.pipelines.trace.outcomes import (
    accuracy,
    accuracy_differences,
    difficulty,
    review,
)
from analysis.pipelines.trace.positions import positions
from analysis.reports.documents import json_text
from analysis.reports.trace import trace_files, trace_report
from analysis.stats.trace_scores import CalibrationError
from tests.analysis.pipelines.trace.meaning import MeaningEncoder, corpus, parallel, response

OPTIONS = Options(resamples=200)


def run(traces, texts=None, encoder=None, options=OPTIONS, store=None):
    encoder = encoder or MeaningEncoder()
    embedding = Embedding(encoder, encoder, MemoryStore() if store is None else store)
    return analyse(traces, parallel() if texts is None else texts, embedding, options)


@pytest.fixture(scope="module")
def result():
    return run(corpus(wrong_every=6))


def test_every_pair_of_languages_is_scored(result):
    assert len(result.pairs) == 30 * 3
    cells = result.right.groupby(["language_a", "language_b"]).size()
    assert dict(cells) == {("en", "es"): 25, ("en", "ru"): 25, ("es", "ru"): 25}
    assert result.pairs["S"].between(0, 1).all()
    assert result.pairs["tau"].dropna().between(-1, 1).all()
    assert result.pairs["H"].between(-1, 1).all()


def test_how_many_are_computed_at_once_changes_no_score(result, monkeypatch):
    for size in ("matrices.MOST_STACKED", "scoring.WHOLES_AT_ONCE", "cache.AT_ONCE"):
        monkeypatch.setattr(f"analysis.pipelines.trace.{size}", 7)
    pd.testing.assert_frame_equal(run(corpus(wrong_every=6)).pairs, result.pairs, rtol=1e-12)


def test_true_pairs_lie_far_above_shuffled_ones(result):
    table = cell_table(result.right, result.shuffled, result.draws)
    assert (table["mean_S"] > table["S_shuffled"] + 0.4).all()


def test_one_language_more_changes_no_other_pair(result):
    wider = run(corpus(wrong_every=6, languages=("en", "es", "ru")), parallel())
    narrow = run(corpus(wrong_every=6).query("language != 'ru'"))
    both = wider.pairs.query("language_a == 'en' and language_b == 'es'")
    assert narrow.pairs["S"].tolist() == both["S"].tolist()
    assert narrow.pairs["tau"].tolist() == both["tau"].tolist()


def test_the_order_of_the_rows_changes_nothing(result):
    shuffled = corpus(wrong_every=6).sample(frac=1.0, random_state=3)
    keys = ["problem_id", "language_a", "language_b"]
    again = run(shuffled).pairs.sort_values(keys)["S"].to_numpy()
    assert again == pytest.approx(result.pairs.sort_values(keys)["S"].to_numpy(), abs=1e-12)


def test_shared_errors_are_found_early(result):
    found = review(result.pairs, result.draws)
    assert found["base_rate"].value == pytest.approx(15 / 90)
    lift = found["lift"]["S"]
    assert lift.value > 2
    assert lift.low <= lift.value <= lift.high


def test_difficulty_is_counted_over_other_languages(result):
    contrast = difficulty(result.pairs, result.traces)
    assert contrast["raw"].value > 0.2
    # Every problem is all right or all wrong here, so no stratum holds both groups.
    assert "no difficulty holds both" in contrast["matched"].reason


def test_accuracies(result):
    table = accuracy(result.traces)
    assert table["accuracy"].tolist() == pytest.approx([25 / 30] * 3)
    differences = accuracy_differences(result.retention.funnel, result.traces)
    assert differences["accuracy_difference"].tolist() == [0.0] * 3


def test_evaluation_and_sensitivity(result):
    whole = evaluation(result.right, result.draws)
    assert 0 <= whole["dissociation"].low <= whole["dissociation"].high <= 1
    assert whole["cells_large_enough"] == 3
    table = sensitivity(result.right, result.draws).set_index("variant")
    assert table.loc["published choices", "spearman_S"] == 1.0
    assert (table["spearman_tau"].dropna() > 0.5).all()
    # Sharper weights raise tau where the order is kept.
    assert table.loc["p = 5", "mean_tau"] > table.loc["p = 1", "mean_tau"]


def test_positions_follow_the_anchor(result):
    found = positions(result.scored, "en", result.draws)
    assert found["pairs"] == 50
    assert len(found["quintiles"]) == 5
    rates = [found["branch"][theta]["rate"].value for theta in ("0.3", "0.4", "0.5")]
    assert rates == sorted(rates)
    right = result.pairs["group"] == "both_right"
    rows = np.flatnonzero(right & (result.pairs["language_a"] == "en"))
    best = [result.scored.matrices[row].max(axis=1) for row in rows]
    gaps = [one[-1] - one[1:-1].mean() for one in best if one.size > 2]
    end = found["last_minus_middle"]
    assert (end.value, end.n) == (pytest.approx(np.mean(gaps)), len(gaps))
    assert end.low < end.value < end.high
    assert found["branch"]["0.4"]["rate"].low <= rates[1] <= found["branch"]["0.4"]["rate"].high
    assert "no scored pair" in positions(result.scored, "zh", result.draws)["reason"]


def test_the_report_is_strict_json_and_has_all_parts(result):
    files = trace_files(result)
    document = json.loads(files["results.json"])
    assert set(document["by_pair"]) == {"en-es", "en-ru", "es-ru"}
    assert document["pairs"] == 90
    assert document["by_pair"]["en-es"]["n"] == 25
    assert (
        document["by_pair"]["en-es"]["S"]["value"]
        > document["by_pair"]["en-es"]["S_shuffled"]["value"]
    )
    header = files["pairs.csv"].decode().splitlines()[0]
    assert header == (
        "dataset,model,problem_id,language_a,language_b,S,tau,H,coverage_a,coverage_b,steps_a,steps_b"
    )
    assert {"figures/by_pair.svg", "figures/ranks.svg", "figures/positions.svg"} <= set(files)
    assert {"report.html", "cells.csv", "calibration.csv", "retention.csv"} <= set(files)


def told(report):
    return {part.heading: " ".join(part.sentences) for part in report.sections}


def test_the_page_says_what_the_document_holds(result):
    report = trace_report(result)
    words = told(report)
    lift = report.results["review"]["lift"]["S"].value
    assert f"any order: S {lift:.2f} [" in words["What divergence goes with"]
    assert "No same-language control: no paraphrase condition" in words["What divergence goes with"]
    whole = report.results["dissociation"]
    assert f"Here it is {whole.value:.3f} [" in words["Does the whole answer tell?"]
    assert (
        "Best match of the last step less that of those in the middle: "
        in words["Where traces part"]
    )
    (row,) = report.tables["evaluations"].to_dict("records")
    assert row["S"] == report.results["overall"]["S"].value
    assert row["S_low"] < row["S"] < row["S_high"]
    (kept,) = report.tables["kept"].to_dict("records")
    assert (kept["pairs"], kept["usable both right"]) == (90, 75)


def test_few_pairs_have_no_ranks_and_the_page_says_why():
    report = trace_report(run(corpus(problems=4)))
    assert "ranks" not in report.figures
    words = told(report)
    assert "no language pair has at least 20 scored pairs" in words["Does the whole answer tell?"]
    assert "No review lift: no pair" in words["What divergence goes with"]


def test_the_same_run_gives_the_same_numbers(result):
    again = run(corpus(wrong_every=6))
    assert again.pairs.equals(result.pairs)
    assert json_text(evaluation(again.right, again.draws)) == json_text(
        evaluation(result.right, result.draws)
    )


def test_pair_pages_show_steps_and_escape_them():
    traces = corpus(problems=3)
    first = traces.index[0]
    traces.loc[first, "response"] = response("en", ["q0s0", "q0s1"]).replace(
        "word [q0s0]", "word <script>alert(1)</script> [q0s0]"
    )
    files = trace_files(run(traces))
    pages = [text.decode() for name, text in files.items() if name.startswith("pairs/")]
    assert len(pages) > 3
    assert not any("<script" in page for page in pages)
    assert any("&lt;script&gt;" in page for page in pages)
    assert all("met best by step" in page for page in pages if "<ol>" in page)


def test_a_parallel_table_without_known_columns_is_refused():
    with pytest.raises(CalibrationError, match="lang_a, text_a, lang_b, text_b"):
        run(corpus(), texts=parallel().rename(columns={"en": "x", "es": "y", "ru": "z"}))


def test_a_test_only_encoder_gets_no_report():
    class Flagged(MeaningEncoder):
        test_only = True

    with pytest.raises(EncoderError, match="for tests only"):
        trace_report(run(corpus(problems=4), encoder=Flagged()))
    assert HashingEncoder.test_only


def test_unknown_languages_are_refused():
    encoder = MeaningEncoder()
    encoder.languages = frozenset({"en", "es"})
    with pytest.raises(EncoderError, match="does not know ru"):
        run(corpus(problems=2), encoder=encoder)


def test_nothing_to_score_says_where_it_was_lost():
    traces = corpus(problems=3).assign(finish_reason="length")
    with pytest.raises(NothingToScoreError, match="lost_cut_off 9"):
        run(traces)
    with pytest.raises(NothingToScoreError, match="at least 20 are needed"):
        run(corpus(problems=3), texts=parallel(texts=5))


def test_undefined_order_is_an_empty_cell_with_its_reason():
    traces = corpus(problems=3)
    one_step = traces["language"] == "es"
    traces.loc[one_step, "response"] = response("es", ["q0s0"])
    found = run(traces).pairs
    rows = found[(found["language_a"] == "es") | (found["language_b"] == "es")]
    assert rows["tau"].isna().all()
    assert (rows["tau_reason"] == "order needs at least two steps on each side").all()


def test_the_same_language_control():
    languages = ("en", "es", "en-paraphrase")
    traces = corpus(languages=languages)
    # The paraphrase keeps every step of the English trace.
    english = traces[traces["language"] == "en"].set_index("problem_id")["response"]
    own = traces["language"] == "en-paraphrase"
    traces.loc[own, "response"] = [
        english[problem].replace("word", "other") for problem in traces.loc[own, "problem_id"]
    ]
    options = Options(resamples=200, control="en-paraphrase")
    result = run(traces, parallel(languages), options=options)
    found = same_language_control(
        result.scored, result.vectors.steps, result.calibrations, result.draws,
        anchor="en", control="en-paraphrase",
    )  # fmt: skip
    assert found["delta"].value > 0.05
    assert found["delta"].low > 0
    assert found["adjusted"].value == pytest.approx(
        found["delta"].value - found["calibration_bias"].value
    )
    assert json.loads(json_text(found))["delta"]["n"] == 30
    assert (
        "S of two answers in one language, to paraphrases, less that"
        in told(trace_report(result))["What divergence goes with"]
    )
    missing = same_language_control(
        result.scored, result.vectors.steps, result.calibrations, result.draws,
        anchor="en", control="en-other",
    )  # fmt: skip
    assert "no scored pairs" in missing["reason"]


def test_a_long_response_is_marked(result):
    limit = MeaningEncoder.max_tokens
    longest = result.pairs[["tokens_a", "tokens_b"]].max(axis=1)
    assert (result.pairs["truncated"] == (longest > limit)).all()
    assert np.any(result.pairs["truncated"])
    assert not np.all(result.pairs["truncated"])


def test_another_encoder_is_compared_by_rank(result):
    noisier = MeaningEncoder(noise=0.6)
    noisier.id = "meaning@2"
    other = run(corpus(wrong_every=6), encoder=noisier)
    table = encoder_sensitivity(result, {"noisier": other}).set_index("run")
    assert table.loc["as asked", "spearman_S"] == 1.0
    assert table.loc["as asked", "mean_absolute_difference_S"] == 0.0
    assert 0.6 < table.loc["noisier", "spearman_S"] < 1.0
    assert table.loc["noisier", "pairs_in_both"] == 75
    document = json.loads(trace_files(result, {"noisier": other})["results.json"])
    assert [row["run"] for row in document["encoders"]] == ["as asked", "noisier"]


def test_two_problems_are_enough_for_a_report():
    found = trace_files(run(corpus(problems=2, languages=("es", "ru"))))
    document = json.loads(found["results.json"])
    assert document["by_pair"]["es-ru"]["n"] == 2
    assert "no scored pair" in document["positions"]["reason"]
    assert "figures/positions.svg" not in found


def test_one_problem_has_no_floor():
    with pytest.raises(NothingToScoreError, match="At least two problems are needed"):
        run(corpus(problems=1))


def test_names_from_a_table_reach_no_path_and_no_markup():
    traces = corpus(problems=2, languages=("en", "es")).replace({"problem_id": {"p0": "../<b>0"}})
    files = trace_files(run(traces))
    pages = [name for name in files if name.startswith("pairs/")]
    assert all(".." not in name and "<" not in name for name in pages)
    assert not any(b"<b>0" in files[name] for name in [*pages, "report.html"])
