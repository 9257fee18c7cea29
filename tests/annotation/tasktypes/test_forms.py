from typing import Any

import pytest
from django.http import QueryDict

from annotation.tasktypes.base import Presentation
from annotation.tasktypes.forms import LONGEST_TEXT, answer_form
from annotation.tasktypes.instrument import Dimension, Option, Scale

COLOURS = (Option("red", "Red"), Option("green", "Green"), Option("1e3", "007"))
ONE = Dimension("one", "Which one?", Scale.NOMINAL, options=COLOURS)
SOME = Dimension("some", "Which ones?", Scale.MULTIPLE, options=COLOURS)
SCORE = Dimension("score", "How much?", Scale.INTERVAL, minimum=0, maximum=100, step=1)
RATE = Dimension("rate", "How fast?", Scale.INTERVAL, minimum=-1, maximum=1, step=0.1)
FREE = Dimension("free", "How many?", Scale.INTERVAL)
WHY = Dimension("why", "Why?", Scale.TEXT)


def form_of(*dimensions, data=None, fields=None, initial=None):
    presentation = Presentation(asked=tuple(d.key for d in dimensions))
    return answer_form(dimensions, fields or {}, presentation, data, initial)


def cleaned(dimension, value):
    form = form_of(dimension, data={dimension.key: value})
    assert form.is_valid(), form.errors
    return form.cleaned_data[dimension.key]


@pytest.mark.parametrize(
    ("dimension", "value", "stored"),
    [
        (ONE, "green", "green"),
        (ONE, ["green"], "green"),
        (ONE, "1e3", "1e3"),
        (SOME, ["green", "red"], ["red", "green"]),
        (SOME, "red", ["red"]),
        (SCORE, "37", 37),
        (SCORE, 37, 37),
        (SCORE, " 37 ", 37),
        (SCORE, "37.0", 37),
        (SCORE, "0", 0),
        (SCORE, "100", 100),
        (SCORE, "٣٧", 37),
        (RATE, "0.3", 0.3),
        (RATE, "-0,7", -0.7),
        (RATE, 0.1, 0.1),
        (FREE, "-12.345", -12.345),
        (WHY, "\n  a\r\nb ", "\n  a\nb "),
        (WHY, "x" * LONGEST_TEXT, "x" * LONGEST_TEXT),
        (WHY, "=1+1 <b>💩</b>", "=1+1 <b>💩</b>"),
    ],
)
def test_good_answers_are_stored_as_they_are(dimension, value, stored):
    assert cleaned(dimension, value) == stored


def test_whole_numbers_are_stored_whole():
    assert isinstance(cleaned(SCORE, "37.0"), int)


@pytest.mark.parametrize(
    ("dimension", "value", "message"),
    [
        (ONE, "", "Please choose an answer."),
        (ONE, None, "Please choose an answer."),
        (ONE, [], "Please choose an answer."),
        (ONE, "blue", "Please choose one of the answers that are offered."),
        (ONE, "Red", "Please choose one of the answers that are offered."),
        (ONE, ["red", "red"], "Please give one answer to this question, not several."),
        (ONE, {"red": 1}, "This answer is neither a text nor a number; please give it again."),
        (ONE, True, "This answer is neither a text nor a number; please give it again."),
        (SOME, [], "Please tick at least one."),
        (SOME, ["red", "blue"], "Please choose one of the answers that are offered."),
        (SOME, ["red", "red"], "The same answer was sent twice; please choose again."),
        (SOME, [["red"]], "This answer is neither a text nor a number; please give it again."),
        (SCORE, "", "Please enter a number."),
        (SCORE, "101", "Please enter a number from 0 to 100."),
        (SCORE, "-1", "Please enter a number from 0 to 100."),
        (SCORE, "37.5", "Please enter a number from 0 to 100, without decimals."),
        (SCORE, "1e1", "Please enter a number from 0 to 100, in digits."),
        (SCORE, "nan", "Please enter a number from 0 to 100, in digits."),
        (SCORE, float("inf"), "Please enter a number from 0 to 100, in digits."),
        (SCORE, "9" * 5000, "Please enter a number from 0 to 100, in digits."),
        (SCORE, ["1", "2"], "Please give one answer to this question, not several."),
        (RATE, "0.25", "Please enter a number from -1 to 1, in steps of 0.1."),
        (FREE, "many", "Please enter a number, in digits."),
        (WHY, "", "Please write an answer."),
        (WHY, " \n\t", "Please write an answer."),
        (WHY, "x" * 5001, "Please shorten this to 5,000 characters; it has 5,001."),
        (
            WHY,
            "a\x00b",
            "This answer contains a character that cannot be stored; please remove it.",
        ),
        (
            WHY,
            "a\ud800",
            "This answer contains a character that cannot be stored; please remove it.",
        ),
        (WHY, ["a", "b"], "Please give one answer to this question, not several."),
    ],
)
def test_bad_answers_get_a_sentence(dimension, value, message):
    form = form_of(dimension, data={dimension.key: value})
    assert not form.is_valid()
    assert form.errors == {dimension.key: [message]}


