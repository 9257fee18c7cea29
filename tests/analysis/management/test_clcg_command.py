"""`manage.py clcg` on the small fixture: the promised document and files, and errors in sentences."""

import json
from io import StringIO

import numpy as np
import pandas as pd
import pytest
from django.core.management import CommandError, call_command

from fixtures.generate.clcg_scores import FOLDER, write_tables

# What the command made once is looked at by all of them.
pytestmark = pytest.mark.xdist_group("clcg command")
SCORES = FOLDER / "scores.parquet"
NAMES = {name: FOLDER / f"{name}.csv" for name in ("languages", "models", "documents")}
PROMISED = {
    "micro", "macro", "net_macro", "net_micro", "by_language", "by_model", "by_class", "by_level",
    "by_level_standardised", "hypotheses", "equivalence", "mixed_model", "factors", "stability",
    "parsing",
}  # fmt: skip


def run(scores, out, **options):
    printed = StringIO()
    call_command("clcg", str(scores), out=out, stdout=printed, **(NAMES | options))
    return printed.getvalue()


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    out = tmp_path_factory.mktemp("clcg") / "out"
    options = {"external": [SCORES], "margin": 0.02, "resamples": 200, "splits": 20}
    printed = run(SCORES, out, json=True, **options)
    return out, json.loads(printed), printed


def test_the_document_has_what_others_rely_on_and_is_strict(result):
    _, document, printed = result
    assert set(document) >= PROMISED
    assert "NaN" not in printed
    assert "Infinity" not in printed
    assert set(document["micro"]) >= {"value", "low", "high", "p", "n", "method", "seed"}
    assert len(document["by_language"]) == 17
    assert document["by_language"]["fon"]["net"]["value"] is not None
    assert {"id", "estimate", "p", "p_adjusted"} <= set(document["hypotheses"][0])
    assert len(document["hypotheses"]) == 10
    assert document["equivalence"]["margin"] == [-0.02, 0.02]
    assert document["mixed_model"]["converged"] is True


def test_the_files_are_those_that_a_reader_was_promised(result):
    out, document, printed = result
    assert (out / "results.json").read_text() == printed
    made = {path.name for path in out.glob("*.csv")}
    assert made >= {
        "by_language.csv",
        "hypotheses.csv",
        "factors.csv",
        "stability.csv",
        "scopes.csv",
    }
    drawn = {path.stem for path in (out / "figures").glob("*.svg")}
    assert drawn == {
        "gap_by_language", "net_by_language", "gap_by_model", "gap_by_level", "external_corpus",
        "stability", "memorable_and_new", "context_gain", "gap_by_class", "factors",
        "parsing_rules", "hypotheses", "scopes",
    }  # fmt: skip
    table = pd.read_csv(out / "by_language.csv").set_index("language")
    assert table.loc["fon", "gap"] == pytest.approx(document["by_language"]["fon"]["value"])
    ranks = pd.read_csv(out / "rank_agreement.csv").set_index("between")
    assert ranks.loc["corpora, levels matched", "value"] == pytest.approx(
        document["external"]["matched"]["value"]
    )
    assert len(ranks[ranks["of"] == "order of the models"]) == 4
    assert pd.read_csv(out / "equivalence.csv")["margin_high"].tolist() == [0.02] * 3
    factors = pd.read_csv(out / "factors.csv")
    assert "resource_class x non_latin" in set(factors["factor"])
    covered = pd.read_csv(out / "exposure.csv").set_index("group")
    assert covered.loc["kimi-k3", "memorable_documents"] > 0
    page = (out / "report.html").read_text()
    assert "<script" not in page
    assert "Two different quantities" in page or "two different quantities" in page


def test_the_same_run_gives_the_same_bytes(result, tmp_path):
    _, _, printed = result
    options = {"external": [SCORES], "margin": 0.02, "resamples": 200, "splits": 20}
    assert run(SCORES, tmp_path / "again", json=True, no_figures=True, **options) == printed


def test_the_fixture_is_what_its_command_makes(tmp_path):
    write_tables(tmp_path)
    made = pd.read_parquet(tmp_path / "scores.parquet")
    pd.testing.assert_frame_equal(made, pd.read_parquet(SCORES))
    for name in ("models", "documents"):
        assert (tmp_path / f"{name}.csv").read_bytes() == (FOLDER / f"{name}.csv").read_bytes()


