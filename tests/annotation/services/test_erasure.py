"""Somebody asks to be deleted: nothing of theirs is left anywhere, and nothing of others' changes."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from analysis.models import AnalysisRun
from analysis.runs.queue import run_done
from annotation.errors import PersonGone, StateForbids
from annotation.models import (
    Annotator,
    Answer,
    AnswerRevision,
    AuditEvent,
    Erasure,
    PlatformIdentity,
    PlatformSession,
    Study,
)
from annotation.providers import Entry
from annotation.selectors.judgments import counted_answers
from annotation.services.answers import draft_save
from annotation.services.audit import audit_verify
from annotation.services.erasure import annotator_erase, erasure_refuse
from annotation.services.exclusions import exclusion_by_hand, exclusion_revoke
from annotation.services.payments import payment_decide
from annotation.services.releases import erasures_of, release_path, release_store
from annotation.services.sessions import (
    annotator_withdraw,
    consent_give,
    screening_record,
    session_start,
)
from annotation.studyfile.definition import EligibilityQuestion, Recruitment
from tests import factories

pytestmark = pytest.mark.django_db

TYPED = "typed by this person alone ☃"
PLATFORM_ID = "5f3c9a0e1b2d4c6f8a7e9d01"
# What an erasure may touch besides what is the person's: what they held opens again, the log grows.
MAY_CHANGE = {
    "annotation_form",
    "annotation_auditevent",
    "annotation_audithead",
    "annotation_erasure",
    "annotation_release",
    "analysis_analysisrun",
    "sqlite_sequence",
}
Dump = dict[str, list[tuple[Any, ...]]]


def many() -> Study:
    """Return a study with 199 people, of whom a few have judged."""
    study = factories.live(
        factories.definition(
            slug="crowd",
            items=12,
            replication=2,
            recruitment=Recruitment(
                provider="prolific", eligibility=(EligibilityQuestion("adult", "Adult?", ("yes",)),)
            ),
        )
    )
    Annotator.objects.bulk_create(
        Annotator(
            study=study,
            pseudonym=f"other{n}",
            access_key=f"key{n}",
            entry_token=f"token{n}",
            arrived_at=factories.NOW,
        )
        for n in range(196)
    )
    for n in range(3):
        person = came(study, f"other {n}")
        factories.finished(factories.claimed(person))
    excluded = Annotator.objects.latest("pk")
    exclusion_by_hand(excluded, reason="not read", author="ada", now=factories.NOW)
    return study


def came(study: Study, platform_id: str) -> Annotator:
    """Let a person in from the platform, who may judge."""
    person = session_start(
        study, Entry(platform_id, f"visit of {platform_id}"), entry_token="", now=factories.NOW
    )
    consent_give(person, given=True, language="en", now=factories.NOW)
    screening_record(person, {"adult": "yes"}, now=factories.NOW)
    person.refresh_from_db()
    return person


def somebody(study: Study) -> Annotator:
    """Return a person who has left every kind of trace there is."""
    person = came(study, PLATFORM_ID)
    claim = factories.claimed(person)
    first, second, third = factories.judge_screens(claim)
    answer = factories.answered(first, key="their key").answer
    factories.answered(first, key="their second key", confidence="2")
    factories.answered(second, key="their third key")
    Answer.objects.filter(pk=answer.pk).update(values=answer.values | {"remark": TYPED})
    draft_save(third, {"choice": ["first"], "remark": [TYPED]}, now=factories.NOW)
    taken_back = exclusion_by_hand(answer, reason=TYPED, author="ada", now=factories.NOW)
    exclusion_revoke(taken_back, reason=f"{TYPED} too", author="ada", now=factories.NOW)
    exclusion_by_hand(answer, reason="again", author="ada", now=factories.NOW)
    payment_decide(person, "approved", reason=TYPED, author="ada", now=factories.NOW)
    erasure_refuse(person, reason=TYPED, author="ada", now=factories.NOW)
    return person


def marks(person: Annotator) -> set[str]:
    """Return every value that is this person's alone."""
    identity = PlatformIdentity.objects.get(annotator=person)
    visit = PlatformSession.objects.get(annotator=person)
    revisions = AnswerRevision.objects.filter(answer__assignment__annotator=person)
    claim = person.claims.get()
    details = person.audit_details.values_list("salt", flat=True)
    return {
        person.pseudonym,
        person.access_key,
        person.entry_token,
        PLATFORM_ID,
        TYPED,
        str(claim.seed),
        identity.lookup,
        bytes(identity.ciphertext).decode(),
        visit.lookup,
        bytes(visit.ciphertext).decode(),
        *revisions.values_list("key", flat=True),
        *details,
    }


