"""The bench of the gap, at small sizes: what it measures, and that both bootstraps do the same."""

import json
from io import StringIO

import numpy as np
import pytest
from django.core.management import call_command

from analysis.benches import clcg
from analysis.frames import Scores
from analysis.pipelines.clcg.population import Settings
from analysis.pipelines.clcg.simulate import Sizes, simulate

SMALL = Sizes(documents=12, repeated=2, per_level=1, human=0)


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(clcg, "SIZES", SMALL)
    monkeypatch.setattr(clcg, "SETTINGS", Settings(margin=0.02, resamples=50, splits=5))
    monkeypatch.setattr(clcg, "SHARDS", 2)


@pytest.mark.usefixtures("small")
def test_it_measures_the_report_the_reading_and_the_bootstrap():
    out = StringIO()
    call_command("bench", "clcg", "--json", stdout=out)
    rows = json.loads(out.getvalue())["clcg"]
    count = rows[0]["n"]
    assert [row["n"] for row in rows[:3]] == [count, count, 2 * count]
    assert rows[0]["limits"][0].items() >= {"what": "CPU-s", "at_most": 20.0}.items()
    assert rows[3]["against"]["ratio"] > 0
    assert all(row["peak_mib"] > 0 for row in rows[:3])


def test_the_bootstrap_by_rows_is_the_one_that_sums_replace():
    frame = simulate(SMALL, np.random.default_rng(1))
    band = frame[frame[Scores.LEVEL].isin(("L3", "L4", "L5"))]
    found = clcg.by_rows(band)()
    assert len(found) == clcg.NAIVE
    assert np.ptp(found) > 0
    means = band.groupby("language", observed=True)["token_f1"].mean()
    assert np.mean(found) == pytest.approx(means["en"] - means.mean(), abs=0.05)
