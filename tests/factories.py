"""Small studies, people and claims for tests: plain functions over the real services."""

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from annotation.models import Annotator, Assignment, Claim, Form, Slot, Study
from annotation.selectors.judgments import counted_answers
from annotation.selectors.progress import study_progress, unplanned_slots
from annotation.selectors.screens import screen_of
from annotation.services.answers import Recorded, answer_record, screen_open
from annotation.services.claims import form_claim
from annotation.services.sessions import consent_give, screening_record, session_start
from annotation.services.study_import import study_import
from annotation.services.study_states import study_launch, study_pilot
from annotation.studyfile.definition import (
    AssignmentRules,
    AttentionCheck,
    ItemRow,
    PracticeItem,
    QualityRule,
    Recruitment,
    StudyDefinition,
    TaskDefinition,
)
from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.base import Comparison, SimulatedPerson

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
AUTHOR = "researcher"
CAREFUL = SimulatedPerson(ability=1.0)

CHECK = AttentionCheck(
    position=2, task="compare", dimension="confidence", expect="1", ask="Please choose 1."
)
ATTENTION = QualityRule("attention", "annotator", {"failed": 1})
HASTY = QualityRule("hasty", "judgment", {"faster_than_seconds": 6})


def pair_items(count: int, articles: int = 0) -> tuple[ItemRow, ...]:
    """Return comparisons; with `articles`, so many articles take turns among them."""
    return tuple(
        ItemRow(
            id=f"c{n:03}",
            fields={
                "question": f"Question {n}?",
                "response_1": f"One {n}",
                "response_2": f"Two {n}",
                "condition_1": "low",
                "condition_2": "high",
                "reference": f"One {n}",
                **({"article": f"a{n % articles}"} if articles else {}),
            },
        )
        for n in range(1, count + 1)
    )


def rubric_items(count: int) -> tuple[ItemRow, ...]:
    """Return single responses to judge."""
    return tuple(
        ItemRow(
            id=f"r{n:03}",
            fields={
                "question": f"Why {n}?",
                "response": f"Because {n}.",
                "reference": f"Because {n}.",
                "facts": [f"It is {n}."],
                "model": f"m{n % 2}",
            },
        )
        for n in range(1, count + 1)
    )


def task(key: str, kind: str, items: Sequence[ItemRow]) -> TaskDefinition:
    """Return a task with its type's own instrument."""
    return TaskDefinition(
        key=key,
        type=kind,
        hidden=("condition_1", "condition_2", "article", "model"),
        dimensions=tuple(TASK_TYPES[kind].instrument),
        higher=Comparison("condition", ("low", "high")) if kind == "pair" else None,
        items=tuple(items),
    )


def definition(
    *,
    slug: str = "tiny",
    items: int = 6,
    articles: int = 0,
    responses: int = 0,
    replication: int = 2,
    form_size: int = 3,
    forms_per_annotator: int = 1,
    seed: int = 7,
    attention: Sequence[AttentionCheck] = (),
    quality: Sequence[QualityRule] = (),
    practice: int = 0,
    recruitment: Recruitment | None = None,
    mix: Mapping[str, int] | None = None,
) -> StudyDefinition:
    """Return a study of comparisons (and of single responses, if there are to be some)."""
    tasks = [task("compare", "pair", pair_items(items, articles))] if items else []
    if responses:
        tasks.append(task("rate", "rubric", rubric_items(responses)))
    tried = replace(pair_items(1)[0], id="")
    return StudyDefinition(
        slug=slug,
        title="A tiny study",
        seed=seed,
        language="en",
        consent="You may stop at any time.",
        instructions="Read, then judge.",
        debrief="Thank you.",
        recruitment=recruitment or Recruitment(time_limit_minutes=60, codes={"complete": "DONE1"}),
        assignment=AssignmentRules(
            replication=replication,
            form_size=form_size,
            conflict=("article",) if articles else (),
            forms_per_annotator=forms_per_annotator,
            mix=mix,
        ),
        tasks=tuple(tasks),
        attention=tuple(attention),
        quality=tuple(quality),
        practice=tuple(
            PracticeItem("compare", replace(tried, id=f"try{n}"), {"choice": "first"}, "So it is.")
            for n in range(practice)
        ),
    )


def imported(wanted: StudyDefinition | None = None, **shape: Any) -> Study:
    """Import a study; it is a draft."""
    return study_import(wanted or definition(**shape), author=AUTHOR, now=NOW).study


def live(wanted: StudyDefinition | None = None, **shape: Any) -> Study:
    """Import and launch a study."""
    study = imported(wanted, **shape)
    study_launch(study, author=AUTHOR, now=NOW)
    study.refresh_from_db()
    return study


def pilot(**shape: Any) -> Study:
    """Import a study and open it as a pilot."""
    return study_pilot(imported(**shape), author=AUTHOR, now=NOW)


def seeded(seed: int | str) -> Random:
    """Return a source of random numbers that a test can repeat."""
    return Random(seed)  # noqa: S311  repeatable, not secret


def arrived(study: Study, *, now: datetime = NOW) -> Annotator:
    """Let a person in who has said nothing yet."""
    return session_start(study, None, entry_token=secrets.token_urlsafe(12), now=now)


def annotator(study: Study, *, now: datetime = NOW) -> Annotator:
    """Let a person in who has consented and may judge."""
    person = arrived(study, now=now)
    consent_give(person, given=True, language="en", now=now)
    screening_record(person, {}, now=now)
    person.refresh_from_db()
    return person


