import pytest

from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.base import Comparison, Presentation, SimulatedPerson
from annotation.tasktypes.instrument import Dimension, Option, Scale
from tests.annotation.tasktypes.contract import TaskTypeContract
from tests.annotation.tasktypes.samples import PAIR, seeded

TASK = TASK_TYPES["pair"]
STRAIGHT, FLIPPED = Presentation(order=(1, 2)), Presentation(order=(2, 1))
COMPARISON = Comparison("condition", ("low", "mid", "high"))


class TestPair(TaskTypeContract):
    key = "pair"
    item = PAIR
    hidden = {"condition_1": "low", "condition_2": "high", "model": "model-s3cret"}

    def test_the_page_holds_nothing_hidden(self):
        self.hidden = {**self.hidden, "condition_1": "low-s3cret", "condition_2": "high-s3cret"}
        super().test_the_page_holds_nothing_hidden()


@pytest.mark.parametrize(
    ("posted", "straight", "flipped"),
    [
        ("first", "response_1", "response_2"),
        ("second", "response_2", "response_1"),
        ("no_difference", "no_difference", "no_difference"),
    ],
)
def test_a_side_is_stored_as_the_response_that_stood_there(posted, straight, flipped):
    assert TASK.decode({"choice": posted}, STRAIGHT) == {"choice": straight}
    assert TASK.decode({"choice": posted}, FLIPPED) == {"choice": flipped}


def test_only_choices_are_decoded():
    values = {"choice_style": "first", "comment": "first", "confidence": "2"}
    decoded = TASK.decode(values, FLIPPED)
    assert decoded == {"choice_style": "response_2", "comment": "first", "confidence": "2"}


def test_the_codebook_speaks_of_responses():
    choice, confidence = TASK.instrument
    stored = TASK.stored(choice)
    assert set(stored.option_values({})) == {"response_1", "response_2", "no_difference"}
    assert TASK.stored(confidence) is confidence


@pytest.mark.parametrize(
    ("key", "scale", "words"),
    [
        ("better", Scale.NOMINAL, "begin the key with “choice_”"),
        ("choice_style", Scale.ORDINAL, "must be nominal"),
        ("key", Scale.NOMINAL, "choose another key"),
        ("choice_style", Scale.NOMINAL, ""),
    ],
)
def test_a_side_is_never_stored_as_such(key, scale, words):
    options = (Option("first", "A"), Option("second", "B"))
    fault = TASK.fault_of(Dimension(key, "Which is nicer?", scale, options=options))
    assert words in fault
    assert bool(words) is bool(fault)


def preference(choice, condition_1, condition_2, comparison=COMPARISON):
    fields = {**PAIR, "condition_1": condition_1, "condition_2": condition_2}
    rows = TASK.judgments(fields, TASK.instrument, {"choice": choice}, comparison=comparison)
    return {row.dimension: (row.value, row.missing) for row in rows}.get("prefers_higher")


@pytest.mark.parametrize(
    ("choice", "conditions", "expected"),
    [
        ("response_1", ("high", "low"), ("higher", "")),
        ("response_2", ("high", "low"), ("lower", "")),
        ("response_1", ("low", "mid"), ("lower", "")),
        ("response_2", ("low", "mid"), ("higher", "")),
        ("no_difference", ("low", "high"), (None, "undecided")),
        ("response_1", ("mid", "mid"), (None, "both responses have the condition mid")),
        ("response_1", ("low", "?"), (None, "the order of condition does not name ?")),
        ("response_1", ("", "low"), (None, "the order of condition does not name nothing")),
    ],
)
def test_a_preference_is_for_the_higher_condition_or_says_why_not(choice, conditions, expected):
    assert preference(choice, *conditions) == expected


def test_without_a_comparison_there_is_no_preference():
    assert preference("response_1", "low", "high", comparison=None) is None


def chosen_first(fields, person):
    choice = TASK.instrument[:1]
    answers = [TASK.simulate(fields, choice, person, seeded(s)) for s in range(400)]
    return sum(a["choice"] == "response_1" for a in answers) / len(answers)


def test_simulated_choices_follow_the_planted_advantage():
    person = SimulatedPerson(ability=0.6)
    shares = [chosen_first({**PAIR, "planted_advantage": a}, person) for a in (-0.6, 0.0, 0.6)]
    assert shares[0] < 0.15
    assert 0.35 < shares[1] < 0.55
    assert shares[2] > 0.85


def test_leniency_favours_neither_response_and_carelessness_sees_none():
    lenient = SimulatedPerson(ability=0.6, leniency=0.5)
    assert 0.3 < chosen_first({**PAIR, "planted_advantage": 0.0}, lenient) < 0.55
    careless = SimulatedPerson(careless=True)
    assert 0.35 < chosen_first({**PAIR, "planted_advantage": 0.9}, careless) < 0.6


def test_a_conditional_question_of_a_study_is_answered_where_it_is_called_for():
    why = Dimension(
        key="why",
        ask="Why is there none?",
        scale=Scale.NOMINAL,
        when={"choice": ("no_difference",)},
        options=(Option("both_good", "Both good"), Option("both_bad", "Both bad")),
    )
    for seed in range(60):
        rng = seeded(seed)
        fields = {**PAIR, "planted_advantage": 0.0}
        values = TASK.simulate(fields, (*TASK.instrument, why), SimulatedPerson(), rng)
        assert ("why" in values) == (values["choice"] == "no_difference")
