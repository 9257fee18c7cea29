"""From scored pairs to the items of a human study: crossed terciles, allocated in proportion.

Only a sample in proportion to the cells keeps the spread of both scores and their correlation; equal
numbers a cell, or high H only, distort what is to be measured. Every item keeps its inclusion
probability, so that an `equal` allocation can be weighted back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from analysis.frames import Traces
from analysis.stats.association import spearman
from analysis.stats.correlated import williams_power
from analysis.stats.results import Estimate, undefined
from analysis.stats.trace_review import allocate

TERCILES = 3
SHORT_FORM = 10
Allocation = Literal["proportional", "equal"]
NAMES = ("low", "middle", "high")
GROUP, HALVES = "group", ("A", "B")
# What is expected of S where the plan is to find it ahead of H: 0.42 with what people mean, as published,
# is 0.34 with the mean of two people on a scale of three. Of H nothing is expected.
EXPECTED_S, EXPECTED_H = 0.34, 0.0


class SampleError(ValueError):
    """A sample that cannot be drawn as asked."""


@dataclass(frozen=True)
class Choice:
    """Which pairs form the pool, and how many are drawn."""

    dataset: str
    models: tuple[str, ...]
    # Pairs of languages, as they stand in the table of scores.
    pairs: tuple[tuple[str, str], ...]
    k: int = 60
    anchors: int = 10
    allocation: Allocation = "proportional"
    seed: int = 42
    # Halve what is not an anchor: two groups of people then share the anchors only.
    groups: bool = False

    @property
    def hidden(self) -> tuple[str, ...]:
        """The fields that no annotator sees."""
        return (*HIDDEN, GROUP) if self.groups else HIDDEN


def right_pairs(pairs: pd.DataFrame, traces: pd.DataFrame) -> pd.DataFrame:
    """Return the scored pairs whose answers are right in both languages."""
    keys = [Traces.DATASET, Traces.MODEL, Traces.PROBLEM, Traces.LANGUAGE]
    right = set(traces.loc[traces[Traces.CORRECT] == 1, keys].itertuples(index=False, name=None))
    sides = (pairs[[*keys[:3], side]] for side in ("language_a", "language_b"))
    a, b = ([row in right for row in side.itertuples(index=False, name=None)] for side in sides)
    right_rows: pd.DataFrame = pairs[np.array(a, dtype=bool) & np.array(b, dtype=bool)]
    return right_rows.reset_index(drop=True)


def pool_of(pairs: pd.DataFrame, choice: Choice) -> pd.DataFrame:
    """Return the pairs of the chosen dataset, models and languages."""
    languages = zip(pairs["language_a"], pairs["language_b"], strict=True)
    wanted = (
        (pairs["dataset"] == choice.dataset)
        & pairs["model"].isin(choice.models)
        & np.array([both in choice.pairs for both in languages], dtype=bool)
    )
    pool = pairs[wanted].reset_index(drop=True)
    if len(pool) < choice.k:
        raise SampleError(
            f"{len(pool)} pairs of {', '.join('–'.join(both) for both in choice.pairs)} by "
            f"{', '.join(choice.models)} on {choice.dataset} have both answers right; {choice.k} "
            "are wanted. Ask for fewer, or choose another model or pair."
        )
    return pool


def draw(pairs: pd.DataFrame, choice: Choice) -> pd.DataFrame:
    """Return the drawn pairs with cell, inclusion probability and whether all judge them."""
    if choice.k < 1:
        raise SampleError(f"{choice.k} items are no sample; ask for at least one (--k).")
    if not 0 <= choice.anchors < choice.k:
        raise SampleError(
            f"{choice.anchors} anchors cannot be among {choice.k} items: all judge the anchors, and at "
            "least one item must be left to share out."
        )
    pool = pool_of(pairs, choice)
    # Within a pair of languages, since the scale of a score is that of its languages.
    languages = pool.groupby(["language_a", "language_b"], sort=True)
    pool = pool.assign(
        tercile_H=languages["H"].transform(tercile), tercile_S=languages["S"].transform(tercile)
    )
    pool = pool.assign(cell=pool["tercile_H"] * TERCILES + pool["tercile_S"])
    rng = np.random.default_rng(choice.seed)
    chosen = _in_proportion(pool, choice.k, choice.allocation, rng)
    alone = _alone(chosen)
    if alone.sum() < choice.anchors and (around := _around_anchors(pool, choice)) is not None:
        chosen = around
    else:
        anchors = _anchors(chosen["cell"].to_numpy(), alone, choice.anchors, rng)
        chosen = chosen.assign(anchor=anchors)
    if choice.groups:
        chosen = _halved(chosen, choice.seed)
    return chosen.iloc[rng.permutation(len(chosen))].reset_index(drop=True)


def _in_proportion(
    pool: pd.DataFrame, k: int, allocation: Allocation, rng: np.random.Generator
) -> pd.DataFrame:
    """Return so many pairs, spread over the cells, with the probability that each had."""
    cell = pool["cell"].to_numpy()
    sizes = np.bincount(cell, minlength=TERCILES**2).tolist()
    wanted = shares(sizes, k, allocation)
    rows = _drawn(cell, wanted, rng)
    probability = np.divide(wanted, sizes, out=np.zeros(len(sizes)), where=np.array(sizes) > 0)
    return pool.iloc[rows].assign(inclusion_probability=probability[cell[rows]])


def _around_anchors(pool: pd.DataFrame, choice: Choice) -> pd.DataFrame | None:
    """Draw the anchors first, whose problems nothing else is drawn of; None where too little is left.

    For pools with several pairs a problem, of which a draw hardly leaves one alone. Problems are drawn
    with equal probability, and one pair of each; what remains is drawn in proportion. A pair is then in
    the sample as the anchor of its problem, or because its problem was not drawn and it was: the second
    factor is taken at the cells that remained.
    """
    rng = np.random.default_rng([choice.seed, 3])
    problems = pool["problem_id"].unique()
    taken = rng.choice(problems, size=min(choice.anchors, len(problems)), replace=False)
    rest = pool[~pool["problem_id"].isin(taken)]
    if len(taken) < choice.anchors or len(rest) < choice.k - choice.anchors:
        return None
    anchors = pool.iloc[[rng.choice(np.flatnonzero(pool["problem_id"] == one)) for one in taken]]
    others = _in_proportion(rest, choice.k - choice.anchors, choice.allocation, rng)
    by_cell = others.groupby("cell")["inclusion_probability"].first()
    both = pd.concat([anchors.assign(anchor=True), others.assign(anchor=False)])
    share = choice.anchors / len(problems)
    own = both["problem_id"].map(pool["problem_id"].value_counts())
    drawn = both["cell"].map(by_cell).fillna(0.0)
    return both.assign(inclusion_probability=share / own + (1 - share) * drawn)


def tercile(scores: pd.Series) -> pd.Series:
    """Return 0, 1 or 2 by rank among these; ties are split in the order of the table."""
    rank = scores.rank(method="first") - 1
    return (rank * TERCILES // len(scores)).astype(int)


def shares(sizes: Sequence[int], k: int, allocation: Allocation) -> list[int]:
    """Return how many to draw from each cell; what an equal share cannot get goes to the others."""
    if allocation == "proportional":
        return allocate(sizes, k)
    found = [0] * len(sizes)
    while sum(found) < min(k, sum(sizes)):
        open_cells = [i for i, size in enumerate(sizes) if found[i] < size]
        emptiest = min(open_cells, key=lambda i: (found[i], i))
        found[emptiest] += 1
    return found


def _drawn(cell: np.ndarray, wanted: Sequence[int], rng: np.random.Generator) -> np.ndarray:
    parts = [
        rng.choice(np.flatnonzero(cell == index), size=count, replace=False)
        for index, count in enumerate(wanted)
        if count
    ]
    return np.concatenate([np.empty(0, dtype=np.intp), *parts])


def _anchors(
    cell: np.ndarray, alone: np.ndarray, number: int, rng: np.random.Generator
) -> np.ndarray:
    """Choose the shared items, spread over the cells in proportion.

    Those whose problem is drawn once, if there are enough: only they can stand on every form.
    """
    cell = np.where(alone, cell, -1) if alone.sum() >= number else cell
    sizes = [int((cell == index).sum()) for index in range(TERCILES**2)]
    chosen = np.zeros(cell.size, dtype=bool)
    chosen[_drawn(cell, allocate(sizes, number), rng)] = True
    return chosen


def _halved(chosen: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Deal the items beside the anchors into two groups, cell by cell in turn."""
    if not shared(chosen):
        raise SampleError(
            "Two groups are compared on anchors that stand on all forms, and there are none: ask for "
            "--anchors, and fewer of them or fewer items if they share problems with others."
        )
    order = np.random.default_rng([seed, 2]).permutation(len(chosen))
    rest = chosen.iloc[order].query("not anchor").sort_values("cell", kind="stable").index
    group = pd.Series("", index=chosen.index)
    group[rest] = np.resize(HALVES, len(rest))
    return chosen.assign(**{GROUP: group})


