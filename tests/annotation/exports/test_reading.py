"""A release does not hold the file of the database in memory."""

import pytest
from django.db import connection

from annotation.exports.reading import file_not_mapped

pytestmark = pytest.mark.django_db


def mapped() -> int | None:
    """Return how many bytes of its file SQLite may map; None where there is no such file."""
    if connection.vendor != "sqlite":
        return None
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA mmap_size")
        row = cursor.fetchone()
    return row[0] if row else None


def test_the_file_is_not_mapped_for_as_long_as_it_lasts_also_when_it_fails():
    before, meanwhile = mapped(), []

    def fail() -> None:
        with file_not_mapped():
            meanwhile.append(mapped())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert not meanwhile[0]
    assert mapped() == before
