"""The bench of the report, small: what it generates can be reported in full."""

import json

from analysis.benches.human import generated, reported


def test_a_generated_study_has_every_part():
    files = reported(generated(2_000, 100, seed=1))
    found = json.loads(files["results.json"])
    assert (found["sample"]["judgments"], found["sample"]["items"]) == (2000, 100)
    assert all(one["prespecified"] for one in found["agreement"].values())
    assert found["preference"]["raw"]["n"] == 100
    assert {one["by"] for one in found["triangulation"]} == {None, "joshi_class"}
    assert {"agreement.csv", "judges.csv", "sensitivity.csv", "report.html"} <= set(files)
