"""The walk from answers to people and back, followed literally: the commands are those of the page."""

import json
import shlex
from io import StringIO
from pathlib import Path

import pandas as pd
import pytest
from django.core.management import call_command

from annotation.models import Study
from fixtures.generate import clcg_walk
from tests.docs.test_tutorial import ROOT, blocks

PAGE = ROOT / "docs" / "how-to" / "clcg.md"
GENERATOR = ["python", "-m", "fixtures.generate.clcg_walk"]
# What the paper prints, and the scores were made from.
MEAN_GAP = 0.0775
KEY = ["model", "language", "doc_id", "rep", "item_id", "scope"]


def typed(line):
    """Do what a line of the page says, in this process."""
    words = shlex.split(line)
    if words[: len(GENERATOR)] == GENERATOR:
        clcg_walk.main(words[len(GENERATOR) :])
    else:
        assert words[0] == "manage.py", line
        call_command(*words[1:], stdout=StringIO())


@pytest.mark.slow
@pytest.mark.django_db
def test_the_walk_goes_as_it_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for language, key, value, text in blocks(PAGE):
        if key == "file":
            Path(value).write_text(text)
        elif language == "sh" and key != "terminal":
            for line in text.replace("\\\n", " ").strip().splitlines():
                typed(line)
    assert Study.objects.get(slug="gap-validation").state == "live"
    gap, errors, people, judged = (
        json.loads(Path("walk", name, "results.json").read_text())
        for name in ("gap", "errors", "people", "gap-judged")
    )
    assert gap["micro"]["low"] < MEAN_GAP < gap["micro"]["high"]
    assert errors["loss_rate"]["low"] > 0
    finds_the_score_again(people)
    assert judged["settings"]["items"] < gap["sample"]["rows"]
    assert judged["micro"]["value"] > 0
    assert set(judged["people_by_class"]) == {"adequacy", "keypoint_recall"}
    joins(Path("walk/release/items.csv"), pd.read_parquet("walk/scores.parquet"))


def finds_the_score_again(report):
    """People who judge by the score agree with it, and the judges are compared with them."""
    found = {one["human"]: one for one in report["triangulation"] if one["by"] is None}
    assert set(found) == {"adequacy", "keypoint_recall"}
    assert {one["automatic"] for one in found.values()} == {"score"}
    assert found["adequacy"]["low"] > 0.3
    assert report["preference"]["raw"]["n"] > 0
    assert [judge["judge"] for judge in report["judges"][0]["judges"]] == ["judge_a", "judge_b"]


def joins(items, scores):
    """Every released item finds the one score that it came from."""
    released = pd.read_csv(items, dtype=str)
    single = released[released["source_item"].notna() & released["score"].notna()]
    keyed = single.drop(columns="item_id", errors="ignore").rename(
        columns={"source_item": "item_id"}
    )
    joined = keyed.merge(scores.astype(str), on=KEY, suffixes=("", "_scores"))
    assert len(joined) == len(single) == 120
    assert joined["score"].astype(float).tolist() == pytest.approx(
        joined["token_f1"].astype(float).tolist()
    )
