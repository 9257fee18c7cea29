from statistics import fmean

from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.base import SimulatedPerson, contradictions_of
from annotation.tasktypes.instrument import Scale
from tests.annotation.tasktypes.contract import TaskTypeContract
from tests.annotation.tasktypes.samples import RUBRIC, seeded

TASK = TASK_TYPES["rubric"]


def asked(fields, *, closes_form=False):
    return TASK.present(fields, TASK.instrument, flipped=False, closes_form=closes_form).asked


def mean_adequacy(score, person):
    fields = {**RUBRIC, "token_f1": score}
    adequacy = [d for d in TASK.instrument if d.key == "adequacy"]
    answers = [
        TASK.simulate(fields, adequacy, person, seeded(seed))["adequacy"] for seed in range(300)
    ]
    return fmean(map(int, answers))


class TestRubric(TaskTypeContract):
    key = "rubric"
    item = RUBRIC
    hidden = {"model": "model-s3cret", "token_f1": "0.731", "joshi_class": "class-s3cret"}


def test_what_is_asked_follows_from_the_item():
    bare = {"question": "q", "response": "r"}
    assert asked(bare) == ("question_valid", "adequacy")
    assert "equivalence" in asked({**bare, "reference": "x"})
    assert "attribution" in asked({**bare, "passage": "x"})
    assert "attribution" in asked({**bare, "passage_id": "p1"})
    assert "facts_recalled" in asked({**bare, "facts": ["x"]})
    assert "facts_recalled" not in asked({**bare, "facts": []})
    assert "error_category" in asked({**bare, "ask_error": True})
    assert "error_category" not in asked({**bare, "ask_error": False})


def test_consistency_is_asked_once_with_the_item_that_closes_the_form():
    assert "consistency" not in asked(RUBRIC)
    assert "consistency" in asked(RUBRIC, closes_form=True)


def test_the_error_comes_last_and_has_seven_categories():
    error = TASK.instrument[-1]
    assert (error.key, error.last, len(error.options)) == ("error_category", True, 7)
    assert [d.key for d in TASK.instrument if d.last] == ["error_category"]


def recall(facts, ticked):
    rows = TASK.judgments({**RUBRIC, "facts": facts}, TASK.instrument, {"facts_recalled": ticked})
    return {row.dimension: row.value for row in rows}


def test_keypoint_recall_is_the_share_of_the_facts():
    assert recall(["a", "b", "c", "d"], ["1", "3", "4"])["keypoint_recall"] == 0.75
    assert recall(["a", "b", "c", "d"], ["1", "3", "4"])["facts_recalled"] == "1|3|4"
    assert recall(["a"], ["1"])["keypoint_recall"] == 1.0


def test_no_fact_ticked_is_an_answer():
    assert recall(["a", "b"], []) == {"facts_recalled": "", "keypoint_recall": 0.0}


def test_without_facts_there_is_no_recall():
    rows = TASK.judgments({"question": "q", "response": "r"}, TASK.instrument, {"adequacy": "4"})
    assert [row.dimension for row in rows] == ["adequacy"]
    assert rows[0].scale is Scale.ORDINAL


def test_the_best_adequacy_beside_a_missing_fact_is_no_contradiction():
    values = {"adequacy": "5", "equivalence": "partly", "facts_recalled": ["1"]}
    assert contradictions_of(TASK.contradictions, values) == []
    assert contradictions_of(TASK.contradictions, {**values, "equivalence": "different"})


def test_simulated_adequacy_rises_with_quality_and_leniency():
    person = SimulatedPerson(ability=0.8)
    means = [mean_adequacy(score, person) for score in ("0.1", "0.5", "0.9")]
    assert means[0] + 0.8 < means[1] < means[2] - 0.8
    assert mean_adequacy("0.5", SimulatedPerson(ability=0.8, leniency=0.25)) > means[1] + 0.5


def test_ability_narrows_what_is_answered_and_carelessness_ignores_the_item():
    assert mean_adequacy("0.5", SimulatedPerson(ability=1.0)) == 3.0
    careless = SimulatedPerson(careless=True)
    assert abs(mean_adequacy("0.0", careless) - mean_adequacy("1.0", careless)) < 0.3


def test_simulated_facts_are_those_that_the_response_states():
    facts = [d for d in TASK.instrument if d.key == "facts_recalled"]
    sharp = SimulatedPerson(ability=1.0)
    assert TASK.simulate(RUBRIC, facts, sharp, seeded(1)) == {"facts_recalled": ["1"]}
