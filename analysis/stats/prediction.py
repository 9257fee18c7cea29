r"""How well probabilities foretell yes-or-no outcomes: loss, calibration, discrimination."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

HALF = 0.5


@dataclass(frozen=True)
class Prediction:
    """The four scores; `auc` is None where only one outcome occurs, for want of a pair."""

    bce: float
    brier: float
    auc: float | None
    accuracy: float
    n: int


def prediction_scores(outcomes: NDArray[Any], probabilities: NDArray[Any]) -> Prediction:
    r"""Score predicted probabilities against outcomes.

    Binary cross-entropy :math:`-\overline{y \log p + (1-y) \log(1-p)}`; Brier score, the mean
    squared error; area under the ROC curve, the share of (1, 0) pairs in the right order, a tie
    counting half; accuracy at the threshold 0.5 (0.5 itself predicts 1).

    Parameters
    ----------
    outcomes : ndarray, shape (n,)
        0 and 1.
    probabilities : ndarray, shape (n,)
        Strictly between 0 and 1; at the ends a single miss would cost infinitely much.

    Raises
    ------
    ValueError
        Where a probability is 0, 1 or outside, or nothing is to be scored.

    Examples
    --------
    >>> import numpy as np
    >>> s = prediction_scores(np.array([1, 0, 1, 0]), np.array([0.75, 0.25, 0.5, 0.5]))
    >>> round(s.bce, 4), s.brier, s.auc, s.accuracy
    (0.4904, 0.15625, 0.875, 0.75)
    """
    if outcomes.size == 0:
        raise ValueError("there is no outcome to score")
    if not ((probabilities > 0) & (probabilities < 1)).all():
        raise ValueError("a predicted probability must lie strictly between 0 and 1")
    right = outcomes == 1
    hit = np.where(right, probabilities, 1 - probabilities)
    return Prediction(
        bce=float(-np.log(hit).mean()),
        brier=float(np.square(1 - hit).mean()),
        auc=_auc(right, probabilities),
        accuracy=float(((probabilities >= HALF) == right).mean()),
        n=int(outcomes.size),
    )


def _auc(right: NDArray[np.bool_], probabilities: NDArray[Any]) -> float | None:
    """Return the rank-sum form of the area; midranks give ties their half."""
    positives, negatives = int(right.sum()), int((~right).sum())
    if positives == 0 or negatives == 0:
        return None
    ranks = rankdata(probabilities)[right].sum()
    return float((ranks - positives * (positives + 1) / 2) / (positives * negatives))
