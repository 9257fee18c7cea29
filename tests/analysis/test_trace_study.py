"""The demo study of traces: what the report finds is what the simulated people went by."""

from datetime import timedelta
from pathlib import Path

import pytest

from analysis.loaders import study_plan, study_sample
from analysis.pipelines.human.plan import Overrides
from analysis.pipelines.human.study import analyse
from annotation.simulation.population import Population
from annotation.simulation.study import simulate
from annotation.studyfile import read_study
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

FOLDER = Path(__file__).parents[2] / "fixtures" / "studies" / "trace-equivalence"


def compared(follows: str):
    """Let people judge every pair by one of its scores; return what the report finds."""
    study = factories.live(read_study(FOLDER))
    simulate(
        study,
        Population(seed=4, careless=0.0, abandon=0.0, ability=0.8, follows=follows),
        annotators=35,
        until_complete=True,
        site=None,
        author="test",
        now=factories.NOW + timedelta(days=3),
    )
    (found,) = analyse(study_sample(study), study_plan(study), Overrides(bootstrap=20)).traces
    (versus,) = found.versus
    return found, versus.williams


def test_people_who_go_by_the_steps_follow_S_more_than_H():
    found, williams = compared("S")
    assert found.rho["S"].value > found.rho["H"].value
    assert williams.value > 0
    # Within a pair of languages the two scores of these answers go together at 0.83.
    assert williams.p < 0.01
    anchors = found.anchors
    assert anchors.items == 3
    assert [(group.name, group.people) for group in anchors.groups] == [("A", 18), ("B", 17)]
    assert anchors.apart == 0
    # Both groups judge alike, and nothing else is found.
    assert anchors.difference.p > 0.05


def test_people_who_go_by_the_whole_do_not():
    found, williams = compared("H")
    assert found.rho["H"].value > found.rho["S"].value
    assert williams.value < 0
