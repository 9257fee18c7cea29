"""Clickworker: `user_id` in, a code to type in there out."""

from collections.abc import Mapping, Sequence

from annotation.providers.base import Entry, Provider, one_id


class ClickworkerProvider(Provider):
    """The survey product appends `user_id`; the code is entered by hand on the platform."""

    key = "clickworker"
    label = "Clickworker"
    payment_ending = "csv"

    def entry(self, query: Mapping[str, Sequence[str]]) -> Entry | None:
        """Return the person that the link names."""
        return Entry(person=one_id(query, "user_id", required=True))

    def payment_line(self, person: str, code: str) -> str:
        """Return the id with the code that the person should have typed in."""
        return f"{person},{code}"
