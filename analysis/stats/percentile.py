"""The percentile interval of a resampled statistic, with the rule for undefined replicates."""

from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from analysis.stats.results import Estimate

MOST_UNDEFINED_REPLICATES = 0.05

Found = TypeVar("Found", bound=Estimate)


def with_percentile_interval(
    found: Found,
    replicates: NDArray[np.float64],
    *,
    confidence: float,
    units: str,
    rng: np.random.Generator,
) -> Found:
    """Add percentile limits to an estimate, or the reason why it has none.

    Parameters
    ----------
    found : Estimate
        The estimate of the whole sample.
    replicates : ndarray, shape (B,)
        The statistic of each resample; NaN where the resample does not vary and it is undefined.
    confidence : float
        Coverage, between 0 and 1.
    units : str
        What was resampled, for the name of the method: "items".
    rng : numpy.random.Generator
        The generator that was used; its seed is recorded where it was made from an integer.

    Returns
    -------
    Estimate
        Limits at the (1 - confidence) / 2 quantiles (linear, type 7). Undefined replicates are left
        out and counted in the notes up to 5 % of them, and forbid the interval beyond that: what is
        left is no longer a sample of the resamples.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"A confidence lies between 0 and 1; {confidence} does not.")
    total = len(replicates)
    missing = int(np.isnan(replicates).sum())
    without = f"{missing} of {total} resamples of {units} have no variation"
    if missing > MOST_UNDEFINED_REPLICATES * total:
        return replace(found, reason=f"no interval: {without}")
    tail = (1 - confidence) / 2
    low, high = np.nanquantile(replicates, [tail, 1 - tail]).tolist()
    return replace(
        found,
        low=low,
        high=high,
        seed=seed_of(rng),
        method=f"{found.method}, percentile interval from {total} resamples of {units}",
        notes=found.notes + ((f"{without} and are left out",) if missing else ()),
    )


def checked_resamples(resamples: int) -> int:
    """Return the number of resamples, or say that it is none."""
    if resamples < 1:
        raise ValueError(f"An interval needs at least one resample; {resamples} were asked for.")
    return resamples


def seed_of(rng: np.random.Generator) -> int | None:
    """Return the integer a generator was made from, where it was made from one.

    Examples
    --------
    >>> seed_of(np.random.default_rng(42))
    42
    """
    sequence = getattr(rng.bit_generator, "seed_seq", None)
    entropy = getattr(sequence, "entropy", None)
    return entropy if isinstance(entropy, int) else None
