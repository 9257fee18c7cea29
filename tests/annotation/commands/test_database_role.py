"""The application's role on PostgreSQL does its work and cannot touch what the log says."""

from collections.abc import Iterator
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from annotation.models import AuditEvent
from annotation.services.audit import audit_verify
from annotation.services.erasure import annotator_erase
from annotation.services.exclusions import exclusion_by_hand, exclusion_revoke
from annotation.services.payments import payment_decide
from tests import factories

REFUSED = [
    "UPDATE annotation_auditevent SET author = 'x'",
    "DELETE FROM annotation_auditevent",
    "TRUNCATE annotation_auditevent CASCADE",
    "ALTER TABLE annotation_auditevent DISABLE TRIGGER ALL",
    "DROP TABLE annotation_auditevent CASCADE",
    "UPDATE annotation_auditdetail SET salt = 'x'",
    "DELETE FROM annotation_audithead",
    "INSERT INTO annotation_audithead VALUES (2, 1, 'x')",
    "UPDATE annotation_audithead SET events = 0",
    "DELETE FROM annotation_erasure",
    "UPDATE annotation_planlock SET sha256 = 'x'",
    "DELETE FROM annotation_planlock",
    "TRUNCATE annotation_planlock CASCADE",
    "UPDATE annotation_answerrevision SET key = 'x'",
    "TRUNCATE annotation_answerrevision CASCADE",
    "SET session_replication_role = 'replica'",
    "CREATE TABLE mine (id int)",
]


@pytest.fixture
def as_application(transactional_db: None) -> Iterator[None]:
    """Connect as a role of the application's, which the command has made what it may be."""
    del transactional_db
    role, usual = f"parallax_{uuid4().hex[:12]}", dict(connection.settings_dict)
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE ROLE {role} LOGIN PASSWORD 'application'")
    call_command("database_role", role, apply=True, stdout=StringIO())
    assert AuditEvent.objects.get(verb="database_role").data == {"role": role}
    connection.close()
    connection.settings_dict.update(USER=role, PASSWORD="application")  # noqa: S106  of this test
    yield
    connection.close()
    connection.settings_dict.update(usual)
    with connection.cursor() as cursor:
        for what in ("ALL TABLES IN SCHEMA public", "ALL SEQUENCES IN SCHEMA public"):
            cursor.execute(f"REVOKE ALL ON {what} FROM {role}")
        cursor.execute(f"REVOKE ALL ON SCHEMA public FROM {role}")
        cursor.execute(f"REVOKE ALL ON DATABASE {connection.settings_dict['NAME']} FROM {role}")
        cursor.execute(f"DROP ROLE {role}")


@pytest.mark.django_db(transaction=True)
def test_the_application_works_as_its_role_and_is_refused_the_rest(
    request: pytest.FixtureRequest,
) -> None:
    if connection.vendor != "postgresql":
        with pytest.raises(CommandError, match="Only PostgreSQL knows roles"):
            call_command("database_role", "anybody")
        return
    request.getfixturevalue("as_application")
    study = factories.live(items=6, replication=1)
    for _ in range(2):
        person = factories.done_by_someone(study).annotator
        exclusion = exclusion_by_hand(person, reason="a robot", author="a", now=factories.NOW)
        exclusion_revoke(exclusion, reason="no robot", author="a", now=factories.NOW)
        payment_decide(person, "approved", reason="", author="a", now=factories.NOW)
    for statement in REFUSED:
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    annotator_erase(person, author="annotator", now=factories.NOW)
    found = audit_verify()
    assert (found.first_broken, found.erased_details) == (None, 3)
