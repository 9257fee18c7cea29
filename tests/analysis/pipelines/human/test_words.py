"""What has no value is said in words: nobody varied, one rating, no pairs, nothing yet."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.pipelines.human.document import document
from analysis.pipelines.human.reading import sample_of
from analysis.pipelines.human.sample import HumanError
from analysis.reports.bundle import report_files
from analysis.reports.human import human_report
from analysis.reports.human_words import agreement_words, funnel_words
from tests.analysis.pipelines.human.tables import items, preferences, ratings, studied

SCORED = {"plan": {"triangulation": [{"human": "good", "automatic": "f1"}]}}


def page(study) -> str:
    return report_files(human_report(study, "Title"))["report.html"].decode()


def test_nothing_yet_is_a_page_of_sentences():
    study = studied()
    text = page(study)
    assert "Nothing has been judged yet" in text
    assert "No dimension was rated, so there is no agreement to report." in text
    assert "There is no preference to report: the study has no judgment of a pair." in text
    assert document(study)["preference"] == {
        "value": None,
        "reason": "the study has no judgment of a pair",
    }


def test_a_dimension_that_nobody_varied_has_no_alpha_and_says_why():
    rows = [(f"i{n}", who, 3) for n in range(4) for who in "ab"]
    study = studied(ratings=ratings(rows, ["good"]))
    (one,) = study.agreement
    assert one.alpha.value is None
    assert one.alpha.percent_agreement == 1.0
    assert "no variation: every rating on an item with two ratings is the same" in page(study)


def test_items_with_one_rating_each_cannot_agree():
    rows = [(f"i{n}", "a", n) for n in range(4)]
    study = studied(ratings=ratings(rows, ["good"]))
    assert "no item was rated by two raters, so there is nothing to compare" in page(study)


def test_one_item_that_two_rated_has_a_value_and_no_interval():
    rows = [("i1", "a", 1), ("i1", "b", 2), ("i2", "a", 5)]
    (one,) = studied(ratings=ratings(rows, ["good"])).agreement
    assert (one.alpha.n_items, one.items_rated, one.ratings) == (1, 2, 3)
    assert one.alpha.value is not None
    assert one.alpha.low is None
    assert one.alpha.reason == "no interval: resampling items needs two pairable items"


def test_items_that_one_person_alone_rated_are_told_beside_alpha():
    both = [("i1", "a", 1), ("i1", "b", 2), ("i2", "a", 5), ("i2", "b", 5)]
    (whole,) = agreement_words(studied(ratings=ratings(both, ["good"])).agreement)
    assert "single rating" not in whole
    (one,) = agreement_words(studied(ratings=ratings([*both, ("i3", "a", 3)], ["good"])).agreement)
    assert "over 2 items with at least two ratings" in one
    assert "1 item has a single rating, with nothing to compare." in one


def test_people_who_decided_once_each_have_a_model_of_pairs_which_is_post_hoc():
    rows = [(f"p{n % 12}", f"a{n}", "lower" if n % 5 in {0, 3} else "higher") for n in range(48)]
    study = studied(preferences=preferences(rows))
    assert "With a random intercept of pairs alone, which the plan does not name" in page(study)
    found = document(study)["preference"]
    assert found["model"].value is None
    assert found["pair_model"]["prespecified"] is False
    assert found["pair_model"]["low"] < found["pair_model"]["value"] < found["pair_model"]["high"]


def stage(name, out, left):
    removed = {"removed_annotators": out[0], "removed_judgments": out[1]}
    return {"stage": name, "left_annotators": left[0], "left_judgments": left[1]} | removed


def test_the_funnel_names_who_and_what_each_step_left_out_and_nothing_of_a_step_that_did_not():
    sample = sample_of(ratings([("i1", "a", 1)], ["good"]))
    stages = [
        stage("arrived", (0, 0), (5, 9)),
        stage("finished", (1, 0), (4, 9)),
        stage("attention", (2, 4), (2, 5)),
        stage("hasty", (0, 1), (2, 4)),
        stage("contradiction", (0, 0), (2, 4)),
        stage("by_hand", (1, 3), (1, 1)),
    ]
    told, end = funnel_words(studied(replace(sample, funnel={"stages": stages})))
    assert told == (
        "5 annotators came; 1 annotator had not finished; the rule attention left out 2 annotators "
        "with 4 judgments; the rule hasty left out 1 judgment; staff left out 1 annotator with 3 "
        "judgments; what remains is 1 annotator and 1 judgment."
    )
    assert end == "The analysis holds 1 judgment of 1 item by 1 annotator."


def test_a_pair_study_in_which_nobody_decided():
    rows = [("p1", "a", "tie"), ("p1", "b", "tie")]
    study = studied(preferences=preferences(rows))
    assert study.preference.primary.found.undecided.value == 1.0
    assert "The preference of “higher” over “lower” is undefined" in page(study)


def test_fewer_than_five_items_have_no_correlation():
    rows = [(f"i{n}", who, n) for n in range(4) for who in "ab"]
    scored = items({f"i{n}": {"f1": n / 10} for n in range(4)})
    (one,) = studied(plan=SCORED, ratings=ratings(rows, ["good"]), items=scored).triangulation
    assert one.found.value is None
    assert one.found.reason == "4 items have both a rating and a score; at least 5 are needed"


@pytest.mark.parametrize(
    ("field", "values", "reason"),
    [
        ("other", range(6), "the items have no field f1"),
        ("f1", ["x"] * 6, "f1 is not a number on any rated item"),
    ],
)
def test_a_score_that_is_not_there_is_named(field, values, reason):
    rows = [(f"i{n}", who, n) for n in range(6) for who in "ab"]
    scored = items({f"i{n}": {field: value} for n, value in enumerate(values)})
    (one,) = studied(plan=SCORED, ratings=ratings(rows, ["good"]), items=scored).triangulation
    assert (one.found.value, one.found.reason) == (None, reason)


def test_words_have_no_mean_to_correlate():
    rows = [(f"i{n}", who, "yes") for n in range(6) for who in "ab"]
    scored = items({f"i{n}": {"f1": n} for n in range(6)})
    (one,) = studied(plan=SCORED, ratings=ratings(rows, ["good"]), items=scored).triangulation
    assert one.found.reason == "good is nominal: its labels have no order, so there is no item mean"


def test_an_empty_column_is_left_out_and_the_page_says_so():
    rows = [("i1", "a", 1, ""), ("i1", "b", 2, "")]
    study = studied(ratings=ratings(rows, ["good", "never_asked"]))
    assert [one.scale.key for one in study.agreement] == ["good"]
    assert "The column never_asked is empty; it is left out." in page(study)


@pytest.mark.parametrize(
    ("dimensions", "message"),
    [
        (
            {"good": {"scale": "ordinal", "labels": ["1", "2"]}},
            "Row 2 of the ratings has '3' in good, which is not one of 1, 2.",
        ),
        (
            {"good": {"scale": "ordinal"}},
            "good is ordinal: its labels are needed, from low to high.",
        ),
        (
            {"good": {"scale": "metric"}},
            "The scale of good is 'metric'; it must be one of nominal, ordinal, interval, multiple.",
        ),
    ],
)
def test_a_scale_that_does_not_fit_is_refused_in_a_sentence(dimensions, message):
    table = ratings([("i1", "a", 1), ("i1", "b", 3)], ["good"])
    with pytest.raises(HumanError) as refusal:
        sample_of(table, document={"dimensions": dimensions})
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("row", "further", "message"),
    [
        (("p1", "a", "best"), (), "Row 1 of the preferences has 'best' in preferred"),
        (("p1", "a", "x", "x", "x"), ("system_a", "system_b"), "compares 'x' with itself"),
    ],
)
def test_a_preference_that_cannot_be_read_is_refused(row, further, message):
    with pytest.raises(HumanError, match=message):
        studied(preferences=preferences([row], *further))


def test_what_data_say_is_escaped_on_the_page():
    rows = [("i1", "a", 1), ("i1", "b", 2)]
    text = page(studied(ratings=ratings(rows, ["<script>alert(1)</script>"])))
    assert "<script>" not in text


def test_the_same_tables_give_the_same_files():
    rows = [(f"i{n}", who, (n + len(who)) % 5) for n in range(9) for who in ("a", "bb", "c")]
    table = ratings(rows, ["good"])
    first, second = (report_files(human_report(studied(ratings=t), "T")) for t in (table, table))
    assert first == second


def test_the_order_of_rows_and_the_names_of_people_change_nothing():
    rows = [(f"p{n % 7}", f"w{n % 5}x{n}", "higher" if n % 3 else "lower") for n in range(35)]
    renamed = [(pair, who[::-1], choice) for pair, who, choice in reversed(rows)]
    one, two = (studied(preferences=preferences(each)) for each in (rows, renamed))
    assert one.preference.as_dict() == two.preference.as_dict()
    assert isinstance(one.sample.preferences, pd.DataFrame)


def test_the_order_of_columns_and_of_labels_and_an_empty_column_change_nothing():
    """People who chose alike keep the order of all that they said, so that must not hang on either."""
    rng = np.random.default_rng(4)
    people = [f"w{n}" for n in range(12)]
    said = [
        (f"i{n}", who, rng.choice(["x", "y", "z"]), rng.random())
        for who in people
        for n in range(4)
    ]
    compared = [
        ("p1", who, "higher" if n % 3 else "lower", str(n + 1)) for n, who in enumerate(people)
    ]
    pairs = preferences(compared, "confidence")
    table = ratings(said, ["kind", "score"])
    other = table.assign(never="")[["never", "score", "kind", "annotator", "item_id"]]
    studies = [
        studied(
            plan={"dimensions": {"kind": {"scale": "nominal", "labels": labels}}},
            ratings=one,
            preferences=pairs,
        )
        for one, labels in ((table, ["x", "y", "z"]), (other, ["w", "z", "y", "x"]))
    ]
    weighted = [study.preference.primary.found.weighted for study in studies]
    assert weighted[0] == weighted[1]
    (first, second) = (
        {one.scale.key: (one.alpha.value, one.alpha.low) for one in study.agreement}
        for study in studies
    )
    assert first == second


def test_items_with_the_same_ratings_have_the_same_mean_whoever_gave_which():
    given = (0.1, 0.2, 0.3)
    rows = [("i1", who, score) for who, score in zip("abc", given, strict=True)]
    rows += [("i2", who, score) for who, score in zip("abc", reversed(given), strict=True)]
    sample = sample_of(ratings(rows, ["score"]))
    means = sample.item_means(sample.scales["score"])
    assert sum(given) != sum(reversed(given))
    assert means["i1"] == means["i2"]
