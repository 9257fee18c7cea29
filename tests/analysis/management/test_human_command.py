"""`human` on tables: files, standing, refusals, and no database."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from analysis.management import human_input
from analysis.pipelines.human.plan import read_plan
from analysis.pipelines.human.reading import declared_scales

FOLDER = Path("tests/oracles/squality")
STUDIES = Path("fixtures/studies")


def run(out: Path, *arguments: object) -> str:
    printed = StringIO()
    call_command("human", "--out", str(out), *map(str, arguments), stdout=printed)
    return printed.getvalue()


def test_tables_in_a_report_out_without_a_database(tmp_path):
    printed = run(
        tmp_path / "r",
        *("--ratings", FOLDER / "ratings.csv", "--preferences", FOLDER / "preferences.csv"),
        *("--json", "--resamples", 100),
    )
    written = {
        str(f.relative_to(tmp_path / "r")) for f in (tmp_path / "r").rglob("*") if f.is_file()
    }
    assert {"results.json", "report.html", "agreement.csv", "preference.csv"} <= written
    assert {f"figures/agreement.{form}" for form in ("svg", "pdf", "png")} <= written
    assert json.loads(printed) == json.loads((tmp_path / "r/results.json").read_text())
    assert json.loads(printed)["preference"]["raw"]["n"] == 300


def test_the_page_says_in_words_what_was_found_and_shows_figures_in_words(tmp_path):
    run(tmp_path / "r", "--ratings", FOLDER / "ratings.csv", "--resamples", 100)
    page = (tmp_path / "r/report.html").read_text()
    assert "Krippendorff&#x27;s α (interval) for coverage was 0.781" in page
    assert "There is no preference to report: the study has no judgment of a pair." in page
    assert 'aria-label="Krippendorff&#x27;s α by dimension' in page
    assert "<script" not in page
    assert "src=" not in page


def test_another_seed_than_the_plans_is_post_hoc(tmp_path):
    plan = tmp_path / "plan.yaml"
    plan.write_text("seed: 5\nplan:\n  agreement: {threshold: 0.67, bootstrap: 100}\n")
    ratings = ("--ratings", FOLDER / "ratings.csv", "--plan", plan, "--json")
    as_planned = json.loads(run(tmp_path / "a", *ratings))["agreement"]["overall"]
    otherwise = json.loads(run(tmp_path / "b", *ratings, "--seed", 6))["agreement"]["overall"]
    assert (as_planned["prespecified"], otherwise["prespecified"]) == (True, False)
    assert as_planned["value"] == otherwise["value"]
    assert as_planned["low"] != otherwise["low"]


def test_judgments_with_a_row_a_dimension_give_the_same_numbers(tmp_path):
    header, *lines = (FOLDER / "ratings.csv").read_text().splitlines()
    names = header.split(",")[2:]
    rows = ["item_id,task,annotator,dimension,scale,value"]
    for line in lines:
        item, who, *values = line.split(",")
        rows += [
            f"{item},answer,{who},{name},interval,{value}"
            for name, value in zip(names, values, strict=True)
        ]
    (tmp_path / "long.csv").write_text("\n".join(rows))
    wide = run(tmp_path / "w", "--ratings", FOLDER / "ratings.csv", "--json", "--resamples", 50)
    long = run(tmp_path / "l", "--ratings", tmp_path / "long.csv", "--json", "--resamples", 50)
    assert json.loads(wide)["agreement"] == json.loads(long)["agreement"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Name a study, or give --ratings or --preferences."),
        (["some", "--items", "x.csv"], "A study of the database was named, and --items too"),
        (["--ratings", "none.csv"], "none.csv"),
        (["--ratings", str(FOLDER / "preferences.csv")], "the column is missing"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(tmp_path, arguments, message):
    with pytest.raises(CommandError, match=message):
        run(tmp_path / "r", *arguments)


@pytest.mark.parametrize("slug", ["trace-equivalence", "answer-quality", "translation-culture"])
def test_a_study_file_declares_what_its_types_ask_too(slug):
    document = human_input.read_document(STUDIES / slug / "study.yaml")
    written = read_plan(document)
    declared = declared_scales(document)
    asked = {entry["human"] for entry in written.entries.get("triangulation", ())}
    assert asked <= declared.keys()
    if slug == "trace-equivalence":
        assert declared["equivalence"].labels == (
            "substantially_different", "partially_different", "same"
        )  # fmt: skip


def test_a_list_of_its_own_replaces_what_a_type_asks_and_an_extension_does_not():
    own = {"key": "mood", "scale": "nominal", "options": ["good", "bad"]}

    def scales(**task):
        return declared_scales(
            human_input.with_instruments({"tasks": {"t": {"type": "trace", **task}}})
        )

    assert scales(dimensions=[own]).keys() == {"mood", "t.mood"}
    for said in ({"extend": [own]}, {"dimensions": {"extend": [own]}}):
        assert {"mood", "equivalence", "material"} <= scales(**said).keys()
    assert human_input.with_instruments({"tasks": {"t": {"type": "other"}}}) == {
        "tasks": {"t": {"type": "other"}}
    }
