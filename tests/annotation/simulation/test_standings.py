"""Simulated people who judge by a hidden number of the items, and by nothing else."""

from dataclasses import replace

import pytest
from scipy.stats import spearmanr

from annotation.errors import StateForbids
from annotation.models import Answer, Study
from annotation.simulation.population import Population
from annotation.simulation.standings import standings
from annotation.simulation.study import simulate
from tests import factories

pytestmark = pytest.mark.django_db

# Two scores that have nothing to do with each other.
SCORES = [{"S": 0.5 + n / 100, "H": 0.9 + (7 * n % 12) / 1000} for n in range(12)]


@pytest.fixture
def study() -> Study:
    rows = factories.rubric_items(12)
    items = [replace(row, fields={**row.fields, **SCORES[n]}) for n, row in enumerate(rows)]
    task = factories.task("response", "rubric", items)
    wanted = factories.definition(items=0, replication=4, form_size=6)
    return factories.live(replace(wanted, tasks=(task,)))


def judged_by(study: Study, name: str) -> list[tuple[float, float]]:
    simulate(
        study,
        Population(seed=3, careless=0.0, abandon=0.0, ability=0.95, leniency_sd=0.0, follows=name),
        annotators=8,
        until_complete=False,
        site=None,
        author="test",
        now=factories.NOW,
    )
    answers = Answer.objects.select_related("assignment__item")
    return [(a.assignment.item.fields[name], int(a.values["adequacy"])) for a in answers]


def test_a_standing_is_the_rank_of_the_item(study: Study) -> None:
    found = standings(study, "S")
    by_key = {item.fields["S"]: found[item.pk] for item in study.items.all()}
    assert [by_key[score] for score in sorted(by_key)] == [n / 11 for n in range(12)]


@pytest.mark.parametrize("name", ["S", "H"])
def test_people_judge_by_the_field_they_follow(study: Study, name: str) -> None:
    scores, judged = zip(*judged_by(study, name), strict=True)
    assert spearmanr(scores, judged).statistic > 0.8


def test_a_field_without_numbers_cannot_be_followed(study: Study) -> None:
    with pytest.raises(StateForbids, match="no_such"):
        standings(study, "no_such")
