"""What a careful colleague would question, though it can be run."""

import pytest

from annotation.studyfile.lint import personal_request
from tests.annotation.studyfile.folders import spoiled, warnings_of, write_folder

S = "study.yaml"
WARNINGS = [
    (
        "check_that_does_not_say_what_it_wants",
        "Please select 2 here.",
        "How good is the weather",
        (
            'study.yaml, line 29, attention[1].ask: The instruction names neither "2" nor "Poor"; '
            "a fair check says outright which answer to give."
        ),
    ),
    (
        "check_that_says_it_in_a_longer_number",
        "Please select 2 here.",
        "Please select 12 here.",
        (
            'study.yaml, line 29, attention[1].ask: The instruction names neither "2" nor "Poor"; '
            "a fair check says outright which answer to give."
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
            "ask: Please select 2 here.}\n"
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


@pytest.mark.parametrize("ask", ["Please choose Poor.", "please choose POOR", "Select 2."])
def test_a_check_may_name_the_value_or_the_label(tmp_path, ask):
    changed = spoiled(S, "Please select 2 here.", ask)
    assert warnings_of(write_folder(tmp_path / "study", changed)) == []


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
