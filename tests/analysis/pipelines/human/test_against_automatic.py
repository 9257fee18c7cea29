"""People against automatic measures, with numbers that can be counted by hand."""

import numpy as np
import pytest

from analysis.pipelines.human.ceiling import Ceiling
from analysis.pipelines.human.plan import Request, completed
from analysis.reports.human import human_report
from analysis.reports.human_words import condition_words
from analysis.stats.auc import compare_aucs
from analysis.stats.correlated import williams_t
from analysis.stats.results import Estimate, undefined
from tests.analysis.pipelines.human.tables import items, ratings, studied

ORDINAL = {"adequacy": {"scale": "ordinal", "labels": ["1", "2", "3", "4", "5"]}}


def ceiling(lowest: Estimate, difference: Estimate) -> Ceiling:
    entry = {"dimension": "adequacy", "by": "class", "score": "f1"}
    request = Request("ceiling", completed("ceiling", entry, 1), prespecified=False)
    none = undefined("not asked")
    return Ceiling({}, lowest, none, none, difference, request)


def test_the_rule_of_the_first_paper_does_not_flag():
    found = ceiling(Estimate(4.0), Estimate(4.216 - 3.819))
    assert (found.median_part, found.separation_part, found.flag) == (False, True, False)


@pytest.mark.parametrize(
    ("median", "difference", "flag"),
    [
        (4.5, 0.49, True),
        (4.5, 0.5, False),
        (4.4, 0.1, False),
        (None, 0.1, None),
        (None, 0.9, False),
    ],
)
def test_the_flag_needs_both_parts_and_is_unknown_without_one(median, difference, flag):
    lowest = undefined("no class") if median is None else Estimate(median)
    assert ceiling(lowest, Estimate(difference)).flag is flag


def test_both_parts_from_single_ratings():
    rows = [(f"i{n}", who, 5 if n > 2 else 4) for n in range(6) for who in "ab"]
    scored = items({f"i{n}": {"f1": n, "class": "ab"[n % 2]} for n in range(6)})
    plan = {
        "dimensions": ORDINAL,
        "plan": {"ceiling": {"dimension": "adequacy", "by": "class", "score": "f1"}},
    }
    table = ratings(rows, ["adequacy"])
    study = studied(plan=plan, as_planned=True, ratings=table, items=scored)
    (found,) = study.ceiling
    assert found.medians == {"a": 4.0, "b": 5.0}
    assert (found.high.value, found.low.value, found.difference.value) == (5.0, 4.0, 1.0)
    assert found.request.prespecified
    told = human_report(study, "Title").alternatives["ceiling"]
    assert "adequacy, class a: median: 4.000; adequacy, class b: median: 5.000" in told
    assert "adequacy, highest third of f1: mean: 5.000" in told


def judged_rows():
    """Return three items: the judges agree on the first two; people's labels row by row."""
    rows = [
        ("i1", "a", "x"),
        ("i1", "b", "y"),
        ("i2", "a", "y"),
        ("i2", "b", "y"),
        ("i3", "a", "x"),
    ]
    labels = {
        "i1": {"j1": "x", "j2": "x"},
        "i2": {"j1": "y", "j2": "y"},
        "i3": {"j1": "x", "j2": "y"},
    }
    return ratings(rows, ["error"]), items(labels)


def test_rows_are_compared_one_by_one_and_no_majority_is_made_up():
    table, labels = judged_rows()
    (found,) = studied(ratings=table, items=labels).judges
    assert [(a.judge, a.exact.value, a.exact.n) for a in found.each] == [
        ("j1", 0.8, 5),
        ("j2", 0.6, 5),
    ]
    assert found.judges_agree.value == pytest.approx(2 / 3)
    assert (found.confirmed.value, found.confirmed.n) == (0.75, 4)
    assert not found.request.prespecified


def test_labels_of_a_judge_may_be_mapped_before_they_are_compared():
    table, labels = judged_rows()
    plan = {"plan": {"judges": {"human": "error", "automatic": "j1", "map": {"y": "x"}}}}
    (found,) = studied(plan=plan, ratings=table, items=labels).judges
    assert found.each[0].exact.value == 1.0
    assert found.each[0].kappa.value is None
    assert "no variation" in found.each[0].kappa.reason


def test_means_by_condition_and_an_item_alone_has_no_interval():
    rows = [("i1", "a", 1), ("i1", "b", 3), ("i2", "a", 5), ("i3", "a", 4)]
    fields = items({"i1": {"system": "s"}, "i2": {"system": "s"}, "i3": {"system": "t"}})
    study = studied(ratings=ratings(rows, ["q"]), items=fields)
    found = {one.group: one for one in study.conditions}
    assert (found["s"].found.value, found["s"].items, found["s"].found.n) == (3.0, 2, 3)
    assert found["s"].found.low == 2.0
    assert found["s"].found.high == 5.0
    assert found["t"].found.reason == (
        "no interval: all ratings are of one item, and items are resampled"
    )
    (told,) = condition_words(study.conditions)
    assert told == (
        "The mean of q by system ran from 3.000 (95% CI [2.000, 5.000]) for s to 4.000 (no interval: "
        "all ratings are of one item, and items are resampled) for t."
    )


