"""A link for everyone: volunteers, colleagues, a class."""

from collections.abc import Mapping, Sequence

from annotation.providers.base import Entry, Provider


class OpenProvider(Provider):
    """Names nobody; a person is whoever begins."""

    key = "open"
    label = "Open link"
    names_people = False

    def entry(self, query: Mapping[str, Sequence[str]]) -> Entry | None:
        """Return nobody: parameters of an open link mean nothing."""
        del query
        return None
