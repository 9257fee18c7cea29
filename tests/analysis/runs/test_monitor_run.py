"""The run behind the monitor: one pass whose numbers are those of the funnel, the rules and the plan."""

import json
import threading
from datetime import timedelta

import pytest

from analysis.runs.monitor import gathered_dimensions, monitor, threshold_of
from analysis.runs.stamp import input_stamp
from analysis.runs.worker import heartbeat
from annotation.selectors.judgments import counted_answers
from annotation.selectors.quality import study_funnel
from annotation.services.exclusions import exclusion_by_hand, exclusions_apply
from tests.factories import (
    ATTENTION,
    AUTHOR,
    CHECK,
    HASTY,
    MINUTE,
    NOW,
    annotator,
    answered,
    claimed,
    definition,
    done_by_someone,
    live,
)

pytestmark = pytest.mark.django_db
AT = NOW + timedelta(hours=2)


def told(study):
    """Return the document of a run, and all that it said of its progress."""
    said = []
    document = monitor(study, {}, lambda *words: said.append(words), clock=lambda: AT)
    return document, said


def collected():
    """Return a study with someone who failed the check, someone hasty, someone left out by hand."""
    study = live(items=6, form_size=3, replication=3, attention=[CHECK], quality=[ATTENTION, HASTY])
    for _ in range(2):
        done_by_someone(study)
    inattentive = claimed(annotator(study))
    for screen in inattentive.assignments.order_by("position"):
        answered(screen, confidence="3")
    hasty = claimed(annotator(study))
    for n, screen in enumerate(hasty.assignments.order_by("position")):
        answered(screen, seconds=1.0 if n == 0 else 30.0)
    by_hand = done_by_someone(study)
    exclusion_by_hand(by_hand.annotator, reason="Told so.", author=AUTHOR, now=NOW)
    return study


def test_the_numbers_are_those_of_the_end_of_the_funnel_recorded_or_not():
    study = collected()
    for _ in range(2):
        document, _ = told(study)
        final = study_funnel(study).final
        assert (document["annotators"], document["judgments"], document["items_judged"]) == (
            final.annotators,
            final.judgments,
            final.items,
        )
        exclusions_apply(study, author=AUTHOR, now=NOW)
    assert document["judgments"] == counted_answers(study).count() == 8


def test_the_document_is_strict_json_and_names_nobody_by_a_link():
    study = collected()
    document, said = told(study)
    text = json.dumps(document, allow_nan=False)
    for person in study.annotators.all():
        assert person.access_key not in text
    assert [progress for progress, _ in said] == sorted(progress for progress, _ in said)


def test_checks_are_of_everyone_who_met_one():
    document, _ = told(collected())
    assert (document["checks"]["value"], document["checks"]["n"]) == (0.8, 5)


def test_the_hours_are_those_of_the_last_day():
    document, _ = told(collected())
    hours = dict(document["pace"]["by_hour"])
    assert len(hours) == 24
    assert hours[NOW.isoformat()] == 15
    assert sum(hours.values()) == 15


def test_nothing_yet_is_told_without_a_number():
    document, _ = told(live(attention=[CHECK], quality=[ATTENTION]))
    assert document["median_seconds_item"] is None
    assert document["median_seconds_form"] is None
    assert document["checks"]["value"] is None
    assert document["pace"]["last_hour"] is None
    assert all(one["value"] is None and one["reason"] for one in document["agreement"])


def test_a_form_takes_from_its_claim_to_its_end():
    study = live()
    done_by_someone(study)
    document, _ = told(study)
    assert document["median_seconds_form"] == MINUTE.total_seconds()


@pytest.mark.parametrize(
    ("agreement", "wanted"),
    [
        ({}, 0.67),
        ({"threshold": 0.8}, 0.8),
        ([{"dimension": "choice", "threshold": 0.5}, {"threshold": 0.7}], 0.5),
        ([{"dimension": "confidence", "threshold": 0.5}, {"threshold": 0.7}], 0.7),
        ([{"dimension": "confidence", "threshold": 0.5}], 0.67),
    ],
)
def test_the_threshold_is_the_dimension_s_own_or_the_general_one(agreement, wanted):
    assert threshold_of({"agreement": agreement}, "choice") == wanted


def test_what_is_typed_has_no_agreement():
    kinds = {one.level for one in gathered_dimensions(definition(responses=2)).values()}
    assert kinds <= {"nominal", "ordinal", "interval"}
    assert ("compare", "prefers_higher") in gathered_dimensions(definition())


def test_the_stamp_changes_with_an_answer_an_act_and_the_end_of_a_form():
    study = live()
    claim = claimed(annotator(study))
    stamps = [input_stamp(study)]
    for screen in claim.assignments.order_by("position"):
        answered(screen)
        stamps.append(input_stamp(study))
    exclusion_by_hand(claim.annotator, reason="Told so.", author=AUTHOR, now=NOW)
    stamps.append(input_stamp(study))
    assert len(set(stamps)) == len(stamps)
    assert input_stamp(study) == stamps[-1]


def test_a_long_step_keeps_its_run_alive(monkeypatch):
    beats = threading.Semaphore(0)
    monkeypatch.setattr("analysis.runs.worker.run_heartbeat", lambda *_, **__: beats.release())
    run = type("Run", (), {"pk": 1})()
    before = threading.active_count()
    with heartbeat(run, lambda: NOW, every=0.01):
        assert all(beats.acquire(timeout=5) for _ in range(2))
    assert threading.active_count() == before
