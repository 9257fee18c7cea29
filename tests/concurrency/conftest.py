"""A database of a test's own, which it may spoil and which other processes may open."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection


@pytest.fixture
def scratch_url(transactional_db: None, tmp_path: Path) -> Iterator[str]:
    """Point this process at a fresh database and return its DATABASE_URL."""
    del transactional_db
    with scratch_database(tmp_path) as url:
        yield url


@contextmanager
def scratch_database(folder: Path) -> Iterator[str]:
    """Point this process at a fresh database, with the tables, and then back."""
    usual = connection.settings_dict["NAME"]
    if connection.vendor == "postgresql":
        fresh = f"{usual}_scratch"
        with connection.cursor() as cursor:
            cursor.execute(f'CREATE DATABASE "{fresh}"')
        _turn_to(fresh)
        call_command("migrate", verbosity=0)
    else:
        fresh = str(folder / "scratch.sqlite3")
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [fresh])
        _turn_to(fresh)
    yield _url()
    _turn_to(usual)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{fresh}" WITH (FORCE)')


def _turn_to(name: str) -> None:
    # The settings are shared by the connections of all threads.
    connection.close()
    connection.settings_dict["NAME"] = name


def _url() -> str:
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    address = f"{database['USER']}@{database['HOST']}:{database['PORT']}"
    return f"postgres://{address}/{database['NAME']}"
