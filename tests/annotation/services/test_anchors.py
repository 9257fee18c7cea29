"""Anchors from the folder to the people: everybody judges them, in an order of their own."""

from collections import Counter
from dataclasses import replace

import pytest

from annotation.errors import NothingToClaim, Refused
from annotation.models import Answer, Assignment, Slot
from annotation.selectors.progress import people_needed, study_progress
from annotation.services.exclusions import exclusion_by_hand
from annotation.services.sessions import annotator_return
from annotation.services.top_up import top_up
from tests import factories
from tests.annotation.views.walk import Walk

pytestmark = pytest.mark.django_db

ANCHORS = ("c001", "c002")


def anchored(**shape):
    """Ten comparisons; two are marked, and stand on every form of six."""
    wanted = factories.definition(**{"items": 10, "replication": 2, "form_size": 6} | shape)
    task = wanted.tasks[0]
    rows = tuple(
        replace(row, fields={**row.fields, "zq_shared": str(int(row.id in ANCHORS))})
        for row in task.items
    )
    rules = replace(wanted.assignment, anchors="zq_shared")
    return replace(
        wanted,
        assignment=rules,
        tasks=(replace(task, items=rows, hidden=(*task.hidden, "zq_shared")),),
    )


def judged(person):
    """The keys of the items that the person's form holds, in the order of its screens."""
    screens = Assignment.objects.filter(annotator=person, kind="judge").order_by("position")
    return list(screens.values_list("item__key", flat=True))


def test_everybody_judges_the_anchors_and_every_other_item_is_judged_twice():
    study = factories.live(anchored())
    people = [factories.annotator(study) for _ in range(4)]
    for person in people:
        factories.claimed(person)
    seen = [judged(person) for person in people]
    assert all(set(ANCHORS) < set(form) and len(form) == 6 for form in seen)
    others = Counter(key for form in seen for key in form if key not in ANCHORS)
    assert others == {f"c{n:03}": 2 for n in range(3, 11)}
    with pytest.raises(NothingToClaim):
        factories.claimed(factories.annotator(study))


def test_the_slots_of_an_anchor_are_as_many_as_the_forms_and_half_are_shown_reversed():
    study = factories.live(anchored())
    slots = Slot.objects.filter(item__study=study, item__key__in=ANCHORS)
    assert Counter(slots.values_list("replication", flat=True)) == {4: 8}
    assert Counter(slots.values_list("item__key", "flipped")) == {
        (key, side): 2 for key in ANCHORS for side in (True, False)
    }
    assert study.design["anchors"] == 2
    assert study.design["form_sizes"] == {"6": 4}


def test_people_of_two_groups_share_the_anchors_only():
    wanted = anchored()
    (task, *others) = wanted.tasks
    rows = tuple(
        replace(row, fields={**row.fields, "zq_half": "ab"[place % 2]})
        for place, row in enumerate(task.items)
    )
    task = replace(task, items=rows, hidden=(*task.hidden, "zq_half"))
    rules = replace(wanted.assignment, groups="zq_half")
    study = factories.live(replace(wanted, assignment=rules, tasks=(task, *others)))
    half = {row.id: row.fields["zq_half"] for row in rows}
    people = [factories.annotator(study) for _ in range(4)]
    for person in people:
        factories.claimed(person)
    beside = [set(judged(person)) - set(ANCHORS) for person in people]
    assert all(set(ANCHORS) < set(judged(person)) for person in people)
    assert sorted("".join(sorted({half[key] for key in form})) for form in beside) == list("aabb")


def test_no_place_tells_an_anchor():
    """The places are drawn person by person: over a dozen people anchors stand everywhere."""
    study = factories.live(anchored())
    places = set()
    for seed in range(12):
        person = factories.annotator(study)
        factories.claimed(person, seed=seed)
        form = judged(person)
        places |= {form.index(key) for key in ANCHORS}
        annotator_return(person, now=factories.NOW)
    assert places == set(range(6))


def test_what_marks_an_anchor_reaches_nobody():
    study = factories.live(anchored())
    assert study.items.get(key="c001").fields["zq_shared"] == "1"
    walk = Walk()
    walk.come_in(f"/s/{study.slug}/")
    walk.go()
    assert len(walk.received) > 6
    assert not any(b"zq_shared" in one.everything for one in walk.received)


def test_the_coverage_names_what_there_is_and_what_is_wanted_and_not_every_number_between():
    study = factories.live(anchored(form_size=3))
    factories.done_by_someone(study)
    progress = study_progress(study)
    assert progress.coverage == {0: 7, 1: 3, 2: 0, 16: 0}
    assert progress.replication == 2
    assert (progress.items, progress.judgments, progress.over_assigned) == (10, 3, 0)


def test_an_anchor_that_lost_several_judgments_needs_as_many_people():
    study = factories.live(anchored())
    for _ in range(4):
        factories.done_by_someone(study)
    for answer in Answer.objects.filter(assignment__item__key="c001").order_by("pk")[:3]:
        exclusion_by_hand(answer, reason="not read", author="admin", now=factories.NOW)
    assert people_needed(study) == (0, 3, 3)
    assert top_up(study, author="admin", now=factories.NOW) == 3
    assert people_needed(study) == (3, 0, 3)


def test_more_forms_than_an_anchor_can_have_judgments_are_refused(monkeypatch):
    monkeypatch.setattr("annotation.services.study_import.MOST_JUDGMENTS", 3)
    with pytest.raises(Refused, match="would stand on 4 forms, and an item can have 3 judgments"):
        factories.live(anchored())
    assert not Slot.objects.exists()


def test_a_top_up_fills_the_cell_of_an_anchor_that_an_exclusion_emptied():
    study = factories.live(anchored())
    for _ in range(4):
        factories.done_by_someone(study)
    left_out = Answer.objects.filter(assignment__item__key="c001").earliest("pk")
    exclusion_by_hand(left_out, reason="not read", author="admin", now=factories.NOW)
    assert top_up(study, author="admin", now=factories.NOW) == 1
    assert judged(factories.done_by_someone(study).annotator) == ["c001"]
    assert factories.broken_promises(study) == []
    assert factories.judged_times(study) == {f"c{n:03}": 4 if n < 3 else 2 for n in range(1, 11)}
