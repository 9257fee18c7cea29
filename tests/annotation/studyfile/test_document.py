"""The document of a study, its way back, its digest and what the plan lock freezes."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.studyfile import (
    canonical_json,
    folder_digest,
    folder_document,
    plan_document,
    read_study,
    study_from_document,
)
from tests.annotation.studyfile.folders import FILES, PAIRS, RESPONSES, spoiled, write_folder

S = "study.yaml"
CHANGES = {
    "title": spoiled(S, "A tiny study", "Another study"),
    "seed": spoiled(S, "seed: 7", "seed: 8"),
    "consent": {"consent.md": "Other words.\n"},
    "code": spoiled(S, "DONE1", "DONE2"),
    "replication": spoiled(S, "replication: 2", "replication: 3"),
    "hidden": spoiled(S, "hidden: [model, article]", "hidden: [article, model]"),
    "cell": {"responses.csv": RESPONSES.replace("Anna,", "Anna ,")},
    "order_of_rows": {"pairs.jsonl": "".join(reversed(PAIRS.splitlines(keepends=True)))},
    "passage": {"passages.jsonl": FILES["passages.jsonl"].replace("here", "there")},
    "quality": spoiled(S, "at_least: 3", "at_least: 2"),
    "plan": spoiled(S, "threshold: 0.67", "threshold: 0.8"),
    "attention": spoiled(
        S, 'expect: 2, ask: Please choose "Poor"', 'expect: 3, ask: Please choose "Fair"'
    ),
    "practice": spoiled(S, "It tells both.", "It tells two."),
}
FROZEN = {"seed", "replication", "quality", "plan", "attention"}


@pytest.fixture
def study(tmp_path):
    return read_study(write_folder(tmp_path / "study"))


def without_rows(study):
    """Return the study as the running site knows it."""
    return replace(study, passages={}, tasks=tuple(replace(t, items=()) for t in study.tasks))


def test_a_study_survives_its_document(study):
    stored = json.loads(json.dumps(folder_document(study), allow_nan=False))
    assert study_from_document(stored) == without_rows(study)
    assert folder_document(study_from_document(stored)) == stored


def test_numbers_of_a_scale_survive_as_they_were(tmp_path):
    scale = "{key: x, ask: X, scale: interval, min: 0, max: 1, step: 0.1}"
    hidden = "    hidden: [model, article]\n"
    changed = spoiled(S, hidden, f"{hidden}    extend: [{scale}]\n")
    study = read_study(write_folder(tmp_path / "study", changed))
    stored = json.loads(canonical_json(folder_document(study)))
    last = study_from_document(stored).tasks[0].dimensions[-1]
    assert (last.minimum, last.maximum, last.step) == (0.0, 1.0, 0.1)
    assert isinstance(last.minimum, float)


def test_the_document_holds_defaults_and_texts_and_no_items(study):
    document = folder_document(study)
    assert document["assignment"]["forms_per_annotator"] == 1
    assert document["recruitment"]["eligibility"][0]["options"] == ["yes", "no"]
    assert document["texts"]["consent"] == "# Consent\n\nYou may stop.\n"
    assert document["tasks"][0]["dimensions"][0]["key"] == "question_valid"
    assert set(document["tasks"][0]) == {
        "key",
        "type",
        "hidden",
        "dimensions",
        "contradictions",
        "higher",
    }
    assert "Anna" not in canonical_json(document)


@pytest.mark.parametrize("name", CHANGES)
def test_any_change_changes_the_digest(tmp_path, study, name):
    changed = read_study(write_folder(tmp_path / "changed", CHANGES[name]))
    assert folder_digest(changed) != folder_digest(study)


@pytest.mark.parametrize("name", CHANGES)
def test_the_plan_lock_freezes_what_decides_the_numbers(tmp_path, study, name):
    changed = read_study(write_folder(tmp_path / "changed", CHANGES[name]))
    assert (plan_document(changed) != plan_document(study)) == (name in FROZEN)


def test_the_plan_lock_freezes_the_instrument(tmp_path, study):
    hidden = "    hidden: [model, article]\n"
    more = f"{hidden}    extend: [{{key: x, ask: X, scale: text}}]\n"
    changed = read_study(write_folder(tmp_path / "changed", spoiled(S, hidden, more)))
    assert plan_document(changed) != plan_document(study)
    assert set(plan_document(study)) == {
        "plan",
        "quality",
        "attention",
        "assignment",
        "seed",
        "instruments",
    }


@pytest.mark.parametrize(
    "changed",
    [
        spoiled(S, "study: tiny\ntitle: A tiny study\n", 'title: "A tiny study"\n\nstudy: tiny\n'),
        {"responses.csv": "\ufeff" + RESPONSES.replace("\n", "\r\n") + "\r\n"},
        {"pairs.jsonl": "\n" + PAIRS},
        spoiled(S, "threshold: 0.67", "threshold: 6.7e-1"),
        spoiled(S, "bootstrap: 2000", "bootstrap: 2000.0"),
    ],
)
def test_how_a_folder_is_written_does_not_change_the_digest(tmp_path, study, changed):
    same = read_study(write_folder(tmp_path / "same", changed))
    assert folder_digest(same) == folder_digest(study)


def test_canonical_json():
    value = {"b": [1.0, 0.5, -0.0, True, None], "a": {"\u00e9": "\u2028", "z": (1, 2)}}
    assert canonical_json(value) == '{"a":{"z":[1,2],"\u00e9":"\u2028"},"b":[1,0.5,0,true,null]}'


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [float("-inf")]])
def test_canonical_json_has_no_word_for_what_is_no_number(value):
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json(value)


def test_canonical_json_refuses_keys_that_are_no_text():
    with pytest.raises(TypeError, match="The key 1 is not a text"):
        canonical_json({1: "a"})


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc"), inner, max_size=4),
    max_leaves=10,
)


@given(plain)
def test_canonical_json_loses_nothing_and_is_its_own_canon(value):
    text = canonical_json(value)
    assert json.loads(text) == value
    assert canonical_json(json.loads(text)) == text
