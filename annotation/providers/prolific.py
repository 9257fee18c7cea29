"""Prolific: three parameters in, a completion code out."""

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlencode

from annotation.providers.base import Entry, Provider, one_id

# The host changed once (.co became .com) and codes sent to the old one were lost.
COMPLETE_URL: Final = "https://app.prolific.com/submissions/complete"


class ProlificProvider(Provider):
    """PROLIFIC_PID is the person over all studies, SESSION_ID one submission."""

    key = "prolific"
    label = "Prolific"

    def entry(self, query: Mapping[str, Sequence[str]]) -> Entry | None:
        """Return the person and the submission that the link names."""
        return Entry(
            person=one_id(query, "PROLIFIC_PID", required=True),
            session=one_id(query, "SESSION_ID", required=False),
        )

    def way_back(self, code: str) -> str | None:
        """Return the address that completes the submission."""
        return f"{COMPLETE_URL}?{urlencode({'cc': code})}"
