"""`assignment.anchors`: what the folder may say, and each thing that keeps an anchor off a form."""

import pytest

from annotation.studyfile import folder_document, read_study
from tests.annotation.studyfile.folders import FILES, errors_of, write_folder

S, R = "study.yaml", "responses.csv"
ASSIGNMENT = FILES[S][FILES[S].index("assignment:") : FILES[S].index("passages:")]
RESPONSES = """\
id,question,response,model,article,shared
r1,Who?,Anna,m1,a8,1
r2,Where?,Here,m2,a1,0
r3,When?,Now,m1,a2,
"""


def folder(tmp_path, assignment="", table=RESPONSES, **changed):
    """A folder whose first response stands on every form."""
    rules = {"replication": "2", "form_size": "3", "conflict": "[article]", "anchors": "shared"}
    text = "".join(f"  {key}: {value}\n" for key, value in (rules | changed).items() if value)
    study = (
        FILES[S]
        .replace(ASSIGNMENT, f"assignment:\n{text}{assignment}")
        .replace("hidden: [model, article]", "hidden: [model, article, shared]")
    )
    return write_folder(tmp_path / "study", {S: study, R: table})


def test_the_field_marks_the_anchors(tmp_path):
    study = read_study(folder(tmp_path))
    marked = [item.id for item in study.task("response").items
              if study.assignment.is_anchor(item.fields)]  # fmt: skip
    assert marked == ["r1"]
    assert folder_document(study)["assignment"]["anchors"] == "shared"


def test_true_marks_an_anchor_where_the_field_is_a_flag(tmp_path):
    rules = read_study(folder(tmp_path)).assignment
    assert rules.is_anchor({"shared": True})
    assert rules.anchor_mark({"shared": False}) == "false"


def test_a_study_without_anchors_keeps_its_digest(tmp_path):
    study = read_study(folder(tmp_path, anchors=""))
    assert "anchors" not in folder_document(study)["assignment"]
    assert not study.assignment.is_anchor({"": "1", "shared": "1"})


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"anchors": "share"}, 'No item table has a column "share". Did you mean "shared"?'),
        (
            {"table": RESPONSES.replace("a8,1", "a8,yes")},
            'The item "r1" has "yes" in "shared"; 1 or true marks an anchor, 0 or false none.',
        ),
        (
            {"forms_per_annotator": "2"},
            (
                "Anchors stand on every form, so nobody can do a second one; "
                "forms_per_annotator must be 1."
            ),
        ),
        (
            {"table": RESPONSES.replace("a8,1", "a8,0")},
            'No item has 1 or true in "shared", so no form would have an anchor.',
        ),
        ({"form_size": "1"}, "1 anchors leave no place on a form of 1."),
        (
            {"mix": "{response: 1, comparison: 2}"},
            'The mix has 1 places of "response"; its 1 anchors and the other items need 2 at least.',
        ),
        (
            {"table": RESPONSES.replace("a8,1", "a1,true")},
            'The anchor "r1" shares article "a1" with another item, and one person would see both.',
        ),
    ],
)  # fmt: skip
def test_what_keeps_an_anchor_off_a_form_is_told(tmp_path, changed, told):
    found = [line for line in errors_of(folder(tmp_path, **changed)) if ".anchors: " in line]
    assert [line.partition(".anchors: ")[2] for line in found] == [told]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"groups": "mode"}, 'No item table has a column "mode". Did you mean "model"?'),
        (
            {"groups": "model", "anchors": ""},
            "Groups of people who share no anchors cannot be compared; name anchors too.",
        ),
        (
            {"groups": "model", "table": RESPONSES.replace("m2", "")},
            'The item "r2" is no anchor and has nothing in "model"; say which group judges it.',
        ),
    ],
)
def test_what_makes_no_groups_is_told(tmp_path, changed, told):
    found = [line for line in errors_of(folder(tmp_path, **changed)) if ".groups: " in line]
    assert [line.partition(".groups: ")[2] for line in found] == [told]


def test_a_study_without_groups_keeps_its_digest_and_has_one(tmp_path):
    study = read_study(folder(tmp_path))
    assert "groups" not in folder_document(study)["assignment"]
    assert study.assignment.group_of({"": "1"}) == ""


def test_a_study_of_anchors_only_is_no_study(tmp_path):
    path = folder(tmp_path, table=RESPONSES.replace("a1,0", "a1,1").replace("a2,", "a2,1"))
    study = (path / S).read_text()
    start, end = study.index("  comparison:\n    type"), study.index("attention:")
    (path / S).write_text(study[:start] + study[end:])
    told = [line.partition(".anchors: ")[2] for line in errors_of(path)]
    assert "Every item is an anchor; the others decide how many forms there are." in told
