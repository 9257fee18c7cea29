"""study_pilot, study_launch (which locks the plan), study_pause and study_close."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from annotation.errors import StateForbids
from annotation.models import Annotator, Claim, PlanLock, Study
from annotation.selectors.studies import study_definition
from annotation.services.audit import audit_record
from annotation.services.claims import claim_release
from annotation.studyfile import canonical_json, plan_document

State = Study.State


@transaction.atomic
def study_pilot(study: Study, *, author: str, now: datetime) -> Study:
    """Open a draft to pilot annotators; what they answer never enters the analysis."""
    return _move(study, {State.DRAFT}, State.PILOT, "study_pilot", author, now)


@transaction.atomic
def study_launch(study: Study, *, author: str, now: datetime) -> PlanLock:
    """Lock the analysis plan and open the study; a paused one opens again under its lock."""
    study = _locked(study)
    _refuse_unless(study, {State.DRAFT, State.PILOT, State.PAUSED}, "launched")
    if study.state == State.PILOT:
        _end_pilot(study, now=now)
    lock = plan_lock(study, now=now)
    launched_at = study.launched_at or now
    plan = {"plan_sha256": lock.sha256}
    _move(study, set(State), State.LIVE, "study_launch", author, now, plan, launched_at=launched_at)
    return lock


def plan_lock(study: Study, *, now: datetime) -> PlanLock:
    """Freeze the plan as canonical JSON under its SHA-256, once."""
    text = canonical_json(plan_document(study_definition(study)))
    lock, _ = PlanLock.objects.get_or_create(
        study=study,
        defaults={
            "canonical_json": text,
            "sha256": hashlib.sha256(text.encode()).hexdigest(),
            "locked_at": now,
        },
    )
    return lock


@transaction.atomic
def study_pause(study: Study, *, author: str, now: datetime) -> Study:
    """Let nobody new in; who is in the middle of a form may finish it."""
    return _move(study, {State.LIVE}, State.PAUSED, "study_pause", author, now)


@transaction.atomic
def study_close(study: Study, *, author: str, now: datetime) -> Study:
    """End the collection for good; forms that are held may still be finished."""
    open_states = {State.LIVE, State.PAUSED}
    return _move(study, open_states, State.CLOSED, "study_close", author, now, closed_at=now)


def _end_pilot(study: Study, *, now: datetime) -> None:
    """Give the pilot's slots back; its answers stay, marked by their people as pilot.

    Who is in the middle of a form may finish it and gets the code.
    """
    people = Annotator.objects.filter(study=study, pilot=True)
    # Locked one and all, since the states of their claims change.
    list(people.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    claims = Claim.objects.filter(
        form__study=study, state__in=[Claim.State.HELD, Claim.State.SUBMITTED]
    ).select_related("form")
    for claim in claims:
        claim_release(claim, Claim.State.PILOT, now=now)


def _locked(study: Study) -> Study:
    return Study.objects.select_for_update(no_key=True).get(pk=study.pk)


def _move(
    study: Study,
    allowed: set[State],
    to: State,
    verb: str,
    author: str,
    now: datetime,
    more: Mapping[str, Any] | None = None,
    **stamps: datetime,
) -> Study:
    study = _locked(study)
    _refuse_unless(study, allowed, str(to))
    before, study.state = study.state, to
    for name, moment in stamps.items():
        setattr(study, name, moment)
    study.save(update_fields=["state", *stamps])
    data = {"before": before, "after": str(to)} | dict(more or {})
    audit_record(verb, study=study.slug, author=author, now=now, data=data)
    return study


def _refuse_unless(study: Study, allowed: set[State], wanted: str) -> None:
    if study.state not in allowed:
        may = " or ".join(sorted(allowed))
        raise StateForbids(
            f"{study.slug} is {study.state} and cannot become {wanted} from there; "
            f"it would have to be {may}."
        )