def test_the_two_samples_of_the_first_paper():
    rows = [
        ("i1", "a", 5, 1.0), ("i1", "b", 5, 0.5),
        ("i2", "a", 4, 0.5), ("i2", "b", 5, 1.0),
        ("i3", "a", 5, 0.0), ("i3", "b", 2, ""),
    ]  # fmt: skip
    plan = {"dimensions": ORDINAL}
    study = studied(plan=plan, ratings=ratings(rows, ["adequacy", "keypoint_recall"]))
    judgments, whole = study.sensitivity
    assert (judgments.judgments_affected.count, judgments.judgments_affected.n) == (2, 5)
    assert (judgments.items_affected.count, judgments.items_affected.n) == (2, 3)
    assert (judgments.numbers.judgments, judgments.numbers.items) == (4, 3)
    assert (whole.numbers.judgments, whole.numbers.items) == (2, 1)
    assert whole.numbers.means == {"adequacy": 4.5, "keypoint_recall": 0.75}
    assert study.primary.judgments == 6
    assert not judgments.request.prespecified


def test_a_declared_sample_is_prespecified():
    rows = [(f"i{n}", who, n % 3 + 1) for n in range(6) for who in "ab"]
    sample = {"name": "no ones", "drop": "judgments", "where": [{"dimension": "adequacy", "is": 1}]}
    plan = {"dimensions": ORDINAL, "plan": {"sensitivity": [sample]}}
    table = ratings(rows, ["adequacy"])
    (one,) = studied(plan=plan, as_planned=True, ratings=table).sensitivity
    assert one.request.prespecified
    assert one.numbers.judgments == 8


def traces(n: int = 30):
    """Return judgments of equivalence that follow S, and an H that does not matter."""
    rng = np.random.default_rng(5)
    s, h = rng.random(n), rng.random(n)
    level = np.clip(np.rint(3 * s - 0.5 + rng.normal(0, 0.2, n)), 0, 2).astype(int)
    names = np.array(["substantially_different", "partially_different", "same"])
    rows = [(f"t{i:02}", who, names[level[i]]) for i in range(n) for who in "ab"]
    fields = items({f"t{i:02}": {"S": s[i], "H": h[i]} for i in range(n)})
    plan = {
        "dimensions": {"equivalence": {"scale": "ordinal", "labels": names.tolist()}},
        "plan": {
            "trace": [{"human": "equivalence", "automatic": ["S", "H"], "method": "williams"}]
        },
    }
    return plan, ratings(rows, ["equivalence"]), fields, level, s, h


def test_equivalence_against_two_scores_is_the_librarys_on_item_means():
    plan, table, fields, level, s, h = traces()
    (found,) = studied(plan=plan, ratings=table, items=fields).traces
    (pair,) = found.versus
    r12, r13 = found.rho["S"].value, found.rho["H"].value
    direct = williams_t(
        r12, r13, np.corrcoef(s.argsort().argsort(), h.argsort().argsort())[0, 1], 30
    )
    assert pair.williams.p == pytest.approx(direct.p, rel=1e-9)
    assert pair.aucs.value == pytest.approx(compare_aucs(level == 2, s, h).value)
    assert (found.positive, found.negative) == (int((level == 2).sum()), int((level < 2).sum()))
    thirds = {one.score: one for one in found.terciles}
    assert thirds["S"].means[0] < thirds["S"].means[2]
    assert thirds["S"].items == (10, 10, 10)
    assert thirds["S"].jonckheere.p < 0.001


def test_traces_without_a_score_have_no_comparison_and_say_why():
    plan, table, fields, *_ = traces()
    (found,) = studied(plan=plan, ratings=table, items=fields.drop(columns="H")).traces
    assert found.rho["H"].reason == "no rated item has a number in H"
    assert found.versus[0].williams.reason == "0 items have both scores; at least 5 are needed"


def translated():
    rows = [
        ("q1", "a", 3, "yes"), ("q1", "b", 3, "yes"),
        ("q2", "a", 1, "yes"), ("q2", "b", 3, "yes"),
        ("q3", "a", 3, "no"), ("q3", "b", 2, "yes"),
    ]  # fmt: skip
    fields = items({"q1": {"lang": "fr"}, "q2": {"lang": "fr"}, "q3": {"lang": "de"}})
    plan = {
        "dimensions": {
            "quality": {"scale": "ordinal", "labels": ["1", "2", "3"]},
            "culture": {"scale": "nominal", "labels": ["yes", "no"]},
        },
        "plan": {
            "translation": [
                {"dimension": "quality", "measure": "error_rate", "error": "1", "by": "lang"},
                {"dimension": "culture", "measure": "share", "of": "yes", "by": "lang"},
            ]
        },
    }
    table = ratings(rows, ["quality", "culture"])
    return studied(plan=plan, as_planned=True, ratings=table, items=fields)


def test_error_rate_culture_share_and_kept_items():
    error, culture, kept = translated().translations
    assert error.every.value == pytest.approx(1 / 6)
    assert {k: e.value for k, e in error.groups.items()} == {"de": 0.0, "fr": 0.25}
    assert culture.every.value == pytest.approx(5 / 6)
    assert kept.table.to_dict("records") == [
        {"item": "q1", "locale": "fr", "keep": 1},
        {"item": "q2", "locale": "fr", "keep": 0},
        {"item": "q3", "locale": "de", "keep": 0},
    ]
    assert [one.request.prespecified for one in (error, culture, kept)] == [True, True, False]