def test_the_shipped_panel_has_the_eighteen_languages_and_their_classes():
    table = pd.read_csv(FOLDER / "languages.csv", keep_default_na=False)
    assert len(table) == 18
    assert (table["role"] == "target").sum() == 16
    assert table["resource_class"].value_counts().to_dict() == {
        "1": 5, "2": 6, "4": 2, "3": 2, "0": 1, "5": 1, "": 1,
    }  # fmt: skip
    assert set(table.loc[table["script"] != "Latin", "language"]) == {"ka", "ne", "am"}
    assert set(table.loc[table["isolate"] == 1, "language"]) == {"eu", "ka"}


def test_a_person_reads_sentences(tmp_path):
    printed = run(SCORES, tmp_path / "out", resamples=50, splits=5, no_figures=True)
    assert "The pooled gap, reference mean less pooled target mean, is" in printed
    assert "no margin" not in printed
    assert "begin with report.html" in printed


def small():
    keep = pd.read_parquet(SCORES)
    return keep[(keep["scope"] == "full_body") & (keep["rep"] == 0)].head(400).astype(str)


FAULTS = {
    "a score outside its range": ({"token_f1": "1.5"}, "'1.5' is not at least 0 and at most 1"),
    "an unknown level": ({"level": "L9"}, "'L9' is not one of L0, L1, L2, L3, L4, L5"),
    "an unknown source": ({"source": "crowd"}, "'crowd' is not one of llm, human"),
    "an unknown status": ({"status": "fine"}, "'fine' is not one of ok, unparseable, missing"),
    "a repetition below 0": ({"rep": "-1"}, "'-1' is not at least 0"),
    "a language nobody named": ({"language": "tlh"}, "does not name: tlh (1 row)"),
    "the row of a language nobody named": (
        {"language": "tlh"},
        "row 9, column 'language': 'tlh' is not one of en, pt",
    ),
    "no language": ({"language": ""}, "a row has no language, such as item"),
    "percent": ({"token_f1": "45"}, "with their range as --metric token_f1:0:100"),
}


@pytest.mark.parametrize("fault", list(FAULTS))
def test_a_bad_row_is_named(fault, tmp_path):
    cells, message = FAULTS[fault]
    frame = small()
    for column, value in cells.items():
        frame.iloc[7, frame.columns.get_loc(column)] = value
    frame.to_csv(tmp_path / "scores.csv", index=False)
    with pytest.raises(CommandError) as caught:
        run(tmp_path / "scores.csv", tmp_path / "out")
    assert message in str(caught.value)


def test_a_doubled_row_is_named_with_both_places(tmp_path):
    frame = small()
    pd.concat([frame, frame.iloc[[7]]]).to_csv(tmp_path / "scores.csv", index=False)
    with pytest.raises(CommandError, match=r"the row repeats .*row 9"):
        run(tmp_path / "scores.csv", tmp_path / "out")


def test_exclusions_stand_in_the_document_and_in_a_table(tmp_path):
    frame = pd.read_parquet(SCORES)
    frame = frame[frame["scope"] == "full_body"]
    lone = (frame["model"] == "kimi-k3") & (frame["language"] == "en")
    frame = frame[~lone & (frame["language"] != "fon")]
    frame.to_parquet(tmp_path / "scores.parquet", index=False)
    options = {"resamples": 50, "splits": 5, "no_figures": True}
    found = json.loads(run(tmp_path / "scores.parquet", tmp_path / "out", json=True, **options))
    excluded = {(e["kind"], e["name"]): e["rows"] for e in found["sample"]["excluded"]}
    assert excluded["model", "kimi-k3"] == (frame["model"] == "kimi-k3").sum()
    assert excluded["language", "fon"] == 0
    assert len(pd.read_csv(tmp_path / "out" / "excluded.csv")) == 2
    assert "kimi-k3" not in found["by_model"]


