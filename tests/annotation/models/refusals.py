"""How the two databases say that a constraint refuses something."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import IntegrityError, transaction


@contextmanager
def refused(name: str, columns: str = "") -> Iterator[None]:
    """Require that the block breaks the constraint of that name.

    Of a unique index SQLite names the columns and not the index.
    """
    pattern = f"{name}|UNIQUE constraint failed: {columns}$" if columns else name
    with pytest.raises(IntegrityError, match=pattern), transaction.atomic():
        yield
