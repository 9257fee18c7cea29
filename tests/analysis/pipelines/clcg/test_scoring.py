"""Scores of answers, the JSON-array contract, and the command that applies both."""

import json
import math
import re
import string
from collections import Counter
from io import StringIO

import pandas as pd
import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from analysis.frames import Scores
from analysis.pipelines.clcg.answers import accuracy, category, exact_match, normalised, token_f1
from analysis.pipelines.clcg.contract import answers_of
from analysis.pipelines.clcg.score_answers import references_of, scored, with_similarity
from analysis.pipelines.clcg.sums import ClcgError
from analysis.pipelines.trace.encoders import HashingEncoder
from analysis.tables import read_table

# Worked by hand after the published definition of SQuAD 2.0.
REFERENCE_CASES = [
    ("the cat", ["a cat"], 1.0, 1.0),
    ("cat", ["cat dog"], 0.0, 2 / 3),
    ("cat cat", ["cat"], 0.0, 2 / 3),
    ("cat cat dog", ["cat dog dog"], 0.0, 2 / 3),
    ("", [""], 1.0, 1.0),
    ("the", [""], 1.0, 1.0),
    ("", ["cat"], 0.0, 0.0),
    ("cat", ["dog", "black cat", "cat"], 1.0, 1.0),
    ("U.S.A.", ["usa"], 1.0, 1.0),
    ("well-known", ["well known"], 0.0, 0.0),
    ("1,000", ["1000"], 1.0, 1.0),
    ("Über  ALLES", ["über alles"], 1.0, 1.0),
    ("ana", ["an a"], 0.0, 0.0),
    ("1\u2013822", ["1822"], 0.0, 0.0),
]


@pytest.mark.parametrize(("answer", "references", "em", "f1"), REFERENCE_CASES)
def test_scores_are_those_of_the_published_definition(answer, references, em, f1):
    assert exact_match(answer, references) == em
    assert token_f1(answer, references) == pytest.approx(f1)


def by_definition(answer, reference):
    """Return F1 from the definition, written once more in another way."""

    def tokens(text):
        kept = "".join(c for c in text.lower() if c not in set(string.punctuation))
        return [w for w in re.split(r"\s+", re.sub(r"\b(a|an|the)\b", " ", kept)) if w]

    one, two = tokens(answer), tokens(reference)
    if not one or not two:
        return float(one == two)
    same = sum(min(one.count(word), Counter(two)[word]) for word in set(one))
    return 0.0 if same == 0 else 2 / (len(one) / same + len(two) / same)


WORDS = st.lists(st.sampled_from(["the", "a", "Cat", "dog", "dog,", "1822", "-"]), max_size=7)


@given(WORDS.map(" ".join), WORDS.map(" ".join))
def test_token_f1_is_symmetric_bounded_and_as_defined(one, two):
    score = token_f1(one, [two])
    assert score == pytest.approx(by_definition(one, two))
    assert score == pytest.approx(token_f1(two, [one]))
    assert 0 <= score <= 1
    assert token_f1(one, [one]) == 1
    assert normalised(normalised(one)) == normalised(one)


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("Yes.", "yes"), ("No, it was stone.", "no"), ("not stated", "not stated"),
        ("Not stated in the text", "not stated"), ("Nobody", None), ("", None),
        ("Notable", None), ("True", "true"),
    ],
)  # fmt: skip
def test_a_category_is_what_the_answer_begins_with(answer, found):
    assert category(answer) == found


def test_accuracy_compares_categories_and_falls_back_to_exact_match():
    assert accuracy("Not stated", ["no"]) == 0
    assert accuracy("No", ["Not stated"]) == 0
    assert accuracy("not stated in the passage", ["Not stated"]) == 1
    assert accuracy("red", ["Red."]) == 1


ITEMS = ["q1", "q2"]


def statuses(response):
    return [(one.answer, one.status) for one in answers_of(response, ITEMS)]


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ('[{"item_id": "q1", "answer": "x"}, {"id": "q2", "prediction": "y"}]', [("x", "ok"), ("y", "ok")]),
        ('```json\n["x", "y"]\n```', [("x", "ok"), ("y", "ok")]),
        ('[{"item_id": "q2", "answer": "y"}]', [("", "missing"), ("y", "ok")]),
        ('[{"item_id": "q1", "answer": ""}, {"item_id": "q2", "answer": null}]', [("", "missing")] * 2),
        ("[]", [("", "missing")] * 2),
        ("", [("", "missing")] * 2),
        ('["x"]', [("", "unparseable")] * 2),
        ('["x", "y"', [("", "unparseable")] * 2),
        ("The answers are x and y.", [("", "unparseable")] * 2),
        ('{"q1": "x"}', [("", "unparseable")] * 2),
        ('[["x"], 7]', [("", "unparseable"), ("7", "ok")]),
        ('[{"item_id": "q1", "answer": "x"}, {"item_id": "q1", "answer": "z"}]', [("x", "ok"), ("", "missing")]),
        ('[{"item_id": "other", "answer": "x"}]', [("", "missing")] * 2),
        ("[true, false]", [("true", "ok"), ("false", "ok")]),
    ],
)  # fmt: skip
def test_the_contract_says_what_could_not_be_read(response, expected):
    assert statuses(response) == expected


def test_an_array_nested_beyond_reason_is_unparseable():
    assert statuses("[" * 100_000) == [("", "unparseable")] * 2


GOLD = pd.DataFrame(
    {
        "item_id": ["q1", "q2", "q3"],
        "gold": ["no", '["the tower", "a spire"]', "nothing"],
        "level": ["L0", "L3", "L4"],
        "answerable": [1.0, 1.0, 0.0],
        "doc_id": ["d1", "d1", "d2"],
        "source": ["llm", "llm", "llm"],
    }
)


