"""The models, the migrations and the guards at their head say the same."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection

from tests.conftest import SQLITE_GUARDS, guards, log_guards

pytestmark = pytest.mark.django_db

POSTGRESQL_GUARDS = {
    "slot_with_item",
    "claim_with_annotator",
    "assignment_item_is_the_slots",
    "assignment_annotator_is_the_claims",
    "plan_lock_is_final",
    "revision_is_final",
    *log_guards.POSTGRESQL_NAMES,
}


def test_no_change_of_a_model_lacks_its_migration() -> None:
    said = StringIO()
    call_command("makemigrations", "--check", "--dry-run", stdout=said)
    assert "No changes detected" in said.getvalue()


def test_every_guard_stands_at_the_head_of_the_migrations() -> None:
    wanted = POSTGRESQL_GUARDS if connection.vendor == "postgresql" else set(SQLITE_GUARDS)
    assert wanted <= guard_names()


def guard_names() -> set[str]:
    """Return the names of the triggers and constraints that the database has."""
    queries = {
        "postgresql": (
            "SELECT conname FROM pg_constraint UNION SELECT tgname FROM pg_trigger "
            "WHERE NOT tgisinternal"
        ),
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    }
    with connection.cursor() as cursor:
        cursor.execute(queries[connection.vendor])
        return {str(name) for (name,) in cursor.fetchall()}


@pytest.mark.django_db(transaction=True)
def test_the_guards_can_be_taken_away_and_put_back() -> None:
    with connection.schema_editor() as editor:
        log_guards.remove(None, editor)
        log_guards.install_older(None, editor)
        guards.remove(None, editor)
        without = guard_names()
        guards.install(None, editor)
        log_guards.remove_older(None, editor)
        log_guards.install(None, editor)
    wanted = POSTGRESQL_GUARDS if connection.vendor == "postgresql" else set(SQLITE_GUARDS)
    assert not wanted & without
    assert wanted <= guard_names()
