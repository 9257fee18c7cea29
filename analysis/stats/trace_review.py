"""What low similarity is good for: review lift, the difficulty-matched contrast, the same-language control.

References
----------
Sun et al. (2026), arXiv 2610.29092, sections 5.4 and I.2 and appendix H. That ties at the edge of the
budget share the places that are left is this program's choice.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from analysis.stats.results import Estimate, undefined
from analysis.stats.trace_scores import Floats

Booleans = NDArray[np.bool_]


def review_lift(score: Floats, wrong: Booleans, *, budget: float = 0.25) -> Estimate:
    """Return how many times more shared errors a review of the lowest scores finds than chance.

    lift = (share of the shared errors among the `budget` lowest scores) / budget. It says what to
    read first; it detects nothing.

    Parameters
    ----------
    score : (n,) float64
        Lower is reviewed first; a percentile within (dataset, pair) when cells are mixed.
    wrong : (n,) bool
        Both answers are wrong, and the same.
    budget : float
        Share of the pairs that can be reviewed.

    Returns
    -------
    Estimate
        Undefined without any shared error, or with a budget below one pair.

    Examples
    --------
    >>> score = np.array([0.1, 0.2, 0.2, 0.2, 0.5, 0.6, 0.7, 0.9])
    >>> wrong = np.array([1, 0, 1, 0, 0, 1, 0, 0], dtype=bool)
    >>> round(review_lift(score, wrong).value, 6)
    1.777778
    """
    found = wrong.sum()
    if not found:
        return undefined("no pair of traces shares a wrong answer", n=int(score.size))
    places = int(np.floor(budget * score.size))
    if places < 1:
        return undefined("the budget is smaller than one pair", n=int(score.size))
    share = captured(score, wrong, places=places) / found
    return Estimate(
        value=float(share / budget), n=int(score.size), method=f"lowest {budget:.0%} reviewed",
        notes=("prioritisation, not detection",),
    )  # fmt: skip


def captured(score: Floats, wrong: Booleans, *, places: int) -> float:
    """Return the expected shared errors among the lowest `places` scores, ties drawn at random.

    Parameters
    ----------
    score : (n,) float64
    wrong : (n,) bool
    places : int
        From 1 to n.

    Returns
    -------
    float

    Examples
    --------
    >>> captured(np.array([0.1, 0.2, 0.2]), np.array([True, True, False]), places=2)
    1.5
    """
    edge = np.partition(score, places - 1)[places - 1]
    below, tied = score < edge, score == edge
    left = (places - below.sum()) / tied.sum()
    return float((wrong & below).sum() + left * (wrong & tied).sum())


def matched_contrast(S: Floats, wrong: Booleans, stratum: NDArray[np.intp]) -> Estimate:
    """Return how much lower S is for shared errors than for right pairs of the same difficulty.

    sum_k (n_wrong,k / n_wrong) (mean S_right,k - mean S_wrong,k) over strata that hold both groups.

    Parameters
    ----------
    S : (n,) float64
    wrong : (n,) bool
        Shared error; otherwise both answers are right.
    stratum : (n,) intp
        Difficulty: how many of the other languages answer right.

    Returns
    -------
    Estimate
        Undefined where no stratum holds both groups. A lower bound: matching on difficulty also
        removes what similarity and difficulty share.

    Examples
    --------
    >>> S = np.array([0.3, 0.5, 0.4, 0.35, 0.55, 0.65, 0.8, 0.9])
    >>> wrong = np.array([1, 1, 1, 0, 0, 0, 0, 0], dtype=bool)
    >>> round(matched_contrast(S, wrong, np.array([0, 1, 1, 0, 1, 1, 2, 2])).value, 6)
    0.116667
    """
    differences, sizes, dropped = [], [], 0
    for k in np.unique(stratum):
        right, error = S[(stratum == k) & ~wrong], S[(stratum == k) & wrong]
        if right.size and error.size:
            differences.append(right.mean() - error.mean())
            sizes.append(error.size)
        else:
            dropped += right.size + error.size
    if not sizes:
        return undefined("no difficulty holds both shared errors and right pairs", n=int(S.size))
    return Estimate(
        value=float(np.average(differences, weights=sizes)), n=int(S.size) - dropped,
        method="difficulty-matched difference of means",
        notes=("a lower bound", f"{dropped / S.size:.1%} of the pairs lie in strata without a match"),
    )  # fmt: skip


def same_language_differences(
    paraphrase: Sequence[float | None], others: Sequence[Sequence[float | None]]
) -> Floats:
    """Return, for each problem, S of the paraphrase pair minus the mean S of its other pairs.

    Parameters
    ----------
    paraphrase : (n,) float or None
        S between the answer to a question and to its paraphrase, in one language.
    others : (n, languages) float or None
        S between that answer and those in the other languages; None where there is no pair.

    Returns
    -------
    (problems with both,) float64

    Examples
    --------
    >>> same_language_differences([0.8, None], [[0.6, 0.5], [0.7, 0.1]]).round(6).tolist()
    [0.25]
    """
    rows = (
        (own, [value for value in row if value is not None])
        for own, row in zip(paraphrase, others, strict=True)
    )
    return np.array([own - np.mean(row) for own, row in rows if own is not None and row])


def allocate(sizes: Sequence[int], total: int) -> list[int]:
    """Share a sample over cells in proportion to their size, by largest remainder.

    Parameters
    ----------
    sizes : sequence of int
        Pairs in each cell.
    total : int
        Wanted sample; all are taken where there are no more.

    Returns
    -------
    list of int
        Never more than a cell holds; equal remainders go to the lower index.

    Examples
    --------
    >>> allocate([22, 14, 9, 15, 13, 15, 8, 18, 21], 60)
    [10, 6, 4, 7, 6, 7, 3, 8, 9]
    """
    population = sum(sizes)
    if total >= population:
        return list(sizes)
    # Exact integer remainders: floating quotas would break ties at random.
    floors = [size * total // population for size in sizes]
    remainder = [size * total % population for size in sizes]
    by_remainder = sorted(range(len(sizes)), key=lambda index: (-remainder[index], index))
    for index in by_remainder[: total - sum(floors)]:
        floors[index] += 1
    return floors
