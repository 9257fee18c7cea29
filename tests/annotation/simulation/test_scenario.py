"""The scenario of the first paper: its script on its design, and the funnel that comes of it."""

from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.errors import StateForbids
from annotation.models import Study
from annotation.selectors.collected import collected
from annotation.selectors.quality import study_funnel
from annotation.simulation.scenario import scenario_plays
from annotation.simulation.script import PlannedSlot, Shape, script_of
from tests.factories import NOW, done_by_someone, live, seeded

DEMO = Path("fixtures/studies/answer-quality")
SMALL = Shape(
    arrived=12,
    failed_attention=2,
    contradictory=1,
    excluded_judgments=12,
    hasty=6,
    lost_items=1,
    decisive=6,
    higher=4,
)


def design() -> list[PlannedSlot]:
    """Return 12 forms of four: three responses of twelve, each three times, and a comparison."""
    return [
        PlannedSlot(form, f"r{(form + step) % 12}", None)
        for form in range(12)
        for step in (0, 1, 5)
    ] + [PlannedSlot(form, f"p{form % 4}", 0.2 * (form % 4) - 0.3) for form in range(12)]


def test_a_script_has_the_counts_of_its_shape():
    slots = design()
    script = script_of(slots, SMALL, seeded(3))
    out = script.careless | script.contradictory
    assert (len(script.careless), len(script.contradictory), len(out)) == (2, 1, 3)
    assert len(script.hasty) == 6
    assert Counter(script.preferred.values()) == {"higher": 4, "lower": 2, None: 3}
    kept = [s for s in slots if s.form not in out and (s.form, s.item) not in script.hasty]
    assert len({slot.item for slot in slots} - {slot.item for slot in kept}) == 1


def test_the_same_seed_gives_the_same_script():
    assert script_of(design(), SMALL, seeded(3)) == script_of(design(), SMALL, seeded(3))
    assert script_of(design(), SMALL, seeded(3)) != script_of(design(), SMALL, seeded(4))


def test_a_design_of_another_size_is_refused():
    with pytest.raises(StateForbids, match="needs a study of 12 forms; this one has 1"):
        script_of(design()[:3], SMALL, seeded(1))


@pytest.mark.django_db
def test_a_study_that_somebody_entered_is_refused():
    study = live(items=3, replication=1)
    done_by_someone(study)
    with pytest.raises(StateForbids, match="a scenario needs an untouched study"):
        scenario_plays(study, "paper", seed=1, now=NOW)


@pytest.mark.slow
@pytest.mark.django_db
def test_the_paper_s_funnel_comes_out_exactly():
    for command in (["study_import", str(DEMO)], ["study_launch", "answer-quality"]):
        call_command(*command, stdout=StringIO())
    study = Study.objects.get(slug="answer-quality")
    scenario_plays(study, "paper", seed=42, now=NOW)
    found = study_funnel(study)
    removed = {s.stage: (s.removed_annotators, s.removed_judgments) for s in found.stages}
    assert found.stages[0].left_annotators == 200
    assert removed["attention"] == (21, 209)
    assert removed["contradiction"] == (2, 20)
    assert removed["hasty"] == (0, 42)
    end = found.final
    assert (end.annotators, end.judgments, end.items, end.decisive) == (177, 1727, 665, 138)
    for before, after in zip(found.stages, found.stages[1:], strict=False):
        assert after.left_judgments + after.removed_judgments == before.left_judgments
        assert after.left_annotators + after.removed_annotators == before.left_annotators
    out = {
        verdict.annotator
        for rule in found.applied
        for verdict in rule.verdicts
        if not verdict.answer
    }
    derived = [
        row.value
        for some in collected(study)
        for person, kind in zip(some.people, some.kind, strict=True)
        for row in some.kinds[kind].rows
        if row.dimension == "prefers_higher" and row.value and person not in out
    ]
    assert Counter(derived) == {"higher": 85, "lower": 53}
