"""The bench of the gap, at small sizes: what it measures, and that both bootstraps do the same."""

import json
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command

from analysis.benches import clcg
from analysis.benches.apart import Used
from analysis.benches.measure import Row
from analysis.frames import Scores
from analysis.pipelines.clcg.population import Settings
from analysis.pipelines.clcg.simulate import Sizes, simulate

SMALL = Sizes(documents=12, repeated=2, per_level=1, human=0)


def here(*arguments):
    """Run a command in this process, as if it had taken a quarter of what is claimed."""
    name, *words = arguments
    if name == "shell":
        exec(words[-1], {"Path": Path})  # noqa: S102  what the bench would have run
    else:
        call_command(name, *words, stdout=StringIO())
    return Used(clcg.CPU_SECONDS / 4, 6.0, int(clcg.PEAK_MIB / 4 * 2**20))


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(clcg, "SIZES", SMALL)
    monkeypatch.setattr(clcg, "SETTINGS", Settings(margin=0.02, resamples=50, splits=5))
    monkeypatch.setattr(clcg, "SHARDS", 2)
    monkeypatch.setattr(clcg, "run_apart", here)


@pytest.mark.usefixtures("small")
def test_it_says_of_each_thing_that_is_claimed_whether_it_holds():
    out = StringIO()
    call_command("bench", "clcg", "--json", stdout=out)
    once, many, read, read_many, bootstrap = json.loads(out.getvalue())["clcg"]
    count = once["n"]
    assert [row["n"] for row in (many, read, read_many)] == [2 * count, count, 2 * count]
    assert once["limits"] == [
        {"what": "CPU-s", "found": 5.0, "at_most": 20.0, "holds": True},
        {"what": "MiB at the peak", "found": 256.0, "at_most": 1024.0, "holds": True},
    ]
    memory = {"what": f"x the memory of {count:,} rows", "found": 1.0, "at_most": 1.25}
    assert many["limits"][1] == memory | {"holds": True}
    (reading,) = read_many["limits"]
    assert reading["what"] == f"x the reading of {count:,} rows"
    assert reading["found"] == read_many["cpu_seconds"] / read["cpu_seconds"]
    (faster,) = bootstrap["limits"]
    assert faster["at_least"] == 100
    assert faster["found"] == pytest.approx(bootstrap["against"]["ratio"])


@pytest.mark.parametrize(("held", "holds"), [(300, True), (330, False)])
def test_more_memory_for_more_rows_is_told(held, holds):
    once, many = (Row("x", 10, 1.0, 1.0, peak_mib=mib) for mib in (256.0, held))
    assert clcg._more(once, many)[1].limits[-1].holds is holds


def test_the_bootstrap_by_rows_is_the_one_that_sums_replace():
    frame = simulate(SMALL, np.random.default_rng(1))
    band = frame[frame[Scores.LEVEL].isin(("L3", "L4", "L5"))]
    found = clcg.by_rows(band)()
    assert len(found) == clcg.NAIVE
    assert np.ptp(found) > 0
    means = band.groupby("language", observed=True)["token_f1"].mean()
    assert np.mean(found) == pytest.approx(means["en"] - means.mean(), abs=0.05)
