"""The API: the same numbers as the pages, by pseudonym, a page at a time, to whom the study is open."""

from pathlib import Path

import pytest
import yaml
from django.db import connection
from django.test.utils import CaptureQueriesContext

from analysis.runs.models import AnalysisRun
from analysis.runs.worker import work_once
from annotation.selectors.judgments import collected_answers, counted_answers
from annotation.selectors.progress import study_progress
from annotation.selectors.quality import study_funnel
from annotation.services.exclusions import exclusion_by_hand
from tests.api.conftest import Program
from tests.factories import AUTHOR, NOW, annotator, answered, claimed, done_by_someone

pytestmark = pytest.mark.django_db
SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "reference" / "openapi.yaml"
EVERY = [
    "tiny/",
    "tiny/judgments/",
    "tiny/funnel/",
    "tiny/coverage/",
    "tiny/monitor/",
    "tiny/runs/",
]


def test_a_study_says_how_it_stands(program, study):
    document = program.get("tiny/").json()
    assert document["state"] == "live"
    assert document["plan_lock"]["sha256"] == study.plan_lock.sha256
    assert document["annotators"] == {"completed": 3}
    assert document["open_forms"] == 1


def test_an_outsider_s_token_sees_nothing(outsider, program):
    program.post("tiny/runs/", {"kind": "human"})
    run = AnalysisRun.objects.get().pk
    assert [study["slug"] for study in outsider.get().json()["results"]] == ["other"]
    for path in [*EVERY, f"tiny/runs/{run}/", f"tiny/runs/{run}/result/", f"other/runs/{run}/"]:
        assert outsider.get(path).status_code == 404
    for path in ("tiny/runs/", f"tiny/runs/{run}/cancel/", f"other/runs/{run}/cancel/"):
        assert outsider.post(path, {"kind": "human"}).status_code == 404
    assert outsider.post("tiny/monitor/").status_code == 404
    assert AnalysisRun.objects.get().state == "queued"


def test_judgments_come_by_pseudonym_and_name_nobody(program, study):
    rows, _ = program.all_pages("tiny/judgments/")
    assert len(rows) == counted_answers(study).count() == 9
    people = {person.pseudonym: person for person in study.annotators.all()}
    assert {row["annotator"] for row in rows} == set(people)
    text = str(rows)
    for person in people.values():
        assert person.access_key not in text
    first = rows[0]
    assert {one["dimension"] for one in first["judgments"]} >= {"choice", "prefers_higher"}
    assert first["active_seconds"] == 30.0


def test_the_analytic_sample_leaves_out_what_all_holds(program, study):
    exclusion_by_hand(study.annotators.first(), reason="Told so.", author=AUTHOR, now=NOW)
    answered(claimed(annotator(study)).assignments.order_by("position")[0])
    analytic, _ = program.all_pages("tiny/judgments/")
    everything, _ = program.all_pages("tiny/judgments/", sample="all")
    assert (len(analytic), len(everything)) == (6, collected_answers(study).count())
    assert len(everything) > len(analytic)
    assert program.get("tiny/judgments/", sample="some").status_code == 400


def test_pages_are_complete_and_without_repeats_whatever_comes_meanwhile(program, study):
    first = program.get("tiny/judgments/", page_size=4).json()
    done_by_someone(study)
    rest, _ = program.all_pages(first["next"])
    rows = first["results"] + rest
    keys = [(row["annotator"], row["item"]) for row in rows]
    assert len(keys) == len(set(keys)) == 12


def test_a_page_of_judgments_makes_the_same_queries_whatever_its_size(program, study):
    def queries(size):
        with CaptureQueriesContext(connection) as seen:
            assert len(program.get("tiny/judgments/", page_size=size).json()["results"]) == size
        return len(seen)

    queries(1)
    assert queries(2) == queries(9) <= 5


