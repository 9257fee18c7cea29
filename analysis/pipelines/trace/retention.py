"""Which pairs of traces are compared, and how many are left at each stage."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import pandas as pd

from analysis.pipelines.trace.corpus import ANCHOR, Trace, language_pairs

Group = Literal["both_right", "one_right", "both_wrong_same", "both_wrong_different"]
Cell = tuple[str, str, str, str]
CELL = ["dataset", "model", "language_a", "language_b"]

# Pairs with one right answer differ in outcome already; they enter the accuracies only.
COMPARED: frozenset[Group] = frozenset({"both_right", "both_wrong_same", "both_wrong_different"})


class Candidate(NamedTuple):
    """Two traces of one model for one problem, in two languages."""

    a: Trace
    b: Trace
    group: Group

    @property
    def cell(self) -> Cell:
        """Dataset, model and the two languages."""
        return self.a.dataset, self.a.model, self.a.language, self.b.language


@dataclass(frozen=True)
class Retention:
    """The pairs to score, and the counts of the cascade by cell."""

    candidates: list[Candidate]
    funnel: pd.DataFrame


def retain(traces: Sequence[Trace], anchor: str = ANCHOR) -> Retention:
    """Run the cascade: both answers there, grouped by outcome, both traces usable."""
    counts: dict[Cell, Counter[str]] = defaultdict(Counter)
    kept: list[Candidate] = []
    for a, b in _paired(traces, anchor):
        count = counts[a.dataset, a.model, a.language, b.language]
        count["pairs"] += 1
        if a.correct is None or b.correct is None:
            continue
        count["answers_parsed"] += 1
        candidate = Candidate(a, b, group_of(a, b))
        count[candidate.group] += 1
        if candidate.group not in COMPARED:
            continue
        for fault in {a.fault, b.fault} - {None}:
            count[f"lost_{str(fault).replace(' ', '_')}"] += 1
        if a.usable and b.usable:
            count[f"usable_{candidate.group}"] += 1
            kept.append(candidate)
    return Retention(kept, _table(counts))


def group_of(a: Trace, b: Trace) -> Group:
    """Return the group by outcome; two wrong answers are the same only when both are known."""
    if a.correct and b.correct:
        return "both_right"
    if a.correct or b.correct:
        return "one_right"
    same = a.answer is not None and a.answer == b.answer
    return "both_wrong_same" if same else "both_wrong_different"


def _paired(traces: Sequence[Trace], anchor: str) -> Iterator[tuple[Trace, Trace]]:
    problems: dict[tuple[str, str, str], dict[str, Trace]] = defaultdict(dict)
    for trace in traces:
        problems[trace.dataset, trace.model, trace.problem][trace.language] = trace
    for answers in problems.values():
        for a, b in language_pairs(answers, anchor):
            yield answers[a], answers[b]


def _table(counts: dict[Cell, Counter[str]]) -> pd.DataFrame:
    stages = ["pairs", "answers_parsed", "both_right", "one_right", "both_wrong_same"]
    stages += ["both_wrong_different", "usable_both_right", "usable_both_wrong_same"]
    stages += ["usable_both_wrong_different"]
    lost = sorted({name for count in counts.values() for name in count if name.startswith("lost_")})
    rows = [
        dict(zip(CELL, cell, strict=True)) | {stage: count[stage] for stage in stages + lost}
        for cell, count in sorted(counts.items())
    ]
    return pd.DataFrame(rows, columns=[*CELL, *stages, *lost])
