"""exclusions_apply, exclusion_by_hand and exclusion_revoke: rows are added, nothing is deleted."""

from datetime import datetime

from django.db import transaction
from django.db.models import Max

from annotation.errors import StateForbids
from annotation.models import (
    Annotator,
    Answer,
    Assignment,
    Claim,
    Exclusion,
    ExclusionRevocation,
    Form,
    Slot,
    Study,
)
from annotation.quality.funnel import Applied, Funnel
from annotation.quality.rules import Verdict
from annotation.selectors.quality import study_funnel
from annotation.services.audit import audit_record
from annotation.services.claims import annotator_locked, claim_release, form_reopen

BY_HAND = "by_hand"


@transaction.atomic
def exclusions_apply(study: Study, *, author: str, now: datetime) -> Funnel:
    """Record what the study's rules leave out now, and free the slots; what stands already stays."""
    _alone(study)
    found = study_funnel(study)
    standing = set(
        Exclusion.objects.filter(study=study).values_list(
            "rule", "rule_version", "annotator", "answer"
        )
    )
    new = [
        _by_rule(study, applied, verdict, now=now)
        for applied in found.applied
        for verdict in applied.verdicts
        if (applied.rule, applied.version, verdict.annotator, verdict.answer) not in standing
    ]
    for exclusion in new:
        exclusion.save()
        _free(exclusion, now=now)
    # When all people are locked that have to be: the log is held from its first entry on.
    for exclusion in new:
        _audit("exclusion_by_rule", exclusion, author=author, now=now, reason=exclusion.reason)
    if new:
        data = {"exclusions": len(new)}
        audit_record("exclusions_apply", study=study.slug, author=author, now=now, data=data)
    return found


@transaction.atomic
def exclusion_by_hand(
    target: Annotator | Answer, *, reason: str, author: str, now: datetime
) -> Exclusion:
    """Leave a person, or one judgment, out for a reason that is written down.

    Asked twice, as by a double click, it is one exclusion.
    """
    if not reason.strip():
        raise StateForbids("An exclusion needs a reason; write why this is left out.")
    answer = target if isinstance(target, Answer) else None
    annotator = target if isinstance(target, Annotator) else target.assignment.annotator
    _alone(annotator.study)
    annotator_locked(annotator.pk)
    same = Exclusion.objects.filter(
        annotator=annotator, answer=answer, rule=BY_HAND, revocation__isnull=True
    ).first()
    if same is not None:
        return same
    exclusion = Exclusion.objects.create(
        study=annotator.study,
        unit="annotator" if answer is None else "judgment",
        annotator=annotator,
        answer=answer,
        rule=BY_HAND,
        rule_version="1",
        reason=reason.strip(),
        author=author,
        at=now,
    )
    _free(exclusion, now=now)
    _audit("exclusion_by_hand", exclusion, author=author, now=now, reason=exclusion.reason)
    return exclusion


@transaction.atomic
def exclusion_revoke(exclusion: Exclusion, *, reason: str, author: str, now: datetime) -> int:
    """Take an exclusion back; return how many of its judgments count again.

    A slot that somebody else has filled since stays theirs, and the judgment that comes back for it
    is kept as surplus: no item is ever judged more often than wanted.
    """
    if not reason.strip():
        raise StateForbids("Taking an exclusion back needs a reason; write why.")
    _alone(exclusion.study)
    annotator_locked(exclusion.annotator_id)
    if ExclusionRevocation.objects.filter(exclusion=exclusion).exists():
        return 0
    ExclusionRevocation.objects.create(
        exclusion=exclusion, reason=reason.strip(), author=author, at=now
    )
    restored = _restore(exclusion)
    more = {"reason": reason.strip(), "restored": restored}
    _audit("exclusion_revoke", exclusion, author=author, now=now, **more)
    return restored


