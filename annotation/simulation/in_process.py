"""Simulated annotators through the services, on a clock of their own."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from annotation.errors import Refused
from annotation.models import Annotator, Claim, Study
from annotation.selectors.place import Step, numbered
from annotation.selectors.screens import Screen, screen_of
from annotation.selectors.studies import study_definition
from annotation.services.answers import answer_record, screen_open
from annotation.services.claims import form_claim
from annotation.services.demographics import demographics_record
from annotation.services.sessions import (
    annotator_mark_simulated,
    annotator_return,
    consent_give,
    screening_record,
    session_start,
)
from annotation.simulation.mind import posted_answer, told_about
from annotation.simulation.population import Person
from annotation.simulation.tally import Tally

# What a person posts on a screen, and the seconds it takes.
Answering = Callable[[Person, Screen], tuple[dict[str, Any], float]]


def spontaneous(person: Person, screen: Screen) -> tuple[dict[str, Any], float]:
    """Return what a person posts on a screen by their own mind, and the seconds it takes."""
    seconds = person.pause()
    return posted_answer(person, screen), seconds


def person_plays(
    study: Study,
    person: Person,
    tally: Tally,
    *,
    start: datetime,
    answer: Answering = spontaneous,
) -> None:
    """Send one person through the study, from the link to the end or to where they leave."""
    clock = _Clock(start)
    definition = study_definition(study)
    someone = session_start(
        study,
        person.entry(definition.recruitment.provider),
        entry_token=f"simulated-{study.pk}-{person.rng.getrandbits(64):016x}",
        now=clock.now,
    )
    annotator_mark_simulated(someone)
    tally.add("arrived")
    if not _let_in(someone, person, tally, clock):
        return
    # As many forms as the study allows a person, while there are any.
    for _ in range(definition.assignment.forms_per_annotator):
        try:
            claim = form_claim(someone, now=clock.now, rng=person.rng)
        except Refused:
            tally.add("full")
            return
        if not _judges(someone, person, claim, tally, clock, answer):
            return


class _Clock:
    """The person's own time."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += timedelta(seconds=seconds)


def _let_in(someone: Annotator, person: Person, tally: Tally, clock: _Clock) -> bool:
    definition = study_definition(someone.study)
    consent_give(someone, given=person.consents, language=definition.language, now=clock.now)
    if not person.consents:
        tally.add("declined")
        return False
    questions = definition.recruitment.eligibility
    if questions:
        answers = {
            q.key: q.accept[0]
            if person.eligible
            else next((o for o in q.options if o not in q.accept), q.accept[0])
            for q in questions
        }
        if not screening_record(someone, answers, now=clock.now):
            tally.add("screened_out")
            return False
    asked = definition.recruitment.demographics
    if asked:
        demographics_record(someone, told_about(person, asked), now=clock.now)
    clock.wait(person.pause())
    return True


def _judges(
    someone: Annotator,
    person: Person,
    claim: Claim,
    tally: Tally,
    clock: _Clock,
    answer: Answering,
) -> bool:
    """Judge one form; say whether the person is still there."""
    screens = numbered(claim, Step.PRACTICE) + numbered(claim, Step.JUDGE)
    leaves_at = None if person.leaves_after is None else int(person.leaves_after * len(screens))
    for number, assignment in enumerate(screens):
        if number == leaves_at:
            _leaves(someone, person, tally, clock)
            return False
        screen_open(assignment, now=clock.now)
        assignment.opened_at = clock.now
        posted, seconds = answer(person, screen_of(assignment))
        clock.wait(seconds)
        answer_record(
            assignment,
            posted,
            key=f"simulated-{assignment.pk}",
            active_seconds=seconds * 0.9,
            now=clock.now,
        )
    tally.add("completed", *(["failed_attention"] if _failed(person, claim) else []))
    return True


def _failed(person: Person, claim: Claim) -> bool:
    return person.mind.careless and claim.assignments.filter(kind="check").exists()


def _leaves(someone: Annotator, person: Person, tally: Tally, clock: _Clock) -> None:
    if person.says_so:
        annotator_return(someone, now=clock.now)
        tally.add("returned")
    else:
        tally.add("timed_out")
