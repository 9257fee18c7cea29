"""Studies of traces: groups that share anchors, pairs of people, pairs of languages, a judge's labels."""

import numpy as np
import pytest
from scipy import stats

from analysis.reports.human import human_report
from analysis.stats.permutation import permutation_test
from tests.analysis.pipelines.human.tables import items, ratings, studied

LABELS = ["substantially_different", "partially_different", "same"]
TABLES = ("trace_anchors", "trace_kappas")


def plan(**further):
    entry = {"human": "equivalence", "automatic": ["S", "H"], "method": "williams"} | further
    return {
        "dimensions": {"equivalence": {"scale": "ordinal", "labels": LABELS}},
        "plan": {"trace": [entry]},
    }


def two_groups(shift: int, *, further=()):
    """Four people a group judge six anchors, and each group twelve items of its own."""
    rng = np.random.default_rng(3)
    fields, rows = {}, []
    for n in range(30):
        group = "" if n < 6 else "ab"[n % 2]
        fields[f"t{n:02}"] = {
            "S": rng.random(),
            "H": rng.random(),
            "anchor": int(n < 6),
            "half": group,
        }
        rows += [
            (f"t{n:02}", f"{who}{k}", LABELS[min(2, n % 2 + shift * (who == "b") + k % 2 * (n % 3 == 0))])
            for who in "ab" for k in range(4) if group in ("", who)
        ]  # fmt: skip
    return ratings([*rows, *further], ["equivalence"]), items(fields)


def test_groups_that_share_the_anchors_only_are_compared_on_them():
    table, fields = two_groups(1)
    study = studied(plan=plan(groups="half"), ratings=table, items=fields)
    found = study.traces[0].anchors
    value = {name: n + 1 for n, name in enumerate(LABELS)}
    anchors = table[table["item_id"] < "t06"].assign(x=table["equivalence"].map(value))
    people = anchors.groupby("annotator")["x"].mean()
    one, two = (people[people.index.str.startswith(who)] for who in "ab")
    direct = permutation_test(one, two)
    assert found.difference.value == pytest.approx(one.mean() - two.mean())
    assert found.difference.p == pytest.approx(direct.p)
    assert [(g.name, g.people) for g in found.groups] == [("a", 4), ("b", 4)]
    assert [g.mean for g in found.groups] == pytest.approx([one.mean(), two.mean()])
    report = human_report(study, "Title")
    told = " ".join(sentence for part in report.sections for sentence in part.sentences)
    assert "On the 6 anchors that all judged, the 4 people of group a gave a mean" in told
    assert "over all 70 dealings" in told
    assert "κ with quadratic weights ran from" in told
    assert set(TABLES) <= report.tables.keys()
    assert (
        len(report.tables["trace_kappas"]) == 12
    )  # of one group: across groups six items are common


def test_whoever_met_items_of_both_groups_or_anchors_only_belongs_to_none():
    odd = [
        ("t00", "odd", "same"),
        ("t06", "odd", "same"),
        ("t07", "odd", "same"),
        ("t01", "new", "same"),
    ]
    table, fields = two_groups(0, further=odd)
    found = studied(plan=plan(groups="half"), ratings=table, items=fields).traces[0].anchors
    assert (found.apart, found.items) == (2, 6)
    assert found.difference.value == pytest.approx(0.0)
    assert found.difference.p == 1.0


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda rows, fields: (rows, fields.drop(columns="anchor")), "the items have no field anchor"),
        (lambda rows, fields: (rows, fields.drop(columns="half")), "the items have no field half"),
        (lambda rows, fields: (rows, fields.assign(anchor="0")), "0 groups of people judged anchors"),
        (
            lambda rows, fields: (rows[rows["annotator"].str.startswith("a")], fields),
            "1 group of people judged anchors, and two are compared",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_compared_says_why(change, reason):
    rows, fields = change(*two_groups(0))
    study = studied(plan=plan(groups="half"), ratings=rows, items=fields)
    assert study.traces[0].anchors.difference.reason.startswith(reason)
    told = [sentence for part in human_report(study, "T").sections for sentence in part.sentences]
    assert any(sentence.startswith("Groups of people cannot be compared") for sentence in told)


def test_a_plan_without_groups_compares_none():
    table, fields = two_groups(0)
    assert studied(plan=plan(), ratings=table, items=fields).traces[0].anchors is None


def test_scores_of_several_languages_are_compared_by_ranks_within_each():
    """The level of S hangs on the pair of languages; its ranks within a pair do not."""
    rng = np.random.default_rng(8)
    fields, rows, expected = {}, [], []
    for shift, pair in ((0.0, "en-es"), (10.0, "en-zh")):
        score = rng.random(20)
        level = np.clip((score * 3).astype(int), 0, 2)
        expected.append((stats.rankdata(score), stats.rankdata(level)))
        for n in range(20):
            key = f"{pair}{n:02}"
            fields[key] = {"S": score[n] + shift, "H": rng.random(), "pair": pair}
            rows += [(key, who, LABELS[level[n]]) for who in "xy"]
    table = ratings(rows, ["equivalence"])
    study = studied(plan=plan(within="pair"), ratings=table, items=items(fields))
    one, two = (np.concatenate(side) for side in zip(*expected, strict=True))
    assert study.traces[0].rho["S"].value == pytest.approx(stats.spearmanr(one, two)[0])
    raw = studied(plan=plan(), ratings=table, items=items(fields)).traces[0]
    assert study.traces[0].rho["S"].value > raw.rho["S"].value + 0.1
    none = studied(plan=plan(within="lang"), ratings=table, items=items(fields)).traces[0]
    assert none.rho["S"].reason == "the items have no field lang to rank within"


def test_labels_of_a_judge_are_compared_as_the_scale_counts_them():
    table, fields = two_groups(0)
    rng = np.random.default_rng(2)
    labels = fields.assign(judge=[LABELS[k] for k in rng.integers(0, 3, len(fields))])
    numbers = fields.assign(
        judge=labels["judge"].map({name: str(n) for n, name in enumerate(LABELS)})
    )
    both = [
        studied(plan=plan(automatic=["S", "judge"]), ratings=table, items=some).traces[0]
        for some in (labels, numbers)
    ]
    assert both[0].rho["judge"].value == both[1].rho["judge"].value is not None
    assert both[0].versus[0].williams.p == both[1].versus[0].williams.p is not None
