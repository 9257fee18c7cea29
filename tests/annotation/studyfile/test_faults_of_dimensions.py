"""Dimensions, conditions and contradictions: each rule, broken once."""

import pytest

from tests.annotation.studyfile.folders import errors_of, spoiled, write_folder

# The rule, the file, what is taken out of it, what is put there, and all that is then said.
FAULTS = [
    (
        "dimension_unknown_key",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: text, lable: x}\n",
        [
            (
                'study.yaml, line 24, tasks.response.extend[1].lable: "lable" is not a key of '
                'tasks.response.extend[1]. The nearest known one is "scale".'
            ),
        ],
    ),
    (
        "dimension_key",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: A b, ask: A, scale: text}\n",
        [
            (
                'study.yaml, line 24, tasks.response.extend[1].key: "A b" cannot be a key: use '
                "small letters, digits and underscores, beginning with a letter, at most 50."
            ),
        ],
    ),
    (
        "dimension_ask",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, scale: text}\n",
        [
            'study.yaml, line 24, tasks.response.extend[1].ask: "ask" is missing.',
        ],
    ),
    (
        "dimension_scale",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: ordnal, options: [1, 2]}\n",
        [
            (
                'study.yaml, line 24, tasks.response.extend[1].scale: "ordnal" is not one of '
                '"nominal", "ordinal", "interval", "multiple", "text". Did you mean "ordinal"?'
            ),
        ],
    ),
    (
        "dimension_options_missing",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: nominal}\n",
        [
            (
                "study.yaml, line 24, tasks.response.extend[1].options: A nominal dimension has "
                '"options" or, from a list of the item, "options_from": one of the two.'
            ),
        ],
    ),
    (
        "dimension_options_few",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: nominal, options: [one]}\n",
        [
            (
                "study.yaml, line 24, tasks.response.extend[1].options: A nominal scale needs "
                "at least 2 options."
            ),
        ],
    ),
    (
        "dimension_option_twice",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: nominal, options: [one, {value: one, label: Two}]}\n",
        [
            (
                'study.yaml, line 24, tasks.response.extend[1].options[2]: The option "one" '
                "stands twice."
            ),
        ],
    ),
    (
        "dimension_option_key",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: nominal, options: [one, {valeu: two}]}\n",
        [
            (
                'study.yaml, line 24, tasks.response.extend[1].options[2].valeu: "valeu" is not '
                "a key of tasks.response.extend[1].options[2]. The nearest known one is "
                '"value".'
            ),
            ('study.yaml, line 24, tasks.response.extend[1].options[2].value: "value" is missing.'),
        ],
    ),
    (
        "dimension_option_joiner",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: multiple, options: [a|b, c]}\n",
        [
            (
                'study.yaml, line 24, tasks.response.extend[1].options[1]: "a|b" cannot be one '
                'of several: a value is not "none" and has no "|".'
            ),
        ],
    ),
    (
        "dimension_option_none",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: multiple, options: [none, c]}\n",
        [
            (
                'study.yaml, line 24, tasks.response.extend[1].options[1]: "none" cannot be one '
                'of several: a value is not "none" and has no "|".'
            ),
        ],
    ),
    (
        "dimension_both_options",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: multiple, options: [b, c], options_from: facts}\n",
        [
            (
                "study.yaml, line 24, tasks.response.extend[1].options: A multiple dimension "
                'has "options" or, from a list of the item, "options_from": one of the two.'
            ),
        ],
    ),
    (
        "dimension_options_from",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: multiple, options_from: question}\n",
        [
            (
                'study.yaml, line 24, tasks.response.extend[1].options_from: "question" is not '
                "a field of this task type that is a list."
            ),
        ],
    ),
    (
        "dimension_only_if",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: text, only_if: referenc}\n",
        [
            (
                'study.yaml, line 24, tasks.response.extend[1].only_if: "referenc" is not a '
                'field of this task type. Did you mean "reference"?'
            ),
        ],
    ),
    (
        "dimension_text_options",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: text, options: [b, c]}\n",
        [
            (
                "study.yaml, line 24, tasks.response.extend[1].options: A dimension of scale "
                '"text" has no "options".'
            ),
        ],
    ),
    (
        "dimension_no_bounds",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: interval, min: 0}\n",
        [
            ('study.yaml, line 24, tasks.response.extend[1].max: An interval scale needs "max".'),
        ],
    ),
    (
        "dimension_bounds",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: interval, min: 5, max: 5}\n",
        [
            (
                "study.yaml, line 24, tasks.response.extend[1].max: The highest value 5 is not "
                "above the lowest, 5."
            ),
        ],
    ),
    (
        "dimension_step",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: interval, min: 0, max: 5, step: 0}\n",
        [
            (
                "study.yaml, line 24, tasks.response.extend[1].step: A step of 0 does not fit "
                "the scale."
            ),
        ],
    ),
    (
        "dimension_bound_word",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: interval, min: low, max: 5}\n",
        [
            'study.yaml, line 24, tasks.response.extend[1].min: "low" is not a number.',
        ],
    ),
    (
        "dimension_nominal_bounds",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: nominal, options: [b, c], min: 1}\n",
        [
            (
                "study.yaml, line 24, tasks.response.extend[1].min: Only an interval scale has "
                '"min".'
            ),
        ],
    ),
    (
        "dimension_required",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: text, required: maybe}\n",
        [
            (
                'study.yaml, line 24, tasks.response.extend[1].required: "maybe" is neither '
                "true nor false."
            ),
        ],
    ),
    (
        "dimension_twice",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: adequacy, ask: A, scale: text}\n",
        [
            (
                'study.yaml, line 24, tasks.response.extend[1].key: The dimension "adequacy" '
                "stands twice."
            ),
        ],
    ),
    (
        "dimension_computed",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: keypoint_recall, ask: A, scale: text}\n",
        [
            (
                'study.yaml, line 24, tasks.response.extend[1].key: "keypoint_recall" is '
                "computed by the task type; choose another key."
            ),
        ],
    ),
    (
        "when_unknown",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: text, when: {adequcy: 1}}\n",
        [
            (
                'study.yaml, line 24, tasks.response.extend[1].when.adequcy: "adequcy" is not '
                'asked before "a". Did you mean "adequacy"?'
            ),
        ],
    ),
    (
        "when_value",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: text, when: {adequacy: [1, 7]}}\n",
        [
            (
                'study.yaml, line 24, tasks.response.extend[1].when.adequacy: "7" is not an '
                'answer to "adequacy", which has "1", "2", "3", "4", "5".'
            ),
        ],
    ),
    (
        "when_no_choice",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: text}\n      - {key: b, ask: B, scale: text, when: {a: x}}\n",
        [
            (
                'study.yaml, line 25, tasks.response.extend[2].when.a: "a" has no options: a '
                "condition can only look at a choice."
            ),
        ],
    ),
    (
        "when_last",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: text, when: {error_category: correct}}\n",
        [
            (
                "study.yaml, line 24, tasks.response.extend[1].when.error_category: "
                '"error_category" is asked last, after "a".'
            ),
        ],
    ),
    (
        "when_later",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    extend:\n      - {key: a, ask: A, scale: text, when: {b: one}}\n      - {key: b, ask: B, scale: nominal, options: [one, two]}\n",
        [
            ('study.yaml, line 24, tasks.response.extend[1].when.b: "b" is not asked before "a".'),
        ],
    ),
    (
        "dimensions_empty",
        "study.yaml",
        "    hidden: [condition_1, condition_2, article]\n",
        "    hidden: [condition_1, condition_2, article]\n    dimensions: []\n",
        [
            (
                "study.yaml, line 27, tasks.comparison.dimensions: The list is empty; leave it "
                "out for the type's own."
            ),
        ],
    ),
    (
        "dimensions_word",
        "study.yaml",
        "    hidden: [condition_1, condition_2, article]\n",
        "    hidden: [condition_1, condition_2, article]\n    dimensions: {extnd: []}\n",
        [
            (
                'study.yaml, line 27, tasks.comparison.dimensions.extnd: "extnd" is not a key '
                'of tasks.comparison.dimensions. The nearest known one is "extend".'
            ),
        ],
    ),
    (
        "contradiction_unknown",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    contradictions:\n      - {adequcy: 5, equivalence: different}\n",
        [
            (
                'study.yaml, line 24, tasks.response.contradictions[1].adequcy: "adequcy" is '
                'not a dimension of this task. Did you mean "adequacy"?'
            ),
        ],
    ),
    (
        "contradiction_value",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    contradictions:\n      - {adequacy: 9, equivalence: different}\n",
        [
            (
                'study.yaml, line 24, tasks.response.contradictions[1].adequacy: "9" is not an '
                'answer to "adequacy", which has "1", "2", "3", "4", "5".'
            ),
        ],
    ),
    (
        "contradiction_one",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    contradictions:\n      - {adequacy: 5}\n",
        [
            (
                "study.yaml, line 24, tasks.response.contradictions[1]: A contradiction is "
                "between at least two dimensions."
            ),
        ],
    ),
    (
        "contradiction_empty_list",
        "study.yaml",
        "    hidden: [model, article]\n",
        "    hidden: [model, article]\n    contradictions:\n      - {adequacy: [], equivalence: same}\n",
        [
            (
                "study.yaml, line 24, tasks.response.contradictions[1].adequacy: The list is "
                "empty; name at least one value."
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