def dump() -> Dump:
    """Return every column of every row of every table of the database."""
    rows = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608
            rows[table] = [tuple(map(plain, row)) for row in cursor.fetchall()]
    return rows


def plain(value: Any) -> str:
    """Return a value as text, bytes as what they spell."""
    if isinstance(value, bytes | memoryview):
        return bytes(value).decode("utf-8", "backslashreplace")
    text = str(value)
    return text.encode().decode("unicode_escape", "ignore") + text if "\\u" in text else text


def places(wanted: set[str], found: Dump) -> set[tuple[str, str]]:
    """Return where any of these values stands."""
    return {
        (mark, table)
        for table, rows in found.items()
        for row in rows
        for value in row
        for mark in wanted
        if mark in value
    }


@pytest.fixture
def kept(settings, tmp_path):
    settings.RELEASES_DIR = tmp_path / "kept"
    return tmp_path


def copied(study: Study, person: Annotator, folder: Any) -> tuple[AnalysisRun, Any]:
    """Let a run and a stored release hold the person."""
    run = AnalysisRun.objects.create(
        study=study,
        kind="monitor",
        fingerprint="f" * 64,
        state="running",
        author="ada",
        asked_at=factories.NOW,
    )
    run_done(run, {"unusual": [person.pseudonym]}, erasures=0, now=factories.NOW)
    archive = folder / "draft.zip"
    archive.write_bytes(f"PK {person.pseudonym} {TYPED}".encode())
    release = release_store(
        study, archive, {"files": [TYPED]}, erasures=0, author="ada", now=factories.NOW
    )
    return run, release_path(release)


def test_one_of_two_hundred_is_erased_from_everywhere_and_no_other_is_touched(
    kept, django_capture_on_commit_callbacks
) -> None:
    study = many()
    before_them = dump()
    person = somebody(study)
    assert study.annotators.count() == 200
    run, archive = copied(study, person, kept)
    form = person.claims.get().form
    wanted = marks(person)
    held = dump()
    assert {mark for mark, _ in places(wanted, held)} == wanted - {PLATFORM_ID}
    with django_capture_on_commit_callbacks(execute=True):
        erasure = annotator_erase(person, author="annotator", now=factories.NOW)
    left = dump()
    assert places(wanted, left) == set()
    assert [path for path in kept.rglob("*") if path.is_file()] == []
    assert not archive.exists()
    for table in set(left) - MAY_CHANGE:
        assert left[table] == before_them[table], table
    assert set(left["annotation_form"]) == set(before_them["annotation_form"])
    form.refresh_from_db()
    run.refresh_from_db()
    assert (form.state, run.state, run.result) == ("open", "cancelled", None)
    assert factories.broken_promises(study) == []
    assert counted_answers(study).count() == 6
    found = audit_verify()
    assert (found.first_broken, found.erased_details) == (None, 5)
    assert erasure.counts["answers"] == 2
    assert erasure.counts["annotators"] == erasure.counts["stored releases"] == 1
    assert Erasure.objects.get().author == "annotator"


