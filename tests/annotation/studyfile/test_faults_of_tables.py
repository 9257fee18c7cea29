"""Item tables and passages: each rule, broken once."""

import pytest

from tests.annotation.studyfile.folders import errors_of, spoiled, write_folder

# The rule, the file, what is taken out of it, what is put there, and all that is then said.
FAULTS = [
    (
        "two_ids",
        "responses.csv",
        "r3,When?",
        "r1,When?",
        [
            (
                'responses.csv, line 4, id: Row 3: the id "r1" is already that of row 1 of '
                "responses.csv."
            ),
        ],
    ),
    (
        "two_ids_in_two_files",
        "pairs.jsonl",
        '"c2"',
        '"r1"',
        [
            (
                'pairs.jsonl, line 2, id: Row 2: the id "r1" is already that of row 1 of '
                "responses.csv."
            ),
        ],
    ),
    (
        "two_ids_by_blanks",
        "responses.csv",
        "r3,When?",
        " r1,When?",
        [
            (
                'responses.csv, line 4, id: Row 3: the id " r1" is already that of row 1 of '
                "responses.csv."
            ),
        ],
    ),
    (
        "id_empty",
        "responses.csv",
        "r3,When?",
        ",When?",
        [
            "responses.csv, line 4, id: Row 3: the id is empty.",
        ],
    ),
    (
        "id_long",
        "responses.csv",
        "r3,When?",
        "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr,When?",
        [
            (
                "responses.csv, line 4, id: Row 3: the id "
                '"rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr…" has more than '
                "200 or control characters."
            ),
        ],
    ),
    (
        "field_empty",
        "responses.csv",
        "r2,Where?,Here",
        "r2,Where?,",
        [
            (
                'responses.csv, line 3, response: Row 2: the field "response" is empty; this '
                "task needs it."
            ),
        ],
    ),
    (
        "field_missing",
        "pairs.jsonl",
        '"response_1": "u", ',
        "",
        [
            (
                'pairs.jsonl, line 2, response_1: Row 2: the field "response_1" is empty; this '
                "task needs it."
            ),
        ],
    ),
    (
        "column_missing",
        "responses.csv",
        "id,question,response,",
        "id,question,respnse,",
        [
            (
                'responses.csv, line 1, respnse: The column "respnse" is neither shown by the '
                'task type nor listed under "hidden"; list it there to keep it from annotators. '
                'Did you mean "response"?'
            ),
            (
                'responses.csv, line 1, response: The table has no column "response". Did you '
                'mean "respnse"?'
            ),
        ],
    ),
    (
        "id_missing",
        "responses.csv",
        "id,question",
        "item_id,question",
        [
            'responses.csv, line 1, id: The table has no column "id".',
            (
                'responses.csv, line 1, item_id: The column "item_id" is neither shown by the '
                'task type nor listed under "hidden"; list it there to keep it from annotators.'
            ),
        ],
    ),
    (
        "column_twice",
        "responses.csv",
        "model,article\n",
        "model,model\n",
        [
            'responses.csv, line 1, model: The column "model" stands twice.',
        ],
    ),
    (
        "column_nameless",
        "responses.csv",
        "model,article\n",
        "model,\n",
        [
            "responses.csv, line 1: The first row has a column without a name.",
        ],
    ),
    (
        "cells_too_many",
        "responses.csv",
        "m2,a1\n",
        "m2,a1,\n",
        [
            ("responses.csv, line 3: Row 2 has 8 cells, too many: the first row names 7 columns."),
        ],
    ),
    (
        "cells_too_few",
        "responses.csv",
        "r2,Where?,Here,p1,,m2,a1\n",
        "r2,Where?,Here\n",
        [
            ("responses.csv, line 3: Row 2 has 3 cells, too few: the first row names 7 columns."),
        ],
    ),
    (
        "semicolons",
        "responses.csv",
        "id,question,response,passage_id,facts,model,article\n",
        "id;question;response\n",
        [
            (
                "responses.csv, line 1: The first row holds no comma: save the table with "
                "commas between the cells."
            ),
        ],
    ),
    (
        "quote_open",
        "responses.csv",
        "r2,Where?,Here",
        'r2,Where?,"Here',
        [
            ("responses.csv, line 3, response: Row 2 opens a quotation mark that is never closed."),
        ],
    ),
    (
        "quote_inside",
        "responses.csv",
        "r2,Where?,Here",
        'r2,Where?,He"re',
        [
            (
                "responses.csv, line 3, response: Row 2 has a quotation mark inside a cell that "
                "does not begin with one; quote the whole cell and double the mark."
            ),
        ],
    ),
    (
        "quote_middle",
        "responses.csv",
        "r2,Where?,Here",
        'r2,Where?,"He"re',
        [
            (
                "responses.csv, line 3, response: Row 2 opens a quotation mark that closes in "
                "the middle of a text; a mark inside a quoted cell is doubled."
            ),
        ],
    ),
    (
        "nul",
        "responses.csv",
        "r2,Where?,Here",
        "r2,Where?,He\x00re",
        [
            (
                "responses.csv, line 3, response: Row 2: the field holds a NUL character "
                "(U+0000), as character 3; remove it."
            ),
        ],
    ),
    (
        "facts_no_list",
        "responses.csv",
        "r2,Where?,Here,p1,,",
        "r2,Where?,Here,p1,alone,",
        [
            (
                'responses.csv, line 3, facts: Row 2: the field holds "alone", which is not a '
                'JSON list such as ["one", "two"].'
            ),
        ],
    ),
    (
        "facts_empty_entry",
        "responses.csv",
        "r2,Where?,Here,p1,,",
        'r2,Where?,Here,p1,"[""""]",',
        [
            (
                "responses.csv, line 3, facts: Row 2: the field holds a list with an entry that "
                "is no text, or an empty one."
            ),
        ],
    ),
    (
        "passage_unknown",
        "responses.csv",
        "Here,p1",
        "Here,p2",
        [
            'responses.csv, line 3, passage_id: Row 2: there is no passage "p2".',
        ],
    ),
    (
        "json_broken",
        "pairs.jsonl",
        '"c2", ',
        '"c2" ',
        [
            ("pairs.jsonl, line 2: Row 2 is not valid JSON: Expecting ',' delimiter (column 13)."),
        ],
    ),
    (
        "json_no_object",
        "pairs.jsonl",
        '{"id": "c1"',
        '["c0"]\n{"id": "c1"',
        [
            "pairs.jsonl, line 1: Row 1 is not a JSON object ({…}).",
        ],
    ),
    (
        "json_twice",
        "pairs.jsonl",
        '{"id": "c2"',
        '{"id": "c2", "id": "c3"',
        [
            'pairs.jsonl, line 2, id: Row 2 has the key "id" twice.',
        ],
    ),
    (
        "json_nul",
        "pairs.jsonl",
        '"u"',
        '"u\\u0000"',
        [
            (
                "pairs.jsonl, line 2, response_1: Row 2: the field holds a NUL character "
                "(U+0000), as character 2; remove it."
            ),
        ],
    ),
    (
        "json_surrogate",
        "pairs.jsonl",
        '"u"',
        '"u\\ud83d"',
        [
            (
                "pairs.jsonl, line 2, response_1: Row 2: the field holds half of a surrogate "
                "pair (U+D83D), as character 2; write the whole character."
            ),
        ],
    ),
    (
        "json_nan",
        "pairs.jsonl",
        '"u"',
        "NaN",
        [
            (
                "pairs.jsonl, line 2: Row 2 holds NaN, which is no JSON; leave the field out "
                "where there is no value."
            ),
        ],
    ),
    (
        "json_list",
        "pairs.jsonl",
        '"u"',
        '["u"]',
        [
            ("pairs.jsonl, line 2, response_1: Row 2: the field holds a list; a text is wanted."),
        ],
    ),
    (
        "json_nested",
        "pairs.jsonl",
        '"u"',
        '{"a": 1}',
        [
            (
                'pairs.jsonl, line 2, response_1: Row 2 holds an object in "response_1"; a '
                "field is a text, true/false or a list."
            ),
        ],
    ),
    (
        "condition",
        "pairs.jsonl",
        '"condition_1": "high"',
        '"condition_1": "higher"',
        [
            (
                'pairs.jsonl, line 2, condition_1: Row 2: "higher" is not in the order of '
                'conditions. Did you mean "high"?'
            ),
        ],
    ),
    (
        "passage_column",
        "passages.jsonl",
        '"lang"',
        '"language"',
        [
            (
                'passages.jsonl, language: A table of passages has no column "language". The '
                'nearest known one is "lang".'
            ),
        ],
    ),
    (
        "passage_lang",
        "passages.jsonl",
        '"en"',
        '"English"',
        [
            (
                'passages.jsonl, line 1, lang: Row 1: "English" is no language tag such as en '
                "or zh-Hans."
            ),
        ],
    ),
    (
        "passage_empty",
        "passages.jsonl",
        '"Anna was here."',
        '" "',
        [
            "passages.jsonl, line 1, text: Row 1: the passage is empty.",
        ],
    ),
    (
        "passage_column_missing",
        "passages.jsonl",
        '"text"',
        '"txt"',
        [
            'passages.jsonl, text: The table has no column "text".',
            (
                'passages.jsonl, txt: A table of passages has no column "txt". The nearest '
                'known one is "text".'
            ),
        ],
    ),
    (
        "passage_twice",
        "passages.jsonl",
        '"en"}\n',
        '"en"}\n{"passage_id": "p1", "text": "b"}\n',
        [
            (
                'passages.jsonl, line 2, passage_id: Row 2: the id "p1" is already that of row '
                "1 of passages.jsonl."
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
