"""What became of the simulated people."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Tally:
    """Counts by what happened, and whoever the study had no room for."""

    counts: Counter[str] = field(default_factory=Counter)

    def add(self, *happened: str) -> None:
        """Count one person under each of the words."""
        self.counts.update(happened)

    def as_dict(self) -> dict[str, int]:
        """Return the counts; what did not happen is 0."""
        words = (
            "arrived",
            "completed",
            "returned",
            "timed_out",
            "declined",
            "screened_out",
            "full",
            "failed_attention",
        )
        return {word: self.counts[word] for word in words}
