"""What differs between the places people come from: entry parameters, and the way back."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from annotation.errors import EntryRefused

# Blanks that hand-typed ids carry, and characters of no width that copied ones carry.
_BLANK = re.compile(r"^[\s\u00a0\u200b-\u200d\u2060\ufeff]+|[\s\u00a0\u200b-\u200d\u2060\ufeff]+$")
_ID = re.compile(r"[A-Za-z0-9._-]{1,100}")


@dataclass(frozen=True, slots=True)
class Entry:
    """Who comes in, in the platform's words, and by which visit."""

    person: str
    session: str = ""


class Provider(ABC):
    """A recruiting platform."""

    key: ClassVar[str]
    label: ClassVar[str]
    # Whether it says who comes, and so can be told whom to pay.
    names_people: ClassVar[bool] = True
    payment_ending: ClassVar[str] = "txt"

    @abstractmethod
    def entry(self, query: Mapping[str, Sequence[str]]) -> Entry | None:
        """Return who the link says is coming; None where the platform names nobody.

        Raises EntryRefused, with a sentence for the person, where the link should say it and does
        not.
        """

    def way_back(self, code: str) -> str | None:
        """Return the platform's address that takes a completion code, where there is one."""
        del code
        return None

    def payment_line(self, person: str, code: str) -> str:
        """Return the line of a file by which the platform pays a person."""
        del code
        return person


def one_id(query: Mapping[str, Sequence[str]], name: str, *, required: bool) -> str:
    """Return the id in a parameter; surrounding blanks do not count, the case of letters does."""
    values = {_BLANK.sub("", value) for value in query.get(name, ())} - {""}
    if len(values) > 1:
        raise EntryRefused(f"The link names {name} twice, with different values. {_OPEN_AGAIN}")
    if not values:
        if not required:
            return ""
        raise EntryRefused(f"The link does not say who you are: {name} is missing. {_OPEN_AGAIN}")
    value = values.pop()
    if not _ID.fullmatch(value):
        raise EntryRefused(f"The value of {name} in the link is not an id. {_OPEN_AGAIN}")
    return value


_OPEN_AGAIN = "Please open the study again from the page where you found it."