def test_the_receipt_and_the_log_name_nobody() -> None:
    study = factories.live(items=3, replication=1)
    person = factories.done_by_someone(study).annotator
    exclusion_by_hand(person, reason="a robot", author="ada", now=factories.NOW)
    erasure = annotator_erase(person, author="annotator", now=factories.NOW)
    event = AuditEvent.objects.latest("number")
    assert event.verb == "annotator_erase"
    assert event.told == {"receipt": erasure.receipt, "counts": erasure.counts, "events": [3]}
    assert AuditEvent.objects.get(number=3).told == {}
    assert study.forms.get().state == "open"
    said = StringIO()
    call_command("study_status", study.slug, stdout=said)
    assert "1 erased at their own request" in said.getvalue()


def test_who_is_erased_is_gone_for_every_service() -> None:
    study = factories.live(items=6, form_size=3)
    claim = factories.claimed(factories.annotator(study))
    screen = factories.judge_screens(claim)[0]
    annotator_erase(claim.annotator, author="annotator", now=factories.NOW)
    acts = [
        lambda: annotator_erase(claim.annotator, author="annotator", now=factories.NOW),
        lambda: annotator_withdraw(claim.annotator, now=factories.NOW),
        lambda: factories.answered(screen),
        lambda: draft_save(screen, {}, now=factories.NOW),
        lambda: factories.claimed(claim.annotator),
        lambda: payment_decide(
            claim.annotator, "approved", reason="", author="a", now=factories.NOW
        ),
        lambda: exclusion_by_hand(claim.annotator, reason="x", author="a", now=factories.NOW),
    ]
    for act in acts:
        with pytest.raises((PersonGone, Answer.DoesNotExist, type(screen).DoesNotExist)):
            act()
    assert Erasure.objects.count() == 1


def test_a_refusal_is_a_decision_with_a_reason_in_the_log() -> None:
    person = factories.annotator(factories.live())
    with pytest.raises(StateForbids, match="needs a reason"):
        erasure_refuse(person, reason=" ", author="ada", now=factories.NOW)
    # Twice, as by a double click.
    for _ in range(2):
        erasure_refuse(person, reason="an audit is under way", author="ada", now=factories.NOW)
    event = AuditEvent.objects.get(verb="erasure_refuse")
    assert (event.verb, event.author, event.told["reason"]) == (
        "erasure_refuse",
        "ada",
        "an audit is under way",
    )
    erasure_refuse(person, reason="an audit is under way", author="eve", now=factories.NOW)
    assert AuditEvent.objects.filter(verb="erasure_refuse").count() == 2
    assert Annotator.objects.filter(pk=person.pk).exists()


def test_a_run_that_had_read_the_person_is_done_again() -> None:
    study = factories.live(items=3, replication=1)
    person = factories.done_by_someone(study).annotator
    run = AnalysisRun.objects.create(
        study=study,
        kind="monitor",
        fingerprint="f" * 64,
        state="running",
        author="ada",
        asked_at=factories.NOW,
    )
    before = erasures_of(study)
    annotator_erase(person, author="annotator", now=factories.NOW)
    run_done(run, {"unusual": [person.pseudonym]}, erasures=before, now=factories.NOW)
    run.refresh_from_db()
    assert (run.state, run.result) == ("queued", None)


@pytest.mark.django_db(transaction=True)
def test_the_file_of_an_embedded_database_holds_no_trace() -> None:
    study = factories.live(items=3, replication=1)
    person = factories.done_by_someone(study).annotator
    exclusion_by_hand(person, reason=TYPED, author="ada", now=factories.NOW)
    name, key = person.pseudonym, person.access_key
    annotator_erase(person, author="annotator", now=factories.NOW)
    assert audit_verify().first_broken is None
    if connection.vendor != "sqlite":
        return  # A row that was deleted is in nobody's sight, and leaves the file by VACUUM.
    database = Path(str(connection.settings_dict["NAME"]))
    journal = database.with_name(database.name + "-wal")
    content = database.read_bytes() + journal.read_bytes()
    assert b"annotation_annotator" in content
    for mark in (name, key, TYPED):
        assert mark.encode() not in content
