"""The error analysis, worked by hand, and its command."""

import json
from io import StringIO

import numpy as np
import pandas as pd
import pytest
from django.core.management import CommandError, call_command

from analysis.pipelines.clcg.errors import analyse_errors
from analysis.pipelines.clcg.errors_by_judge import Rules
from analysis.pipelines.clcg.sums import ClcgError
from fixtures.generate.clcg_scores import FOLDER

FAST = Rules(resamples=200)
OMISSION, ADDITION, FORMAT = (
    "partial_or_omission",
    "unsupported_addition",
    "format_or_parse_failure",
)


def pair(number, english, target, *, judge="one", scores=(0.6, 0.4), **others):
    """Return both sides of a pair as one judge labelled them."""
    plain = {
        "pair_id": f"p{number}", "judge": judge, "doc_id": f"d{number % 3}", "language": "sw",
        "model": f"m{number % 2}",
    }  # fmt: skip
    sides = (("en", english, scores[0]), ("target", target, scores[1]))
    return [
        plain | {"side": s, "label": label, "score": score} | others for s, label, score in sides
    ]


def table(*pairs):
    return pd.DataFrame([row for sides in pairs for row in sides])


WORKED = [
    pair(1, "correct", "correct", scores=(0.9, 0.8)),
    pair(2, "correct", OMISSION, scores=(0.9, 0.5)),
    pair(3, "correct", FORMAT, scores=(0.8, 0.0), language="fon"),
    pair(4, OMISSION, OMISSION, scores=(0.5, 0.4)),
    pair(5, "correct", ADDITION, scores=(0.7, 0.5), language="fon"),
]


@pytest.fixture
def study():
    return analyse_errors(table(*WORKED), FAST, {"sw": 2, "fon": 0})


def test_transitions_count_every_pair_once(study):
    found = study.judges["one"].transitions
    assert found["correct"] == {"correct": 1, FORMAT: 1, OMISSION: 1, ADDITION: 1}
    assert found[OMISSION][OMISSION] == 1
    assert sum(sum(row.values()) for row in found.values()) == 5


def test_a_loss_is_correct_turned_into_an_error_of_meaning(study):
    judge = study.judges["one"]
    assert study.semantic == (OMISSION, ADDITION)
    assert judge.loss_rate.value == pytest.approx(2 / 5)
    assert judge.loss_rate.low < 2 / 5 < judge.loss_rate.high
    assert judge.loss_by_class["0"].value == pytest.approx(1 / 2)
    assert judge.loss_by_class["2"].value == pytest.approx(1 / 3)
    assert judge.loss_by_model["m1"].value == pytest.approx(1 / 3)


def test_contributions_add_up_to_the_mean_difference(study):
    judge = study.judges["one"]
    found = {label: e.value for label, e in judge.contribution.items()}
    assert found == pytest.approx({"correct": 0.02, OMISSION: 0.1, FORMAT: 0.16, ADDITION: 0.04})
    assert sum(found.values()) == pytest.approx((0.1 + 0.4 + 0.8 + 0.1 + 0.2) / 5)
    assert sum(judge.share_of_loss.values()) == pytest.approx(1)
    assert judge.share_of_loss[FORMAT] == pytest.approx(0.5)
    assert judge.differences[OMISSION].value == pytest.approx((0.4 + 0.1) / 2)
    shares = {label: e.value for label, e in judge.shares.items()}
    assert found == pytest.approx({x: shares[x] * judge.differences[x].value for x in found})


def test_shares_of_labels_are_of_the_target_side(study):
    judge = study.judges["one"]
    assert judge.shares[OMISSION].value == pytest.approx(2 / 5)
    assert judge.labels_by_class["0"] == pytest.approx(
        {"correct": 0, FORMAT: 0.5, OMISSION: 0, ADDITION: 0.5}
    )


def test_declared_errors_of_meaning_take_the_place_of_the_default():
    rules = Rules(semantic=(OMISSION,), resamples=50)
    found = analyse_errors(table(*WORKED), rules)
    assert found.judges["one"].loss_rate.value == pytest.approx(1 / 5)
    assert found.judges["one"].loss_by_class == {}


def test_judges_agree_exactly_after_collapse_or_not():
    other = [
        pair(1, "correct", "correct", judge="two"), pair(2, "correct", "correct", judge="two"),
        pair(3, "correct", FORMAT, judge="two"), pair(4, ADDITION, OMISSION, judge="two"),
        pair(5, "correct", ADDITION, judge="two"),
    ]  # fmt: skip
    rows = table(*WORKED, *other)
    rows["score"] = np.nan
    found = analyse_errors(rows, Rules(collapse={OMISSION: "flaw", ADDITION: "flaw"}, resamples=50))
    between = found.agreement["one x two"]
    assert between.counts == {"exact": 8, "only_after_collapse": 1, "unresolved": 1, "sides": 10}
    assert between.fine.value == pytest.approx(0.8)
    assert between.collapsed.value == pytest.approx(0.9)
    assert between.loss.value == pytest.approx(4 / 5)
    # `one` used the label of omission three times, `two` once, and both of pair 4's target.
    assert between.by_label[OMISSION].value == pytest.approx(2 / 4)
    assert between.by_label[ADDITION].n == 3
    assert between.fine.low < between.fine.value
    assert 0 < between.fine_kappa.value < between.collapsed_kappa.value
    assert found.judges["one"].contribution["correct"].value is None
    assert found.judges["one"].share_of_loss["correct"] is None


