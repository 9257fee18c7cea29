"""Texts, recruitment and assignment: each rule, broken once."""

import pytest

from tests.annotation.studyfile.folders import errors_of, spoiled, write_folder

# The rule, the file, what is taken out of it, what is put there, and all that is then said.
FAULTS = [
    (
        "texts_missing",
        "study.yaml",
        "texts: {consent: consent.md, instructions: instructions.md}\n",
        "",
        [
            (
                "study.yaml, line 1, texts: The consent and the instructions are missing: name "
                "their files."
            ),
        ],
    ),
    (
        "instructions_missing",
        "study.yaml",
        ", instructions: instructions.md",
        "",
        [
            'study.yaml, line 4, texts.instructions: "instructions" is missing.',
        ],
    ),
    (
        "text_not_there",
        "study.yaml",
        "consent.md",
        "consnt.md",
        [
            'study.yaml, line 4, texts.consent: The file "consnt.md" is not in the folder.',
        ],
    ),
    (
        "text_outside",
        "study.yaml",
        "consent.md",
        "../consent.md",
        [
            (
                'study.yaml, line 4, texts.consent: "../consent.md" leads out of the folder; a '
                "study uses only its own files."
            ),
        ],
    ),
    (
        "text_absolute",
        "study.yaml",
        "consent.md",
        "/etc/hostname",
        [
            (
                'study.yaml, line 4, texts.consent: "/etc/hostname" leads out of the folder; a '
                "study uses only its own files."
            ),
        ],
    ),
    (
        "unknown_provider",
        "study.yaml",
        "provider: prolific",
        "provider: prolifc",
        [
            (
                'study.yaml, line 6, recruitment.provider: "prolifc" is not one of "open", '
                '"prolific", "clickworker". Did you mean "prolific"?'
            ),
        ],
    ),
    (
        "time_limit_zero",
        "study.yaml",
        "time_limit_minutes: 30",
        "time_limit_minutes: 0",
        [
            (
                'study.yaml, line 7, recruitment.time_limit_minutes: "0" is not a whole number '
                "from 1 to 44,640."
            ),
        ],
    ),
    (
        "time_limit_word",
        "study.yaml",
        "time_limit_minutes: 30",
        "time_limit_minutes: half an hour",
        [
            (
                'study.yaml, line 7, recruitment.time_limit_minutes: "half an hour" is not a '
                "whole number from 1 to 44,640."
            ),
        ],
    ),
    (
        "unknown_outcome",
        "study.yaml",
        "no_consent: NOC1",
        "noconsent: NOC1",
        [
            (
                'study.yaml, line 8, recruitment.codes.noconsent: "noconsent" is not an outcome '
                'that has a code. The nearest known one is "no_consent".'
            ),
        ],
    ),
    (
        "same_code",
        "study.yaml",
        "no_consent: NOC1",
        "no_consent: DONE1",
        [
            (
                'study.yaml, line 8, recruitment.codes.no_consent: "DONE1" is also the code of '
                '"complete"; each outcome has its own.'
            ),
        ],
    ),
    (
        "bad_code",
        "study.yaml",
        "no_consent: NOC1",
        "no_consent: NO C1",
        [
            (
                'study.yaml, line 8, recruitment.codes.no_consent: "NO C1" is not a code: use '
                "up to 64 letters, digits, hyphens and underscores."
            ),
        ],
    ),
    (
        "complete_missing",
        "study.yaml",
        "complete: DONE1, ",
        "",
        [
            (
                'study.yaml, line 8, recruitment.codes: A code for "complete" is needed: people '
                "bring it back to prolific."
            ),
        ],
    ),
    (
        "accept_not_an_option",
        "study.yaml",
        "accept: [yes]",
        "accept: [sure]",
        [
            (
                'study.yaml, line 10, recruitment.eligibility[1].accept[1]: "sure" is not one '
                'of the options "yes", "no". List all answers under "options".'
            ),
        ],
    ),
    (
        "accept_missing",
        "study.yaml",
        ", accept: [yes]",
        "",
        [
            (
                "study.yaml, line 10, recruitment.eligibility[1].accept: At least one answer "
                "must be accepted."
            ),
        ],
    ),
    (
        "eligibility_key",
        "study.yaml",
        "key: reads_english",
        "key: Reads English",
        [
            (
                'study.yaml, line 10, recruitment.eligibility[1].key: "Reads English" cannot be '
                "a key: use small letters, digits and underscores, beginning with a letter, at "
                "most 50."
            ),
        ],
    ),
    (
        "eligibility_twice",
        "study.yaml",
        "accept: [yes]}\n",
        "accept: [yes]}\n    - {key: reads_english, ask: Again, accept: [no]}\n",
        [
            (
                'study.yaml, line 11, recruitment.eligibility[2]: The key "reads_english" '
                "stands twice."
            ),
        ],
    ),
    (
        "replication_zero",
        "study.yaml",
        "replication: 2",
        "replication: 0",
        [
            (
                'study.yaml, line 12, assignment.replication: "0" is not a whole number from 1 '
                "to 1,000."
            ),
        ],
    ),
    (
        "replication_missing",
        "study.yaml",
        "  replication: 2\n",
        "",
        [
            'study.yaml, line 11, assignment.replication: "replication" is missing.',
        ],
    ),
    (
        "conflict_unknown",
        "study.yaml",
        "conflict: [article]",
        "conflict: [artcle]",
        [
            (
                "study.yaml, line 14, assignment.conflict[1]: No item table has a column "
                '"artcle". Did you mean "article"?'
            ),
        ],
    ),
    (
        "balance_unknown",
        "study.yaml",
        "balance: [model]",
        "balance: [model, level]",
        [
            ('study.yaml, line 15, assignment.balance[2]: No item table has a column "level".'),
        ],
    ),
    (
        "balance_twice",
        "study.yaml",
        "balance: [model]",
        "balance: [model, model]",
        [
            'study.yaml, line 15, assignment.balance[2]: "model" stands twice.',
        ],
    ),
    (
        "mix_unknown_task",
        "study.yaml",
        "mix: {response: 2, comparison: 1}",
        "mix: {response: 2, comparson: 1}",
        [
            (
                'study.yaml, line 16, assignment.mix: The mix leaves out "comparison", whose '
                "items no form would hold."
            ),
            (
                'study.yaml, line 16, assignment.mix.comparson: "comparson" is not a task. Did '
                'you mean "comparison"?'
            ),
        ],
    ),
    (
        "mix_sum",
        "study.yaml",
        "mix: {response: 2, comparison: 1}",
        "mix: {response: 2, comparison: 2}",
        [
            ("study.yaml, line 16, assignment.mix: The mix adds up to 4; the form has 3 places."),
        ],
    ),
    (
        "mix_leaves_out",
        "study.yaml",
        "mix: {response: 2, comparison: 1}",
        "mix: {response: 3}",
        [
            (
                'study.yaml, line 16, assignment.mix: The mix leaves out "comparison", whose '
                "items no form would hold."
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
