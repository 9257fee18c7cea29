"""Prespecified or post hoc: by the parameters, whatever their spelling, and by nothing else."""

import pytest

from analysis.pipelines.human.plan import (
    Overrides,
    canonical_json,
    read_plan,
    requests,
)
from analysis.pipelines.human.sample import HumanError

PLAN = read_plan(
    {
        "seed": 7,
        "plan": {
            "agreement": {"threshold": 0.67, "bootstrap": 2000},
            "triangulation": [{"human": "a", "automatic": "f", "by": ["class"]}],
        },
    }
)
NOTHING = Overrides()


def test_what_runs_as_planned_is_prespecified():
    (one,) = requests(PLAN, "agreement", [], NOTHING)
    assert one.prespecified
    assert (one["threshold"], one["bootstrap"], one["seed"]) == (0.67, 2000, 7)


@pytest.mark.parametrize(
    "changed", [Overrides(seed=8), Overrides(bootstrap=1999), Overrides(sample="all")]
)
def test_any_other_parameter_makes_it_post_hoc(changed):
    (one,) = requests(PLAN, "agreement", [], changed)
    assert not one.prespecified


def test_asking_for_what_is_planned_anyway_changes_nothing():
    (one,) = requests(PLAN, "agreement", [], Overrides(seed=7, bootstrap=2000))
    assert one.prespecified


def test_a_planned_breakdown_is_prespecified_and_another_is_not():
    entry = PLAN.entries["triangulation"][0]
    found = requests(PLAN, "triangulation", [dict(entry) | {"by": "source"}], NOTHING)
    assert [(one["by"], one.prespecified) for one in found] == [
        (None, True),
        ("class", True),
        ("source", False),
    ]


def test_what_is_planned_is_not_repeated():
    entry = {"human": "a", "automatic": "f", "by": "class"}
    assert len(requests(PLAN, "triangulation", [entry], NOTHING)) == 2


def test_without_a_plan_all_is_post_hoc():
    (one,) = requests(read_plan({}), "preference", [{}], NOTHING)
    assert not one.prespecified


def test_the_spelling_of_a_number_does_not_matter():
    assert canonical_json({"b": 2.0, "a": [1]}) == '{"a":[1],"b":2}'


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (
            {"plan": {"ceiling": {"dimension": "a"}}},
            "An entry of `ceiling` in the plan lacks by, score.",
        ),
        (
            {"plan": {"agreement": 3}},
            "`agreement` of the plan holds 3; entries of parameters are due.",
        ),
        ({"plan": ["agreement"]}, "`plan` must hold kinds of analysis, such as `agreement:`."),
        ({"seed": "x"}, "`seed` is 'x' and must be a whole number from 0 on."),
    ],
)
def test_a_plan_that_cannot_be_read_is_refused_in_a_sentence(document, message):
    with pytest.raises(HumanError) as refusal:
        read_plan(document)
    assert str(refusal.value) == message
