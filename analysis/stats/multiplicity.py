"""Several tests at once: Benjamini and Hochberg's control of the false discovery rate."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Adjusted:
    """Raw and adjusted p-values side by side, in the order given.

    Parameters
    ----------
    names : tuple of str
        Name of each test.
    raw, adjusted : tuple of float or None
        None where the test could not be computed.
    rejected : tuple of bool or None
        Whether the adjusted p is at most `level`.
    family : int
        m, the number of tests that have a p.
    left_out : tuple of str
        Names of the tests without a p, which leave the family.
    level : float
        False discovery rate that is controlled.
    method : str
        Name of the procedure.
    """

    names: tuple[str, ...]
    raw: tuple[float | None, ...]
    adjusted: tuple[float | None, ...]
    rejected: tuple[bool | None, ...]
    family: int
    left_out: tuple[str, ...]
    level: float
    method: str = "Benjamini-Hochberg"


def benjamini_hochberg(
    p: Sequence[float | None], names: Sequence[str] | None = None, *, level: float = 0.05
) -> Adjusted:
    """Adjust p-values for the false discovery rate.

    Parameters
    ----------
    p : sequence of float or None
        None or NaN is a test that could not be computed. It leaves the family, as in R's
        ``p.adjust``: m counts the tests that have a p.
    names : sequence of str, optional
        Names of the tests; without them 1, 2, ...
    level : float
        False discovery rate.

    Returns
    -------
    Adjusted
        Equal adjusted values are right: the adjustment is made monotone.

    Notes
    -----
    Sorted ascending, the adjusted p of rank i is the smallest of m p_j / j over j >= i, at most 1.
    It controls the rate under independence and positive dependence.

    References
    ----------
    Y. Benjamini, Y. Hochberg, Journal of the Royal Statistical Society B 57 (1995) 289.

    Examples
    --------
    >>> found = benjamini_hochberg([0.01, 0.04, None, 0.03], ["a", "b", "c", "d"])
    >>> found.adjusted, found.family, found.left_out
    ((0.03, 0.04, None, 0.04), 3, ('c',))
    """
    labels = tuple(names) if names is not None else tuple(str(i + 1) for i in range(len(p)))
    if len(labels) != len(p):
        raise ValueError(f"There are {len(labels)} names for {len(p)} p-values.")
    raw = tuple(None if value is None or np.isnan(value) else float(value) for value in p)
    for name, value in zip(labels, raw, strict=True):
        if value is not None and not 0 <= value <= 1:
            raise ValueError(f"A p-value lies between 0 and 1; {value} of {name!r} does not.")
    place = [i for i, value in enumerate(raw) if value is not None]
    values = _adjusted([value for value in raw if value is not None])
    adjusted: list[float | None] = [None] * len(raw)
    for i, value in zip(place, values, strict=True):
        adjusted[i] = value
    return Adjusted(
        names=labels,
        raw=raw,
        adjusted=tuple(adjusted),
        rejected=tuple(None if value is None else value <= level for value in adjusted),
        family=len(place),
        left_out=tuple(name for name, value in zip(labels, raw, strict=True) if value is None),
        level=level,
    )


def _adjusted(p: list[float]) -> list[float]:
    """Return the adjusted values of a family in which every test has a p."""
    m = len(p)
    order = np.argsort(p)
    scaled = np.asarray(p, dtype=float)[order] * m / np.arange(1, m + 1)
    monotone = np.minimum.accumulate(scaled[::-1])[::-1]
    found = np.empty(m)
    found[order] = np.minimum(monotone, 1.0)
    return found.tolist()
