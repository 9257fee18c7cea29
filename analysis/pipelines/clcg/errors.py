"""Error analysis: what judges called both sides of pairs of responses, and what that costs in score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import ErrorLabels as Names
from analysis.frames import HumanLabels
from analysis.pipelines.clcg.sums import ClcgError
from analysis.stats.kappa import cohen_kappa
from analysis.stats.proportions import clopper_pearson
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

    `shares` are of the target side's labels, `contribution` the mean score difference that each label
    of the target side adds to the mean of all pairs, `share_of_loss` that over their sum.
    """

    transitions: Mapping[str, Mapping[str, int]]
    shares: Mapping[str, Estimate]
    loss_rate: Estimate
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
    totals = cluster_totals(values, rows[Names.DOCUMENT].to_numpy(dtype=str))
    rng = np.random.default_rng(rules.seed)
    return cluster_bootstrap(
        totals, lambda means: means[:, 0], rng, resamples=rules.resamples, units="documents"
    )


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


@dataclass(frozen=True)
class Between:
    """Two judges: exact agreement and κ, fine and collapsed, by side and on loss itself."""

    fine: Estimate
    fine_kappa: Estimate
    collapsed: Estimate
    collapsed_kappa: Estimate
    loss: Estimate
    loss_kappa: Estimate
    counts: Mapping[str, int]


def between(pairs: Pairs, rules: Rules) -> dict[str, Between]:
    """Return the agreement of every two judges, over all sides that both labelled."""
    return {
        f"{one} x {other}": _between(pairs, one, other, rules)
        for one, other in combinations(pairs.judges, 2)
    }


def _between(pairs: Pairs, one: str, other: str, rules: Rules) -> Between:
    sides = [pairs.rows[pairs.rows[Names.JUDGE] == judge] for judge in (one, other)]
    both = sides[0].merge(sides[1], on=Names.PAIR, suffixes=("", "_other"))
    first, second = _stacked(both, ""), _stacked(both, "_other")
    coarse = [[rules.collapse.get(x, x) for x in side] for side in (first, second)]
    scale = list(pairs.labels)
    collapsed = sorted({rules.collapse.get(x, x) for x in scale})
    lost = [loss(_side(both, end), rules, pairs.labels) for end in ("", "_other")]
    same = sum(a == b for a, b in zip(first, second, strict=True))
    after = sum(a == b for a, b in zip(*coarse, strict=True))
    return Between(
        _agreement(first, second),
        cohen_kappa(first, second, labels=scale),
        _agreement(*coarse),
        cohen_kappa(*coarse, labels=collapsed),
        _agreement(lost[0].tolist(), lost[1].tolist()),
        cohen_kappa(lost[0].astype(int), lost[1].astype(int), labels=[0, 1]),
        {
            "exact": same,
            "only_after_collapse": after - same,
            "unresolved": len(first) - after,
            "sides": len(first),
        },
    )


def _side(both: pd.DataFrame, end: str) -> pd.DataFrame:
    names = [f"{Names.LABEL}_en", f"{Names.LABEL}_target"]
    return pd.DataFrame({name: both[f"{name}{end}"] for name in names})


def _stacked(both: pd.DataFrame, end: str) -> list[str]:
    return [
        *both[f"{Names.LABEL}_en{end}"],
        *both[f"{Names.LABEL}_target{end}"],
    ]


def _agreement(one: Sequence[object], other: Sequence[object]) -> Estimate:
    same = sum(a == b for a, b in zip(one, other, strict=True))
    if not one:
        return undefined("the judges labelled no side in common")
    return clopper_pearson(same, len(one))


@dataclass(frozen=True)
class People:
    """People beside each judge, on single rows, and where they confirm what all judges agree on."""

    agreement: Mapping[str, Estimate]
    kappa: Mapping[str, Estimate]
    confirmed: Estimate
    rows: int


def people_of(table: pd.DataFrame, human: pd.DataFrame, rules: Rules) -> People:
    """Compare each person's label of a side with each judge's, after collapse where one is declared."""
    key = [Names.PAIR, Names.SIDE]
    wide = table.set_index([*key, Names.JUDGE])[Names.LABEL].unstack()  # noqa: PD010  nothing is summed up
    joined = human.merge(wide, left_on=[HumanLabels.PAIR, HumanLabels.SIDE], right_index=True)
    coarse = {
        name: [rules.collapse.get(x, x) if isinstance(x, str) else None for x in joined[name]]
        for name in [HumanLabels.LABEL, *wide.columns]
    }
    person = coarse.pop(HumanLabels.LABEL)
    scale = sorted({x for column in [person, *coarse.values()] for x in column if x is not None})
    agreement, kappa = {}, {}
    for judge, labels in coarse.items():
        given = [(str(a), b) for a, b in zip(person, labels, strict=True) if b is not None]
        agreement[judge] = _agreement([a for a, _ in given], [b for _, b in given])
        kappa[judge] = (
            cohen_kappa([a for a, _ in given], [b for _, b in given], labels=scale)
            if given
            else undefined("no row in common")
        )
    agreed = [(a, row[0]) for a, row in zip(person, zip(*coarse.values(), strict=True), strict=True)
              if len(row) > 1 and row[0] is not None and len(set(row)) == 1]  # fmt: skip
    confirmed = _agreement([a for a, _ in agreed], [b for _, b in agreed])
    return People(agreement, kappa, confirmed, len(joined))


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
            f"No side is labelled {rules.correct!r}; name the label that means right with --correct."
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
