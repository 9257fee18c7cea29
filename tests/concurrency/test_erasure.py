"""Somebody is erased while they answer, while they are excluded, and twice: one of the two is first."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from django.core.exceptions import ObjectDoesNotExist

from annotation.errors import Refused
from annotation.models import Annotator, Answer, Assignment, Erasure, Exclusion
from annotation.services.audit import audit_verify
from annotation.services.erasure import annotator_erase
from annotation.services.exclusions import exclusion_by_hand
from tests import factories
from tests.concurrency.threads import at_once

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]


def calmly(act: Callable[[], object]) -> None:
    """Do something that may find that there is nobody any more, and nothing else."""
    with suppress(Refused, ObjectDoesNotExist):
        act()


def test_an_erasure_leaves_nothing_whatever_happens_at_the_same_moment() -> None:
    for number in range(4):
        study = factories.live(slug=f"s{number}", items=3, replication=1)
        claim = factories.claimed(factories.annotator(study))
        person, (first, second, _) = claim.annotator, factories.judge_screens(claim)
        factories.answered(first)
        at: dict[str, Any] = {"author": "a", "now": factories.NOW}
        erase = partial(annotator_erase, person, **at)
        exclude = partial(exclusion_by_hand, person, reason="a robot", **at)
        answer = partial(factories.answered, second)
        acts: list[Callable[[], object]] = [erase, erase, exclude, answer, answer]
        at_once([partial(calmly, act) for act in acts])
        assert Erasure.objects.filter(study=study).count() == 1
        assert factories.broken_promises(study) == []
        assert study.forms.get().state == "open"
    for table in (Annotator, Assignment, Answer, Exclusion):
        assert not table._default_manager.exists()
    assert audit_verify().first_broken is None
