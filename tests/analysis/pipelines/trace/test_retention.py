"""The cascade: who is compared, and where the others were lost."""

import pytest

from analysis.pipelines.trace.corpus import in_script, language_pairs, read_traces
from analysis.pipelines.trace.retention import retain
from tests.analysis.pipelines.trace.meaning import corpus


def traces_with(changes):
    frame = corpus(problems=1)
    for language, column, value in changes:
        frame.loc[frame["language"] == language, column] = value
    return read_traces(frame)


def counts(traces, a="en", b="es"):
    funnel = retain(traces).funnel.set_index(["language_a", "language_b"])
    return funnel.loc[(a, b)].drop(["dataset", "model"]).to_dict()


def test_right_pairs_are_kept():
    retention = retain(traces_with([]))
    assert [(c.a.language, c.b.language, c.group) for c in retention.candidates] == [
        ("en", "es", "both_right"),
        ("en", "ru", "both_right"),
        ("es", "ru", "both_right"),
    ]


@pytest.mark.parametrize(
    ("changes", "group"),
    [
        ([("es", "correct", 0.0)], "one_right"),
        ([("en", "correct", 0.0), ("es", "correct", 0.0)], "both_wrong_same"),
        (
            [("en", "correct", 0.0), ("es", "correct", 0.0), ("es", "answer", "7")],
            "both_wrong_different",
        ),
        (
            [
                ("en", "correct", 0.0),
                ("es", "correct", 0.0),
                ("en", "answer", ""),
                ("es", "answer", ""),
            ],
            "both_wrong_different",
        ),
    ],
)
def test_groups(changes, group):
    assert counts(traces_with(changes))[group] == 1


def test_an_answer_that_was_not_read_ends_the_cascade():
    found = counts(traces_with([("es", "correct", float("nan"))]))
    assert (found["pairs"], found["answers_parsed"], found["both_right"]) == (1, 0, 0)


@pytest.mark.parametrize(
    ("column", "value", "fault"),
    [
        ("finish_reason", "length", "lost_cut_off"),
        ("finish_reason", "content_filter", "lost_refused"),
        ("response", "", "lost_no_step"),
        ("response", "Answer: 5", "lost_no_step"),
        ("response", "Сложим оба числа.\n\nРазделим на два.", "lost_other_language"),
        ("response", "Todo junto", "lost_one_step_only"),
    ],
)
def test_faults_of_a_trace(column, value, fault):
    traces = traces_with([("es", column, value)])
    found = counts(traces)
    assert found[fault] == 1
    assert found["usable_both_right"] == 0
    assert [c.cell[2:] for c in retain(traces).candidates] == [("en", "ru")]


def test_scripts():
    assert in_script("Сложим x + y = 5", "ru")
    assert not in_script("We add both numbers", "ru")
    assert in_script("足し算をする", "ja")
    assert in_script("We add", "xx")
    assert in_script("12 + 3", "ru")


def test_the_anchor_stands_first():
    assert language_pairs(["ru", "en", "ar"]) == [("en", "ar"), ("en", "ru"), ("ar", "ru")]
