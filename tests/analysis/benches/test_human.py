"""The bench of report and monitor, small: the same queries for ten times the judgments."""

import pytest
from django.utils import timezone

from analysis.benches import human
from analysis.benches.large import large_study
from analysis.runs.kinds import MONITOR
from annotation.selectors.progress import study_progress

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_queries_grow_with_parts_of_people_alone(monkeypatch):
    few, many = (
        large_study(count, slug=slug, now=timezone.now(), replication=4)
        for slug, count in (("few", 200), ("many", 2_000))
    )
    assert study_progress(many).judgments == 2_000
    for kind, parameters in (("human", {"bootstrap": 20}), (MONITOR, {})):
        asked = human.run_queries(few, kind, **parameters)
        assert human.run_queries(many, kind, **parameters) == asked
    # Of 200 people with eleven screens each, 18 fit into a part.
    monkeypatch.setattr("annotation.selectors.collected.SCREENS_AT_ONCE", 200)
    parts = human.part_queries(many)
    assert parts == 4 * 12
    assert human.run_queries(many, MONITOR) == asked - 4 + parts
