"""What the rules of the funnel look at."""

from dataclasses import dataclass, field
from typing import NamedTuple


class JudgedItem(NamedTuple):
    """One judgment: an answer to one item, as the rules see it. A tuple, since there may be millions."""

    key: int
    contradictions: int
    seconds: float | None
    # Judgment rows it yields, and how many of them are decisive comparisons.
    records: int = 0
    decisive: int = 0
    item: int = 0
    # Given by a claim that counts: not late, not returned, not withdrawn.
    finished: bool = True


@dataclass(frozen=True, slots=True)
class AnnotatorRecord:
    """One person with all their judgments and the outcome of their attention checks."""

    key: int
    completed: bool
    failed_checks: int = 0
    judged: tuple[JudgedItem, ...] = field(default=())
