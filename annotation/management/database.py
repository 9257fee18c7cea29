"""Before a command begins: the database answers and has its tables, or a sentence says what is wrong."""

from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor


def ready_database(*, upgrade: bool = False) -> None:
    """Make the tables of a database that has none; one that is older than the code is refused.

    With `upgrade` it is brought up to date.
    """
    try:
        executor = MigrationExecutor(connection)
    except OperationalError as fault:
        raise no_answer(fault) from None
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not missing:
        return
    if executor.loader.applied_migrations and not upgrade:
        raise CommandError("The database is older than the code; run manage.py migrate first.")
    call_command("migrate", verbosity=0)


def no_answer(fault: OperationalError) -> CommandError:
    """Return the refusal of a command whose database cannot be reached."""
    return CommandError(f"The database does not answer: {fault}".strip())
