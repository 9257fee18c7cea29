"""Shards: each done once and added once, whoever began it, died over it, or was told to stop."""

import json
import shutil
from base64 import b64decode
from dataclasses import replace
from datetime import timedelta
from io import BytesIO, StringIO
from pathlib import Path
from zipfile import ZipFile

import pandas as pd
import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from analysis.pipelines.clcg.population import Settings
from analysis.pipelines.clcg.reading import Inputs, inputs_from, part_from, read_part
from analysis.pipelines.clcg.sums import ClcgError
from analysis.runs import clcg as clcg_run
from analysis.runs.kinds import CLCG
from analysis.runs.models import AnalysisRun, RunShard
from analysis.runs.queue import ATTEMPTS, SILENT_FOR, Cancelled, run_ask, run_cancel, run_claim
from analysis.runs.sharded import ShardFailed, _all_done, shard_execute, shard_once
from analysis.runs.shards import (
    shard_done,
    shard_failed,
    shard_report,
    shard_take,
    shards_plan,
    shards_reap,
)
from analysis.runs.worker import run_execute, work_once
from analysis.tables import TableError
from fixtures.generate.clcg_scores import FOLDER
from tests.factories import AUTHOR, MINUTE, NOW, live

pytestmark = pytest.mark.django_db
RANGES = {"token_f1": (0.0, 1.0)}
LATER = NOW + SILENT_FOR + MINUTE


def asked(inputs):
    return clcg_run.clcg_ask(inputs, figures=False, author=AUTHOR, now=NOW)


@pytest.fixture
def run():
    """Return a run that a worker has, in three parts."""
    run_ask(None, CLCG, {}, input_sha256="", author=AUTHOR, now=NOW)
    taken = run_claim(now=NOW)
    shards_plan(taken, [{"n": 0}, {"n": 1}, {"n": 2}])
    return taken


def states(run):
    return list(run.shards.order_by("number").values_list("state", flat=True))


def test_a_part_is_taken_by_one_and_stored_once(run):
    first, second = shard_take(now=NOW), shard_take(now=NOW)
    assert (first.number, second.number) == (0, 1)
    assert shard_done(first, b"sums", now=NOW)
    assert not shard_done(first, b"again", now=NOW)
    assert bytes(run.shards.get(number=0).result) == b"sums"


def test_what_a_silent_worker_had_is_done_again_and_its_late_result_is_refused(run):
    lost = shard_take(now=NOW)
    assert shards_reap(run, now=NOW + MINUTE / 2) == 0
    assert shards_reap(run, now=LATER) == 1
    again = shard_take(now=LATER)
    assert (again.number, again.attempts) == (0, 1)
    assert not shard_done(lost, b"late", now=LATER)
    with pytest.raises(Cancelled):
        shard_report(lost, 0.5, now=LATER)
    assert shard_done(again, b"sums", now=LATER)
    assert bytes(run.shards.get(number=0).result) == b"sums"


def test_a_part_that_stops_its_workers_again_and_again_has_failed(run):
    now = NOW
    for _ in range(ATTEMPTS):
        assert shard_take(now=now).number == 0
        now += SILENT_FOR + timedelta(seconds=1)
        assert shards_reap(run, now=now) == 1
    assert states(run) == ["failed", "waiting", "waiting"]
    assert str(ATTEMPTS) in run.shards.get(number=0).error


def test_parts_that_are_done_stay_when_the_run_begins_again_unless_its_input_changed(run):
    shard_done(shard_take(now=NOW), b"sums", now=NOW)
    shards_plan(run, [{"n": 0}, {"n": 1}, {"n": 2}])
    assert states(run) == ["done", "waiting", "waiting"]
    shards_plan(run, [{"n": 0}, {"n": 5}])
    assert states(run) == ["waiting", "waiting"]


def test_a_cancelled_run_stops_its_parts_at_their_next_report(run):
    shard = shard_take(now=NOW)
    run_cancel(run, now=NOW)
    with pytest.raises(Cancelled):
        shard_report(shard, 0.5, now=NOW)
    assert shard_take(now=NOW) is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"state": "done", "result": None, "token": ""},
        {"state": "waiting", "result": b"sums", "token": ""},
        {"state": "taken", "token": ""},
        {"state": "waiting", "token": "somebody"},
        {"progress": 1.5},
    ],
)
def test_the_database_refuses_a_part_that_cannot_be(run, wrong):
    with pytest.raises(IntegrityError), transaction.atomic():
        run.shards.filter(number=0).update(**wrong)


def test_the_database_refuses_a_part_twice(run):
    with pytest.raises(IntegrityError), transaction.atomic():
        RunShard.objects.create(run=run, number=0)


