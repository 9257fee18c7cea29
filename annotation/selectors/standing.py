"""What a person may still do in a study, and with which outcome they leave."""

from django.db.models import QuerySet

from annotation.models import Annotator, Answer, Assignment, Claim, Study
from annotation.selectors.judgments import check_passed
from annotation.selectors.studies import study_definition

State = Annotator.State

NOT_OPEN = "The study is not open at the moment. Please come back later."
TRIAL_OVER = "The trial that you took part in is over. Thank you for your help."
DONE = "You have judged all that one person may judge in this study."


def why_unwanted(person: Annotator) -> str:
    """Say why nothing that the person judges from now on could be counted; empty if it could.

    Work that cannot count must not hold a slot either: the slot would never be filled.
    """
    if not person.study.open_to_annotators:
        return NOT_OPEN
    if person.pilot and person.study.state != Study.State.PILOT:
        return TRIAL_OVER
    if person.exclusions.filter(unit="annotator", revocation__isnull=True).exists():
        return DONE
    return ""


def answered_claims(person: Annotator) -> QuerySet[Claim]:
    """Return the person's claims whose every screen is answered, counted or not."""
    return person.claims.exclude(assignments__answer__isnull=True)


def forms_left(person: Annotator) -> int:
    """Return how many further forms the study allows the person."""
    allowed = study_definition(person.study).assignment.forms_per_annotator
    return max(0, allowed - answered_claims(person).count())


def outcome_of(person: Annotator) -> str | None:
    """Return which completion code a person leaves with; none before everything is stored."""
    if person.state == State.COMPLETED:
        return _of_completed(person)
    return {State.SCREENED_OUT: "screened_out", State.DECLINED: "no_consent"}.get(
        State(person.state)
    )


def _of_completed(person: Annotator) -> str:
    """Return the study's own code for a failed check or a late end, where it has one."""
    codes = study_definition(person.study).recruitment.codes
    if "failed_attention" in codes and _failed_too_often(person):
        return "failed_attention"
    in_time = person.claims.exclude(state=Claim.State.TIMED_OUT).exists()
    if "timed_out" in codes and not in_time:
        return "timed_out"
    return "complete"


def _failed_too_often(person: Annotator) -> bool:
    """Whether the person failed as many checks as the study's first rule on attention allows."""
    definition = study_definition(person.study)
    rule = next((rule for rule in definition.quality if rule.rule == "attention"), None)
    if rule is None:
        return False
    checks = Answer.objects.filter(
        assignment__annotator=person, assignment__kind=Assignment.Kind.CHECK
    ).select_related("assignment")
    failed = sum(not check_passed(answer, definition) for answer in checks)
    return failed >= float(rule.parameters["failed"])
