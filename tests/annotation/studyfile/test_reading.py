"""What a sound folder means: each section with its defaults, instruments replaced and extended."""

import pytest

from annotation.studyfile import inspect_study, read_study
from annotation.studyfile.cells import is_language_tag
from annotation.studyfile.definition import (
    AssignmentRules,
    AttentionCheck,
    EligibilityQuestion,
    Passage,
    PracticeItem,
    QualityRule,
    Recruitment,
)
from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.base import Comparison
from annotation.tasktypes.instrument import Dimension, Option, Scale
from tests.annotation.studyfile.folders import errors_of, spoiled, write_folder

S = "study.yaml"
HIDDEN = "    hidden: [model, article]\n"


@pytest.fixture
def study(tmp_path):
    return read_study(write_folder(tmp_path / "study"))


def changed(tmp_path, old, new):
    """Return the study of a folder in which one passage of study.yaml is replaced."""
    return read_study(write_folder(tmp_path / "study", spoiled(S, old, new)))


def test_settings(study):
    assert (study.slug, study.title, study.seed, study.language) == (
        "tiny",
        "A tiny study",
        7,
        "en",
    )
    assert study.consent == "# Consent\n\nYou may stop.\n"
    assert study.debrief == ""


def test_recruitment(study):
    question = EligibilityQuestion("reads_english", "Do you read English?", ("yes",), ("yes", "no"))
    codes = {"complete": "DONE1", "no_consent": "NOC1"}
    assert study.recruitment == Recruitment("prolific", 30, codes, (question,))


def test_a_code_keeps_its_look(tmp_path):
    study = changed(tmp_path, "DONE1", "0123")
    assert study.recruitment.codes["complete"] == "0123"


def test_recruitment_may_be_left_out(tmp_path):
    text = (write_folder(tmp_path / "study") / S).read_text()
    start, end = text.index("recruitment:"), text.index("assignment:")
    study = read_study(write_folder(tmp_path / "open", {S: text[:start] + text[end:]}))
    assert study.recruitment == Recruitment()


def test_assignment(study):
    mix = {"response": 2, "comparison": 1}
    assert study.assignment == AssignmentRules(2, 3, ("article",), ("model",), 1, mix)


def test_a_field_of_the_assignment_may_be_missing_in_some_tables(study):
    assert all("model" not in item.fields for item in study.task("comparison").items)


def test_tasks_and_items(study):
    response, comparison = study.tasks
    assert response.dimensions == TASK_TYPES["rubric"].instrument
    assert response.contradictions == TASK_TYPES["rubric"].contradictions
    assert comparison.higher == Comparison("condition", ("low", "high"))
    item = response.items[0]
    assert (item.id, item.passage_id, item.line) == ("r1", "p1", 2)
    assert item.fields == {
        "question": "Who?",
        "response": "Anna",
        "passage_id": "p1",
        "facts": ["Anna did", "alone"],
        "model": "m1",
        "article": "a1",
    }
    assert study.passages == {"p1": Passage("Anna was here.", "en")}


def test_screens_and_rules(study):
    assert study.attention == (
        AttentionCheck(2, "response", "adequacy", "2", 'Please choose "Poor" here.'),
    )
    (practice,) = study.practice
    assert isinstance(practice, PracticeItem)
    assert practice.item.fields["facts"] == ["one", "two"]
    assert practice.expect == {"adequacy": "4", "facts_recalled": "1|2"}
    assert study.quality == (
        QualityRule("attention", "annotator", {"failed": 1}),
        QualityRule("contradiction", "annotator", {"at_least": 3}),
        QualityRule("hasty", "judgment", {"faster_than_seconds": 6}),
    )


def test_plan_is_plain_data(tmp_path):
    study = changed(
        tmp_path,
        "agreement: {threshold: 0.67, bootstrap: 2000}",
        'agreement: {threshold: 1.0, exact: true, name: "12", of: yes, since: 2020-01-01, no: ~}',
    )
    assert study.plan["agreement"] == {
        "threshold": 1,
        "exact": True,
        "name": "12",
        "of": "yes",
        "since": "2020-01-01",
        "no": None,
    }