def predicted(item, answer, status="", **others):
    plain = {
        "model": "m", "language": "en", "doc_id": "d1", "rep": 0, "item_id": item, "level": "",
        "source": "llm", "scope": Scores.FULL, "prediction": answer, "raw_status": status,
    }  # fmt: skip
    return plain | others


def test_rows_are_scored_with_their_status_and_further_columns_pass():
    rows = [
        predicted("q1", "No."), predicted("q2", "spire", nli="0.5"), predicted("q2", " ", language="sw"),
        predicted("q2", "tower", "unparseable", language="fon"), predicted("q3", "nothing"),
    ]  # fmt: skip
    found = scored(pd.DataFrame(rows), references_of(GOLD))
    assert list(found["status"]) == ["ok", "ok", "missing", "unparseable", "ok"]
    assert list(found["token_f1"][:4]) == [1.0, 1.0, 0.0, 0.0]
    assert math.isnan(found["token_f1"][4])
    assert found["accuracy"][0] == 1.0
    assert found["accuracy"][1:].isna().all()
    assert list(found["level"]) == ["L0", "L3", "L3", "L3", "L4"]
    assert found["nli"][1] == "0.5"
    assert "prediction" not in found


def test_an_item_without_gold_and_a_level_that_disagrees_are_named():
    references = references_of(GOLD)
    with pytest.raises(ClcgError, match="1 item has no row in the gold table: q9"):
        scored(pd.DataFrame([predicted("q9", "x")]), references)
    with pytest.raises(ClcgError, match="Item 'q1' has level L2 in the predictions and L0 in gold"):
        scored(pd.DataFrame([predicted("q1", "x", level="L2")]), references)


def test_an_item_that_can_be_answered_needs_an_answer_and_one_that_cannot_does_not():
    with pytest.raises(ClcgError, match="1 item has no right answer in the gold table: q2"):
        references_of(GOLD.assign(gold=["no", " ", ""]))
    assert references_of(GOLD.assign(gold=["no", "x", ""]))["q3"].answerable is False


def test_columns_that_are_made_here_are_not_replaced_in_silence():
    rows = pd.DataFrame([predicted("q1", "no", token_f1=1)]).assign(status="ok")
    with pytest.raises(
        ClcgError, match=r"made here: status, token_f1\. Rename them, such as status_"
    ):
        scored(rows, references_of(GOLD))


def test_similarity_is_one_for_the_same_text_and_zero_for_a_failure():
    rows = [predicted("q2", "the tower"), predicted("q2", "", language="sw"), predicted("q3", "x")]
    frame = pd.DataFrame(rows)
    references = references_of(GOLD)
    found = with_similarity(
        scored(frame, references), list(frame["prediction"]), references, HashingEncoder()
    )
    assert found["semantic_similarity"][0] == pytest.approx(1)
    assert found["semantic_similarity"][1] == 0
    assert math.isnan(found["semantic_similarity"][2])


def score(*arguments, **options):
    printed = StringIO()
    call_command("clcg_score", *map(str, arguments), stdout=printed, **options)
    return printed.getvalue()


@pytest.fixture
def folder(tmp_path):
    GOLD.to_csv(tmp_path / "gold.csv", index=False)
    rows = [predicted("q1", "no"), predicted("q2", "the tower"), predicted("q2", "", language="sw")]
    pd.DataFrame(rows).to_csv(tmp_path / "predictions.csv", index=False)
    return tmp_path


def test_the_command_prints_its_counts_and_its_table_is_one_that_clcg_reads(folder):
    out, gold = folder / "scores.csv", folder / "gold.csv"
    printed = score(folder / "predictions.csv", gold=gold, out=out, json=True)
    assert json.loads(printed) == {"rows": 3, "ok": 2, "unparseable": 0, "missing": 1}
    table = Scores.table({"token_f1": (0, 1), "exact_match": (0, 1)})
    assert list(read_table(out, table)["token_f1"]) == [1.0, 1.0, 0.0]
    with pytest.raises(CommandError, match="is there already"):
        score(folder / "predictions.csv", gold=gold, out=out)
    GOLD.assign(answerable=0).to_csv(gold, index=False)
    printed = score(folder / "predictions.csv", gold=gold, out=out, force=True)
    assert "3 have no score, since their item has no right answer." in printed
    with pytest.raises(CommandError, match="must end in"):
        score(folder / "predictions.csv", gold=gold, out=folder / "scores.txt")


def test_raw_calls_become_rows_an_item(folder):
    calls = pd.DataFrame(
        [
            {"model": "m", "language": code, "doc_id": "d1", "rep": 0, "scope": Scores.FULL, "response": text}
            for code, text in (("en", '["no", "a spire"]'), ("sw", "I cannot"), ("fon", ""))
        ]
    )  # fmt: skip
    calls.to_json(folder / "calls.jsonl", orient="records", lines=True)
    out = folder / "scores.parquet"
    printed = score(
        folder / "calls.jsonl", gold=folder / "gold.csv", out=out, calls=True, json=True
    )
    assert json.loads(printed) == {"rows": 6, "ok": 2, "unparseable": 2, "missing": 2}
    assert list(pd.read_parquet(out)["token_f1"]) == [1, 1, 0, 0, 0, 0]


def test_a_call_on_a_document_without_items_is_named(folder):
    calls = pd.DataFrame(
        [{"model": "m", "language": "en", "doc_id": "d9", "rep": 0, "scope": Scores.FULL, "response": "[]"}]
    )  # fmt: skip
    calls.to_csv(folder / "calls.csv", index=False)
    with pytest.raises(CommandError, match="no item of document 'd9'"):
        score(folder / "calls.csv", gold=folder / "gold.csv", out=folder / "s.csv", calls=True)
