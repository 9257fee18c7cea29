"""form_claim, slots_release_expired and the one function that gives slots back.

The algorithm and its schema: docs/explanation/assignment.md. A form is claimed by a conditional
update; what two people at once could get wrong, a unique constraint refuses, and the loser tries
again with the next form.

The state of a claim changes only while its person's row is locked (`annotator_locked`), so that an
answer, a time-out, a return and an exclusion of one person never overtake each other. Whoever needs
more locks takes them in this order: study, person, form, and last the head of the log, which
`audit_record` holds to the end.
"""

import random
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from annotation.errors import NothingToClaim, PersonGone, StateForbids
from annotation.models import (
    Annotator,
    Answer,
    Claim,
    Consent,
    Exclusion,
    Exposure,
    Form,
    Screening,
    Slot,
    Study,
)
from annotation.selectors.standing import DONE, forms_left, why_unwanted
from annotation.selectors.studies import study_definition
from annotation.services.screens import screens_make

# Open forms that are looked at first; more only where none of them suits the person.
LOOK = 16
ATTEMPTS = 12
# Of a study without a time limit: long enough to come back after a week-end.
OPEN_ENDED = timedelta(days=7)

Row = TypeVar("Row", bound=Model)

_FULL = "There is no set left for you right now. Thank you for coming."


class _Overtaken(Exception):  # noqa: N818
    """Somebody else took the form between the look and the hold."""


def form_claim(annotator: Annotator, *, now: datetime, rng: random.Random) -> Claim:
    """Give the person the next open form, or the one they hold already."""
    slots_release_expired(annotator.study, now=now)
    for attempt in range(ATTEMPTS):
        try:
            with transaction.atomic():
                return _claim(annotator, now=now, seed=rng.getrandbits(62), attempt=attempt)
        except (IntegrityError, _Overtaken):
            time.sleep(rng.uniform(0, 0.02) * (attempt + 1))
    raise NothingToClaim(_FULL)


def annotator_locked(pk: int) -> Annotator:
    """Return the person for this transaction alone; what others only refer to them by goes on.

    The study is read after the lock was granted: while this waited, it may have been launched.
    """
    person = Annotator.objects.select_for_update(no_key=True).filter(pk=pk).first()
    if person is None:
        raise PersonGone
    # The study's documents are long, and its definition is kept in memory anyway.
    person.study = Study.objects.defer("document", "design").get(pk=person.study_id)
    return person


def slots_release_expired(study: Study, *, now: datetime) -> int:
    """End every claim of the study whose lease has run out; return how many.

    Whoever is just handing in an answer is passed over.
    """
    expired = Claim.objects.filter(
        form__study=study, state=Claim.State.HELD, lease_until__lt=now
    ).order_by("pk")
    if not expired.exists():
        return 0
    with transaction.atomic():
        claims = list(_locked(expired, "self", "annotator").select_related("form", "annotator"))
        for claim in claims:
            claim_release(claim, Claim.State.TIMED_OUT, now=now)
            _person_left(claim.annotator, Annotator.State.TIMED_OUT)
    return len(claims)


def claim_release(claim: Claim, state: str, *, now: datetime) -> None:
    """End a claim: its slots are free, its form open again at its old place, its answers kept.

    Return, time-out, withdrawal and exclusion all come here, inside the caller's transaction, with
    the person's row locked.
    """
    moved = Claim.objects.filter(
        pk=claim.pk, state__in=[Claim.State.HELD, Claim.State.SUBMITTED]
    ).update(state=state, ended_at=now)
    if not moved:
        return
    claim.state, claim.ended_at = state, now
    claim.assignments.update(active=False)
    Answer.objects.filter(assignment__claim=claim).update(surplus=True)
    form_reopen(claim.form)


def form_reopen(form: Form) -> None:
    """Open a form that nobody holds; one whose slots have all moved to a top-up is void."""
    # A top-up that moves the slots meanwhile waits, or is waited for.
    Form.objects.select_for_update(no_key=True).get(pk=form.pk)
    has_slots = Slot.objects.filter(form=form).exists()
    Form.objects.filter(pk=form.pk).update(state=Form.State.OPEN if has_slots else Form.State.VOID)


def claim_revive(claim: Claim, *, now: datetime) -> bool:
    """Let a person who ran out of time go on, if nobody has taken the form since; say whether.

    Runs inside the caller's transaction, with the person's row locked.
    """
    person = claim.annotator
    if claim.state != Claim.State.TIMED_OUT or why_unwanted(person):
        return False
    try:
        with transaction.atomic():
            _take(claim.form)
            lease = now + _lease(person.study)
            Claim.objects.filter(pk=claim.pk).update(
                state=Claim.State.HELD, ended_at=None, lease_until=lease
            )
            own = Q(slot__isnull=True) | Q(slot__form=claim.form)
            left_out = Exclusion.objects.filter(answer=OuterRef("pk"), revocation__isnull=True)
            claim.assignments.filter(own, ~Exists(left_out)).update(active=True)
            answered = claim.assignments.filter(active=True)
            Answer.objects.filter(assignment__in=answered).update(surplus=False)
            Annotator.objects.filter(pk=claim.annotator_id).update(state=Annotator.State.WORKING)
    except (IntegrityError, _Overtaken):
        return False
    claim.state, claim.ended_at, claim.lease_until = Claim.State.HELD, None, lease
    return True


