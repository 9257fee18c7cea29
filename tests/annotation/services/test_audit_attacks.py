"""Somebody with all rights on the database takes the triggers away; the log names what they did."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, transaction

from annotation.models import AuditEvent, AuditHead, Exclusion
from annotation.services.audit import audit_verify
from annotation.services.erasure import annotator_erase
from annotation.services.exclusions import exclusion_by_hand, exclusion_revoke
from annotation.services.payments import payment_decide
from annotation.services.study_states import study_launch, study_pause
from tests import factories
from tests.conftest import SQLITE_GUARDS, log_guards

pytestmark = pytest.mark.django_db

EVENTS = 5


@pytest.fixture
def attack() -> Callable[[str], None]:
    """Write a log of five events, the third about a person; return a way to do anything by SQL."""
    study = factories.live(items=3, replication=1)
    person = factories.done_by_someone(study).annotator
    exclusion_by_hand(person, reason="a robot", author="ada", now=factories.NOW)
    study_pause(study, author="ada", now=factories.NOW)
    study_launch(study, author="ada", now=factories.NOW)
    assert audit_verify().events == EVENTS
    assert audit_verify().first_broken is None
    return without_guards


def without_guards(sql: str) -> None:
    """Do something by SQL, as somebody for whom no trigger is an obstacle."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            for name, table in log_guards.POSTGRESQL_NAMES.items():
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER {name}")
        else:
            for name in SQLITE_GUARDS:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
        cursor.execute(sql)


