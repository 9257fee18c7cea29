"""Long lists, a page at a time, by a cursor: complete and without repeats whatever is added meanwhile."""

from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

MOST = 1000
# What a key in the database can be.
KEYS_BELOW = 2**63


class ByKey(CursorPagination):
    """Pages in the order in which rows were made."""

    ordering = "pk"
    page_size = 200
    page_size_query_param = "page_size"
    max_page_size = MOST

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Return the place that a cursor names; one that names none is not found."""
        cursor = super().decode_cursor(request)
        if cursor is None or cursor.position is None:
            return cursor
        position = str(cursor.position)
        if not (position.isascii() and position.isdigit()) or int(position) >= KEYS_BELOW:
            raise NotFound("The cursor is not one of this list.")
        return cursor


class NewestFirst(ByKey):
    """The same, backwards."""

    ordering = "-pk"
