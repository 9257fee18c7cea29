from statistics import fmean

from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.base import SimulatedPerson
from tests.annotation.tasktypes.contract import TaskTypeContract, rendered
from tests.annotation.tasktypes.samples import TRANSLATION, seeded

TASK = TASK_TYPES["translation"]


class TestTranslation(TaskTypeContract):
    key = "translation"
    item = TRANSLATION
    hidden = {"answer": "B-s3cret", "planted_quality": "2.113", "planted_culture": "yes-s3cret"}


def test_each_language_stands_on_its_own_text():
    html = rendered(TASK, TRANSLATION)
    assert html.count('lang="es"') == 2
    assert html.count('lang="en"') == 3


def simulated(key, **planted):
    fields = {**TRANSLATION, **planted}
    dimensions = [d for d in TASK.instrument if d.key == key]
    person = SimulatedPerson(ability=0.8)
    return [TASK.simulate(fields, dimensions, person, seeded(seed))[key] for seed in range(300)]


def test_simulated_quality_follows_what_is_planted():
    means = [
        fmean(map(int, simulated("translation_quality", planted_quality=q)))
        for q in ("1", "2", "3")
    ]
    assert means[0] < 1.4
    assert 1.8 < means[1] < 2.2
    assert means[2] > 2.6


def test_simulated_culture_follows_what_is_planted():
    answers = simulated("local_culture", planted_culture="yes")
    assert 0.85 < answers.count("yes") / len(answers) < 1.0
    assert set(simulated("local_culture")) == {"yes", "no", "unsure"}
