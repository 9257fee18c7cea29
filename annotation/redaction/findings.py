"""What is found in a text, and the text without it."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """What a part of a text seems to be; in the order in which one goes before another."""

    ID = "platform id"
    EMAIL = "e-mail address"
    URL = "web address"
    IP = "network address"
    PHONE = "phone number"
    HANDLE = "account name"
    NAME = "name"
    HEALTH = "about health"
    PLACE = "about a place"


# These are pointed out to the reader and left in.
WARNED: Final = frozenset({Kind.HEALTH, Kind.PLACE})
_ORDER: Final = {kind: number for number, kind in enumerate(Kind)}


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A part of a text, from `start` up to `end`."""

    start: int
    end: int
    kind: Kind

    @property
    def redacts(self) -> bool:
        """Whether the part is to be taken out."""
        return self.kind not in WARNED


def without_overlap(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings in order; of two that overlap, the surer kind, then the longer one."""
    kept: list[Finding] = []
    for one in sorted(findings, key=lambda f: (_ORDER[f.kind], f.start - f.end, f.start)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return tuple(sorted(kept))


def redacted(text: str, findings: Iterable[Finding]) -> str:
    """Return the text with every part that is to be taken out replaced by its kind."""
    for one in sorted(findings, reverse=True):
        if one.redacts:
            text = f"{text[: one.start]}[{one.kind}]{text[one.end :]}"
    return text
