"""What can be refused, each with a code and a sentence that says what to do."""


class Refused(Exception):  # noqa: N818  a refusal is an answer, not a fault
    """The state or the input forbids it; the message can stand on a page."""

    code = "refused"

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code


class StudyNotFound(Refused):
    """No study has that slug."""

    code = "study_not_found"

    def __init__(self, slug: str, known: list[str]) -> None:
        there = f"There are: {', '.join(known)}." if known else "There is none yet: study_import."
        super().__init__(f"No study is called {slug!r}. {there}")


class StateForbids(Refused):
    """The study or the person is in a state in which this cannot be done."""

    code = "state"


class PersonGone(Refused):
    """Whoever this was about has been erased meanwhile."""

    code = "gone"

    def __init__(self) -> None:
        super().__init__(
            "All that was stored of this person has been deleted; nothing is left to do."
        )


class Conflict(Refused):
    """Somebody else changed meanwhile what this was decided upon."""

    code = "conflict"


class NothingToClaim(Refused):
    """No form is open for this person now."""

    code = "full"


class EntryRefused(Refused):
    """The link lacks what says who is coming, or says it twice."""

    code = "entry"