def _alone(drawn: pd.DataFrame) -> np.ndarray:
    """Whether each item is the only one of its problem; nobody sees two of one problem."""
    return ~drawn["problem_id"].duplicated(keep=False).to_numpy()


def shared(drawn: pd.DataFrame) -> bool:
    """Whether there are anchors and all of them can stand on every form."""
    return bool(drawn["anchor"].any() and _alone(drawn)[drawn["anchor"]].all())


def places(drawn: pd.DataFrame, *, annotators: int, people: int | None) -> int:
    """Return how many items a form has when so many people share the work, anchors included.

    Where nobody says how many come, they are twice as many as judge an item; without anchors on
    every form it does not matter, and forms are short.
    """
    if people is None and not shared(drawn):
        return min(SHORT_FORM, len(drawn))
    people = people or 2 * annotators
    anchors = int(drawn["anchor"].sum()) if shared(drawn) else 0
    others = len(drawn) - anchors
    if GROUP in drawn:
        # Half of the people for the larger half of the items.
        others, people = -(-others // 2), people // 2
    return anchors + -(-others * annotators // people)


def items(drawn: pd.DataFrame, traces: pd.DataFrame, choice: Choice) -> list[dict[str, object]]:
    """Return the items of the study: opaque ids, both traces, and everything else hidden."""
    texts = _texts(traces, choice)
    rng = np.random.default_rng([choice.seed, 1])
    ids = [f"t{number:08x}" for number in rng.choice(2**32, size=len(drawn), replace=False)]
    return [
        _item(identity, row, texts)
        for identity, row in zip(ids, drawn.to_dict("records"), strict=True)
    ]


HIDDEN = (
    "dataset", "model", "problem", "pair", "S", "tau", "H", "coverage_a", "coverage_b",
    "tercile_H", "tercile_S", "stratum", "inclusion_probability", "anchor",
)  # fmt: skip


def _item(
    identity: str, row: Mapping[object, object], texts: Mapping[tuple[str, str, str], pd.Series]
) -> dict[str, object]:
    a, b = str(row["language_a"]), str(row["language_b"])
    problem = str(row["problem_id"])
    model = str(row["model"])
    first, second = texts[model, problem, a], texts[model, problem, b]
    tercile_h, tercile_s = (NAMES[int(str(row[name]))] for name in ("tercile_H", "tercile_S"))
    tau = float(str(row["tau"]))
    return {
        "id": identity,
        "question": first[Traces.QUESTION],
        "trace_1": str(first[Traces.RESPONSE]).strip(),
        "trace_1_lang": a,
        "trace_2": str(second[Traces.RESPONSE]).strip(),
        "trace_2_lang": b,
        "dataset": row["dataset"],
        "model": model,
        "problem": problem,
        "pair": f"{a}-{b}",
        **{name: float(str(row[name])) for name in ("S", "H", "coverage_a", "coverage_b")},
        # A hidden text field stays empty where tau is undefined; a number would be made up.
        "tau": "" if np.isnan(tau) else tau,
        "tercile_H": tercile_h,
        "tercile_S": tercile_s,
        "stratum": f"H {tercile_h}, S {tercile_s}",
        "inclusion_probability": float(str(row["inclusion_probability"])),
        "anchor": int(bool(row["anchor"])),
        **({GROUP: row[GROUP]} if GROUP in row else {}),
    }


def _texts(traces: pd.DataFrame, choice: Choice) -> dict[tuple[str, str, str], pd.Series]:
    wanted = traces[
        (traces[Traces.DATASET] == choice.dataset) & traces[Traces.MODEL].isin(choice.models)
    ]
    if Traces.QUESTION not in wanted or (wanted[Traces.QUESTION] == "").any():
        raise SampleError(
            f"The traces need a column {Traces.QUESTION!r} with the question of every problem: "
            "annotators are shown it above the two traces."
        )
    key = [Traces.MODEL, Traces.PROBLEM, Traces.LANGUAGE]
    return {tuple(row[name] for name in key): row for _, row in wanted.iterrows()}


def summary(drawn: pd.DataFrame, pool: pd.DataFrame) -> dict[str, object]:
    """Return what shows that the sample stands for the pool."""
    ratio = drawn[["H", "S"]].std() / pool[["H", "S"]].std()
    return {
        "pool": len(pool),
        "items": len(drawn),
        "anchors": int(drawn["anchor"].sum()),
        "anchors_on_every_form": shared(drawn),
        **(
            {"groups": [int((drawn[GROUP] == half).sum()) for half in HALVES]}
            if GROUP in drawn
            else {}
        ),
        "by_cell": [int((drawn["cell"] == index).sum()) for index in range(TERCILES**2)],
        "sd_ratio": {"H": float(ratio["H"]), "S": float(ratio["S"])},
        "correlation_H_S": {
            "pool": float(pool["H"].corr(pool["S"])),
            "sample": float(drawn["H"].corr(drawn["S"])),
        },
        "power": power(drawn).as_dict(),
    }


def power_words(drawn: pd.DataFrame) -> str:
    """Return the power in a sentence."""
    found = power(drawn)
    if found.value is None:
        return f"The power of the comparison of S and H is not known: {found.reason}."
    return (
        f"Williams' test will find S ahead of H in these {len(drawn)} items with a probability of "
        f"{found.value:.2f}, if item means follow S at {EXPECTED_S} and H not at all."
    )


def power(drawn: pd.DataFrame) -> Estimate:
    """Return how probably Williams' test finds S ahead of H in this sample, if it is as published."""
    between = spearman(drawn["H"], drawn["S"])
    if between.value is None:
        return between
    try:
        return williams_power(EXPECTED_S, EXPECTED_H, between.value, len(drawn))
    except ValueError:
        reason = "S and H of the sample are too alike for one alone to follow people"
        return undefined(reason, n=len(drawn))
