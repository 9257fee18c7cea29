"""A study that has everything a release must treat well, and how to read a release."""

import csv
import json
from dataclasses import replace
from pathlib import Path

from annotation.exports.release import study_release
from annotation.models import Annotator, Answer, Study
from annotation.providers import Entry
from annotation.services.exclusions import exclusion_by_hand, exclusions_apply
from annotation.services.sessions import (
    annotator_withdraw,
    consent_give,
    screening_record,
    session_start,
)
from annotation.studyfile.definition import Recruitment
from annotation.tasktypes.instrument import Dimension, Scale
from tests import factories

KEY = b"a key that nobody has to guess"
LATER = factories.NOW + 10 * factories.MINUTE
PIDS = [f"5f3abc0123456789abcdef{n:02}" for n in range(20)]
WHY = Dimension(key="why", ask="Why?", scale=Scale.TEXT, required=False)
TYPED = "Write to me at ann@example.org"


def definition(**changed):
    """Return a study of comparisons and single responses, one question of which is typed."""
    study = factories.definition(
        items=6,
        responses=6,
        replication=3,
        form_size=4,
        mix={"compare": 2, "rate": 2},
        attention=[factories.CHECK],
        quality=[factories.ATTENTION, factories.HASTY],
        practice=1,
        recruitment=Recruitment(
            provider="prolific", time_limit_minutes=60, codes={"complete": "DONE17"}
        ),
    )
    compare, rate = study.tasks
    compare = replace(compare, dimensions=(*compare.dimensions, WHY))
    thanks = "Thank you. Your code is DONE17."
    return replace(study, tasks=(compare, rate), debrief=thanks, **changed)


def arrives(study: Study, number: int) -> Annotator:
    """Let a person in whom the platform names."""
    entry = Entry(person=PIDS[number], session=f"{PIDS[number]}-visit")
    person = session_start(study, entry, entry_token="", now=factories.NOW)
    consent_give(person, given=True, language="en", now=factories.NOW)
    screening_record(person, {}, now=factories.NOW)
    return person


def judges(study: Study, number: int, **answers) -> Annotator:
    """Send such a person through one form."""
    person = arrives(study, number)
    factories.finished(factories.claimed(person), why=TYPED, **answers)
    person.refresh_from_db()
    return person


def collected() -> Study:
    """Return a study that was judged, with someone who failed, left, withdrew, was left out by hand."""
    study = factories.live(definition())
    for number in range(4):
        judges(study, number)
    careless = judges(study, 4)
    failed = Answer.objects.filter(assignment__annotator=careless, assignment__kind="check")
    failed.update(values={"choice": "response_1", "confidence": "3"})
    annotator_withdraw(judges(study, 5), now=LATER)
    factories.claimed(arrives(study, 6))
    left_out = judges(study, 7)
    judged = Answer.objects.filter(assignment__annotator=left_out, assignment__kind="judge")
    exclusion_by_hand(
        judged.earliest("assignment__position"), reason="Ann Lee said so", author="boss", now=LATER
    )
    exclusions_apply(study, author="boss", now=LATER)
    return study


def release(study: Study, out: Path, key: bytes = KEY, **options):
    """Release a study."""
    return study_release(study, out, key=key, **options)


def rows(folder: Path, table: str):
    """Return the rows of a table."""
    with (folder / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def lines(folder: Path, table: str):
    """Return the rows of a table as JSON has them."""
    text = (folder / f"{table}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def everything(folder: Path) -> dict[str, bytes]:
    """Return every file."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
