"""What all tests with a database share."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from django.db.backends.sqlite3.base import DatabaseWrapper

guards = import_module("annotation.migrations.0002_guards")
LONG = ("slow", "browser", "concurrency")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long, in random order, so that no worker ends with it alone."""
    items.sort(key=lambda item: not any(map(item.get_closest_marker, LONG)))


@pytest.fixture(scope="session", autouse=True)
def _flush_past_the_guards() -> Iterator[None]:
    """Let a transactional test empty its tables: SQLite does so by DELETE, which guards refuse."""
    operations = DatabaseWrapper.ops_class
    flush = operations.execute_sql_flush

    def past_the_guards(self: Any, sql_list: list[str]) -> Any:
        drops = [f"DROP TRIGGER IF EXISTS {name}" for name in guards.SQLITE_NAMES]
        return flush(self, [*drops, *sql_list, *guards.SQLITE])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(operations, "execute_sql_flush", past_the_guards)
        yield
