"""Error analysis: judges' labels on pairs of responses, their agreement, and people beside them."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from analysis.pipelines.clcg.errors_agreement import Between, People, between, people_of
from analysis.pipelines.clcg.errors_by_judge import SHOWN, Judge, Pairs, Rules, judge_of, pairs_of
from analysis.pipelines.clcg.sums import ClcgError


@dataclass(frozen=True)
class ErrorStudy:
    """Everything of the error analysis."""

    pairs: Pairs
    rules: Rules
    judges: Mapping[str, Judge]
    agreement: Mapping[str, Between]
    people: People | None
    semantic: tuple[str, ...]


def analyse_errors(
    table: pd.DataFrame,
    rules: Rules,
    classes: Mapping[str, int] | None = None,
    human: pd.DataFrame | None = None,
) -> ErrorStudy:
    """Run the whole error analysis on a table of labels."""
    pairs = pairs_of(table)
    if rules.correct not in pairs.labels:
        raise ClcgError(
            f"No side is labelled {rules.correct!r}; name the label that means right with --correct: there "
            f"are {', '.join(pairs.labels[:SHOWN])}{' and others' * (len(pairs.labels) > SHOWN)}."
        )
    unknown = sorted({*(rules.semantic or ()), *rules.collapse} - set(pairs.labels))
    if unknown:
        raise ClcgError(f"These labels do not occur: {', '.join(unknown[:SHOWN])}.")
    return ErrorStudy(
        pairs,
        rules,
        {judge: judge_of(pairs, judge, rules, classes or {}) for judge in pairs.judges},
        between(pairs, rules),
        None if human is None else people_of(table, human, rules),
        rules.meaning(pairs.labels),
    )
