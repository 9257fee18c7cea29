"""Clickworker: `user_id` in, a code to type in there out."""

from collections.abc import Mapping, Sequence

from annotation.providers.base import Entry, Provider, one_id


class ClickworkerProvider(Provider):
    """The survey product appends `user_id`; the code is entered by hand on the platform."""

    key = "clickworker"
    label = "Clickworker"

    def entry(self, query: Mapping[str, Sequence[str]]) -> Entry | None:
        """Return the person that the link names."""
        return Entry(person=one_id(query, "user_id", required=True))
