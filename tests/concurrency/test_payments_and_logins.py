"""Two members of staff approve at once, and many guess a password at once: counted once, and all."""

from copy import deepcopy
from functools import partial
from unittest.mock import patch

import pytest

from annotation.errors import Conflict
from annotation.models import AuditEvent, FailedLogin, Study
from annotation.services import payments
from annotation.services.audit import audit_verify
from annotation.services.logins import BY_ACCOUNT, WINDOW, login_failed, login_wait
from annotation.services.payments import payments_approve
from tests import factories
from tests.concurrency.threads import at_once

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]


def approved_by_two(study: Study, names: list[str]) -> list[int]:
    """Let two approve the same people, in opposite orders; return how many each of them approved."""

    def approve(author: str, order: list[str]) -> int:
        try:
            return payments_approve(study, order, author=author, now=factories.NOW)[1]
        except Conflict:
            return 0

    return at_once([partial(approve, "ada", names), partial(approve, "eve", names[::-1])])


def test_people_whom_two_approve_at_once_are_approved_by_one_of_them() -> None:
    study = factories.live(items=3)
    names = [factories.annotator(study).pseudonym for _ in range(3)]
    assert sorted(approved_by_two(study, names)) == [0, 3]
    decisions = AuditEvent.objects.filter(verb="payment_decide")
    assert decisions.count() == 3
    assert len(set(decisions.values_list("author", flat=True))) == 1
    assert set(study.annotators.values_list("payment", flat=True)) == {"approved"}
    assert audit_verify().first_broken is None


def test_without_the_lock_each_of_the_two_approves_everybody() -> None:
    """The control: who decides on people as they were read before approves them a second time."""
    study = factories.live(items=3)
    names = [factories.annotator(study).pseudonym for _ in range(3)]
    before = list(study.annotators.select_related("study").order_by("pk"))
    with patch.object(payments, "_locked_people", lambda *_: deepcopy(before)):
        assert approved_by_two(study, names) == [3, 3]
    assert AuditEvent.objects.filter(verb="payment_decide").count() == 6


def test_failures_at_the_same_moment_are_all_counted() -> None:
    fail = partial(login_failed, "ada", "10.0.0.1", now=factories.NOW)
    at_once([fail] * (BY_ACCOUNT - 1))
    assert login_wait("ada", "10.0.0.1", now=factories.NOW) is None
    at_once([fail])
    assert FailedLogin.objects.count() == 2 * BY_ACCOUNT
    assert login_wait("ada", "10.0.0.1", now=factories.NOW) == WINDOW
