"""`manage.py irt`: what it prints, writes and refuses."""

import json
import sys
from functools import partial
from io import StringIO
from pathlib import Path

import pandas as pd
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from analysis.reports.bundle import report_files
from fixtures.generate.irt_responses import FOLDER, write_tables

QUICK = ("--resamples", "20", "--folds", "0")


@pytest.fixture
def no_figures(monkeypatch):
    """Drawing takes most of a small run; only what is drawn needs it."""
    monkeypatch.setattr("analysis.reports.irt._figures", lambda *_: {})


def irt(*arguments, out):
    printed = StringIO()
    call_command("irt", *map(str, arguments), "--out", str(out), stdout=printed)
    return printed.getvalue()


def with_rows(folder, change):
    table = pd.read_csv(FOLDER / "responses.csv", dtype=str, keep_default_na=False)
    path = folder / "responses.csv"
    change(table).to_csv(path, index=False)
    return path


def test_the_fixture_is_what_its_script_writes(tmp_path):
    for path in write_tables(tmp_path):
        assert path.read_bytes() == (FOLDER / path.name).read_bytes()


def test_the_document_is_printed_and_written_alike(tmp_path, monkeypatch):
    # Figures for print and for slides are drawn by the bundle, which has tests of its own.
    monkeypatch.setattr(
        "analysis.management.reported.report_files", partial(report_files, forms=())
    )
    out = tmp_path / "out"
    background = [f"--{name}={FOLDER / name}.csv" for name in ("models", "locales", "regions")]
    printed = irt(
        FOLDER / "responses.csv",
        *background,
        f"--items={FOLDER / 'kept.csv'}",
        *QUICK,
        "--json",
        out=out,
    )
    document = json.loads(printed)
    assert printed == (out / "results.json").read_text()
    assert document["models"] == 8
    assert set(document["summary"]["by_level"]) == {"1", "4"}
    assert set(document["summary"]["home_advantage"]) == {"China", "France"}
    assert set(document["summary"]["adaptation"]) == {"Lotus-8"}
    assert set(document["people"]["error_rate"]) == {"FR", "TE", "ZH"}
    names = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    assert {
        "abilities.csv",
        "items.csv",
        "gaps.csv",
        "report.html",
        "figures/heat_map_knowledge.svg",
    } <= names


@pytest.mark.usefixtures("no_figures")
def test_the_same_run_gives_the_same_numbers(tmp_path):
    documents = []
    for name in ("a", "b"):
        document = json.loads(irt(FOLDER / "responses.csv", *QUICK, "--json", out=tmp_path / name))
        document.pop("seconds_fit")
        documents.append(document)
    assert documents[0] == documents[1]


@pytest.mark.usefixtures("no_figures")
def test_for_a_person_it_prints_sentences(tmp_path):
    printed = irt(FOLDER / "responses.csv", *QUICK, out=tmp_path / "out")
    assert "What else could look like knowledge" in printed
    assert "begin with report.html" in printed


@pytest.mark.usefixtures("no_figures")
def test_a_folder_with_something_in_it_is_refused_unless_forced(tmp_path):
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(CommandError, match="is not empty; name another folder, or add --force"):
        irt(FOLDER / "responses.csv", *QUICK, out=tmp_path)
    irt(FOLDER / "responses.csv", *QUICK, "--force", out=tmp_path)
    assert (tmp_path / "mine.txt").read_text() == "x"


def test_a_set_that_is_neither_is_named_with_its_count(tmp_path):
    def mislabel(table):
        table.loc[[4, 9, 11], "subset"] = "CX"
        return table

    with pytest.raises(CommandError) as caught:
        irt(with_rows(tmp_path, mislabel), *QUICK, out=tmp_path / "out")
    words = "row 6, column 'subset': 'CX' is not one of CA, CS (3 rows)"
    assert words in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_doubled_rows_with_other_answers_are_named_and_counted(tmp_path):
    def double(table):
        again = table.iloc[[3, 7]].copy()
        again["correct"] = ["1" if a == "0" else "0" for a in again["correct"]]
        return pd.concat([table, again])

    with pytest.raises(CommandError) as caught:
        irt(with_rows(tmp_path, double), *QUICK, out=tmp_path / "out")
    assert "repeats" in str(caught.value)
    assert "row 5" in str(caught.value)
    assert "earlier one: 2, of which with different values: 2" in str(caught.value)


@pytest.mark.usefixtures("no_figures")
def test_a_model_without_answers_is_named_in_the_document(tmp_path):
    def silence(table):
        table.loc[table["model"] == "Jade-4", "correct"] = ""
        return table

    printed = irt(with_rows(tmp_path, silence), *QUICK, "--json", out=tmp_path / "out")
    document = json.loads(printed)
    assert document["dropped"] == [{"model": "Jade-4", "reason": "answered nothing"}]
    assert document["empty_answers"] > 0


@pytest.mark.usefixtures("no_figures")
def test_a_locale_left_with_one_item_is_undefined_and_the_run_goes_on(tmp_path):
    def one_item(table):
        first = table.loc[table["locale"] == "TE", "item"].iloc[0]
        return table[(table["locale"] != "TE") | (table["item"] == first)]

    path = with_rows(tmp_path, one_item)
    printed = irt(path, *QUICK, "--threshold", "0", "--json", out=tmp_path / "out")
    rows = [row for row in json.loads(printed)["gaps"] if row["locale"] == "TE"]
    assert all(row["local"]["value"] is None for row in rows)
    assert all("CS_TE" in row["local"]["reason"] for row in rows)


@pytest.mark.usefixtures("no_figures")
def test_continuous_answers_and_parquet(tmp_path):
    table = pd.read_csv(FOLDER / "responses.csv", keep_default_na=False)
    table["p_correct"] = table["correct"] * 0.7 + 0.15
    table.to_parquet(tmp_path / "responses.parquet", index=False)
    printed = irt(
        tmp_path / "responses.parquet",
        "--continuous",
        f"--items={FOLDER / 'kept.csv'}",
        "--resamples",
        "0",
        "--folds",
        "2",
        "--json",
        out=tmp_path / "out",
    )
    document = json.loads(printed)
    assert document["settings"]["continuous"] is True
    assert document["cross_validation"]["bce"]["value"] > 0


def test_without_the_extra_the_sampler_names_it_before_anything_else_is_computed(
    tmp_path, monkeypatch
):
    def bootstrapped(*_):
        raise AssertionError("the sampler comes first")

    monkeypatch.setitem(sys.modules, "numpyro", None)
    monkeypatch.setattr("analysis.pipelines.irt.study.with_replicates", bootstrapped)
    with pytest.raises(CommandError) as caught:
        irt(FOLDER / "responses.csv", "--nuts", "FR", out=tmp_path / "out")
    assert "the optional extra `bayes`" in str(caught.value)
    assert 'pip install "numpyro>=0.19"' in str(caught.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("--threshold", "1.5"),
        ("--resamples", "-1"),
        ("--resamples", "few"),
        ("--reading", "each"),
        ("--floor", "1"),
    ],
)
def test_wrong_usage_is_told(arguments, tmp_path):
    with pytest.raises(CommandError, match=f"argument {arguments[0]}"):
        irt(FOLDER / "responses.csv", *arguments, out=tmp_path / "out")


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(CommandError, match="there is no such file or folder"):
        irt(Path("nowhere.csv"), *QUICK, out=tmp_path / "out")
