"""How all of a study is read: long, once, and without holding the file of the database."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def file_not_mapped() -> Iterator[None]:
    """Read SQLite's file through its cache alone for as long as this lasts.

    Pages answer faster where the file is mapped into memory; who reads all of it once would have as
    much of it in memory as may be mapped, for nothing.
    """
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA mmap_size")
        (usual,) = cursor.fetchone() or (0,)
        cursor.execute("PRAGMA mmap_size=0")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA mmap_size={int(usual)}")