@contextmanager
def undone() -> Iterator[None]:
    """Undo at the end what was done, so that the same log can be attacked again."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def copy_of(number: int, source: int, **changed: str) -> str:
    """Return the SQL that inserts an event made after another."""
    columns = ["at", "author", "verb", "study", "data", "commitment", "previous", "sha256"]
    values = [changed.get(column, column) for column in columns]
    return (
        f"INSERT INTO annotation_auditevent (number, {', '.join(columns)}) "  # noqa: S608
        f"SELECT {number}, {', '.join(values)} FROM annotation_auditevent WHERE number = {source}"
    )


CHANGES = [
    "author = 'eve'",
    "verb = 'none'",
    "study = 'other'",
    "data = '{\"n\": 1}'",
    "at = '2020-01-01 00:00:00'",
    "commitment = 'x'",
    "previous = 'x'",
    "sha256 = 'x'",
]


def test_an_altered_event_is_named(attack) -> None:
    for number in (1, 3, EVENTS):
        for change in CHANGES:
            with undone():
                attack(f"UPDATE annotation_auditevent SET {change} WHERE number = {number}")  # noqa: S608
                assert audit_verify().first_broken == number, change
    assert audit_verify().first_broken is None


def test_a_deleted_event_is_named_be_it_the_first_one_in_the_middle_or_the_last(attack) -> None:
    for number in (1, 2, EVENTS):
        with undone():
            attack(f"DELETE FROM annotation_auditevent WHERE number = {number}")  # noqa: S608
            found = audit_verify()
            assert (found.first_broken, found.events) == (number, EVENTS - 1)


def test_an_end_that_was_cut_off_with_the_head_set_back_is_named(attack) -> None:
    attack(f"DELETE FROM annotation_auditevent WHERE number = {EVENTS}")  # noqa: S608
    attack(f"UPDATE annotation_audithead SET events = {EVENTS - 1}")  # noqa: S608
    assert audit_verify().first_broken == EVENTS
    attack("DELETE FROM annotation_audithead")
    assert audit_verify().first_broken == EVENTS


def test_an_appended_event_is_named_also_when_the_head_is_moved_on(attack) -> None:
    last = AuditEvent.objects.get(number=EVENTS).sha256
    attack(copy_of(EVENTS + 1, EVENTS, previous=f"'{last}'", sha256="'forged'"))
    assert audit_verify().first_broken == EVENTS + 1
    attack(f"UPDATE annotation_audithead SET events = {EVENTS + 1}, sha256 = 'forged'")  # noqa: S608
    assert audit_verify().first_broken == EVENTS + 1


def test_an_event_inserted_in_the_middle_is_named(attack) -> None:
    for number in range(EVENTS, 2, -1):
        attack(
            f"UPDATE annotation_auditevent SET number = {number + 1} WHERE number = {number}"  # noqa: S608
        )
    attack(copy_of(3, 2, previous="sha256", sha256="'forged'"))
    assert audit_verify().first_broken == 3


def test_a_detail_that_was_altered_or_deleted_without_an_erasure_is_named(attack) -> None:
    for change in (
        'UPDATE annotation_auditdetail SET data = \'{"annotator": "eve"}\'',
        "UPDATE annotation_auditdetail SET salt = 'x'",
        "DELETE FROM annotation_auditdetail",
    ):
        with undone():
            attack(change)
            assert audit_verify().first_broken == 3


def test_an_erasure_covers_its_own_details_and_no_others(attack) -> None:
    study = factories.live(slug="second", items=3, replication=2)
    person, other = (factories.done_by_someone(study).annotator for _ in range(2))
    for one in (person, other):
        exclusion_by_hand(one, reason="a robot", author="ada", now=factories.NOW)
    numbers = AuditEvent.objects.filter(detail__annotator=other).values_list("number", flat=True)
    (named,) = numbers
    annotator_erase(person, author="annotator", now=factories.NOW)
    assert audit_verify().first_broken is None
    attack(f"DELETE FROM annotation_auditdetail WHERE annotator_id = {other.pk}")  # noqa: S608
    assert audit_verify().first_broken == named


def test_another_key_verifies_nothing(attack, settings) -> None:
    settings.AUDIT_KEY = "another"
    assert audit_verify().first_broken == 1


def test_the_head_goes_forward_by_one_only() -> None:
    factories.live()
    head = AuditHead.objects.get()
    for events in (0, head.events, head.events + 2):
        with pytest.raises(Exception, match="is never changed"), transaction.atomic():
            AuditHead.objects.update(events=events)


def test_states_exclusions_and_payments_are_rebuilt_from_the_log_alone() -> None:
    study = factories.live(items=9, replication=1)
    claims = [factories.done_by_someone(study) for _ in range(3)]
    first, second, third = (claim.annotator for claim in claims)
    answer = factories.judge_screens(claims[2])[0].answer
    at: dict[str, Any] = {"author": "ada", "now": factories.NOW}
    taken_back = exclusion_by_hand(first, reason="a robot", **at)
    exclusion_by_hand(second, reason="not read", **at)
    exclusion_by_hand(answer, reason="a slip", **at)
    exclusion_revoke(taken_back, reason="no robot", **at)
    payment_decide(first, "approved", reason="", **at)
    payment_decide(second, "rejected", reason="nothing read", **at)
    payment_decide(second, "approved", reason="asked again", **at)
    study_pause(study, **at)
    states, plans, standing, payments = replayed()
    study.refresh_from_db()
    assert states == {study.slug: study.state} == {study.slug: "paused"}
    assert plans == {study.slug: study.plan_lock.sha256}
    rows = Exclusion.objects.filter(revocation__isnull=True).select_related("annotator")
    assert standing == {one.pk: (one.annotator.pseudonym, one.unit, one.reason) for one in rows}
    people = study.annotators.exclude(payment="pending")
    assert payments == dict(people.values_list("pseudonym", "payment"))
    assert third.pseudonym not in payments


def replayed() -> tuple[dict[Any, Any], ...]:
    """Return states, plans, standing exclusions and payments as the log tells them."""
    states: dict[str, Any] = {}
    plans: dict[str, Any] = {}
    standing: dict[Any, Any] = {}
    payments: dict[str, Any] = {}
    for event in AuditEvent.objects.select_related("detail").order_by("number"):
        told = json.loads(json.dumps(event.told))
        if event.verb in {"study_pilot", "study_launch", "study_pause", "study_close"}:
            assert states.get(event.study, "draft") == told["before"]
            states[event.study] = told["after"]
            plans |= {event.study: told["plan_sha256"]} if "plan_sha256" in told else {}
        elif event.verb in {"exclusion_by_hand", "exclusion_by_rule"}:
            standing[told["exclusion"]] = (told["annotator"], told["unit"], told["reason"])
        elif event.verb == "exclusion_revoke":
            del standing[told["exclusion"]]
        elif event.verb == "payment_decide":
            assert payments.get(told["annotator"], "pending") == told["before"]
            payments[told["annotator"]] = told["after"]
    return states, plans, standing, payments