def claimed(person: Annotator, *, now: datetime = NOW, seed: int = 1) -> Claim:
    """Give the person a form."""
    return form_claim(person, now=now, rng=seeded(f"{seed}/{person.pk}"))


def posted(assignment: Assignment, *, seed: int = 1, **changed: Any) -> dict[str, Any]:
    """Return what a careful person posts on a screen, with some answers changed."""
    screen = screen_of(assignment)
    values = screen.task_type.simulate(screen.fields, screen.dimensions, CAREFUL, seeded(seed))
    answer = screen.task_type.encode(values, screen.presentation)
    if assignment.kind == Assignment.Kind.CHECK:
        answer["confidence"] = "1"
    return answer | changed


def answered(
    assignment: Assignment,
    *,
    key: str = "k1",
    now: datetime = NOW + MINUTE,
    seconds: float | None = 30.0,
    **changed: Any,
) -> Recorded:
    """Answer one screen."""
    screen_open(assignment, now=now - timedelta(seconds=seconds or 0))
    assignment.refresh_from_db(fields=["opened_at"])
    return answer_record(
        assignment, posted(assignment, **changed), key=key, active_seconds=seconds, now=now
    )


def finished(claim: Claim, *, now: datetime = NOW + MINUTE, **changed: Any) -> Claim:
    """Answer every screen of a claim."""
    for assignment in screens_of(claim):
        answered(assignment, now=now, **changed)
    claim.refresh_from_db()
    return claim


def done_by_someone(study: Study, *, now: datetime = NOW, **changed: Any) -> Claim:
    """Send a new person through one form, from the link to the end."""
    return finished(claimed(annotator(study, now=now), now=now), now=now + MINUTE, **changed)


def screens_of(claim: Claim) -> list[Assignment]:
    """Return every screen of a claim in order, practice first."""
    return list(
        claim.assignments.select_related("item__study", "item__passage").order_by("position")
    )


def judge_screens(claim: Claim) -> list[Assignment]:
    """Return the screens of a claim that stand on slots."""
    return [screen for screen in screens_of(claim) if screen.kind == Assignment.Kind.JUDGE]


def judged_times(study: Study) -> dict[str, int]:
    """Return how many valid judgments each item has."""
    times = {item.key: 0 for item in study.items.filter(practice=False)}
    for answer in counted_answers(study):
        times[answer.assignment.item.key] += 1
    return times


def broken_promises(study: Study) -> list[str]:
    """Return, in words, every promise of the assignment that does not hold right now."""
    wanted = dict(Slot.objects.filter(form__study=study).values_list("item__key", "replication"))
    over = [
        f"item {key} is judged {times} times instead of {wanted[key]}"
        for key, times in judged_times(study).items()
        if times > wanted[key]
    ]
    wrong = (_wrong_coverage, _wrong_unplanned, _wrong_slots, _wrong_forms, _repeats)
    return [*over, *(problem for find in wrong for problem in find(study))]


def _wrong_coverage(study: Study) -> list[str]:
    """The coverage, which is counted by slots, is that of the analytic sample."""
    told = {times: items for times, items in study_progress(study).coverage.items() if items}
    if told == Counter(judged_times(study).values()):
        return []
    return [f"the coverage is said to be {told}"]


def _wrong_unplanned(study: Study) -> list[str]:
    """What a top-up plans, found by exclusions, is every slot of a done form that nobody holds."""
    done = Slot.objects.filter(form__study=study, form__state=Form.State.DONE)
    empty = set(done.exclude(assignments__active=True))
    told = set(unplanned_slots(study))
    return [] if told == empty else [f"the top-up is said to be {told} where {empty} are empty"]


def _wrong_slots(study: Study) -> list[str]:
    """Every slot is held, or offered, or stands in a form that is done."""
    problems = []
    for slot in Slot.objects.filter(form__study=study).select_related("form"):
        holders = slot.assignments.filter(active=True).count()
        if holders and slot.form.state not in {Form.State.HELD, Form.State.DONE}:
            problems.append(f"slot {slot} is held and stands in {slot.form}, {slot.form.state}")
        if slot.form.state == Form.State.VOID:
            problems.append(f"slot {slot} stands in {slot.form}, which is void")
    return problems


def _wrong_forms(study: Study) -> list[str]:
    """Whoever holds or has done a form is one person; an open one is nobody's."""
    of_state = {
        Form.State.OPEN: ([],),
        Form.State.HELD: (["held"],),
        Form.State.DONE: (["submitted"],),
        Form.State.VOID: ([], ["submitted"]),
    }
    problems = []
    for form in study.forms.all():
        live_claims = form.claims.filter(state__in=["held", "submitted"])
        states = list(live_claims.values_list("state", flat=True))
        if states not in of_state[Form.State(form.state)]:
            problems.append(f"{form} is {form.state} and its claims are {states}")
    return problems


def _repeats(study: Study) -> list[str]:
    problems = []
    for person in study.annotators.all():
        screens = list(person.assignments.filter(kind="judge").select_related("item"))
        items = [screen.item_id for screen in screens]
        if len(set(items)) < len(items):
            problems.append(f"{person} was given an item twice")
        keys = [key for screen in screens if not screen.clash for key in screen.item.conflicts]
        if len(set(keys)) < len(keys):
            problems.append(f"{person} met a conflict key twice")
    return problems
