"""Pairs of traces: listed, looked at step by step, computed in the background; for staff alone."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from analysis.pipelines.trace.encoders import HashingEncoder
from analysis.runs.models import AnalysisRun
from analysis.runs.worker import work_once
from annotation.studyfile.definition import ItemRow
from tests.factories import (
    annotator,
    claimed,
    definition,
    done_by_someone,
    judge_screens,
    live,
    task,
)

pytestmark = pytest.mark.django_db
LIST, START = "/studies/tiny/traces/", "/studies/tiny/trace-run/"
PLAN = {"trace": [{"task": "same", "human": "equivalence", "automatic": ["S", "H"]}]}
STEPS = ("Count the {n} apples.", "Take {n} of the pears away.", "Add both.")


def pair(n):
    steps = [step.format(n=n) for step in STEPS]
    return ItemRow(
        id=f"t{n}",
        fields={
            "question": f"How many in case {n}?",
            "trace_1": "\n".join(f"{k}. {step}" for k, step in enumerate(steps, 1)),
            "trace_1_lang": "en",
            "trace_2": "\n".join(f"{k}. {step}" for k, step in enumerate(steps[::-1], 1)),
            "trace_2_lang": "en" if n == 1 else "es",
            "S": 0.1 * n,
            "H": 0.9,
            "tau": "",
        },
    )


def traced(items=3, **changed):
    same = task("same", "trace", [pair(n) for n in range(1, items + 1)])
    shape = definition(items=0, form_size=items, replication=2)
    return live(replace(shape, tasks=(same,), plan=PLAN, **changed))


@pytest.fixture
def study():
    return traced()


@pytest.fixture
def computed(study, staff, settings, tmp_path, monkeypatch):
    """A study whose pairs were compared, by the encoder of the tests."""
    table = tmp_path / "parallel.csv"
    rows = [f"Sentence {n} says {n * n}.,Sentence {n} dice {n * n}." for n in range(25)]
    table.write_text("\n".join(["en,es", *rows]), encoding="utf-8")
    settings.PARALLEL_TEXTS, settings.VAR_DIR = table, tmp_path
    monkeypatch.setattr("analysis.runs.trace_pairs.encoder_named", lambda _: HashingEncoder())
    assert staff.post(START)["Location"] == LIST
    assert work_once()
    run = AnalysisRun.objects.get()
    assert run.error == ""
    return run


def text(response):
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def order(response):
    return [row.item for row in response.context["page"]]


def test_the_list_has_the_scores_of_the_items_and_what_people_said(staff, study):
    done_by_someone(study, equivalence="same")
    shown = text(staff.get(LIST))
    assert "not yet computed" in shown
    assert [
        cell.strip() for cell in shown.split("<td>en–en</td>")[1].split("</td>")[0:4]
        for cell in [cell.replace("<td>", "")]
    ] == ["0.100", "–", "0.900", "3.00"]  # fmt: skip
    assert "same is 3" in shown


def test_the_list_is_sorted_and_filtered(staff, study):
    assert order(staff.get(LIST, {"sort": "-S"})) == ["t3", "t2", "t1"]
    assert order(staff.get(LIST, {"sort": "S"})) == ["t1", "t2", "t3"]
    assert order(staff.get(LIST, {"sort": "-S", "pair": "en–es"})) == ["t3", "t2"]
    assert order(staff.get(LIST, {"q": "t2"})) == ["t2"]
    assert order(staff.get(LIST, {"sort": "nothing", "page": "x"})) == ["t1", "t2", "t3"]
    assert "No pair is like this" in text(staff.get(LIST, {"q": "%00"}))


def test_without_a_value_comes_last_whichever_way(staff, study):
    claim = claimed(annotator(study))
    assert judge_screens(claim)
    for sort in ("human", "-human", "tau", "-tau"):
        assert order(staff.get(LIST, {"sort": sort})) == ["t1", "t2", "t3"]


def test_before_the_run_the_page_has_the_steps_and_the_item_s_scores(staff, study):
    shown = text(staff.get(LIST + "t2/"))
    assert "not yet computed" in shown
    assert "Take 2 of the pears away." in shown
    assert "0.200" in shown
    assert "<svg" not in shown
    assert "Nobody has judged this pair yet." in shown


def test_the_run_is_asked_for_once_followed_and_stopped(staff, study):
    for _ in range(2):
        assert staff.post(START, {"item": "t2"})["Location"] == LIST + "t2/"
    assert AnalysisRun.objects.get().kind == "trace_pairs"
    assert "Waiting for a worker." in text(staff.get(LIST))
    AnalysisRun.objects.update(state="running", progress=0.4, doing="Encoded 2 of 5 texts")
    assert "40 % Encoded 2 of 5 texts" in text(staff.get(LIST + "t2/"))
    part = text(staff.get(LIST, {"part": "1"}))
    assert "<html" not in part
    AnalysisRun.objects.update(state="queued")
    staff.post(START + "cancel/")
    assert AnalysisRun.objects.get().state == "cancelled"
    assert "data-refresh-end" in text(staff.get(LIST, {"part": "1"}))
    assert "not yet computed" in text(staff.get(LIST))


def test_a_run_that_failed_says_why(staff, study, monkeypatch):
    monkeypatch.setattr("analysis.runs.trace_pairs.encoder_named", lambda _: 1 / 0)
    staff.post(START)
    work_once()
    assert "ZeroDivisionError" in text(staff.get(LIST + "t1/"))


def test_the_page_shows_which_step_met_which(staff, computed):
    response = staff.get(LIST + "t2/")
    shown = text(response)
    met = [step["met"].step for step in response.context["pair"]["left"]["steps"]]
    assert met == [3, 2, 1]
    assert "met best by step 3: 1.00" in shown
    assert "<line " in shown
    assert response.context["pair"]["scores"][0]["here"] == pytest.approx(1.0)
    assert computed.result["pairs"]["t2"]["tau"] < -0.5
    assert "not yet computed" not in shown


def test_a_pair_of_languages_without_parallel_texts_says_so(staff, computed):
    shown = text(staff.get(LIST + "t1/"))
    assert "could not be compared step by step: 0 parallel sentences" in shown
    assert "<svg" not in shown


def test_what_was_computed_of_other_items_is_not_shown(staff, computed):
    AnalysisRun.objects.update(input_sha256="of another folder")
    assert "not yet computed" in text(staff.get(LIST + "t2/"))


def test_judgments_stand_there_with_pseudonyms_and_whether_they_count(staff, study):
    claim = done_by_someone(study)
    shown = text(staff.get(LIST + "t1/"))
    assert claim.annotator.pseudonym in shown
    assert "<td>yes</td>" in shown
    claim.annotator.claims.update(state="excluded")
    assert "<td>no</td>" in text(staff.get(LIST + "t1/"))


def test_the_pages_lead_from_pair_to_pair_as_listed(staff, study):
    around = staff.get(LIST + "t2/", {"sort": "-S"}).context["around"]
    assert (around["before"], around["after"]) == ("t3", "t1")
    assert staff.get(LIST + "t9/").status_code == 404


def test_only_a_study_whose_plan_says_so_has_them(staff):
    live()
    for path in (LIST, LIST + "x/"):
        assert staff.get(path).status_code == 404
    assert "/traces/" not in text(staff.get("/studies/tiny/monitor/"))


def test_every_page_of_the_study_leads_there(staff, study):
    for page in (
        "monitor",
        "annotators",
        "payments",
        "reports",
        "release",
        "release/texts",
        "story",
    ):
        shown = text(staff.get(f"/studies/tiny/{page}/"))
        assert f'href="{LIST}"' in shown
        assert f'href="/studies/tiny/{page}/" aria-current="page"' in shown


def test_the_pages_make_as_many_queries_whatever_the_size(staff):
    def queries(slug, items):
        study = traced(items, slug=slug)
        for _ in range(items // 3):
            done_by_someone(study)
        counts = []
        for path in (f"/studies/{slug}/traces/", f"/studies/{slug}/traces/t2/"):
            staff.get(path)
            with CaptureQueriesContext(connection) as seen:
                assert staff.get(path).status_code == 200
            counts.append(len(seen))
        return counts

    few = queries("few", 3)
    assert queries("many", 6) == few
    assert max(few) <= 10
