"""`recruitment.demographics` is read, checked, and kept."""

import pytest

from annotation.studyfile import folder_document, inspect_study, read_study, study_from_document
from annotation.studyfile.definition import Demographic
from tests.annotation.studyfile.folders import FILES, write_folder

QUESTIONS = """\
  demographics:
    - {key: age, ask: "How old are you?", kind: number, bands: [18, 30, 45]}
    - key: tongue
      ask: Which language did you grow up with?
      options: [German, Dutch, French]
      merge: {Germanic: [German, Dutch]}
      sensitive: true
"""


def folder(tmp_path, text):
    files = dict(FILES)
    files["study.yaml"] = FILES["study.yaml"].replace("recruitment:\n", f"recruitment:\n{text}")
    return write_folder(tmp_path / "study", files)


def said(tmp_path, text):
    inspection = inspect_study(folder(tmp_path, text))
    return "\n".join(str(one) for one in (*inspection.errors, *inspection.warnings))


def test_they_are_read_and_kept(tmp_path):
    study = read_study(folder(tmp_path, QUESTIONS))
    assert study.recruitment.demographics == (
        Demographic("age", "How old are you?", "number", bands=(18, 30, 45)),
        Demographic(
            "tongue",
            "Which language did you grow up with?",
            "choice",
            ("German", "Dutch", "French"),
            merge={"Germanic": ("German", "Dutch")},
            sensitive=True,
        ),
    )
    kept = study_from_document(folder_document(study))
    assert kept.recruitment == study.recruitment


def test_a_study_that_asks_nothing_keeps_its_document(tmp_path):
    study = read_study(write_folder(tmp_path / "study"))
    assert "demographics" not in folder_document(study)["recruitment"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (QUESTIONS.replace("18, 30", "30, 18"), "does not come after"),
        (QUESTIONS.replace("bands: [18, 30, 45]", "bands: []"), "say where they begin"),
        (QUESTIONS.replace("bands: [18, 30, 45]", "bands: [18, 95]"), "Few people are above 90"),
        (
            QUESTIONS.replace("{Germanic: [German, Dutch]}", "{Germanic: [German, Danish]}"),
            "is not one of",
        ),
        (QUESTIONS.replace("key: tongue", "key: age"), "stands twice"),
        (QUESTIONS.replace("key: tongue", "key: state"), "column of the release already"),
        (QUESTIONS.replace("How old are you?", "What is your date of birth?"), "a date of birth"),
        (QUESTIONS.replace("[German, Dutch, French]", "[German]"), "At least two options"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, text, wanted):
    assert wanted in said(tmp_path, text)
