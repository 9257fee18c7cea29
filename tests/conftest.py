"""What all tests with a database share."""

import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

import pytest
from django.db.backends.postgresql.base import DatabaseWrapper as PostgreSQL
from django.db.backends.sqlite3.base import DatabaseWrapper as SQLite
from django.test import override_settings

guards = import_module("annotation.migrations.0002_guards")
log_guards = import_module("annotation.migrations.0005_audit_details_and_receipts")
SQLITE_GUARDS = {sql.split()[2]: sql for sql in (*guards.SQLITE, *log_guards.SQLITE)}
GUARDED_TABLES = {
    *re.findall(r"CREATE TRIGGER .* ON (\w+)", guards.POSTGRESQL),
    *log_guards.POSTGRESQL_NAMES.values(),
}
LONG = ("slow", "browser", "concurrency")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long, in random order, so that no worker ends with it alone."""
    items.sort(key=lambda item: not any(map(item.get_closest_marker, LONG)))


@pytest.fixture(scope="session", autouse=True)
def _flush_past_the_guards() -> Iterator[None]:
    """Let a transactional test empty its tables, which the guards refuse to everybody else."""
    drops = [f"DROP TRIGGER IF EXISTS {name}" for name in SQLITE_GUARDS]
    off, on = (
        [f"ALTER TABLE {table} {turn} TRIGGER USER" for table in sorted(GUARDED_TABLES)]
        for turn in ("DISABLE", "ENABLE")
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PostgreSQL.ops_class, "sql_flush", _deletions)
        _around_a_flush(patch, SQLite.ops_class, drops, list(SQLITE_GUARDS.values()))
        _around_a_flush(
            patch,
            PostgreSQL.ops_class,
            [*off, "SET CONSTRAINTS ALL DEFERRED"],
            ["SET CONSTRAINTS ALL IMMEDIATE", *on],
        )
        yield


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """Spend no quarter of a second on the password of every user that a test makes."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


def _deletions(_self: Any, _style: Any, tables: Sequence[str], **_options: Any) -> list[str]:
    """Empty small tables row by row: a TRUNCATE makes every file of every table and index anew."""
    return [f'DELETE FROM "{table}"' for table in tables]  # noqa: S608  Django's own names


def _around_a_flush(
    patch: pytest.MonkeyPatch, operations: type[Any], before: list[str], after: list[str]
) -> None:
    flush = operations.execute_sql_flush

    def past_the_guards(self: Any, sql_list: list[str]) -> Any:
        return flush(self, [*before, *sql_list, *after])

    patch.setattr(operations, "execute_sql_flush", past_the_guards)
