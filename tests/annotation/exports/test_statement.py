"""What the data statement says of a design."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from annotation.exports.statement import _design, _list
from annotation.studyfile.definition import AssignmentRules

RULES = AssignmentRules(replication=2, form_size=35, conflict=("problem",), balance=("stratum",))


def told(rules):
    final = SimpleNamespace(items=60, items_2plus=60)
    making = SimpleNamespace(funnel=SimpleNamespace(final=final))
    facts = SimpleNamespace(definition=SimpleNamespace(assignment=rules))
    return "\n".join(_design(making, facts))


def test_the_rules_of_the_assignment_are_told():
    text = told(RULES)
    assert "Each item was to be judged by 2 people, 35 items a form" in text
    assert "Nobody saw two items of the same problem." in text
    assert "Forms were balanced over stratum." in text


@pytest.mark.parametrize("groups", ["", "half"])
def test_groups_are_told_where_there_are_any(groups):
    sentence = "No form mixed values of half; only the anchors stood on all forms."
    assert (sentence in told(replace(RULES, anchors="anchor", groups=groups))) == bool(groups)


@pytest.mark.parametrize("anchors", ["", "anchor"])
def test_anchors_are_told_where_there_are_any(anchors):
    sentence = "Items with 1 or true in anchor stood on every planned form."
    assert (sentence in told(replace(RULES, anchors=anchors))) == bool(anchors)


def test_what_a_study_calls_itself_begins_no_heading():
    assert _list(["Country: Nowhere\n\n# Owned"]) == ["- Country: Nowhere # Owned"]
