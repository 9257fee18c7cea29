"""What one judge called both sides of pairs of responses, and what that costs in score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import ErrorLabels as Names
from analysis.pipelines.clcg.sums import ClcgError
from analysis.stats.resample import cluster_bootstrap, cluster_totals
from analysis.stats.results import Estimate, undefined

Floats = NDArray[np.float64]
SIDES = (Names.ENGLISH, Names.TARGET)
SHOWN = 5
CORRECT = "correct"
FORMAL = ("format_or_parse_failure", "format_or_language", "off_topic_or_refusal", "uncertain")


@dataclass(frozen=True)
class Rules:
    """What a loss is: the reference side correct, and the target side in an error of meaning.

    `semantic` names the errors of meaning; None takes every label that occurs but `correct` and those
    of form. `collapse` maps fine labels to coarser ones, for agreement after collapse.
    """

    correct: str = CORRECT
    semantic: tuple[str, ...] | None = None
    collapse: Mapping[str, str] = field(default_factory=dict)
    resamples: int = 2000
    seed: int = 42

    def meaning(self, labels: Sequence[str]) -> tuple[str, ...]:
        """Return the labels that count as errors of meaning."""
        if self.semantic is not None:
            return self.semantic
        return tuple(x for x in labels if x != self.correct and x not in FORMAL)


@dataclass(frozen=True)
class Pairs:
    """One row a pair and judge: `label_en`, `label_target`, `difference` of scores, and the key."""

    rows: pd.DataFrame
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    incomplete: int


def pairs_of(table: pd.DataFrame) -> Pairs:
    """Join the two sides of every pair and judge; pairs with one side only are counted and left out."""
    _check_pairs(table)
    key = [Names.PAIR, Names.JUDGE]
    sides = {side: table[table[Names.SIDE] == side] for side in SIDES}
    english = sides[Names.ENGLISH][[*key, Names.LABEL, Names.SCORE]]
    joined = sides[Names.TARGET].merge(english, on=key, suffixes=("_target", "_en"))
    incomplete = len(table.drop_duplicates(key)) - len(joined)
    if joined.empty:
        raise ClcgError("No pair has labels on both sides from one judge; nothing can be compared.")
    joined["difference"] = joined[f"{Names.SCORE}_en"] - joined[f"{Names.SCORE}_target"]
    rows = joined.sort_values(key).reset_index(drop=True)
    labels = tuple(sorted(set(table[Names.LABEL]), key=lambda x: (x != CORRECT, x)))
    return Pairs(rows, tuple(sorted(set(rows[Names.JUDGE]))), labels, incomplete)


def _check_pairs(table: pd.DataFrame) -> None:
    """Refuse a pair that is of two documents or models, and a side with two scores."""
    for names, by in (
        ((Names.DOCUMENT, Names.MODEL), [Names.PAIR]),
        ((Names.SCORE,), [Names.PAIR, Names.SIDE]),
    ):
        for name in names:
            several = table.groupby(by)[name].nunique()
            if (several > 1).any():
                pair = several[several > 1].index[0]
                raise ClcgError(f"Pair {pair!r} has several values of {name!r}; it can have one.")


@dataclass(frozen=True)
class Judge:
    """What one judge's labels say.

    `shares` are of the target side's labels, `differences` the mean score difference of the pairs with
    each, `contribution` what these add to the mean of all pairs (share times difference),
    `share_of_loss` that over their sum.
    """

    transitions: Mapping[str, Mapping[str, int]]
    shares: Mapping[str, Estimate]
    loss_rate: Estimate
    differences: Mapping[str, Estimate]
    contribution: Mapping[str, Estimate]
    share_of_loss: Mapping[str, float | None]
    loss_by_model: Mapping[str, Estimate]
    loss_by_class: Mapping[str, Estimate]
    labels_by_class: Mapping[str, Mapping[str, float]]


def judge_of(pairs: Pairs, judge: str, rules: Rules, classes: Mapping[str, int]) -> Judge:
    """Return transitions, loss rate, contributions and their splits for one judge."""
    rows = pairs.rows[pairs.rows[Names.JUDGE] == judge]
    lost = loss(rows, rules, pairs.labels)
    known = rows[Names.LANGUAGE].map(classes)
    groups = {f"{c:g}": (known == c).to_numpy() for c in sorted(known.dropna().unique())}
    models = {m: (rows[Names.MODEL] == m).to_numpy() for m in sorted(set(rows[Names.MODEL]))}
    contribution = {label: _contribution(rows, label, rules) for label in pairs.labels}
    return Judge(
        _transitions(rows, pairs.labels),
        {x: _share(_target(rows) == x, rows, rules) for x in pairs.labels},
        _share(lost, rows, rules),
        {label: _difference(rows, label, rules) for label in pairs.labels},
        contribution,
        _shares_of(contribution),
        {m: _share(lost[inside], rows[inside], rules) for m, inside in models.items()},
        {c: _share(lost[inside], rows[inside], rules) for c, inside in groups.items()},
        {
            c: {x: float((_target(rows)[inside] == x).mean()) for x in pairs.labels}
            for c, inside in groups.items()
        },
    )


def _target(rows: pd.DataFrame) -> NDArray[np.object_]:
    return np.asarray(rows[f"{Names.LABEL}_target"], dtype=object)


def loss(rows: pd.DataFrame, rules: Rules, labels: Sequence[str]) -> NDArray[np.bool_]:
    """Return which pairs are a loss: reference side correct, target side an error of meaning."""
    right = rows[f"{Names.LABEL}_en"] == rules.correct
    wrong = rows[f"{Names.LABEL}_target"].isin(rules.meaning(labels))
    return np.asarray(right & wrong, dtype=bool)


def _transitions(rows: pd.DataFrame, labels: Sequence[str]) -> dict[str, dict[str, int]]:
    found = {one: dict.fromkeys(labels, 0) for one in labels}
    for one, other in zip(rows[f"{Names.LABEL}_en"], rows[f"{Names.LABEL}_target"], strict=True):
        found[one][other] += 1
    return found


def _share(marked: NDArray[np.bool_], rows: pd.DataFrame, rules: Rules) -> Estimate:
    """Return a share with its interval by resampling documents."""
    return _mean(marked.astype(np.float64), rows, rules)


def _mean(values: Floats, rows: pd.DataFrame, rules: Rules) -> Estimate:
    return clustered(values, rows[Names.DOCUMENT].tolist(), rules)


def clustered(values: Floats, documents: Sequence[str], rules: Rules) -> Estimate:
    """Return a mean with its interval by resampling documents."""
    totals = cluster_totals(values, np.array(documents, dtype=str))
    rng = np.random.default_rng(rules.seed)
    return cluster_bootstrap(
        totals, lambda means: means[:, 0], rng, resamples=rules.resamples, units="documents"
    )


def _difference(rows: pd.DataFrame, label: str, rules: Rules) -> Estimate:
    chosen = rows[(_target(rows) == label) & rows["difference"].notna().to_numpy()]
    if chosen.empty:
        return undefined("no pair with this label has a score on both sides")
    return _mean(chosen["difference"].to_numpy(), chosen, rules)


def _contribution(rows: pd.DataFrame, label: str, rules: Rules) -> Estimate:
    known = rows["difference"].notna().to_numpy()
    if not known.any():
        return undefined("no pair has a score on both sides")
    chosen = rows[known]
    values = np.where(_target(chosen) == label, chosen["difference"].to_numpy(), 0.0)
    return _mean(values, chosen, rules)


def _shares_of(contribution: Mapping[str, Estimate]) -> dict[str, float | None]:
    values = {label: e.value for label, e in contribution.items()}
    whole = sum(v for v in values.values() if v is not None)
    if not whole > 0:
        return dict.fromkeys(values, None)
    return {label: None if v is None else v / whole for label, v in values.items()}
