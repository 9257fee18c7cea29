"""What a careful colleague would question, though it can be run."""

import pytest

from annotation.studyfile import inspect_study
from annotation.studyfile.lint import personal_request, vague_check
from annotation.tasktypes.instrument import Dimension, Scale
from tests.annotation.studyfile.folders import spoiled, warnings_of, write_folder

S = "study.yaml"
WARNINGS = [
    (
        "check_that_does_not_say_what_it_wants",
        'Please choose "Poor" here.',
        "How good is the weather",
        (
            'study.yaml, line 29, attention[1].ask: The instruction does not name "Poor", which '
            'is what people see of "2"; a fair check says outright which answer to give.'
        ),
    ),
    (
        "check_that_names_a_value_that_nobody_sees",
        'Please choose "Poor" here.',
        "Please select 2 here.",
        (
            'study.yaml, line 29, attention[1].ask: The instruction does not name "Poor", which '
            'is what people see of "2"; a fair check says outright which answer to give.'
        ),
    ),
    (
        "interface_in_another_language",
        "seed: 7\n",
        "seed: 7\nlanguage: ar\n",
        (
            "study.yaml, line 4, language: The study's own texts are shown in this language; buttons "
            "and messages of the pages are in English."
        ),
    ),
    (
        "question_for_a_name",
        '"Do you read English?"',
        '"What is your full name?"',
        (
            "study.yaml, line 10, recruitment.eligibility[1].ask: This seems to ask for a name. "
            "Platforms forbid it, and it would identify people; leave it out."
        ),
    ),
    (
        "dimension_that_asks_for_an_address",
        "    hidden: [model, article]\n",
        (
            "    hidden: [model, article]\n"
            "    extend:\n"
            "      - {key: more, ask: Anything else, hint: Leave your e-mail., scale: text}\n"
        ),
        (
            "study.yaml, line 24, tasks.response.extend[1].hint: This seems to ask for an e-mail "
            "address. Platforms forbid it, and it would identify people; leave it out."
        ),
    ),
    (
        "form_that_no_one_can_fill",
        (
            "  form_size: 3\n  conflict: [article]\n  balance: [model]\n"
            "  mix: {response: 2, comparison: 1}\n"
        ),
        "  form_size: 6\n",
        (
            "study.yaml, line 13, assignment.form_size: The study has 5 items: no form can have 6 "
            "different ones."
        ),
    ),
    (
        "rule_without_checks",
        (
            "attention:\n  - {position: 2, task: response, dimension: adequacy, expect: 2, "
            'ask: Please choose "Poor" here.}\n'
        ),
        "",
        (
            "study.yaml, line 34, quality[1].rule: The study has no attention check, so nothing can "
            "fail it."
        ),
    ),
    (
        "more_failures_than_checks",
        "failed: 1",
        "failed: 2",
        (
            "study.yaml, line 36, quality[1].failed: A form has 1 checks; 2 failures need several "
            "forms."
        ),
    ),
    (
        "rule_without_contradictions",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    contradictions: []\n",
        (
            "study.yaml, line 38, quality[2].rule: No task has contradictions, so nothing can be "
            "found by it."
        ),
    ),
]


@pytest.mark.parametrize(
    ("old", "new", "told"), [pytest.param(*case[1:], id=case[0]) for case in WARNINGS]
)
def test_a_warning_is_told_and_stops_nothing(tmp_path, old, new, told):
    assert warnings_of(write_folder(tmp_path / "study", spoiled(S, old, new))) == [told]


@pytest.mark.parametrize("ask", ["Please choose Poor.", "please choose POOR", 'Select "Poor" (2).'])
def test_a_check_names_the_label_that_people_see(tmp_path, ask):
    changed = spoiled(S, 'Please choose "Poor" here.', ask)
    assert warnings_of(write_folder(tmp_path / "study", changed)) == []


@pytest.mark.parametrize(("ask", "fair"), [("Please enter 7.", True), ("Please enter 70.", False)])
def test_a_check_of_a_number_names_the_number(ask, fair):
    dimension = Dimension("sure", "How sure?", Scale.INTERVAL, minimum=0, maximum=100)
    assert (vague_check(ask, "7", dimension) == "") is fair


@pytest.mark.parametrize("language", ["en", "en-GB"])
def test_a_study_in_english_needs_no_word_about_it(tmp_path, language):
    changed = spoiled(S, "seed: 7\n", f"seed: 7\nlanguage: {language}\n")
    assert warnings_of(write_folder(tmp_path / "study", changed)) == []


def test_a_table_that_cannot_be_read_is_not_called_empty(tmp_path):
    folder = write_folder(tmp_path / "study", {"responses.csv": b"\xff\xfe", "pairs.jsonl": "{"})
    inspection = inspect_study(folder)
    assert inspection.errors
    assert inspection.warnings == ()


def test_a_text_that_gives_the_code_away(tmp_path):
    folder = write_folder(tmp_path / "study", {"consent.md": "The code is DONE1."})
    assert warnings_of(folder) == [
        (
            'study.yaml, line 4, texts.consent: The text holds the code of "complete", so everyone '
            "has it."
        )
    ]


@pytest.mark.parametrize(
    "ask",
    [
        "What is your first name?",
        "Your e-mail?",
        "Your email?",
        "Phone number?",
        "When is your birthday?",
        "Your date of birth?",
        "What is your postcode?",
        "Your home address?",
        "Your Instagram account?",
        "Who is your employer?",
        "Enter your Prolific ID",
    ],
)
def test_what_identifies_a_person_is_seen(ask):
    assert personal_request(ask).startswith("This seems to ask for a")


@pytest.mark.parametrize(
    "ask",
    [
        "Does the answer name the right person?",
        "Is the name of the city right?",
        "Does the answer address the question?",
        "Is English your first language?",
        "In which year were the dyers born?",
    ],
)
def test_a_question_about_the_text_is_no_request(ask):
    assert personal_request(ask) == ""