def test_dimensions_replace_the_instrument(tmp_path):
    study = changed(
        tmp_path,
        "    hidden: [condition_1, condition_2, article]\n",
        "    hidden: [condition_1, condition_2, article]\n"
        "    dimensions:\n"
        "      - {key: overall, ask: How good, hint: In all, scale: interval, min: 0, max: 100,\n"
        "         step: 1}\n"
        "      - key: why\n"
        "        ask: Why\n"
        "        scale: nominal\n"
        "        options: [{value: 1, label: One, anchor: the first, shortcut: o}, no]\n"
        "        required: false\n"
        "        last: true\n"
        "      - {key: note, ask: More, scale: text, when: {why: no}, last: true, once: true}\n",
    )
    assert study.task("comparison").dimensions == (
        Dimension("overall", "How good", Scale.INTERVAL, "In all", minimum=0, maximum=100, step=1),
        Dimension(
            "why",
            "Why",
            Scale.NOMINAL,
            options=(Option("1", "One", "the first", "o"), Option("no", "no")),
            required=False,
            last=True,
        ),
        Dimension("note", "More", Scale.TEXT, when={"why": ("no",)}, last=True, once=True),
    )


@pytest.mark.parametrize(
    "extension",
    [
        "    extend:\n      - {key: fun, ask: Fun, scale: nominal, options: [yes, no]}\n",
        (
            "    dimensions:\n      extend:\n"
            "        - {key: fun, ask: Fun, scale: nominal, options: [yes, no]}\n"
        ),
    ],
)
def test_extend_adds_to_the_instrument(tmp_path, extension):
    study = changed(tmp_path, HIDDEN, HIDDEN + extension)
    own = TASK_TYPES["rubric"].instrument
    fun = Dimension("fun", "Fun", Scale.NOMINAL, options=(Option("yes", "yes"), Option("no", "no")))
    assert study.task("response").dimensions == (*own, fun)


def test_contradictions_of_the_type_stay_where_the_instrument_can_meet_them(tmp_path):
    study = changed(
        tmp_path,
        "    items: responses.csv\n",
        "    items: responses.csv\n"
        "    dimensions:\n"
        "      - {key: adequacy, ask: A, scale: ordinal, options: [1, 2, 3, 4, 5]}\n"
        "      - {key: equivalence, ask: E, scale: ordinal, options: [different, same]}\n"
        "      - {key: facts_recalled, ask: F, scale: multiple, options_from: facts}\n",
    )
    assert study.task("response").contradictions == (
        {"adequacy": ("5",), "equivalence": ("different",)},
        {"adequacy": ("1",), "equivalence": ("same",)},
        {"equivalence": ("same",), "facts_recalled": ("none",)},
    )


def test_a_task_may_declare_its_own_contradictions(tmp_path):
    study = changed(
        tmp_path,
        HIDDEN,
        HIDDEN + "    contradictions:\n"
        "      - {adequacy: [1, 2], facts_recalled: [none, 3], attribution: supported}\n",
    )
    assert study.task("response").contradictions == (
        {
            "adequacy": ("1", "2"),
            "facts_recalled": ("none", "3"),
            "attribution": ("supported",),
        },
    )


def test_text_in_yaml_is_kept_as_written(tmp_path):
    study = changed(tmp_path, "title: A tiny study", 'title: "cafe\\u0301 \\u202e \U0001f600"')
    assert study.title == "cafe\u0301 \u202e \U0001f600"


def test_known_steering_fields_and_language_fields_need_not_be_hidden(tmp_path):
    table = (
        "id,question,response,question_lang,response_lang,ask_error,model,article\n"
        "r1,Q,R,en,zh-Hans,true,m,a\n"
    )
    study = read_study(write_folder(tmp_path / "study", {"responses.csv": table}))
    fields = study.tasks[0].items[0].fields
    assert (fields["response_lang"], fields["ask_error"]) == ("zh-Hans", True)


def test_the_language_of_a_hidden_field_is_hidden_too(tmp_path):
    table = "id,question,response,model,model_lang,article\nr1,Q,R,m,en,a\n"
    (told,) = errors_of(write_folder(tmp_path / "study", {"responses.csv": table}))
    assert told.startswith('responses.csv, line 1, model_lang: The column "model_lang" is neither')


def test_types_are_an_argument(tmp_path):
    folder = write_folder(tmp_path / "study")
    only_rubric = {"rubric": TASK_TYPES["rubric"]}
    assert [e.field for e in inspect_study(folder, only_rubric).errors] == ["tasks.comparison.type"]


@pytest.mark.parametrize(
    "tag", ["en", "yue", "zh-Hans", "es-419", "sr-Latn-RS", "de-CH-1996", "en-x-plain", "zh-cmn"]
)
def test_language_tags(tag):
    assert is_language_tag(tag)


@pytest.mark.parametrize("tag", ["", "e", "english", "en_US", "en-", "-en", "en us", "12"])
def test_what_is_no_language_tag(tag):
    assert not is_language_tag(tag)