def test_a_run_has_a_study_or_is_over_files():
    with pytest.raises(IntegrityError), transaction.atomic():
        AnalysisRun.objects.create(kind="monitor", author=AUTHOR, asked_at=NOW)
    study = live()
    with pytest.raises(IntegrityError), transaction.atomic():
        AnalysisRun.objects.create(study=study, kind=CLCG, author=AUTHOR, asked_at=NOW)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """Return a small table in three files, two formats."""
    folder = tmp_path_factory.mktemp("shards")
    whole = pd.read_parquet(FOLDER / "scores.parquet")
    documents = sorted(whole["doc_id"].unique())[:9]
    for number in range(3):
        part = whole[whole["doc_id"].isin(documents[number::3])]
        if number:
            part.to_parquet(folder / f"{number}.parquet", index=False)
        else:
            part.to_csv(folder / f"{number}.csv", index=False)
    settings = Settings(resamples=50, splits=5)
    return Inputs((folder,), RANGES, settings, FOLDER / "languages.csv")


def test_inputs_and_parts_come_back_as_they_were(inputs):
    every = replace(inputs, items=Path("items.csv"), people=Path("people.csv")).absolute()
    assert every.items == Path("items.csv").absolute()
    for one in (inputs, every):
        assert inputs_from(json.loads(json.dumps(one.as_dict()))) == one
    part = read_part(inputs, inputs.scores[0] / "1.parquet")
    back = part_from(part.as_bytes())
    assert back.as_bytes() == part.as_bytes()
    assert back.sums.labels == part.sums.labels
    assert (back.sums.total == part.sums.total).all()


def results_json(run):
    run.refresh_from_db()
    assert run.state == "done", run.error
    with ZipFile(BytesIO(b64decode(run.result["archive"]))) as archive:
        return archive.read("results.json")


@pytest.mark.slow
def test_the_result_is_that_of_the_command_whoever_did_the_parts(inputs, tmp_path):
    call_command(
        "clcg", str(inputs.scores[0]), languages=inputs.languages, out=tmp_path / "out",
        resamples=50, splits=5, no_figures=True, stdout=StringIO(),
    )  # fmt: skip
    expected = (tmp_path / "out" / "results.json").read_bytes()
    alone = asked(inputs)
    assert work_once()
    assert results_json(alone) == expected
    assert not RunShard.objects.exists()
    # Another worker did the last part and died over the first.
    shared = asked(inputs)
    taken = run_claim(now=NOW)
    files = sorted(inputs.scores[0].iterdir())
    shards_plan(taken, [{"file": str(f), **clcg_run._stamp(f)} for f in files])
    shard_take(now=NOW)
    assert shard_once()
    assert shards_reap(taken, now=LATER) == 1
    run_execute(taken)
    assert results_json(shared) == expected


def test_a_faulty_file_fails_the_run_with_its_row(inputs, tmp_path):
    frame = pd.read_csv(inputs.scores[0] / "0.csv").head(20)
    frame["token_f1"] = 7.0
    frame.to_csv(tmp_path / "bad.csv", index=False)
    run = asked(Inputs((tmp_path,), RANGES, Settings(), inputs.languages))
    work_once()
    run.refresh_from_db()
    assert run.state == "failed"
    assert "bad.csv" in run.error
    assert "token_f1" in run.error


def test_a_part_is_not_blamed_for_another_that_failed(inputs):
    asked(inputs)
    taken = run_claim(now=NOW)
    shards_plan(taken, [{"file": str(inputs.scores[0] / "1.parquet")}, {"file": "gone.csv"}])
    first, second = shard_take(now=NOW), shard_take(now=NOW)
    shard_failed(second, "there is no such file")
    with pytest.raises(ShardFailed, match=r"^Part 2: there is no such file$"):
        _all_done(taken, lambda *_: None)
    shard_execute(first, also=lambda: _all_done(taken, lambda *_: None))
    assert states(taken) == ["waiting", "failed"]


def test_a_file_without_rows_is_named(inputs, tmp_path):
    pd.read_csv(inputs.scores[0] / "0.csv").head(0).to_csv(tmp_path / "none.csv", index=False)
    with pytest.raises(ClcgError, match=r"none\.csv: the table of scores has no rows"):
        read_part(inputs, tmp_path / "none.csv")


def test_a_part_stops_between_chunks_and_is_given_back(inputs, monkeypatch):
    run = asked(inputs)
    taken = run_claim(now=NOW)
    shards_plan(taken, [{"file": str(inputs.scores[0] / "1.parquet")}])
    shard = shard_take(now=NOW)
    run_cancel(run, now=NOW)
    shard_execute(shard)
    assert states(taken) == ["waiting"]


def test_a_file_that_changed_since_it_was_asked_for_is_not_analysed(inputs, tmp_path):
    shutil.copytree(inputs.scores[0], tmp_path / "scores")
    moved = replace(inputs, scores=(tmp_path / "scores",))
    run = asked(moved)
    assert asked(moved).pk == run.pk
    with (tmp_path / "scores" / "0.csv").open("a") as file:
        file.write("\n")
    assert asked(moved).pk != run.pk
    work_once()
    run.refresh_from_db()
    assert (run.state, run.error) == (
        "failed",
        "InputChanged: A file has changed since this was asked for; ask again.",
    )


def test_a_file_that_is_not_there_is_named_before_anything_is_queued(inputs):
    with pytest.raises(TableError, match=r"nowhere\.csv"):
        asked(replace(inputs, models=Path("nowhere.csv")))
    assert not AnalysisRun.objects.exists()
