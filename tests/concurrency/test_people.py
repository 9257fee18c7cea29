"""The same person, the same answer, the same decision, sent by several at the same moment."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial

import pytest

from annotation.errors import NothingToClaim, StateForbids
from annotation.models import (
    Annotator,
    Answer,
    AnswerRevision,
    Assignment,
    AuditEvent,
    Claim,
    Exclusion,
    PlatformIdentity,
    PlatformSession,
)
from annotation.providers import Entry
from annotation.services.answers import Recorded, answer_record
from annotation.services.audit import event_digest
from annotation.services.exclusions import exclusion_by_hand, exclusion_revoke, exclusions_apply
from annotation.services.sessions import annotator_return, session_start
from annotation.services.top_up import top_up
from annotation.studyfile.definition import Recruitment
from tests import factories
from tests.concurrency.threads import at_once

pytestmark = [
    pytest.mark.concurrency,
    pytest.mark.django_db(transaction=True),
    # One crowd at a time: a server has a hundred connections for all tests together.
    pytest.mark.xdist_group("crowds"),
]


def test_twenty_first_visits_of_a_platform_id_are_one_person() -> None:
    study = factories.live(factories.definition(recruitment=Recruitment(provider="prolific")))

    def visit() -> Annotator:
        return session_start(study, Entry("P1", "A"), entry_token="", now=factories.NOW)

    people = at_once([visit] * 20)
    assert len({person.pk for person in people}) == 1
    for table in (Annotator, PlatformIdentity, PlatformSession):
        assert table._default_manager.count() == 1


def test_twenty_clicks_on_an_open_link_are_one_person() -> None:
    study = factories.live()

    page = "one page"

    def begin() -> Annotator:
        return session_start(study, None, entry_token=page, now=factories.NOW)

    assert len({person.pk for person in at_once([begin] * 20)}) == 1
    assert Annotator.objects.count() == 1


@pytest.mark.parametrize("copies", [2, 20])
def test_copies_of_a_submission_are_one_answer(copies: int) -> None:
    claim = factories.claimed(factories.annotator(factories.live()))
    screen = factories.judge_screens(claim)[0]
    values = factories.posted(screen)

    def submit() -> Recorded:
        return answer_record(screen, values, key="one", active_seconds=3.0, now=factories.NOW)

    recorded = at_once([submit] * copies)
    assert sorted(one.repeated for one in recorded) == [False] + [True] * (copies - 1)
    assert {one.answer.pk for one in recorded} == {screen.pk}
    assert (Answer.objects.count(), AnswerRevision.objects.count()) == (1, 1)


def test_different_submissions_of_one_screen_are_revisions_of_one_answer() -> None:
    claim = factories.claimed(factories.annotator(factories.live()))
    screen = factories.judge_screens(claim)[0]
    values = factories.posted(screen)

    def submit(key: str) -> Recorded:
        return answer_record(screen, values, key=key, active_seconds=3.0, now=factories.NOW)

    at_once([partial(submit, f"tab {n}") for n in range(8)])
    numbers = AnswerRevision.objects.order_by("number").values_list("number", flat=True)
    assert list(numbers) == list(range(1, 9))
    assert Answer.objects.count() == 1


def test_all_screens_of_a_form_answered_at_once_submit_it() -> None:
    study = factories.live(items=6, replication=1, form_size=6)
    claim = factories.claimed(factories.annotator(study))
    screens = factories.judge_screens(claim)
    recorded = at_once([partial(factories.answered, screen) for screen in screens])
    assert sum(one.finished for one in recorded) == 1
    claim.refresh_from_db()
    assert claim.state == "submitted"
    assert factories.broken_promises(study) == []


def test_two_admins_who_apply_the_rules_at_once_exclude_once() -> None:
    study = factories.live(attention=[factories.CHECK], quality=[factories.ATTENTION])
    for _ in range(2):
        factories.done_by_someone(study, confidence="3")
    apply = partial(exclusions_apply, study, now=factories.NOW)
    at_once([partial(apply, author=author) for author in ("one", "two")])
    assert Exclusion.objects.count() == 2
    assert AuditEvent.objects.filter(verb="exclusions_apply").count() == 1


def test_two_admins_who_top_up_at_once_plan_each_cell_once() -> None:
    study = factories.live(items=3, replication=1)
    factories.done_by_someone(study)
    for answer in Answer.objects.all():
        exclusion_by_hand(answer, reason="not read", author="a", now=factories.NOW)
    plans = at_once([partial(top_up, study, author="a", now=factories.NOW)] * 2)
    assert sorted(plans) == [0, 1]
    assert factories.broken_promises(study) == []


def test_an_exclusion_taken_back_twice_at_once_is_taken_back_once() -> None:
    study = factories.live(items=3, replication=1)
    person = factories.done_by_someone(study).annotator
    exclusion = exclusion_by_hand(person, reason="a robot", author="a", now=factories.NOW)

    def revoke() -> int:
        return exclusion_revoke(exclusion, reason="a mistake", author="a", now=factories.NOW)

    assert sorted(at_once([revoke] * 4)) == [0, 0, 0, 3]


def test_events_logged_at_once_are_one_chain() -> None:
    studies = [factories.imported(slug=f"s{n}") for n in range(2)]
    people = [factories.arrived(factories.live(slug=f"live-{n}")) for n in range(8)]
    exclude = partial(exclusion_by_hand, reason="a robot", author="a", now=factories.NOW)
    at_once([partial(exclude, person) for person in people])
    events = list(AuditEvent.objects.order_by("number"))
    assert len(events) == len(studies) + 2 * len(people) + len(people)
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    chained = [event.previous for event in events[1:]]
    assert chained == [event.sha256 for event in events[:-1]]
    assert all(event.sha256 == event_digest(event) for event in events)


def test_a_late_last_answer_and_the_next_who_comes_never_both_count() -> None:
    late = factories.NOW + timedelta(hours=2)
    for number in range(6):
        study = factories.live(slug=f"late-{number}", items=2, replication=1, form_size=2)
        claim = factories.claimed(factories.annotator(study))
        first, last = factories.judge_screens(claim)
        factories.answered(first)
        other = factories.annotator(study)
        acts: list[Callable[[], object]] = [
            partial(factories.answered, last, now=late),
            partial(come, other, late),
        ]
        at_once(acts)
        assert factories.broken_promises(study) == []
        for unfinished in Claim.objects.filter(form__study=study, state="held"):
            factories.finished(unfinished, now=late)
        assert set(factories.judged_times(study).values()) == {1}


def come(person: Annotator, now: datetime) -> None:
    """Ask for a form; whether there is one depends on who was first."""
    with suppress(NothingToClaim):
        factories.claimed(person, now=now)


def test_whoever_decides_about_a_person_who_is_just_answering_waits() -> None:
    for number in range(4):
        study = factories.live(slug=f"both-{number}", items=3, replication=1)
        claim = factories.claimed(factories.annotator(study))
        *before, last = factories.judge_screens(claim)
        for screen in before:
            factories.answered(screen)
        exclude = partial(exclusion_by_hand, reason="a robot", author="a", now=factories.NOW)
        acts: list[Callable[[], object]] = [
            partial(answer_if_allowed, last),
            partial(exclude, claim.annotator),
            partial(annotator_return, claim.annotator, now=factories.NOW),
        ]
        at_once(acts)
        assert factories.broken_promises(study) == []
        assert set(factories.judged_times(study).values()) == {0}
        assert study.forms.get().state == "open"


def answer_if_allowed(screen: Assignment) -> None:
    """Answer; who was excluded a moment ago is told so."""
    with suppress(StateForbids):
        factories.answered(screen)
