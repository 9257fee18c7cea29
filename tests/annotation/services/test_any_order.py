"""Whatever people and admins do in whatever order: every promise holds, and the study can end."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db.models import QuerySet
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from annotation.errors import Refused
from annotation.models import Answer, Assignment, Claim, Exclusion, Study
from annotation.selectors.judgments import counted_answers
from annotation.selectors.progress import study_progress
from annotation.selectors.quality import study_funnel
from annotation.services.claims import slots_release_expired
from annotation.services.erasure import annotator_erase
from annotation.services.exclusions import exclusion_by_hand, exclusion_revoke, exclusions_apply
from annotation.services.sessions import annotator_return, annotator_withdraw
from annotation.services.top_up import top_up
from tests import factories

PICK = st.integers(min_value=0, max_value=1_000)


@contextmanager
def may_be_refused(*codes: str) -> Iterator[None]:
    """Let the act be refused for one of the reasons, and for no other."""
    code = ""
    try:
        yield
    except Refused as refused:
        code = refused.code
    assert code in {"", *codes}


class Collection(RuleBasedStateMachine):
    """A live study of 6 items of 3 articles, 2 judgments each, 2 forms a person."""

    count = 0

    def __init__(self) -> None:
        super().__init__()
        Collection.count += 1
        self.now: datetime = factories.NOW
        self.study: Study = factories.live(
            slug=f"any-order-{Collection.count}",
            items=6,
            articles=3,
            replication=2,
            form_size=2,
            forms_per_annotator=2,
            attention=[factories.CHECK],
            quality=[factories.ATTENTION, factories.HASTY],
        )

    @rule()
    def somebody_comes(self) -> None:
        with may_be_refused("full"):
            factories.claimed(factories.annotator(self.study, now=self.now), now=self.now)

    @precondition(lambda self: self.study.annotators.exists())
    @rule(pick=PICK)
    def somebody_wants_another_form(self, pick: int) -> None:
        person = picked(self.study.annotators.order_by("pk"), pick)
        with may_be_refused("full", "state"):
            factories.claimed(person, now=self.now)

    @precondition(lambda self: self.screens().exists())
    @rule(pick=PICK, careless=st.booleans(), seconds=st.sampled_from([2.0, 30.0]))
    def somebody_answers(self, pick: int, careless: bool, seconds: float) -> None:  # noqa: FBT001
        screen = picked(self.screens(), pick)
        changed = {"confidence": "3"} if careless else {}
        key = f"k{pick}"
        with may_be_refused("state"):
            factories.answered(screen, key=key, now=self.now, seconds=seconds, **changed)

    @precondition(lambda self: self.claims("held", "timed_out").exists())
    @rule(pick=PICK, careless=st.booleans())
    def somebody_finishes(self, pick: int, careless: bool) -> None:  # noqa: FBT001
        claim = picked(self.claims("held", "timed_out"), pick)
        changed = {"confidence": "3"} if careless else {}
        with may_be_refused("state"):
            factories.finished(claim, now=self.now, **changed)

    @precondition(lambda self: self.study.annotators.exists())
    @rule(pick=PICK)
    def somebody_stops(self, pick: int) -> None:
        annotator_return(picked(self.study.annotators.order_by("pk"), pick), now=self.now)

    @precondition(lambda self: self.study.annotators.count() > 2)
    @rule(pick=PICK, erase=st.booleans())
    def somebody_withdraws(self, pick: int, erase: bool) -> None:  # noqa: FBT001
        person = picked(self.study.annotators.order_by("pk"), pick)
        if erase:
            annotator_erase(person, author="annotator", now=self.now)
        else:
            annotator_withdraw(person, now=self.now)

    @rule(minutes=st.sampled_from([5, 61]))
    def time_passes(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)
        slots_release_expired(self.study, now=self.now)

    @precondition(lambda self: self.study.annotators.exists())
    @rule(pick=PICK)
    def a_person_is_excluded(self, pick: int) -> None:
        person = picked(self.study.annotators.order_by("pk"), pick)
        exclusion_by_hand(person, reason="a robot", author="admin", now=self.now)

    @precondition(lambda self: self.answers().exists())
    @rule(pick=PICK)
    def a_judgment_is_excluded(self, pick: int) -> None:
        answer = picked(self.answers(), pick)
        exclusion_by_hand(answer, reason="not read", author="admin", now=self.now)

    @precondition(lambda self: self.study.exclusions.exists())
    @rule(pick=PICK)
    def an_exclusion_is_taken_back(self, pick: int) -> None:
        exclusion: Exclusion = picked(self.study.exclusions.order_by("pk"), pick)
        exclusion_revoke(exclusion, reason="a mistake", author="admin", now=self.now)

    @rule()
    def the_rules_are_applied(self) -> None:
        found = exclusions_apply(self.study, author="admin", now=self.now)
        assert found.final.judgments == counted_answers(self.study).count()

    @invariant()
    def what_holds_a_slot_is_what_counts(self) -> None:
        assert study_progress(self.study).judgments == counted_answers(self.study).count()

    @rule()
    def cells_are_topped_up(self) -> None:
        top_up(self.study, author="admin", now=self.now)

    @invariant()
    def every_promise_holds(self) -> None:
        assert factories.broken_promises(self.study) == []

    def teardown(self) -> None:
        """Whatever happened, careful people can complete the study to the last cell."""
        self.now += timedelta(minutes=61)
        for _ in range(60):
            exclusions_apply(self.study, author="admin", now=self.now)
            top_up(self.study, author="admin", now=self.now)
            slots_release_expired(self.study, now=self.now)
            if not self.study.forms.filter(state="open").exists():
                break
            factories.done_by_someone(self.study, now=self.now)
        assert set(factories.judged_times(self.study).values()) == {2}
        assert study_funnel(self.study).final.judgments == 12
        self.every_promise_holds()

    def claims(self, *states: str) -> QuerySet[Claim]:
        return Claim.objects.filter(form__study=self.study, state__in=states).order_by("pk")

    def screens(self) -> QuerySet[Assignment]:
        screens = Assignment.objects.filter(claim__form__study=self.study)
        return screens.select_related("item__study", "item__passage").order_by("pk")

    def answers(self) -> QuerySet[Answer]:
        kind = {"assignment__kind": "judge", "assignment__item__study": self.study}
        return Answer.objects.filter(**kind).order_by("pk")


def picked(rows: QuerySet[Any], pick: int) -> Any:
    """Return one of the rows."""
    return rows[pick % rows.count()]


@pytest.mark.django_db
def test_any_order_of_events_keeps_every_promise() -> None:
    machine = settings(
        max_examples=8,
        stateful_step_count=25,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Collection, settings=machine)
