"""What `study.yaml` must be as a whole: each rule with a file that breaks it."""

import pytest

from tests.annotation.studyfile.folders import errors_of, spoiled, write_folder

# The rule, the file, what is taken out of it, what is put there, and all that is then said.
FAULTS = [
    (
        "unknown_top_key",
        "study.yaml",
        "seed: 7\n",
        "seed: 7\nlangage: en\n",
        [
            (
                'study.yaml, line 4, langage: "langage" is not a key of study.yaml. The nearest '
                'known one is "language".'
            ),
        ],
    ),
    (
        "unknown_inner_key",
        "study.yaml",
        "  form_size: 3\n",
        "  form_size: 3\n  replicaton: 2\n",
        [
            (
                'study.yaml, line 14, assignment.replicaton: "replicaton" is not a key of '
                'assignment. The nearest known one is "replication".'
            ),
        ],
    ),
    (
        "missing_key",
        "study.yaml",
        "seed: 7\n",
        "",
        [
            'study.yaml, line 1, seed: "seed" is missing.',
        ],
    ),
    (
        "duplicate_key",
        "study.yaml",
        "seed: 7\n",
        "seed: 7\nseed: 8\n",
        [
            'study.yaml, line 4, seed: The key "seed" stands twice; the first is on line 3.',
        ],
    ),
    (
        "empty_value",
        "study.yaml",
        "title: A tiny study",
        "title:",
        [
            "study.yaml, line 2, title: Here stands nothing; a single value is wanted.",
        ],
    ),
    (
        "blank_text",
        "study.yaml",
        "title: A tiny study",
        'title: "  "',
        [
            "study.yaml, line 2, title: The text is empty.",
        ],
    ),
    (
        "long_title",
        "study.yaml",
        "A tiny study",
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        [
            "study.yaml, line 2, title: The text has 301 characters; the limit is 300.",
        ],
    ),
    (
        "list_for_a_value",
        "study.yaml",
        "title: A tiny study",
        "title: [a]",
        [
            "study.yaml, line 2, title: Here stands a list; a single value is wanted.",
        ],
    ),
    (
        "bad_slug",
        "study.yaml",
        "study: tiny",
        "study: Tiny study",
        [
            (
                'study.yaml, line 1, study: "Tiny study" cannot be a study\'s name in links: use '
                "small letters, digits and hyphens, at most 80."
            ),
        ],
    ),
    (
        "seed_not_whole",
        "study.yaml",
        "seed: 7",
        "seed: 7.5",
        [
            (
                'study.yaml, line 3, seed: "7.5" is not a whole number from 0 to '
                "9,223,372,036,854,775,807."
            ),
        ],
    ),
    (
        "seed_too_big",
        "study.yaml",
        "seed: 7",
        "seed: 9223372036854775808",
        [
            (
                'study.yaml, line 3, seed: "9223372036854775808" is not a whole number from 0 '
                "to 9,223,372,036,854,775,807."
            ),
        ],
    ),
    (
        "bad_language",
        "study.yaml",
        "seed: 7\n",
        "seed: 7\nlanguage: english\n",
        [
            ('study.yaml, line 4, language: "english" is no language tag such as en or zh-Hans.'),
        ],
    ),
    (
        "yaml_syntax",
        "study.yaml",
        "seed: 7",
        "seed: [7",
        [
            (
                "study.yaml, line 4: The YAML cannot be read here: while parsing a flow "
                "sequence: expected ',' or ']', but got ':'. Inside {…} and […], a text with a "
                "comma, colon or question mark needs quotes."
            ),
        ],
    ),
    (
        "yaml_question_mark",
        "study.yaml",
        '"Do you read English?"',
        "Do you read English?",
        [
            (
                "study.yaml, line 10: The YAML cannot be read here: while parsing a flow "
                "mapping: expected ',' or '}', but got '?'. Inside {…} and […], a text with a "
                "comma, colon or question mark needs quotes."
            ),
        ],
    ),
    (
        "yaml_tab",
        "study.yaml",
        "  form_size: 3",
        "\tform_size: 3",
        [
            (
                "study.yaml, line 13: The YAML cannot be read here: while scanning for the next "
                "token: found character '\\t' that cannot start any token."
            ),
        ],
    ),
    (
        "yaml_anchor",
        "study.yaml",
        "title: A tiny study",
        "title: &t A tiny study",
        [
            (
                "study.yaml, line 2: The YAML cannot be read here: anchors (&) and aliases (*) "
                "are not used here: write the value out."
            ),
        ],
    ),
    (
        "yaml_alias",
        "study.yaml",
        "title: A tiny study",
        "title: *t",
        [
            (
                "study.yaml, line 2: The YAML cannot be read here: anchors (&) and aliases (*) "
                "are not used here: write the value out."
            ),
        ],
    ),
    (
        "yaml_tag",
        "study.yaml",
        "title: A tiny study",
        "title: !!python/object/apply:os.system [ls]",
        [
            (
                "study.yaml, line 2: The YAML cannot be read here: tags (!) are not used here: "
                "write the value alone."
            ),
        ],
    ),
    (
        "yaml_merge",
        "study.yaml",
        "seed: 7\n",
        "seed: 7\n<<: {seed: 8}\n",
        [
            (
                'study.yaml, line 4, <<: "<<" is not a key of study.yaml. The nearest known one '
                'is "assignment".'
            ),
        ],
    ),
    (
        "yaml_control",
        "study.yaml",
        "A tiny study",
        "A \x01 study",
        [
            "study.yaml, line 2: The character U+0001 cannot stand in YAML; remove it.",
        ],
    ),
    (
        "yaml_nul_escape",
        "study.yaml",
        "title: A tiny study",
        'title: "A\\0B"',
        [
            (
                "study.yaml, line 2, title: The value holds a NUL character (U+0000), as "
                "character 2; remove it."
            ),
        ],
    ),
    (
        "yaml_surrogate",
        "study.yaml",
        "title: A tiny study",
        'title: "A\\uD800B"',
        [
            (
                "study.yaml, line 2, title: The value holds half of a surrogate pair (U+D800), "
                "as character 2; write the whole character."
            ),
        ],
    ),
    (
        "yaml_no_character",
        "study.yaml",
        "title: A tiny study",
        'title: "A\\UFFFFFFFFB"',
        [
            (
                "study.yaml, line 2: The YAML cannot be read here: an escape such as \\UFFFFFFFF "
                "is no character."
            ),
        ],
    ),
    (
        "yaml_key_is_a_list",
        "study.yaml",
        "seed: 7\n",
        "seed: 7\n? [a]\n: b\n",
        [
            "study.yaml, line 4: A key is a word, not a list or a mapping.",
        ],
    ),
    (
        "yaml_deep",
        "study.yaml",
        "seed: 7\n",
        "seed: 7\nplan: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\n",
        [
            ("study.yaml, line 4: The YAML cannot be read here: it is nested more than 24 deep."),
        ],
    ),
    (
        "yaml_two_documents",
        "study.yaml",
        "seed: 7\n",
        "seed: 7\n---\n",
        [
            (
                "study.yaml, line 4: The YAML cannot be read here: expected a single document "
                "in the stream: but found another document."
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
