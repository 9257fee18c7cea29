"""Commands that verify, unlink and simulate; and a database that is not ready."""

import json
import logging
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection

from annotation.models import Annotator, AuditEvent, PlatformIdentity
from annotation.providers import Entry
from annotation.services.sessions import session_start
from annotation.services.study_states import study_close
from config.redaction import LinksHidden
from tests import factories

ROOT = Path(__file__).resolve().parents[3]


def said(*command, **options):
    out = StringIO()
    call_command(*command, json=True, stdout=out, **options)
    return json.loads(out.getvalue())


@pytest.mark.django_db
def test_a_log_as_it_was_written_verifies():
    factories.live()
    assert said("audit_verify") == {"events": 2, "ok": True, "first_broken": None}


@pytest.mark.django_db
@pytest.mark.parametrize("change", ["author = 'somebody'", "number = 9", "previous = 'x'"])
def test_an_event_that_was_altered_is_named(change):
    factories.live()
    number = AuditEvent.objects.order_by("number").first().number
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE annotation_auditevent DISABLE TRIGGER audit_is_final")
        else:
            cursor.execute("DROP TRIGGER audit_not_updated")
        cursor.execute(f"UPDATE annotation_auditevent SET {change} WHERE number = {number}")  # noqa: S608
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("audit_verify", json=True, stdout=out)
    told = json.loads(out.getvalue())
    assert (told["ok"], told["first_broken"]) == (False, 1)


@pytest.mark.django_db
def test_ids_of_people_are_unlinked_once_the_study_is_closed():
    study = factories.live()
    session_start(study, Entry("p1", "s1"), entry_token="", now=factories.NOW)
    with pytest.raises(CommandError, match="clos"):
        said("identities_unlink", study.slug)
    study_close(study, author="researcher", now=factories.NOW + factories.MINUTE)
    assert said("identities_unlink", study.slug) == {"study": study.slug, "unlinked": 1}
    assert not PlatformIdentity.objects.exists()
    assert Annotator.objects.count() == 1


@pytest.mark.django_db
def test_nobody_is_simulated_among_real_people_by_mistake():
    study = factories.live(items=4, replication=1, form_size=2)
    factories.annotator(study)
    with pytest.raises(CommandError, match="Real people have entered"):
        said("study_simulate", study.slug, annotators=1)
    told = said("study_simulate", study.slug, annotators=1, abandon=0.0, among_people=True)
    assert told["completed"] == 1
    assert said("study_status", study.slug)["simulated"] == 1
    assert AuditEvent.objects.get(verb="study_simulate").data == {"arrived": 1, "seed": 1}


def typed(folder, *command):
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{folder}/new.sqlite3"}
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_a_new_database_gets_its_tables_and_one_that_cannot_be_opened_a_sentence(tmp_path):
    first = typed(tmp_path, "study_status", "none")
    assert first.returncode == 1
    assert "No study is called 'none'. There is none yet" in first.stderr
    nowhere = typed(tmp_path / "not" / "there", "study_status", "none")
    assert nowhere.returncode == 1
    assert "The database does not answer" in nowhere.stderr
    assert "Traceback" not in nowhere.stderr


@pytest.mark.parametrize(
    ("command", "options"),
    [("human", ["none", "--out", "out"]), ("work", ["--once"]), ("demo", [])],
)
def test_commands_that_are_no_study_s_say_too_that_no_database_answers(
    command, options, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    gone = Mock(side_effect=OperationalError("connection refused"))
    monkeypatch.setattr("annotation.management.database.MigrationExecutor", gone)
    with pytest.raises(CommandError, match="The database does not answer: connection refused"):
        call_command(command, *options)


def test_the_log_hides_the_links_of_people():
    record = logging.LogRecord(
        "x",
        logging.WARNING,
        "",
        0,
        "%s: %s",
        ("Gone", "/a/l5CbEp5wyAJsmB0AQTH2Gcf0N1tuL8RU/x/"),
        None,
    )
    assert LinksHidden().filter(record)
    assert record.getMessage() == "Gone: /a/…/x/"
