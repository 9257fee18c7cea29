"""session_start, consent_give, screening_record, and every way to leave."""

import hashlib
import secrets
from collections.abc import Mapping
from datetime import datetime

from django.db import IntegrityError, transaction

from annotation.errors import StateForbids
from annotation.models import (
    Annotator,
    Claim,
    Consent,
    PlatformIdentity,
    PlatformSession,
    Screening,
    Study,
)
from annotation.providers import Entry
from annotation.selectors.studies import study_definition
from annotation.services.audit import audit_record
from annotation.services.claims import annotator_locked, claim_release
from annotation.services.identities import encrypted, lookup_of

State = Annotator.State


def session_start(
    study: Study, entry: Entry | None, *, entry_token: str, now: datetime
) -> Annotator:
    """Return the person who comes in: known again by the platform's id or by the entry form sent twice.

    However many first requests arrive at once, one person is made.
    """
    known = _known(study, entry, entry_token)
    if known is None:
        if not study.open_to_annotators:
            raise StateForbids("This study is not open at the moment. Thank you for your interest.")
        try:
            known = _arrive(study, entry, entry_token, now)
        except IntegrityError:
            known = _known(study, entry, entry_token)
            if known is None:
                raise
    if entry is not None and entry.session:
        _visit(known, study, entry, now)
    return known


def annotator_mark_simulated(annotator: Annotator) -> None:
    """Note that a person was never born, so that nobody takes their judgments for real."""
    Annotator.objects.filter(pk=annotator.pk).update(simulated=True)


@transaction.atomic
def consent_give(annotator: Annotator, *, given: bool, language: str, now: datetime) -> None:
    """Store what the person said to the consent text as it stands; the first yes is kept."""
    person = annotator_locked(annotator.pk)
    if person.state not in {State.ARRIVED, State.DECLINED}:
        return
    if not person.consents.filter(given=True).exists():
        text = study_definition(person.study).consent
        Consent.objects.create(
            annotator=person,
            given=given,
            text_sha256=hashlib.sha256(text.encode()).hexdigest(),
            language=language,
            at=now,
        )
    _move(person, State.ARRIVED if given else State.DECLINED, now=now)


@transaction.atomic
def screening_record(annotator: Annotator, answers: Mapping[str, str], *, now: datetime) -> bool:
    """Store the answers to the eligibility questions, once; return whether the person may go on."""
    person = annotator_locked(annotator.pk)
    known = Screening.objects.filter(annotator=person).first()
    if known is not None:
        return known.passed
    questions = study_definition(person.study).recruitment.eligibility
    passed = all(answers[question.key] in question.accept for question in questions)
    Screening.objects.create(annotator=person, answers=dict(answers), passed=passed, at=now)
    if not passed:
        _move(person, State.SCREENED_OUT, now=now)
    return passed


@transaction.atomic
def session_complete(annotator: Annotator, *, now: datetime) -> None:
    """Mark a person whose form is answered as having completed; a completed one stays so."""
    person = annotator_locked(annotator.pk)
    if person.state not in {State.COMPLETED, State.WITHDRAWN}:
        _move(person, State.COMPLETED, now=now)
    annotator.state = person.state


@transaction.atomic
def annotator_return(annotator: Annotator, *, now: datetime) -> None:
    """Let a person stop in the middle: the form goes back, what was answered is kept and not counted."""
    person = annotator_locked(annotator.pk)
    for claim in person.claims.filter(state=Claim.State.HELD).select_related("form"):
        claim_release(claim, Claim.State.RETURNED, now=now)
    if person.state in {State.ARRIVED, State.WORKING, State.TIMED_OUT}:
        done = person.claims.filter(state=Claim.State.SUBMITTED).exists()
        _move(person, State.COMPLETED if done else State.RETURNED, now=now)


@transaction.atomic
def annotator_withdraw(annotator: Annotator, *, now: datetime) -> None:
    """Take a person out of the study: what they gave is kept and never used; once is enough."""
    person = annotator_locked(annotator.pk)
    before = person.state
    if before == State.WITHDRAWN:
        return
    for claim in person.claims.select_related("form").order_by("pk"):
        claim_release(claim, Claim.State.WITHDRAWN, now=now)
    _move(person, State.WITHDRAWN, now=now)
    audit_record(
        "annotator_withdraw",
        study=person.study.slug,
        author="annotator",
        now=now,
        about=person,
        detail={"before": before, "after": person.state},
    )


def _known(study: Study, entry: Entry | None, entry_token: str) -> Annotator | None:
    if entry is None:
        return Annotator.objects.filter(study=study, entry_token=entry_token).first()
    provider = study_definition(study).recruitment.provider
    lookup = lookup_of(study, provider, entry.person)
    return Annotator.objects.filter(identity__study=study, identity__lookup=lookup).first()


@transaction.atomic
def _arrive(study: Study, entry: Entry | None, entry_token: str, now: datetime) -> Annotator:
    person = Annotator.objects.create(
        study=study,
        pseudonym=secrets.token_hex(6),
        access_key=secrets.token_urlsafe(24),
        pilot=study.state == Study.State.PILOT,
        # Whoever the platform names is known by that name; the token then only has to be unique.
        entry_token=entry_token if entry is None else secrets.token_urlsafe(24),
        arrived_at=now,
    )
    if entry is not None:
        provider = study_definition(study).recruitment.provider
        PlatformIdentity.objects.create(
            annotator=person,
            study=study,
            provider=provider,
            lookup=lookup_of(study, provider, entry.person),
            ciphertext=encrypted(entry.person),
        )
    return person


@transaction.atomic
def _visit(person: Annotator, study: Study, entry: Entry, now: datetime) -> None:
    # Locked, so that nobody is noted as visiting who is just being erased.
    annotator_locked(person.pk)
    provider = study_definition(study).recruitment.provider
    PlatformSession.objects.get_or_create(
        annotator=person,
        lookup=lookup_of(study, f"{provider} session", entry.session),
        defaults={"ciphertext": encrypted(entry.session), "started_at": now},
    )


def _move(person: Annotator, state: str, *, now: datetime) -> None:
    person.state = state
    person.finished_at = None if state in {State.ARRIVED, State.WORKING} else now
    person.save(update_fields=["state", "finished_at"])
