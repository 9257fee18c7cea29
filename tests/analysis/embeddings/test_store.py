"""The file that keeps vectors: exact, shared, and whole after a kill."""

import os
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

from analysis.embeddings.store import FileStore
from analysis.embeddings.workers import Processes
from analysis.pipelines.trace.cache import MemoryStore, embed, key_of
from analysis.pipelines.trace.encoders import Encoded, EncoderError, HashingEncoder
from tests.analysis.pipelines.trace.meaning import MeaningEncoder


def test_what_is_put_comes_back_bit_for_bit(tmp_path):
    store = FileStore(tmp_path / "new" / "vectors.sqlite3")
    row = np.random.default_rng(1).normal(size=384).astype(np.float32)
    store.put({"a": Encoded(row, 7)})
    again = FileStore(tmp_path / "new" / "vectors.sqlite3").get(["a", "b"])
    assert list(again) == ["a"]
    assert again["a"].tokens == 7
    assert (again["a"].row == row).all()


def test_what_is_known_stays(tmp_path):
    store = FileStore(tmp_path / "vectors.sqlite3")
    store.put({"a": Encoded(np.ones(2, np.float32), 1)})
    store.put({"a": Encoded(np.zeros(2, np.float32), 2), "b": Encoded(np.ones(2, np.float32), 3)})
    assert store.get(["a"])["a"].tokens == 1
    assert len(store.get(["a", "b"])) == 2


def test_more_keys_than_a_statement_takes(tmp_path):
    store = FileStore(tmp_path / "vectors.sqlite3")
    store.put({f"k{n}": Encoded(np.ones(1, np.float32), n) for n in range(1201)})
    found = store.get([f"k{n}" for n in range(1201)])
    assert [found[f"k{n}"].tokens for n in range(1201)] == list(range(1201))
    assert store.known([f"k{n}" for n in range(600, 2000)]) == 601


@pytest.mark.parametrize("name", ["folder", "text", "text/v.sqlite3"])
def test_a_place_where_nothing_can_be_kept_is_told(name, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("no database " * 100)
    with pytest.raises(EncoderError, match=r"vectors cannot be kept in .*Name another file"):
        FileStore(tmp_path / name)


def test_several_processes_give_the_same_vectors(tmp_path):
    texts = [f"text {n}" for n in range(150)]
    one = embed(texts, HashingEncoder(), MemoryStore())
    two = embed(texts, HashingEncoder(), FileStore(tmp_path / "v.sqlite3"), encode=Processes(2))
    assert (one.rows == two.rows).all()


SLOW_RUN = """
import sys, time
from pathlib import Path
from analysis.embeddings.store import FileStore
from analysis.pipelines.trace.cache import embed
from tests.analysis.pipelines.trace.meaning import MeaningEncoder

class Slow(MeaningEncoder):
    def encode(self, texts):
        time.sleep(0.05)
        return super().encode(texts)

embed([f"text [m{n}]" for n in range(2000)], Slow(), FileStore(Path(sys.argv[1])))
"""


def test_a_run_killed_outright_is_resumed(tmp_path):
    path = tmp_path / "vectors.sqlite3"
    script = tmp_path / "slow_run.py"
    script.write_text(textwrap.dedent(SLOW_RUN), encoding="utf-8")
    command = [sys.executable, str(script), str(path)]
    process = subprocess.Popen(command, env=os.environ | {"PYTHONPATH": os.getcwd()})
    store = FileStore(path)
    texts = [f"text [m{n}]" for n in range(2000)]
    known = wait_for_entries(store, texts)
    process.kill()
    process.wait(timeout=30)
    after = len(known_keys(store, texts))
    encoder = MeaningEncoder()
    embed(texts, encoder, store)
    assert 0 < len(known) <= after < 2000
    assert len(encoder.seen) == 2000 - after


def known_keys(store, texts):
    return store.get([key_of(MeaningEncoder.id, text) for text in texts])


def wait_for_entries(store, texts):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = known_keys(store, texts)
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("the run that was to be killed has stored nothing in a minute")
