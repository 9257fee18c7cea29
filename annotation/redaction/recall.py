"""How much of what was planted is found, and how much of what is found was planted."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from annotation.redaction.corpus import Comment
from annotation.redaction.detect import findings_in
from annotation.redaction.findings import Kind, redacted


@dataclass(frozen=True, slots=True)
class Measured:
    """One line of the table; `variant` is empty where all of a kind are counted together."""

    kind: Kind
    variant: str
    planted: int
    found: int
    false: int

    @property
    def recall(self) -> float:
        """Return the share of the planted that no longer stands in the redacted text."""
        return self.found / self.planted

    @property
    def precision(self) -> float | None:
        """Return the share of findings of the kind that were planted; None without findings."""
        return self.found / (self.found + self.false) if self.found + self.false else None


def measured(comments: Iterable[Comment]) -> list[Measured]:
    """Return a line a kind, and one a variant where a kind has several.

    Something planted is found when nothing of it is left; whatever is found beside it is false.
    """
    planted: Counter[tuple[Kind, str]] = Counter()
    found: Counter[tuple[Kind, str]] = Counter()
    false: Counter[tuple[Kind, str]] = Counter()
    for one in comments:
        findings = [finding for finding in findings_in(one.text) if finding.redacts]
        start = one.text.find(one.planted) if one.planted else -1
        span = range(start, start + len(one.planted))
        for key in [(one.kind, ""), (one.kind, one.variant)] if one.kind else ():
            planted[key] += 1
            found[key] += one.planted not in redacted(one.text, findings) and all(
                any(f.start <= at < f.end for f in findings) for at in span
            )
        for finding in findings:
            if start < 0 or finding.end <= span.start or finding.start >= span.stop:
                false[finding.kind, ""] += 1
    lines = [Measured(*key, n, found[key], false[key]) for key, n in planted.items()]
    return sorted(lines, key=lambda line: (list(Kind).index(line.kind), line.variant))