def test_a_margin_lies_within_the_range_of_its_score(tmp_path):
    with pytest.raises(
        CommandError, match="The margin 2 is wider than the range of token_f1, 0 to 1"
    ):
        run(SCORES, tmp_path / "out", margin=2.0)
    frame = pd.read_parquet(SCORES)
    frame[frame["scope"] == "full_body"].assign(token_f1=100 * frame["token_f1"]).to_parquet(
        tmp_path / "percent.parquet"
    )
    options = {"margin": 2.0, "metric": [("token_f1", (0, 100))], "resamples": 50, "splits": 5}
    printed = run(
        tmp_path / "percent.parquet", tmp_path / "o", json=True, no_figures=True, **options
    )
    found = json.loads(printed)
    assert found["equivalence"]["margin"] == [-2, 2]
    assert 1 < found["micro"]["value"] < 30


def test_chosen_items_alone_are_analysed_in_whichever_file_they_lie(tmp_path):
    frame = pd.read_parquet(SCORES)
    frame = frame[frame["scope"] == "full_body"]
    items = sorted(frame.loc[frame["level"] == "L3", "item_id"].astype(str).unique())[:6]
    (tmp_path / "scores").mkdir()
    first = frame["doc_id"] == "d000000"
    frame[~first].to_parquet(tmp_path / "scores" / "b.parquet", index=False)
    frame[first].to_parquet(tmp_path / "scores" / "a.parquet", index=False)
    # As a release has them: ids of its own, those of the scores beside them, some twice.
    released = pd.DataFrame({"item_id": "r1", "source_item": [*items[1:], items[1]]})
    released.to_csv(tmp_path / "items.csv", index=False)
    options = {"resamples": 50, "splits": 5, "no_figures": True, "items": tmp_path / "items.csv"}
    found = json.loads(run(tmp_path / "scores", tmp_path / "out", json=True, **options))
    kept = frame[frame["item_id"].isin(items[1:])]
    assert (found["sample"]["rows_read"], found["settings"]["items"]) == (len(kept), 5)
    english, target = kept["language"] == "en", ~kept["language"].isin(["en", "pt"])
    gap = kept.loc[english, "token_f1"].mean() - kept.loc[target, "token_f1"].mean()
    assert found["micro"]["value"] == pytest.approx(gap)
    released.assign(source_item="x").to_csv(tmp_path / "items.csv", index=False)
    with pytest.raises(CommandError, match=r"None of the 1 items of .* occurs in the scores"):
        run(tmp_path / "scores", tmp_path / "none", **options)


def test_people_by_class_stand_beside_the_gap_by_class(result, tmp_path):
    _, document, _ = result
    classes = document["by_class"]
    means = {number: 5 - 10 * one["value"] for number, one in classes.items()}
    rows = [("adequacy", "joshi_class", c, mean) for c, mean in {**means, "5": 4.9}.items()]
    table = pd.DataFrame(
        [*rows, ("adequacy", "model", "m", 3.0)], columns=["dimension", "by", "group", "value"]
    )
    table.to_csv(tmp_path / "conditions.csv", index=False)
    options = {"resamples": 50, "splits": 5, "people": tmp_path / "conditions.csv"}
    found = json.loads(run(SCORES, tmp_path / "out", json=True, no_figures=True, **options))
    people = found["people_by_class"]["adequacy"]
    assert people["agreement"]["value"] == -1
    assert set(people["means"]) == set(classes)
    assert "People by class" in (tmp_path / "out" / "report.html").read_text()
    table[table["by"] == "model"].to_csv(tmp_path / "conditions.csv", index=False)
    with pytest.raises(CommandError, match="hold none by resource class"):
        run(SCORES, tmp_path / "none", **options)


def test_further_metrics_stand_beside_the_first(tmp_path):
    frame = pd.read_parquet(SCORES)
    frame = frame[
        (frame["scope"] == "full_body") & frame["language"].isin(["en", "sw", "fon", "pt"])
    ]
    frame = frame.assign(exact_match=(frame["token_f1"] > 0.6).astype(int))
    frame["bertscore"] = np.linspace(-0.5, 0.9, len(frame))
    frame.to_csv(tmp_path / "scores.csv", index=False)
    printed = run(
        tmp_path / "scores.csv", tmp_path / "out", json=True, resamples=50, splits=5,
        no_figures=True, metric=[("exact_match", (0, 1)), ("bertscore", (-1, 1))],
    )  # fmt: skip
    assert set(json.loads(printed)["by_metric"]) == {"token_f1", "exact_match", "bertscore"}