def test_people_are_compared_row_by_row_with_each_judge_and_with_their_consensus():
    second = [
        pair(i, "correct", label, judge="two") for i, label in ((1, "correct"), (2, "correct"))
    ]
    first = [pair(i, "correct", label) for i, label in ((1, "correct"), (2, OMISSION))]
    people = pd.DataFrame(
        [
            {"pair_id": "p1", "side": "target", "annotator": "a", "label": "correct"},
            {"pair_id": "p1", "side": "target", "annotator": "b", "label": OMISSION},
            {"pair_id": "p2", "side": "target", "annotator": "a", "label": OMISSION},
            {"pair_id": "p9", "side": "target", "annotator": "a", "label": OMISSION},
        ]
    )
    found = analyse_errors(table(*first, *second), FAST, human=people).people
    assert (found.rows, found.unmatched) == (3, 1)
    with pytest.raises(ClcgError, match="None of the 4 labels of people is of a pair and side"):
        analyse_errors(table(*first, *second), FAST, human=people.assign(pair_id="x"))
    assert found.agreement["one"].value == pytest.approx(2 / 3)
    assert found.agreement["two"].value == pytest.approx(1 / 3)
    assert (found.confirmed.value, found.confirmed.n) == (pytest.approx(1 / 2), 2)


def test_a_pair_with_one_side_is_counted_and_left_out():
    rows = table(*WORKED)
    found = analyse_errors(rows.iloc[:-1], FAST)
    assert found.pairs.incomplete == 1
    assert found.judges["one"].loss_rate.n == 4


@pytest.mark.parametrize(
    ("rows", "rules", "message"),
    [
        (table(pair(1, "a", "b")), FAST, "No side is labelled 'correct'.*: there are a, b"),
        (table(*WORKED), Rules(semantic=("typo",)), "do not occur: typo"),
        (table(*WORKED), Rules(collapse={"typo": "x"}), "do not occur: typo"),
        (table(WORKED[0]).iloc[:1], FAST, "No pair has labels on both sides"),
        (
            pd.concat([table(WORKED[0]), table(WORKED[0]).assign(judge="two", doc_id="other")]),
            FAST,
            "Pair 'p1' has several values of 'doc_id'",
        ),
    ],
)
def test_labels_that_cannot_be_compared_are_named(rows, rules, message):
    with pytest.raises(ClcgError, match=message):
        analyse_errors(rows, rules)


def command(rows, folder, **options):
    rows.to_csv(folder / "labels.csv", index=False)
    printed = StringIO()
    call_command(
        "clcg_errors", str(folder / "labels.csv"), out=folder / "out", stdout=printed, **options
    )
    return printed.getvalue()


def test_the_command_writes_the_document_tables_and_figures(tmp_path):
    both = [*WORKED, *[pair(i, "correct", "correct", judge="two") for i in range(1, 6)]]
    rows = table(*both)
    scored = rows.set_index(["pair_id", "side"])["score"].groupby(level=[0, 1]).first()
    language = rows.groupby("pair_id")["language"].first()
    rows["score"] = [scored[p, s] for p, s in zip(rows["pair_id"], rows["side"], strict=True)]
    rows["language"] = rows["pair_id"].map(language)
    printed = command(rows, tmp_path, json=True, resamples=50, languages=FOLDER / "languages.csv")
    document = json.loads(printed)
    assert set(document) >= {"transitions", "loss_rate", "agreement", "contribution"}
    assert document["primary_judge"] == "one"
    assert document["by_judge"]["two"]["loss_rate"]["value"] == 0
    made = {path.name for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert made >= {"labels.csv", "transitions.csv", "loss.csv", "agreement.csv", "report.html"}
    assert made >= {"contribution.svg", "transition_map.png"}
    assert made >= {"labels_by_class.csv", "agreement_by_label.csv"}
    page = (tmp_path / "out" / "report.html").read_text()
    assert f"the most frequent error is &#x27;{OMISSION}&#x27;" in page
    assert (
        'aria-label="Pairs by label of the reference and of the target side. correct to correct'
        in page
    )


def test_the_command_names_what_is_wrong(tmp_path):
    rows = table(*WORKED)
    with pytest.raises(CommandError, match="'nobody' is no judge; there are one"):
        command(rows, tmp_path, primary="nobody", force=True)
    with pytest.raises(CommandError, match="takes FINE=COARSE"):
        command(rows, tmp_path, collapse=["a"], force=True)
    with pytest.raises(CommandError, match="the row repeats"):
        command(pd.concat([rows, rows.iloc[:1]]), tmp_path, force=True)
    with pytest.raises(CommandError, match=r"languages\.csv does not name tlh"):
        command(
            rows.assign(language="tlh"), tmp_path, languages=FOLDER / "languages.csv", force=True
        )
    with pytest.raises(CommandError, match="is not one of en, target"):
        command(rows.assign(side="middle"), tmp_path, force=True)