@pytest.mark.parametrize(
    "cursor",
    ["x", "cD14", "cD05OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "bz0tMQ==", "cD3ClA==", "\x00", "cD0tMQ=="],
)
def test_a_cursor_that_is_none_is_not_found(program, study, cursor):
    assert program.get("tiny/judgments/", cursor=cursor).status_code in {200, 404}
    assert program.get("tiny/runs/", cursor=cursor).status_code in {200, 404}


def test_before_the_first_numbers_the_reason_is_told(program, study):
    for path in ("tiny/funnel/", "tiny/coverage/", "tiny/monitor/"):
        document = program.get(path).json()
        assert document["at"] is None
        assert document["reason"].startswith("Not computed yet")
    assert not AnalysisRun.objects.exists()


def test_funnel_and_coverage_are_those_of_the_pages(program, study):
    assert program.post("tiny/monitor/").status_code == 202
    assert work_once()
    funnel = program.get("tiny/funnel/").json()
    expected = study_funnel(study).as_dict()
    assert funnel["stages"] == expected["stages"]
    assert funnel["final"] == expected["final"]
    coverage = program.get("tiny/coverage/").json()
    progress = study_progress(study)
    assert [(one["judgments"], one["items"]) for one in coverage["coverage"]] == progress.bands
    assert coverage["needed_annotators"] == progress.needed_annotators
    numbers = program.get("tiny/monitor/").json()["numbers"]
    assert numbers["judgments"] == 9
    assert program.post("tiny/monitor/").json()["waiting"] is False


def test_a_run_is_started_followed_and_gives_its_result(program, study):
    response = program.post("tiny/runs/", {"kind": "human", "parameters": {"bootstrap": 20}})
    assert response.status_code == 202
    run = response.json()
    assert run["author"].startswith("token:plx_")
    assert (
        program.post("tiny/runs/", {"kind": "human", "parameters": {"bootstrap": 20}}).json()["id"]
        == run["id"]
    )
    assert program.get(f"tiny/runs/{run['id']}/result/").status_code == 404
    assert work_once()
    done = program.get(f"tiny/runs/{run['id']}/").json()
    assert (done["state"], done["progress"], done["error"]) == ("done", 1.0, "")
    assert done["plan_sha256"] == study.plan_lock.sha256
    result = program.get(f"tiny/runs/{run['id']}/result/").json()
    assert "choice" in result["agreement"]
    assert result["run"] == done
    assert {"numpy", "scipy", "pandas"} <= set(result["run"]["versions"])
    assert "<html" not in str(result)[:2000]
    assert [one["id"] for one in program.get("tiny/runs/").json()["results"]] == [run["id"]]


def test_a_waiting_run_is_cancelled(program, study):
    run = program.post("tiny/runs/", {"kind": "human"}).json()["id"]
    for _ in range(2):
        response = program.post(f"tiny/runs/{run}/cancel/")
        assert (response.status_code, response.json()["state"]) == (202, "cancelled")


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"kind": "monitor"},
        {"kind": ["human"]},
        {"kind": "human", "parameters": {"seed": -1}},
        {"kind": "human", "parameters": {"seed": 1.5}},
        {"kind": "human", "parameters": {"bootstrap": 0}},
        {"kind": "human", "parameters": {"bootstrap": 10**9}},
        {"kind": "human", "parameters": {"sample": "some"}},
        {"kind": "human", "parameters": {"model": "x"}},
        {"kind": "human", "parameters": []},
        {"kind": "human", "parameters": None},
    ],
)
def test_what_no_run_can_do_is_refused_with_the_field(program, study, asked):
    response = program.post("tiny/runs/", asked)
    assert response.status_code == 400
    assert set(response.json()) <= {"kind", "parameters"}
    assert not AnalysisRun.objects.exists()


def test_what_is_no_json_is_refused(program, study):
    for body, kind in (
        (b"{", "application/json"),
        (b"\xff", "application/json"),
        (b"a=1", "text/x"),
    ):
        response = program.client.post("/api/v1/studies/tiny/runs/", body, content_type=kind)
        assert response.status_code in {400, 415}


def test_looking_changes_nothing(program, study):
    for path in EVERY:
        assert program.get(path).status_code == 200
    assert not AnalysisRun.objects.exists()


def test_the_document_describes_every_address_and_is_the_committed_one(program):
    response = program.get("/api/v1/schema/")
    found = yaml.safe_load(response.content)
    committed = yaml.safe_load(SCHEMA.read_text())
    assert found == committed, "manage.py spectacular --file docs/reference/openapi.yaml"
    assert set(found["paths"]) == {
        f"/api/v1/studies/{path}"
        for path in (
            "",
            "{slug}/",
            "{slug}/judgments/",
            "{slug}/funnel/",
            "{slug}/coverage/",
            "{slug}/monitor/",
            "{slug}/runs/",
            "{slug}/runs/{id}/",
            "{slug}/runs/{id}/cancel/",
            "{slug}/runs/{id}/result/",
        )
    } | {"/api/v1/schema/"}


def test_the_document_itself_needs_a_token(client):
    assert client.get("/api/v1/schema/").status_code == 401
    assert Program("nonsense").get("/api/v1/schema/").status_code == 401
