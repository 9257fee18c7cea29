"""Tasks, their hidden fields and their comparison: each rule, broken once."""

import pytest

from tests.annotation.studyfile.folders import errors_of, spoiled, write_folder

# The rule, the file, what is taken out of it, what is put there, and all that is then said.
FAULTS = [
    (
        "unknown_type",
        "study.yaml",
        "type: rubric",
        "type: rubrik",
        [
            (
                'study.yaml, line 20, tasks.response.type: "rubrik" is not one of "rubric", '
                '"pair", "trace", "translation". Did you mean "rubric"?'
            ),
        ],
    ),
    (
        "type_missing",
        "study.yaml",
        "    type: rubric\n",
        "",
        [
            'study.yaml, line 19, tasks.response.type: "type" is missing.',
        ],
    ),
    (
        "items_missing",
        "study.yaml",
        "    items: responses.csv\n",
        "",
        [
            'study.yaml, line 19, tasks.response.items: "items" is missing.',
        ],
    ),
    (
        "items_not_there",
        "study.yaml",
        "items: responses.csv",
        "items: response.csv",
        [
            (
                'study.yaml, line 21, tasks.response.items: The file "response.csv" is not in '
                "the folder."
            ),
        ],
    ),
    (
        "items_outside",
        "study.yaml",
        "items: responses.csv",
        "items: ../../etc/passwd.csv",
        [
            (
                'study.yaml, line 21, tasks.response.items: "../../etc/passwd.csv" leads out of '
                "the folder; a study uses only its own files."
            ),
        ],
    ),
    (
        "items_no_table",
        "study.yaml",
        "items: responses.csv",
        "items: ../../etc/passwd",
        [
            (
                'study.yaml, line 21, tasks.response.items: "../../etc/passwd" leads out of the '
                "folder; a study uses only its own files."
            ),
        ],
    ),
    (
        "task_key",
        "study.yaml",
        "  response:\n    type",
        "  The-Response:\n    type",
        [
            (
                'study.yaml, line 16, assignment.mix: The mix leaves out "The-Response", whose '
                "items no form would hold."
            ),
            (
                'study.yaml, line 16, assignment.mix.response: "response" is not a task. Did '
                'you mean "The-Response"?'
            ),
            (
                'study.yaml, line 19, tasks.The-Response: "The-Response" cannot be a key: use '
                "small letters, digits and underscores, beginning with a letter, at most 50."
            ),
            (
                'study.yaml, line 29, attention[1].task: "response" is not a task. Did you mean '
                '"The-Response"?'
            ),
            (
                'study.yaml, line 31, practice[1].task: "response" is not a task. Did you mean '
                '"The-Response"?'
            ),
            (
                'study.yaml, line 42, plan.triangulation[1].task: "response" is not a task of '
                'this study. Did you mean "The-Response"?'
            ),
        ],
    ),
    (
        "hidden_shown",
        "study.yaml",
        "hidden: [model, article]",
        "hidden: [model, article, question]",
        [
            (
                'study.yaml, line 22, tasks.response.hidden[3]: "question" is shown by the task '
                "type, so it cannot be hidden."
            ),
        ],
    ),
    (
        "hidden_shown_lang",
        "study.yaml",
        "hidden: [model, article]",
        "hidden: [model, article, response_lang]",
        [
            (
                'study.yaml, line 22, tasks.response.hidden[3]: "response_lang" is shown by the '
                "task type, so it cannot be hidden."
            ),
        ],
    ),
    (
        "hidden_absent",
        "study.yaml",
        "hidden: [model, article]",
        "hidden: [model, article, modle]",
        [
            (
                'study.yaml, line 22, tasks.response.hidden[3]: "modle" is not a column of '
                '"responses.csv". Did you mean "model"?'
            ),
        ],
    ),
    (
        "hidden_id",
        "study.yaml",
        "hidden: [model, article]",
        "hidden: [id, model, article]",
        [
            (
                "study.yaml, line 22, tasks.response.hidden[1]: The id is never shown; it need "
                "not be listed."
            ),
        ],
    ),
    (
        "not_hidden",
        "study.yaml",
        "hidden: [model, article]",
        "hidden: [model]",
        [
            (
                'responses.csv, line 1, article: The column "article" is neither shown by the '
                'task type nor listed under "hidden"; list it there to keep it from annotators.'
            ),
        ],
    ),
    (
        "higher_order",
        "study.yaml",
        "order: [low, high]",
        "order: [low, hgh]",
        [
            (
                'pairs.jsonl, line 1, condition_2: Row 1: "high" is not in the order of '
                'conditions. Did you mean "hgh"?'
            ),
            (
                'pairs.jsonl, line 2, condition_1: Row 2: "high" is not in the order of '
                'conditions. Did you mean "hgh"?'
            ),
        ],
    ),
    (
        "higher_one",
        "study.yaml",
        "order: [low, high]",
        "order: [low]",
        [
            (
                "study.yaml, line 27, tasks.comparison.higher.order: The order names at least "
                "two conditions, from low to high."
            ),
        ],
    ),
    (
        "higher_field",
        "study.yaml",
        "field: condition",
        "field: level",
        [
            (
                'study.yaml, line 27, tasks.comparison.higher.field: The table "pairs.jsonl" '
                'has no column "level_1".'
            ),
            (
                'study.yaml, line 27, tasks.comparison.higher.field: The table "pairs.jsonl" '
                'has no column "level_2".'
            ),
        ],
    ),
    (
        "higher_where_nothing_is_compared",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    higher: {field: model, order: [m1, m2]}\n",
        [
            (
                "study.yaml, line 23, tasks.response.higher: Only a task type that sets two "
                "alternatives side by side has it."
            ),
        ],
    ),
]


@pytest.mark.parametrize(
    ("file", "old", "new", "told"), [pytest.param(*fault[1:], id=fault[0]) for fault in FAULTS]
)
def test_fault_is_told_with_its_place(tmp_path, file, old, new, told):
    folder = write_folder(tmp_path / "study", spoiled(file, old, new))
    assert errors_of(folder) == told
