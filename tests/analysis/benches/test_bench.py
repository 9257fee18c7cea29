import json
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from analysis.benches import BENCHES, stats
from analysis.benches.measure import Limit, Row, measure, seconds
from analysis.management.commands.bench import line
from analysis.stats.crossed_logistic import crossed_logistic


@pytest.fixture
def small(monkeypatch):
    sizes = {"ITEMS": 40, "RESAMPLES": 20, "ROWS": 600, "DOCUMENTS": 10, "ENGLISH": 0.5}
    for name, size in {**sizes, "FITS": ((20, 15, 200, 0.05),)}.items():
        monkeypatch.setattr(stats, name, size)


def bench(*arguments, **options):
    out = StringIO()
    call_command("bench", *arguments, stdout=out, **options)
    return out.getvalue()


@pytest.mark.usefixtures("small")
def test_json_holds_rows_with_ratios():
    rows = json.loads(bench("stats", "--json"))["stats"]
    assert {"name", "n", "cpu_seconds", "wall_seconds", "per", "against"} <= set(rows[0])
    assert rows[0]["against"]["ratio"] > 0
    assert [row["n"] for row in rows] == [200, 200, 600, 600, 600]
    assert rows[1]["peak_mib"] > 0
    assert rows[1]["limits"][0]["at_most"] == 0.05
    assert all(row["cpu_seconds"] >= 0 for row in rows)


@pytest.mark.usefixtures("small")
def test_the_table_names_what_was_measured():
    printed = bench("stats")
    assert printed.startswith("stats\n")
    assert "CPU-s" in printed
    assert "x against the package" in printed
    assert "s per resample" in printed


def test_all_runs_every_bench(monkeypatch):
    for name in list(BENCHES):
        monkeypatch.setitem(BENCHES, name, "tests.analysis.benches.one_row")
    assert set(json.loads(bench("all", "--json"))) == set(BENCHES)


def test_an_unknown_bench_is_refused_with_the_known_ones():
    with pytest.raises(CommandError, match="stats"):
        bench("speed")


def test_every_registered_bench_can_be_imported():
    for module in BENCHES.values():
        assert callable(__import__(module, fromlist=["rows"]).rows)


def test_the_fastest_run_counts():
    calls = []
    cpu, wall = seconds(lambda: calls.append(sum(range(2000))), repeats=4)
    assert len(calls) == 4
    assert 0 <= cpu < 1
    assert 0 < wall < 1


def test_a_ratio_is_the_other_over_this():
    row = measure("work", 10, lambda: sum(range(200_000)), units={"x": 10}, against=("slow", 100.0))
    assert isinstance(row, Row)
    assert row.against == ("slow", pytest.approx(100 / row.cpu_seconds))
    assert row.per == {"x": row.cpu_seconds / 10}
    assert "peak_mib" not in row.as_dict()


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        (Limit("CPU-s", 0.0241, 0.1), "0.0241 CPU-s, at most 0.1: holds"),
        (Limit("MiB", 512.4, 500), "512 MiB, at most 500: DOES NOT HOLD"),
        (Limit("x dense Adam", 65.2, 30, at_least=True), "65.2 x dense Adam, at least 30: holds"),
        (
            Limit("x look-ups", 1270.4, 3000, at_least=True),
            "1,270 x look-ups, at least 3,000: DOES NOT HOLD",
        ),
    ],
)
def test_a_limit_says_what_was_found_and_whether_it_holds(limit, words):
    assert limit.words == words
    assert limit.as_dict()["holds"] is not words.endswith("NOT HOLD")


def test_limits_stand_under_their_row():
    quick = measure("work", 10, lambda: None, cpu_limit=5)
    kept, broken = Limit("CPU-s", 0.0, 1.0), Limit("CPU-s", 2.0, 1.0)
    printed = line(replace(quick, limits=(kept, broken))).splitlines()
    assert printed[0].endswith("work")
    assert [text.strip() for text in printed[1:]] == [kept.words, broken.words]
    assert quick.as_dict()["limits"] == [quick.limits[0].as_dict()]
    assert quick.limits[0].as_dict() == {
        "what": "CPU-s",
        "found": quick.cpu_seconds,
        "at_most": 5,
        "holds": True,
    }


def test_the_simulated_judgments_can_be_fitted():
    found = crossed_logistic(*stats.judgments(110, 66, 138))
    assert found.reason is None
    assert found.n == 138
