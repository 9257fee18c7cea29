"""Attention checks, practice, quality rules and plan: each rule, broken once."""

import pytest

from tests.annotation.studyfile.folders import errors_of, spoiled, write_folder

# The rule, the file, what is taken out of it, what is put there, and all that is then said.
FAULTS = [
    (
        "attention_position",
        "study.yaml",
        "position: 2",
        "position: 5",
        [
            ('study.yaml, line 29, attention[1].position: "5" is not a whole number from 1 to 4.'),
        ],
    ),
    (
        "attention_task",
        "study.yaml",
        "position: 2, task: response",
        "position: 2, task: respons",
        [
            (
                'study.yaml, line 29, attention[1].task: "respons" is not a task. Did you mean '
                '"response"?'
            ),
        ],
    ),
    (
        "attention_dimension",
        "study.yaml",
        "dimension: adequacy",
        "dimension: adequcy",
        [
            (
                'study.yaml, line 29, attention[1].dimension: "adequcy" is not a dimension of '
                '"response". Did you mean "adequacy"?'
            ),
        ],
    ),
    (
        "attention_expect",
        "study.yaml",
        "expect: 2, ask",
        "expect: 6, ask",
        [
            (
                'study.yaml, line 29, attention[1].expect: "6" is not an answer to "adequacy", '
                'which has "1", "2", "3", "4", "5".'
            ),
        ],
    ),
    (
        "attention_options_of_item",
        "study.yaml",
        "dimension: adequacy, expect: 2",
        "dimension: facts_recalled, expect: 2",
        [
            (
                'study.yaml, line 29, attention[1].dimension: "facts_recalled" takes its '
                "options from an item; a check has none."
            ),
        ],
    ),
    (
        "attention_same_place",
        "study.yaml",
        'ask: Please choose "Poor" here.}\n',
        'ask: Please choose "Poor" here.}\n  - {position: 2, task: comparison, dimension: confidence, expect: 3, ask: Choose 3.}\n',
        [
            "study.yaml, line 30, attention[2].position: Two checks stand at position 2.",
        ],
    ),
    (
        "practice_field",
        "study.yaml",
        "response: Because.",
        "respons: Because.",
        [
            (
                'study.yaml, line 32, practice[1].item: The field "response" is missing; this '
                "task needs it."
            ),
            (
                'study.yaml, line 32, practice[1].item.respons: The field "respons" is neither '
                'shown by the task type nor listed under "hidden"; list it there to keep it '
                'from annotators. Did you mean "response"?'
            ),
        ],
    ),
    (
        "practice_expect",
        "study.yaml",
        "expect: {adequacy: 4,",
        "expect: {adequacy: 9,",
        [
            (
                'study.yaml, line 33, practice[1].expect.adequacy: "9" is not an answer to '
                '"adequacy", which has "1", "2", "3", "4", "5".'
            ),
        ],
    ),
    (
        "practice_expect_unknown",
        "study.yaml",
        "expect: {adequacy: 4,",
        "expect: {adequcy: 4,",
        [
            (
                'study.yaml, line 33, practice[1].expect.adequcy: "adequcy" is not a dimension '
                'of this task. Did you mean "adequacy"?'
            ),
        ],
    ),
    (
        "practice_expect_fact",
        "study.yaml",
        "facts_recalled: [1, 2]",
        "facts_recalled: [1, 3]",
        [
            (
                'study.yaml, line 33, practice[1].expect.facts_recalled: "3" is not an answer '
                'to "facts_recalled", which has "1", "2".'
            ),
        ],
    ),
    (
        "practice_id_taken",
        "study.yaml",
        "id: try",
        "id: r1",
        [
            (
                'study.yaml, line 32, practice[1].item: In this item, the id "r1" is already '
                "that of row 1 of responses.csv."
            ),
        ],
    ),
    (
        "practice_passage",
        "study.yaml",
        "id: try",
        "id: try, passage_id: p9",
        [
            (
                "study.yaml, line 32, practice[1].item.passage_id: In this item, there is no "
                'passage "p9".'
            ),
        ],
    ),
    (
        "practice_feedback",
        "study.yaml",
        "    feedback: It tells both.\n",
        "",
        [
            'study.yaml, line 31, practice[1].feedback: "feedback" is missing.',
        ],
    ),
    (
        "unknown_rule",
        "study.yaml",
        "rule: hasty",
        "rule: hastey",
        [
            (
                'study.yaml, line 38, quality[3].rule: "hastey" is not one of "attention", '
                '"contradiction", "hasty". Did you mean "hasty"?'
            ),
        ],
    ),
    (
        "unknown_unit",
        "study.yaml",
        "exclude: judgment",
        "exclude: judgement",
        [
            (
                'study.yaml, line 38, quality[3].exclude: "judgement" is not one of '
                '"annotator", "judgment". Did you mean "judgment"?'
            ),
        ],
    ),
    (
        "rule_of_another",
        "study.yaml",
        "failed: 1",
        "at_least: 1",
        [
            (
                'study.yaml, line 36, quality[1].at_least: "at_least" is not a key of '
                'quality[1]. The nearest known one is "failed".'
            ),
            'study.yaml, line 36, quality[1].failed: "failed" is missing.',
        ],
    ),
    (
        "hasty_zero",
        "study.yaml",
        "faster_than_seconds: 6",
        "faster_than_seconds: 0",
        [
            (
                "study.yaml, line 38, quality[3].faster_than_seconds: A time above 0 and at "
                "most 3,600 seconds is wanted."
            ),
        ],
    ),
    (
        "hasty_missing",
        "study.yaml",
        ", faster_than_seconds: 6",
        "",
        [
            (
                'study.yaml, line 38, quality[3].faster_than_seconds: "faster_than_seconds" is '
                "missing."
            ),
        ],
    ),
    (
        "rule_twice",
        "study.yaml",
        "failed: 1}\n",
        "failed: 1}\n  - {rule: attention, exclude: annotator, failed: 2}\n",
        [
            ('study.yaml, line 37, quality[2]: The rule "attention" stands twice for this unit.'),
        ],
    ),
    (
        "unknown_plan",
        "study.yaml",
        "agreement: {threshold",
        "agrement: {threshold",
        [
            (
                'study.yaml, line 40, plan.agrement: "agrement" is not a key of plan. The '
                'nearest known one is "agreement".'
            ),
        ],
    ),
    (
        "plan_task",
        "study.yaml",
        "- {task: response, human",
        "- {task: respons, human",
        [
            (
                'study.yaml, line 42, plan.triangulation[1].task: "respons" is not a task of '
                'this study. Did you mean "response"?'
            ),
        ],
    ),
    (
        "plan_dimension",
        "study.yaml",
        "human: adequacy",
        "human: adequcy",
        [
            (
                'study.yaml, line 42, plan.triangulation[1].human: "adequcy" is not a dimension '
                'of this study. Did you mean "adequacy"?'
            ),
        ],
    ),
    (
        "plan_field",
        "study.yaml",
        "human: adequacy, automatic: model",
        "human: adequacy, automatic: modl",
        [
            (
                'study.yaml, line 42, plan.triangulation[1].automatic: "modl" is not a column '
                'of an item table of this study. Did you mean "model"?'
            ),
        ],
    ),
    (
        "plan_number",
        "study.yaml",
        "threshold: 0.67",
        "threshold: 67",
        [
            ('study.yaml, line 40, plan.agreement.threshold: "67" is not a number from -1 to 1.'),
        ],
    ),
    (
        "plan_nan",
        "study.yaml",
        "threshold: 0.67",
        "threshold: .nan",
        [
            ('study.yaml, line 40, plan.agreement.threshold: ".nan" is not a number from -1 to 1.'),
        ],
    ),
]


@pytest.mark.parametrize(
    ("file", "old", "new", "told"), [pytest.param(*fault[1:], id=fault[0]) for fault in FAULTS]
)
def test_fault_is_told_with_its_place(tmp_path, file, old, new, told):
    folder = write_folder(tmp_path / "study", spoiled(file, old, new))
    assert errors_of(folder) == told