@pytest.mark.parametrize(
    ("minimum", "maximum", "message"),
    [
        (0, None, "Please enter a number of 0 or more."),
        (None, -5, "Please enter a number of -5 or less."),
    ],
)
def test_one_bound_is_said_as_one(minimum, maximum, message):
    number = Dimension("n", "How much?", Scale.INTERVAL, minimum=minimum, maximum=maximum)
    form = form_of(number, data={"n": "-1"})
    assert form.errors == {"n": [message]}


def test_a_posted_form_is_read_with_all_that_was_sent():
    both = QueryDict("one=red&one=green&some=red&some=green")
    form = form_of(ONE, SOME, data=both)
    assert form.errors == {"one": ["Please give one answer to this question, not several."]}
    assert form.given_so_far() == {"some": ["red", "green"]}


def optional(dimension):
    return Dimension(
        dimension.key, dimension.ask, dimension.scale, options=dimension.options, required=False
    )


def test_what_may_be_left_empty_is_stored_as_left_empty():
    form = form_of(*map(optional, (ONE, SOME, SCORE, WHY)), data={})
    assert form.is_valid()
    assert form.cleaned_data == {"one": None, "some": [], "score": None, "why": ""}


def test_only_what_was_asked_is_taken():
    form = answer_form((ONE, WHY), {}, Presentation(asked=("one",)), {"one": "red", "why": "x"})
    assert form.is_valid()
    assert form.cleaned_data == {"one": "red"}


def conditional(key: str, when: dict[str, tuple[str, ...]], **more: Any) -> Dimension:
    return Dimension(key, "And?", Scale.NOMINAL, options=COLOURS, when=when, **more)


AFTER_RED = conditional("after_red", {"one": ("red",)})
AFTER_THAT = conditional("after_that", {"after_red": ("green",)})


@pytest.mark.parametrize(
    ("data", "stored"),
    [
        ({"one": "green"}, {"one": "green"}),
        ({"one": "green", "after_red": "red"}, {"one": "green"}),
        ({"one": "green", "after_red": "nonsense"}, {"one": "green"}),
        ({"one": "green", "after_red": "green", "after_that": "red"}, {"one": "green"}),
        ({"one": "red", "after_red": "red"}, {"one": "red", "after_red": "red"}),
    ],
)
def test_only_what_is_called_for_is_kept(data, stored):
    form = form_of(ONE, AFTER_RED, AFTER_THAT, data=data)
    assert form.is_valid(), form.errors
    assert form.cleaned_data == stored


@pytest.mark.parametrize(
    ("data", "missing"),
    [
        ({"one": "red"}, "after_red"),
        ({"one": "red", "after_red": "green"}, "after_that"),
        ({"after_red": "green"}, "one"),
    ],
)
def test_what_is_called_for_must_be_answered(data, missing):
    form = form_of(ONE, AFTER_RED, AFTER_THAT, data=data)
    assert form.errors == {missing: ["Please choose an answer."]}


def test_a_condition_may_stand_before_what_it_depends_on():
    form = form_of(AFTER_RED, ONE, data={"one": "red", "after_red": "green"})
    assert form.is_valid()
    assert form.cleaned_data == {"after_red": "green", "one": "red"}


