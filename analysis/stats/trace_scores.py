"""How alike two reasoning traces are: calibration, step similarity, S and H.

A trace is an ordered list of steps, a step an ordered list of sentences, a sentence a unit vector.
Everything here is float64, so that a score does not depend on how the work was batched.

Notation
--------
f, c : floor and ceiling of one (dataset, language pair, encoder).
K(x) = clip((x - f) / (c - f), 0, 1) : calibrated cosine.
C : (sentences of a, sentences of b) calibrated cosines.
M : (steps of a, steps of b) step similarities.
S = (mean_i max_j M_ij + mean_j max_i M_ij) / 2.

References
----------
Sun et al. (2026), arXiv 2610.29092: calibration, bidirectional maxima, S and H. That the two
directions are averaged arithmetically and sentences weigh the same is this program's choice.
Zhang et al. (2020), BERTScore, ICLR: greedy maximum matching and rescaling by a baseline.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Starts = NDArray[np.intp]

CEILING_CAP = 0.98
SMALLEST_RANGE = 0.05


class CalibrationError(ValueError):
    """The floor and the ceiling do not leave a range in which scores could differ."""


@dataclass(frozen=True)
class Calibration:
    """The floor and the ceiling of the cosines of one language pair under one encoder.

    Parameters
    ----------
    floor : float
        Cosine that unrelated sentences reach, mapped to 0.
    ceiling : float
        Cosine that translations reach, mapped to 1.
    """

    floor: float
    ceiling: float

    def __post_init__(self) -> None:
        if not self.ceiling - self.floor >= SMALLEST_RANGE:
            raise CalibrationError(
                f"The ceiling {self.ceiling:.4f} lies less than {SMALLEST_RANGE} above the floor "
                f"{self.floor:.4f}: this encoder hardly tells translations from unrelated sentences "
                "here. Use an encoder that knows both languages, or leave the pair out."
            )

    def __call__(self, cosine: Floats) -> Floats:
        """Map cosines to [0, 1], linearly between the floor and the ceiling.

        Parameters
        ----------
        cosine : (...) float64

        Returns
        -------
        (...) float64

        Examples
        --------
        >>> Calibration(0.2, 0.8)(np.array([0.1, 0.5, 0.9])).round(6).tolist()
        [0.0, 0.5, 1.0]
        """
        scaled = (cosine - self.floor) / (self.ceiling - self.floor)
        return np.minimum(np.maximum(scaled, 0.0), 1.0)


class Calibrations:
    """Several calibrations applied to the same cosines at once.

    Parameters
    ----------
    calibrations : sequence of Calibration or None
        None stands for one that is unknown, and gives NaN.

    Examples
    --------
    >>> both = Calibrations([Calibration(0.2, 0.8), Calibration(0.0, 1.0)])
    >>> both(np.array([[0.5, 0.9]])).round(6).tolist()
    [[[0.5, 1.0]], [[0.5, 0.9]]]
    """

    def __init__(self, calibrations: Sequence[Calibration | None]) -> None:
        ends = [(one.floor, one.ceiling) if one else (np.nan, np.nan) for one in calibrations]
        floor, ceiling = np.array(ends).T[..., None, None]
        self._floor, self._range = floor, ceiling - floor

    def __call__(self, cosine: Floats) -> Floats:
        """Map (n, m) cosines to (calibrations, n, m) numbers in [0, 1]."""
        scaled = (cosine - self._floor) / self._range
        return np.asarray(np.minimum(np.maximum(scaled, 0.0), 1.0))


def floor_of(unrelated: Floats, *, kind: str = "mean") -> float:
    """Return the floor: what sentences of different problems reach.

    Parameters
    ----------
    unrelated : (n,) float64
        Cosines of sentence pairs, one from each language, from different problems.
    kind : {"mean", "median"}

    Returns
    -------
    float

    Raises
    ------
    CalibrationError
        Without any cosine.

    Examples
    --------
    >>> round(floor_of(np.array([0.1, 0.15, 0.3, 0.05])), 3)
    0.15
    """
    if not unrelated.size:
        raise CalibrationError(
            "There is no pair of sentences from different problems, so the floor is unknown. "
            "At least two problems are needed in both languages."
        )
    return float(np.median(unrelated) if kind == "median" else np.mean(unrelated))


def ceiling_of(
    translations: Floats, *, percentile: float = 90.0, cap: float = CEILING_CAP
) -> float:
    """Return the ceiling: what all but the best tenth of translations reach, at most `cap`.

    Parameters
    ----------
    translations : (n,) float64
        Cosines of sentences with their translations, both directions pooled.
    percentile : float
        Linear interpolation (type 7).
    cap : float

    Returns
    -------
    float

    Raises
    ------
    CalibrationError
        Without any cosine.

    Examples
    --------
    >>> forward, backward = [0.71, 0.8, 0.84, 0.86, 0.88], [0.9, 0.91, 0.93, 0.95, 0.99]
    >>> round(ceiling_of(np.array(forward + backward)), 3)
    0.954
    """
    if not translations.size:
        raise CalibrationError(
            "There is no translated sentence for this pair, so the ceiling is unknown. "
            "Give parallel sentences in both languages."
        )
    return min(cap, float(np.percentile(translations, percentile)))


def step_similarity(calibrated: Floats, starts_a: Starts, starts_b: Starts) -> Floats:
    """Return M: how alike each step of one trace is to each step of the other.

    M_ij = (mean_u max_v C_uv + mean_v max_u C_uv) / 2 over the sentences u of step i, v of step j.

    Parameters
    ----------
    calibrated : (sentences of a, sentences of b) float64
        Calibrated cosines, sentences in the order of their steps.
    starts_a, starts_b : (steps,) intp
        Index of the first sentence of each step; strictly increasing, from 0.

    Returns
    -------
    (steps of a, steps of b) float64

    Examples
    --------
    >>> C = np.array([[0.9, 0.2], [0.4, 0.6], [0.1, 0.3]])
    >>> step_similarity(C, np.array([0]), np.array([0])).round(6).tolist()
    [[0.675]]
    """
    best_in_b, best_in_a = _best(calibrated, starts_a, starts_b)
    forward = _step_means(best_in_b, starts_a)
    return np.asarray(0.5 * (forward + _step_means(best_in_a, starts_b).T))


def step_similarities(
    cosines: Floats, starts_a: Starts, starts_b: Starts, calibrations: Calibrations
) -> Floats:
    """Return M under each of several calibrations.

    A calibration never falls, so the best cosine is also the best after it: the maxima are sought
    once, and are the same to the bit.

    Parameters
    ----------
    cosines : (sentences of a, sentences of b) float64
        Raw cosines, sentences in the order of their steps.
    starts_a, starts_b : (steps,) intp
    calibrations : Calibrations

    Returns
    -------
    (calibrations, steps of a, steps of b) float64

    Examples
    --------
    >>> C, one_step = np.array([[0.9, 0.2], [0.4, 0.6], [0.1, 0.3]]), np.array([0])
    >>> both = Calibrations([Calibration(0.0, 1.0), Calibration(0.2, 0.8)])
    >>> step_similarities(C, one_step, one_step, both).round(6).ravel().tolist()
    [0.675, 0.722222]
    """
    best_in_b, best_in_a = _best(cosines, starts_a, starts_b)
    forward = _step_means(calibrations(best_in_b), starts_a)
    backward = _step_means(calibrations(best_in_a), starts_b)
    return np.asarray(0.5 * (forward + backward.swapaxes(-1, -2)))


def self_similarities(cosines: Floats, starts: Starts, calibrations: Calibrations) -> Floats:
    """Return M of a trace with itself under each of several calibrations.

    The cosines are symmetric, so that one direction gives the other.

    Parameters
    ----------
    cosines : (sentences, sentences) float64
    starts : (steps,) intp
    calibrations : Calibrations

    Returns
    -------
    (calibrations, steps, steps) float64

    Examples
    --------
    >>> C, starts = np.array([[1.0, 0.4], [0.4, 1.0]]), np.array([0, 1])
    >>> self_similarities(C, starts, Calibrations([Calibration(0.2, 0.6)])).round(6).tolist()
    [[[1.0, 0.5], [0.5, 1.0]]]
    """
    best = np.maximum.reduceat(cosines, starts, axis=1)
    forward = _step_means(calibrations(best), starts)
    return np.asarray(0.5 * (forward + forward.swapaxes(-1, -2)))


def _best(matrix: Floats, starts_a: Starts, starts_b: Starts) -> tuple[Floats, Floats]:
    """Return the best of each step of b for each sentence of a, and of a for b."""
    best_in_a = np.maximum.reduceat(matrix, starts_a, axis=0)
    return np.maximum.reduceat(matrix, starts_b, axis=1), best_in_a.T


def _step_means(best: Floats, starts: Starts) -> Floats:
    """Return the mean over the sentences of each step, the axis before the last."""
    sums = np.add.reduceat(best, starts, axis=-2)
    sums /= _counts(starts, best.shape[-2])[:, None]
    return sums


def _counts(starts: Starts, total: int) -> Starts:
    counts = np.empty_like(starts)
    counts[:-1] = starts[1:] - starts[:-1]
    counts[-1] = total - starts[-1]
    return counts


class Structural(NamedTuple):
    """S, the structural similarity, and its two halves.

    Attributes
    ----------
    similarity : float
        Structural similarity in [0, 1].
    coverage_a, coverage_b : float
        Mean best match of the steps of a in b, and of b in a.
    """

    similarity: float
    coverage_a: float
    coverage_b: float


def structural(M: Floats) -> Structural:
    """Return S, the mean of both coverages. Several steps may match one.

    Parameters
    ----------
    M : (n, m) float64
        Step similarities, n and m at least 1. A side without a step has no S: the caller says so.

    Returns
    -------
    Structural

    Examples
    --------
    >>> score = structural(np.array([[0.9, 0.1, 0.3], [0.2, 0.8, 0.1]]))
    >>> round(score.similarity, 6), round(score.coverage_a, 6), round(score.coverage_b, 6)
    (0.758333, 0.85, 0.666667)
    """
    coverage_a, coverage_b = (float(part) for part in coverages(M))
    return Structural(0.5 * (coverage_a + coverage_b), coverage_a, coverage_b)


def coverages(M: Floats) -> tuple[Floats, Floats]:
    """Return both coverages of each pair; their mean is S.

    Parameters
    ----------
    M : (..., n, m) float64

    Returns
    -------
    tuple of (...) float64

    Examples
    --------
    >>> [float(part) for part in coverages(np.array([[1.0, 0.0], [1.0, 0.0]]))]
    [1.0, 0.5]
    """
    rows, columns = M.shape[-2:]
    return M.max(axis=-1).sum(axis=-1) / rows, M.max(axis=-2).sum(axis=-1) / columns


def holistic(response_a: Floats, response_b: Floats) -> Floats:
    """Return H, the uncalibrated cosine of whole responses, row by row.

    Parameters
    ----------
    response_a, response_b : (n, d) float64
        Unit vectors.

    Returns
    -------
    (n,) float64
        In [-1, 1].

    Examples
    --------
    >>> holistic(np.array([[1.0, 0.0]]), np.array([[0.6, 0.8]])).tolist()
    [0.6]
    """
    return np.asarray(np.clip(np.einsum("ij,ij->i", response_a, response_b), -1.0, 1.0))
