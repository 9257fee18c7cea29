"""Whether two groups differ in their mean, by dealing their members out anew."""

from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.stats.results import Estimate, undefined

MOST_LISTED = 200_000
RESAMPLES, SEED = 10_000, 42
BLOCK = 1 << 20  # values of the dealings that are drawn at once
# Differences that only the order of adding sets apart are equal.
EQUAL = 1e-9
NOTED = 0.05
METHOD = "difference of two means, permutation test"


def permutation_test(
    first: ArrayLike, second: ArrayLike, *, resamples: int = RESAMPLES, seed: int = SEED
) -> Estimate:
    """Compare the means of two groups by all ways to deal their members into groups of these sizes.

    Parameters
    ----------
    first, second : array_like
        One value a member, in any one unit; NaN is left out.
    resamples : int
        Random dealings where there are more than 200,000 ways; with fewer ways each is taken once.
    seed : int
        Of the random dealings.

    Returns
    -------
    Estimate
        `value` is the mean of the first less that of the second, in the unit of the values; `p` is
        the share of dealings whose difference is at least as far from zero, the observed one among
        them. Undefined where a group has no member. A note says so where the groups are too small
        for any p below 0.05.

    Notes
    -----
    It holds where members are exchangeable between the groups if nothing tells the groups apart, for
    which drawing lots suffices; no distribution is assumed. Random dealings give (k + 1) / (B + 1).

    References
    ----------
    B. Phipson, G. K. Smyth, Statistical Applications in Genetics and Molecular Biology 9 (2010) 39;
    M. D. Ernst, Statistical Science 19 (2004) 676.

    Examples
    --------
    Of the 35 ways to deal seven members into three and four, two are as far apart as this one:

    >>> found = permutation_test([1, 2, 3], [4, 5, 6, 7])
    >>> found.value, round(found.p * 35)
    (-3.5, 2)
    """
    parts = [np.asarray(part, dtype=np.float64).ravel() for part in (first, second)]
    # Sorted, so that neither sums nor dealings hang on the order in which members are named.
    one, two = (np.sort(part[~np.isnan(part)]) for part in parts)
    n = one.size + two.size
    if not one.size or not two.size:
        return undefined("a group has no member", method=METHOD, n=n)
    values = np.sort(np.concatenate([one, two]))
    difference = float(one.mean() - two.mean())
    ways = comb(n, one.size)
    listed = ways <= MOST_LISTED
    size = min(one.size, two.size)
    sums = _listed(values, size) if listed else _drawn(values, size, resamples, seed)
    dealt = sums / size - (values.sum() - sums) / (n - size)
    far = int((np.abs(dealt) >= abs(difference) - EQUAL * max(1.0, np.abs(values).max())).sum())
    return Estimate(
        difference,
        p=far / ways if listed else (far + 1) / (resamples + 1),
        n=n,
        method=f"{METHOD} over {f'all {ways:,}' if listed else f'{resamples:,} random'} dealings",
        seed=None if listed else seed,
        notes=_notes(ways, even=one.size == two.size),
    )


def _listed(values: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Return the sum of the smaller group in every dealing."""
    places = chain.from_iterable(combinations(range(values.size), size))
    return np.asarray(values[np.fromiter(places, dtype=np.intp)].reshape(-1, size).sum(axis=1))


def _drawn(
    values: NDArray[np.float64], size: int, resamples: int, seed: int
) -> NDArray[np.float64]:
    """Return the sum of the smaller group in random dealings, some at a time."""
    rng = np.random.default_rng(seed)
    height = max(1, BLOCK // values.size)
    heights = [min(height, resamples - start) for start in range(0, resamples, height)]
    blocks = (rng.permuted(np.tile(values, (rows, 1)), axis=1) for rows in heights)
    return np.concatenate([block[:, :size].sum(axis=1) for block in blocks])


def _notes(ways: int, *, even: bool) -> tuple[str, ...]:
    """Say where no p below 0.05 can come out: an exchange of equal groups is as far from zero."""
    least = (2 if even else 1) / ways
    return () if least <= NOTED else (f"groups this small allow no p below {least:.2f}",)
