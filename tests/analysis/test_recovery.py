"""Parameter recovery from the database: studies simulated through the services, then analysed.

The truth is computable because people differ only where a test says so. With the advantage of one
response planted at `a` and everybody of ability 0, what a person sees is `a` plus normal noise of
standard deviation 1, and they decide beyond ±0.05: the preference among decisions is a ratio of two
normal probabilities, the same for everybody and every pair, so it is the crossed model's value at
zero effects. The alpha of a rubric has no short formula; the truth is that of 400 items with 12
answers each, drawn by the same task type without a study.
"""

from dataclasses import replace
from statistics import NormalDist

import pytest

from analysis.loaders import study_plan, study_sample
from analysis.pipelines.human.plan import Overrides
from analysis.pipelines.human.study import analyse
from analysis.stats.alpha import krippendorff_alpha
from analysis.stats.ratings import Ratings
from annotation.models import Annotator
from annotation.simulation.population import Population, drawn
from annotation.simulation.study import simulate
from annotation.studyfile.definition import ItemRow
from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.base import SimulatedPerson
from annotation.tasktypes.rubric import ADEQUACY, PLANTED
from tests.factories import ATTENTION, CHECK, NOW, definition, live, seeded, task

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
FEW = Overrides(bootstrap=200)
CALM = Population(ability_sd=0, leniency_sd=0, careless=0, abandon=0)
ADVANTAGE, ENOUGH = 0.3, 0.05
STUDIES = 8
# 95 % intervals miss more than 2 of 8 with a chance of 0.6 %.
MOST_MISSES = 2


def analysed(study, population, people):
    """Let people judge the study, and analyse it from the database."""
    simulate(
        study, population, annotators=people, until_complete=False, site=None, author="r", now=NOW
    )
    return analyse(study_sample(study), study_plan(study), FEW)


def compared_study(slug, *, pairs=24, replication=4, **shape):
    """Return a study of pairs in which the higher condition has the advantage, on either side."""
    whole = definition(slug=slug, items=pairs, replication=replication, form_size=8, **shape)
    rows = [_pair(row, n) for n, row in enumerate(whole.tasks[0].items)]
    return live(replace(whole, tasks=(_hiding("compare", "pair", rows, "planted_advantage"),)))


def _pair(row, n):
    sides = ("low", "high") if n % 2 else ("high", "low")
    planted = -ADVANTAGE if n % 2 else ADVANTAGE
    known = {"condition_1": sides[0], "condition_2": sides[1], "planted_advantage": planted}
    return replace(row, fields={**row.fields, **known})


def _hiding(key, kind, rows, *fields):
    made = task(key, kind, rows)
    return replace(made, hidden=(*made.hidden, *fields))


def rated_study(slug, *, seed, items=24, replication=4):
    """Return a study of single responses whose quality is spread evenly from 0 to 1."""
    rng = seeded(seed)
    rows = [ItemRow(id=f"r{n:03}", fields=_response(rng.random())) for n in range(items)]
    whole = definition(slug=slug, items=0, responses=1, replication=replication, form_size=6)
    rated = replace(
        _hiding("rate", "rubric", rows, PLANTED), hidden=(PLANTED,), dimensions=(ADEQUACY,)
    )
    return live(replace(whole, tasks=(rated,)))


def _response(quality):
    return {"question": "Why?", "response": "Because.", PLANTED: quality}


def alpha_of(found):
    (one,) = (one for one in found.agreement if one.scale.key == ADEQUACY.key)
    return one.alpha


def population_alpha(ability, items=400, people=12):
    """Return the alpha of many items and answers, each by another person of this ability."""
    rng, person = seeded(5), SimulatedPerson(ability=ability)
    rate = TASK_TYPES["rubric"].simulate
    qualities = [rng.random() for _ in range(items)]
    given = [
        (n, who, rate(_response(quality), (ADEQUACY,), person, rng)[ADEQUACY.key])
        for n, quality in enumerate(qualities)
        for who in range(people)
    ]
    data = Ratings.from_long(*zip(*given, strict=True), labels=tuple("12345"))
    return krippendorff_alpha(data, "ordinal").value


def test_the_planted_preference_lies_in_the_interval_of_the_crossed_model():
    seen = NormalDist(ADVANTAGE, 1.0)
    higher, lower = 1 - seen.cdf(ENOUGH), seen.cdf(-ENOUGH)
    truth, misses = higher / (higher + lower), 0
    for seed in range(STUDIES):
        population = replace(CALM, ability=0.0, seed=seed)
        found = analysed(compared_study(f"p{seed}"), population, people=12)
        at_zero = found.preference.primary.found.mixed.at_zero
        misses += not at_zero.low <= truth <= at_zero.high
    assert misses <= MOST_MISSES


def test_alpha_rises_with_ability_and_its_interval_covers_that_of_the_population():
    abilities, values, misses = (0.3, 0.6, 0.9), [], 0
    for n, ability in enumerate(abilities):
        # The interval holds what it promises from about a hundred items on (test_alpha_coverage).
        study = rated_study(f"a{n}", seed=n, items=100, replication=2)
        alpha = alpha_of(analysed(study, replace(CALM, ability=ability), people=40))
        misses += not alpha.low <= population_alpha(ability) <= alpha.high
        values.append(alpha.value)
    assert values == sorted(values)
    # Two of three 95 % intervals miss with a chance of 0.7 %.
    assert misses <= 1


def test_leniency_lowers_agreement():
    fair, lenient = (
        alpha_of(
            analysed(
                rated_study(slug, seed=1),
                replace(CALM, ability=0.9, leniency_sd=spread),
                people=20,
            )
        )
        for slug, spread in (("fair", 0.0), ("lenient", 0.4))
    )
    assert lenient.high < fair.low


def test_the_attention_funnel_removes_exactly_the_careless_people_and_sides_play_no_part():
    """Whoever is careless fails the check for certain, so that the count is known from the draw."""
    population = replace(CALM, ability=0.0, careless=0.3, seed=4)
    study = compared_study("careless", pairs=40, attention=[CHECK], quality=[ATTENTION])
    careless = sum(drawn(population, n).mind.careless for n in range(20))
    found = analysed(study, population, people=20)
    assert 0 < careless < 20 == Annotator.objects.filter(study=study, state="completed").count()
    (stage,) = (s for s in found.sample.funnel["stages"] if s["stage"] == "attention")
    assert stage["removed_annotators"] == careless
    assert stage["removed_judgments"] == 8 * careless
    assert found.sample.funnel["final"]["annotators"] == 20 - careless
    position = found.preference.primary.found.position
    assert position.low <= 0.5 <= position.high
