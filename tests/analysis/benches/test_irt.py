"""What is claimed of the gap analysis is measured and told by the bench, at whatever size it runs."""

import pytest

from analysis.benches import BENCHES, irt
from analysis.benches.apart import Used
from tests.analysis.pipelines.irt.studies import small


def test_the_bench_is_registered():
    assert BENCHES["irt"] == "analysis.benches.irt"


def test_it_measures_the_published_size():
    answers = irt.published_size()
    assert answers.given == 3_238_842
    assert len(answers.models) == irt.MODELS


@pytest.fixture(scope="module")
def told():
    """The limits of a small study, by what they count."""
    rows = irt.fit_rows(small())
    return {limit.what: limit for row in rows for limit in row.limits}


def test_the_fit_is_held_to_the_ratios_the_seconds_and_the_margins(told):
    bounds = {what: (limit.bound, limit.at_least) for what, limit in told.items()}
    assert bounds == {
        "CPU-s": (0.1, False),
        "answers between a margin and its fit": (1e-8, False),
        "x against dense Adam, 600 steps": (30, True),
        "x against look-up Adam, 600 steps": (300, True),
    }


def test_every_number_is_one_that_was_measured(told):
    assert all(limit.found > 0 for limit in told.values())
    assert told["answers between a margin and its fit"].holds


def test_bootstrap_folds_and_memory_have_their_limits(monkeypatch, tmp_path):
    monkeypatch.setattr(irt, "REPLICATES", 3)
    intervals, folds = irt.intervals_and_folds(small())
    assert [limit.bound for limit in intervals.limits] == [30.0]
    assert [limit.bound for limit in folds.limits] == [15.0]
    monkeypatch.setattr(irt, "run_apart", lambda *_: Used(1.0, 1.0, 499_000 * 2**10))
    (peak,) = irt.whole_command(tmp_path, "csv").limits
    assert (peak.what, peak.bound, peak.holds) == ("MB at the peak", 500.0, False)
