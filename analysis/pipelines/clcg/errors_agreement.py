"""How judges agree on labels of responses with each other, and people with them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from analysis.frames import ErrorLabels as Names
from analysis.frames import HumanLabels
from analysis.pipelines.clcg.errors_by_judge import SIDES, Pairs, Rules, clustered, loss
from analysis.pipelines.clcg.sums import ClcgError
from analysis.stats.kappa import cohen_kappa
from analysis.stats.results import Estimate, undefined


@dataclass(frozen=True)
class Between:
    """Two judges: exact agreement and κ, fine and collapsed, by side and on loss itself.

    `by_label` is the specific agreement on each label: of all times one of the two used it, the share in
    which the other did too (Cicchetti and Feinstein 1990).
    """

    fine: Estimate
    fine_kappa: Estimate
    collapsed: Estimate
    collapsed_kappa: Estimate
    loss: Estimate
    loss_kappa: Estimate
    by_label: Mapping[str, Estimate]
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
    coarse, other_coarse = ([rules.collapse.get(x, x) for x in side] for side in (first, second))
    scale = list(pairs.labels)
    collapsed = sorted({rules.collapse.get(x, x) for x in scale})
    lost = [loss(_side(both, end), rules, pairs.labels) for end in ("", "_other")]
    same = sum(a == b for a, b in zip(first, second, strict=True))
    after = sum(a == b for a, b in zip(coarse, other_coarse, strict=True))
    documents = both[Names.DOCUMENT].tolist()
    sided = documents * len(SIDES)
    return Between(
        _agreement(first, second, sided, rules),
        cohen_kappa(first, second, labels=scale),
        _agreement(coarse, other_coarse, sided, rules),
        cohen_kappa(coarse, other_coarse, labels=collapsed),
        _agreement(lost[0].tolist(), lost[1].tolist(), documents, rules),
        cohen_kappa(lost[0].astype(int), lost[1].astype(int), labels=[0, 1]),
        {label: _specific(first, second, label, sided, rules) for label in scale},
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


def _agreement(
    one: Sequence[object], other: Sequence[object], documents: Sequence[str], rules: Rules
) -> Estimate:
    """Return the share of equal labels, with its interval by resampling documents."""
    if not one:
        return undefined("nothing was labelled by both")
    same = np.array([a == b for a, b in zip(one, other, strict=True)], dtype=np.float64)
    return clustered(same, documents, rules)


def _specific(
    one: Sequence[str], other: Sequence[str], label: str, documents: Sequence[str], rules: Rules
) -> Estimate:
    """Return the share of all uses of a label, by either, in which the other used it too."""
    uses = [(a == b, d) for a, b, d in zip(one, other, documents, strict=True) for given in (a, b)
            if given == label]  # fmt: skip
    if not uses:
        return undefined("neither used the label")
    return clustered(np.array([same for same, _ in uses], float), [d for _, d in uses], rules)


@dataclass(frozen=True)
class People:
    """People beside each judge, on single rows, and where they confirm what all judges agree on.

    `rows` of the people's labels are of a side that judges labelled, `unmatched` are not.
    """

    agreement: Mapping[str, Estimate]
    kappa: Mapping[str, Estimate]
    confirmed: Estimate
    rows: int
    unmatched: int


def people_of(table: pd.DataFrame, human: pd.DataFrame, rules: Rules) -> People:
    """Compare each person's label of a side with each judge's, after collapse where one is declared."""
    key = [Names.PAIR, Names.SIDE]
    wide = table.set_index([*key, Names.JUDGE])[Names.LABEL].unstack()  # noqa: PD010  nothing is summed up
    joined = human.merge(wide, left_on=[HumanLabels.PAIR, HumanLabels.SIDE], right_index=True)
    if joined.empty:
        raise ClcgError(
            f"None of the {len(human):,} labels of people is of a pair and side that judges labelled, such as "
            f"pair {human[HumanLabels.PAIR].iloc[0]!r}: are the ids those of the labels?"
        )
    of_pair = table.drop_duplicates(Names.PAIR).set_index(Names.PAIR)[Names.DOCUMENT]
    documents = joined[HumanLabels.PAIR].map(of_pair).tolist()
    coarse = {
        name: [rules.collapse.get(x, x) if isinstance(x, str) else None for x in joined[name]]
        for name in [HumanLabels.LABEL, *wide.columns]
    }
    person = coarse.pop(HumanLabels.LABEL)
    scale = sorted({x for column in [person, *coarse.values()] for x in column if x is not None})
    agreement, kappa = {}, {}
    for judge, labels in coarse.items():
        given = [(str(a), b, d) for a, b, d in zip(person, labels, documents, strict=True)
                 if b is not None]  # fmt: skip
        people, judges, places = zip(*given, strict=True) if given else ((), (), ())
        agreement[judge] = _agreement(people, judges, places, rules)
        kappa[judge] = (
            cohen_kappa(people, judges, labels=scale) if given else undefined("no row in common")
        )
    agreed = [
        (a, row[0], d)
        for a, row, d in zip(person, zip(*coarse.values(), strict=True), documents, strict=True)
        if len(row) > 1 and row[0] is not None and len(set(row)) == 1
    ]
    people, judges, places = zip(*agreed, strict=True) if agreed else ((), (), ())
    confirmed = _agreement(people, judges, places, rules)
    return People(agreement, kappa, confirmed, len(joined), len(human) - len(joined))