def _by_rule(study: Study, applied: Applied, verdict: Verdict, *, now: datetime) -> Exclusion:
    return Exclusion(
        study=study,
        unit="annotator" if verdict.answer is None else "judgment",
        annotator_id=verdict.annotator,
        answer_id=verdict.answer,
        rule=applied.rule,
        rule_version=applied.version,
        reason=verdict.reason,
        author="rule",
        at=now,
    )


def _alone(study: Study) -> None:
    """Let one exclusion, revocation or top-up of a study run at a time."""
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)


def _free(exclusion: Exclusion, *, now: datetime) -> None:
    """Empty the slots of what is left out: whole forms of a person, one slot of a judgment."""
    if exclusion.answer is not None:
        Assignment.objects.filter(pk=exclusion.answer.assignment_id).update(active=False)
        return
    annotator_locked(exclusion.annotator_id)
    claims = Claim.objects.filter(
        annotator=exclusion.annotator_id, state__in=[Claim.State.SUBMITTED, Claim.State.HELD]
    )
    for claim in claims.select_related("form"):
        claim_release(claim, Claim.State.EXCLUDED, now=now)


def _restore(exclusion: Exclusion) -> int:
    """Give back every slot that the exclusion emptied and nobody else has taken since."""
    standing = Exclusion.objects.filter(annotator=exclusion.annotator_id, revocation__isnull=True)
    if standing.filter(unit="annotator").exists():
        return 0
    if exclusion.answer_id is None:
        for claim in exclusion.annotator.claims.filter(state=Claim.State.EXCLUDED):
            _claim_back(claim)
    screens = Assignment.objects.filter(
        annotator=exclusion.annotator,
        kind=Assignment.Kind.JUDGE,
        claim__state=Claim.State.SUBMITTED,
        answer__isnull=False,
        active=False,
    ).exclude(answer__in=standing.filter(unit="judgment").values("answer"))
    if exclusion.answer_id is not None:
        screens = screens.filter(answer=exclusion.answer_id)
    return sum(_slot_back(screen) for screen in screens.select_related("claim"))


def _claim_back(claim: Claim) -> None:
    """Count a finished claim again, if its form is still open."""
    if claim.assignments.filter(answer__isnull=True).exists():
        return
    still_open = Form.objects.filter(pk=claim.form_id, state=Form.State.OPEN)
    if still_open.update(state=Form.State.DONE):
        Claim.objects.filter(pk=claim.pk).update(state=Claim.State.SUBMITTED)


def _slot_back(screen: Assignment) -> bool:
    """Count a judgment again, if its slot is free; a slot that a top-up offers is taken out of it."""
    slot = Slot.objects.get(assignments=screen)
    offering = Form.objects.select_for_update().get(pk=slot.form_id)
    if slot.assignments.filter(active=True).exists():
        return False
    if offering.pk != screen.claim.form_id:
        if offering.state != Form.State.OPEN:
            return False
        slot_move(slot, screen.claim.form)
        form_reopen(offering)
        # Void when a top-up had taken all of its slots; what it holds again is done.
        Form.objects.filter(pk=screen.claim.form_id).update(state=Form.State.DONE)
    Assignment.objects.filter(pk=screen.pk).update(active=True)
    Answer.objects.filter(assignment=screen.pk).update(surplus=False)
    return True


def slot_move(slot: Slot, form: Form) -> None:
    """Put a slot at the end of another form."""
    last = form.slots.aggregate(last=Max("place"))["last"] or 0
    slot.form, slot.place = form, last + 1
    slot.save(update_fields=["form", "place"])


def _audit(verb: str, exclusion: Exclusion, *, author: str, now: datetime, **more: object) -> None:
    """Log an exclusion or its undoing: which unit, by which rule and why."""
    screen = exclusion.answer and exclusion.answer.assignment
    detail = {
        "exclusion": exclusion.pk,
        "unit": exclusion.unit,
        "item": screen.item.key if screen else None,
        "rule": exclusion.rule,
        "rule_version": exclusion.rule_version,
    }
    audit_record(
        verb,
        study=exclusion.study.slug,
        author=author,
        now=now,
        about=exclusion.annotator,
        detail=detail | more,
    )