def claim_submit(claim: Claim, *, now: datetime) -> None:
    """Count a held claim whose every screen is answered; its form is done.

    Runs inside the caller's transaction, with the person's row locked.
    """
    Claim.objects.filter(pk=claim.pk).update(state=Claim.State.SUBMITTED, ended_at=now)
    Form.objects.filter(pk=claim.form_id).update(state=Form.State.DONE)
    claim.state, claim.ended_at = Claim.State.SUBMITTED, now


def _claim(annotator: Annotator, *, now: datetime, seed: int, attempt: int) -> Claim:
    if annotator.pilot:
        # A launch ends the pilot under this lock; nobody may slip in between.
        Study.objects.select_for_update(no_key=True).get(pk=annotator.study_id)
    person = annotator_locked(annotator.pk)
    held = person.claims.filter(state=Claim.State.HELD).first()
    if held is not None:
        return held
    consent = _check_may_claim(person)
    form = _next_form(person, look=LOOK * 2**attempt)
    _take(form)
    claim = Claim.objects.create(
        form=form,
        annotator=person,
        consent=consent,
        seed=seed,
        claimed_at=now,
        lease_until=now + _lease(person.study),
    )
    screens_make(claim, study_definition(person.study))
    Annotator.objects.filter(pk=person.pk).update(state=Annotator.State.WORKING)
    annotator.state = Annotator.State.WORKING
    return claim


def _check_may_claim(person: Annotator) -> Consent:
    """Refuse, in a sentence, who may not judge now; return the consent of who may."""
    if problem := why_unwanted(person):
        raise StateForbids(problem)
    if person.state in {
        Annotator.State.DECLINED,
        Annotator.State.SCREENED_OUT,
        Annotator.State.WITHDRAWN,
    }:
        raise StateForbids("You have left this study, so there is nothing more to judge.")
    consent = person.consents.filter(given=True).first()
    if consent is None:
        raise StateForbids("Nothing can be judged before consent is given.")
    definition = study_definition(person.study)
    passed = Screening.objects.filter(annotator=person, passed=True)
    if definition.recruitment.eligibility and not passed.exists():
        raise StateForbids("Please answer the questions about yourself first.")
    if not forms_left(person):
        raise StateForbids(DONE)
    return consent


def _next_form(person: Annotator, *, look: int) -> Form:
    """Return the first open form that repeats nothing the person has met."""
    seen = set(Exposure.objects.filter(annotator=person).values_list("key", flat=True))
    met = set(person.assignments.values_list("item_id", flat=True))
    open_forms = Form.objects.filter(study=person.study, state=Form.State.OPEN).exclude(
        claims__annotator=person
    )
    while True:
        window = list(open_forms.order_by("seq").values_list("pk", flat=True)[:look])
        suitable = _without_repeats(window, seen, met) if seen or met else window
        if suitable:
            still_open = Form.objects.filter(pk__in=suitable, state=Form.State.OPEN)
            form = _locked(still_open, "self").order_by("seq").first()
            if form is None:
                raise _Overtaken
            return form
        if len(window) < look:
            raise NothingToClaim(_FULL)
        look *= 4


def _without_repeats(forms: Sequence[int], seen: set[str], met: set[int]) -> list[int]:
    repeats = {
        form
        for form, item, conflicts in Slot.objects.filter(form__in=forms).values_list(
            "form", "item", "item__conflicts"
        )
        if item in met or seen.intersection(conflicts)
    }
    return [form for form in forms if form not in repeats]


def _take(form: Form) -> None:
    taken = Form.objects.filter(pk=form.pk, state=Form.State.OPEN).update(state=Form.State.HELD)
    if not taken:
        raise _Overtaken


def _lease(study: Study) -> timedelta:
    minutes = study_definition(study).recruitment.time_limit_minutes
    return OPEN_ENDED if minutes is None else timedelta(minutes=minutes)


def _person_left(annotator: Annotator, state: str) -> None:
    """Move a person whose claim ended; who finished an earlier form stays completed."""
    finished = annotator.claims.filter(state=Claim.State.SUBMITTED).exists()
    annotator.state = Annotator.State.COMPLETED if finished else state
    annotator.save(update_fields=["state"])


def _locked(rows: QuerySet[Row], *of: str) -> QuerySet[Row]:
    """Lock rows and pass over those another transaction holds; SQLite has one writer anyway."""
    if connection.features.has_select_for_update_skip_locked:
        return rows.select_for_update(skip_locked=True, of=of, no_key=True)
    return rows