@pytest.mark.parametrize(
    ("when", "data", "kept"),
    [
        ({"some": ("green",)}, {"some": ["red", "green"]}, True),
        ({"some": ("none",)}, {"some": ["red"]}, False),
        ({"score": ("5",)}, {"score": "5.0"}, True),
    ],
)
def test_conditions_on_several_choices_and_numbers(when, data, kept):
    dimensions = (optional(SOME), SCORE, conditional("then", when, required=False))
    form = form_of(*dimensions, data={"score": "7", "then": "red", **data})
    assert form.is_valid(), form.errors
    assert ("then" in form.cleaned_data) is kept


def test_a_draft_keeps_what_is_valid_and_misses_nothing():
    form = form_of(ONE, SCORE, WHY, data={"one": "red", "score": "1000"})
    assert form.given_so_far() == {"one": "red"}
    assert "why" in form.errors


def question(dimension, **more):
    form = form_of(ONE, SOME, dimension, **more)
    return next(
        q for q in (*form.questions, *form.last_questions) if q.dimension.key == dimension.key
    )


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ({"one": ("red",)}, "Answer this if you chose “Red” above."),
        ({"one": ("red", "green")}, "Answer this unless you chose “007” above."),
        (
            {"one": ("red",), "some": ("green",)},
            "Answer this if you chose “Red” above, and if you chose “Green” above.",
        ),
        ({}, ""),
        ({"elsewhere": ("x",)}, ""),
    ],
)
def test_a_condition_is_said_the_shorter_way_round(when, words):
    assert question(conditional("then", when)).condition == words


def test_a_condition_on_a_number_names_it():
    form = form_of(SCORE, conditional("then", {"score": ("0", "1")}))
    assert form.questions[1].condition == "Answer this if you gave 0 or 1 above."


def test_what_was_sent_is_shown_again_and_else_what_was_stored():
    assert question(WHY, data={"why": "\nx" * 5000}).value == "\nx" * 5000
    assert question(SCORE, data={"score": "many"}).value == "many"
    assert question(SCORE, initial={"score": 37}).value == "37"
    assert [c.checked for c in question(SOME, initial={"some": ["green"]}).choices] == [
        False,
        True,
        False,
    ]


def test_options_of_an_item_are_numbered():
    facts = Dimension("facts", "Which?", Scale.MULTIPLE, options_from="facts", required=False)
    fields = {"facts": [f"Fact {n}" for n in range(1, 41)]}
    form = form_of(facts, fields=fields, data={"facts": ["40", "2"]})
    assert form.is_valid()
    assert form.cleaned_data == {"facts": ["2", "40"]}
    shown = form.questions[0].choices
    assert len(shown) == 40
    assert [c.shortcut for c in shown[7:11]] == ["8", "9", "", ""]


@pytest.mark.parametrize(
    ("values", "shortcuts"),
    [(("0", "1", "2"), "012"), (("low", "high"), "12"), (("10", "11"), "12")],
)
def test_digits_choose_the_option_of_that_value_or_place(values, shortcuts):
    options = tuple(Option(value, value) for value in values)
    shown = question(Dimension("d", "Which?", Scale.ORDINAL, options=options))
    assert "".join(c.shortcut for c in shown.choices) == shortcuts


def test_a_slider_needs_two_ends():
    assert question(SCORE).slider_step == "1"
    assert question(FREE).slider_step == ""
    assert question(FREE).step == "any"
    wide = Dimension("wide", "How much?", Scale.INTERVAL, minimum=0, maximum=2_000_000)
    assert (question(wide).maximum, question(wide).slider_step) == ("2000000", "20000")


def test_the_ends_of_a_scale_have_words_where_there_are():
    ends = (Option("0", "nothing"), Option("100", "all of it"))
    worded = Dimension("w", "How much?", Scale.INTERVAL, minimum=0, maximum=100, options=ends)
    assert question(worded).ends == (("0", "nothing"), ("100", "all of it"))
    assert question(SCORE).ends == (("0", ""), ("100", ""))
