"""The figures of a design."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class DesignReport:
    """The figures of a design, with what a researcher should know before launch in words."""

    slots: int
    forms: int
    #: Forms by their number of places.
    form_sizes: dict[int, int]
    #: Fewest and most slots that an item got.
    coverage_min: int
    coverage_max: int
    #: Pairs of items in one form that must not meet.
    clashes: int
    #: Lambda is the number of forms in which two items meet: the most, the pairs that meet more
    #: than once, and the variance over all pairs of a pool.
    lambda_max: int
    lambda_over_1: int
    lambda_variance: float
    #: Share of forms in which every balanced field is at its share of places, rounded.
    margins_balanced_share: float
    #: Items on every form. They count among slots and form sizes; coverage, lambda and margins are
    #: those of the other items.
    anchors: int = 0
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON can hold it, its form sizes largest first."""
        sizes = {str(size): self.form_sizes[size] for size in sorted(self.form_sizes, reverse=True)}
        return asdict(self) | {"form_sizes": sizes, "warnings": list(self.warnings)}
