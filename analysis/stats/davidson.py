"""Davidson's model of judged pairs: counts, likelihood, and whether it has a maximum."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import linprog
from scipy.sparse.csgraph import connected_components

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

ITERATIONS = 100
LONGEST = 2.0  # largest change of a log strength in one Newton step
CLOSE = 1e-10  # gradient, relative to the number of judgments, at which the search ends
BEYOND = 15.0  # a log strength of this size means that a player never lost or never won
FLAT = 1e-6  # curvature below which two groups of players are not compared
ENTRIES = 1 << 22  # of one block of refits; bounds the memory


@dataclass(frozen=True)
class Contest:
    """Judgments counted by cluster, pair of players and outcome.

    Parameters
    ----------
    pairs : (m, 2) int
        The two players of each pair that met, the lower index first.
    counts : (clusters, 3 m) sparse
        Judgments for the first of the pair, for the second, and ties.
    n_players : int
    """

    pairs: IntArray
    counts: "sparse.csr_array"
    n_players: int

    @classmethod
    def of(
        cls,
        players: IntArray,
        outcome: FloatArray,
        clusters: tuple[IntArray, int],
        n_players: int,
    ) -> Self:
        """Count judgments: (2, n) players, outcome 1, 0.5 or 0 for the first of them."""
        turned = players[0] > players[1]
        low, high = players.min(axis=0), players.max(axis=0)
        first = np.where(turned, 1 - outcome, outcome)
        keys, place = np.unique(low * n_players + high, return_inverse=True)
        kind = np.select([first == 1, first == 0], [0, 1], 2)
        shape = (clusters[1], 3 * len(keys))
        ones = np.ones(len(outcome))
        counts = sparse.coo_array((ones, (clusters[0], 3 * place + kind)), shape=shape).tocsr()
        return cls(np.column_stack([keys // n_players, keys % n_players]), counts, n_players)

    @cached_property
    def total(self) -> FloatArray:
        """Judgments of each pair and outcome, (3 m,)."""
        return np.asarray(self.counts.sum(axis=0), dtype=np.float64)

    @property
    def n(self) -> int:
        """Judgments."""
        return int(self.total.sum())

    @property
    def n_ties(self) -> int:
        """Judgments without a preference."""
        return int(self.total[2::3].sum())

    @property
    def outcomes(self) -> int:
        """Outcomes that the model has: without any tie the tie is not one of them."""
        return 3 if self.n_ties else 2

    @cached_property
    def design(self) -> FloatArray:
        """Linear predictors, (m, outcomes, players + 1 with ties): win, loss, tie."""
        m, ties = len(self.pairs), self.outcomes - 2
        rows = np.arange(m)
        x = np.zeros((m, self.outcomes, self.n_players + ties))
        for side in (0, 1):
            x[rows, side, self.pairs[:, side]] = 1
            if ties:
                x[rows, 2, self.pairs[:, side]] = 0.5
        if ties:
            x[:, 2, -1] = 1
        return x

    def modelled(self, counts: FloatArray) -> FloatArray:
        """Return (k, m, outcomes) of (k, 3 m) counts."""
        return counts.reshape(len(counts), -1, 3)[:, :, : self.outcomes]


@dataclass(frozen=True)
class Fit:
    """Maximum likelihood estimates of several sets of counts.

    Parameters
    ----------
    theta : (k, parameters) float
        Log strengths with mean 0, then log ν where there are ties.
    hessian : (k, parameters, parameters) float
        Of minus the log likelihood.
    valid : (k,) bool
        Whether the estimate of the strengths is finite and unique.
    """

    theta: FloatArray
    hessian: FloatArray
    valid: npt.NDArray[np.bool_]


def fit_counts(contest: Contest, counts: FloatArray) -> Fit:
    """Fit each row of (k, 3 m) counts by Newton's method, in blocks of bounded size."""
    m, _, width = contest.design.shape
    height = max(1, ENTRIES // (m * width))
    blocks = [
        _fit_block(contest, contest.modelled(counts[start : start + height]))
        for start in range(0, len(counts), height)
    ]
    return Fit(
        np.concatenate([b.theta for b in blocks]),
        np.concatenate([b.hessian for b in blocks]),
        np.concatenate([b.valid for b in blocks]),
    )


def _fit_block(contest: Contest, observed: FloatArray) -> Fit:
    x = contest.design
    k, width, players = len(observed), x.shape[2], contest.n_players
    # The likelihood does not see the mean of the log strengths: this holds it at 0.
    anchor = np.zeros((width, width))
    anchor[:players, :players] = 1 / players
    anchor += 1e-12 * np.eye(width)
    theta = np.zeros((k, width))
    trials = observed.sum(axis=2)
    enough = CLOSE * (1 + trials.sum(axis=1))
    for _ in range(ITERATIONS):
        gradient, hessian = _slopes(x, observed, trials, theta)
        if (np.abs(gradient).max(axis=1) < enough).all():
            break
        step = np.linalg.solve(hessian + anchor, gradient[:, :, None])[:, :, 0]
        theta = theta + step.clip(-LONGEST, LONGEST)
    strengths, block = theta[:, :players], hessian[:, :players, :players]
    curvature = np.linalg.eigvalsh(block + anchor[:players, :players])[:, 0]
    valid = (np.abs(strengths).max(axis=1) < BEYOND) & (curvature > FLAT)
    return Fit(theta, hessian, valid)


def _slopes(
    x: FloatArray, observed: FloatArray, trials: FloatArray, theta: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the gradient of the log likelihood and the Hessian of minus it."""
    m, outcomes, width = x.shape
    flat = x.reshape(m * outcomes, width)
    eta = (theta @ flat.T).reshape(-1, m, outcomes)
    weight = np.exp(eta - eta.max(axis=2, keepdims=True))
    p = weight / weight.sum(axis=2, keepdims=True)
    expected = trials[:, :, None] * p
    gradient = (observed - expected).reshape(-1, m * outcomes) @ flat
    mean = np.einsum("kma,map->kmp", p, x)
    inner = np.swapaxes(mean, 1, 2) @ (trials[:, :, None] * mean)
    outer = flat.T @ (expected.reshape(-1, m * outcomes, 1) * flat)
    return gradient, outer - inner


def sandwich(contest: Contest, fit: Fit) -> FloatArray:
    """Return the covariance of the estimates, clustered, with the factor G / (G - 1).

    Source: Liang and Zeger (1986), Biometrika 73(1).
    """
    x = contest.design
    m, outcomes, width = x.shape
    eta = x @ fit.theta[0]
    weight = np.exp(eta - eta.max(axis=1, keepdims=True))
    p = weight / weight.sum(axis=1, keepdims=True)
    residual = np.zeros((m, 3, width))
    residual[:, :outcomes] = x - np.einsum("ma,map->mp", p, x)[:, None, :]
    scores = contest.counts @ residual.reshape(3 * m, width)
    clusters = scores.shape[0]
    anchor = np.zeros((width, width))
    anchor[: contest.n_players, : contest.n_players] = 1 / contest.n_players
    bread = np.linalg.inv(fit.hessian[0] + anchor)
    covariance: FloatArray = bread @ (scores.T @ scores) @ bread * (clusters / (clusters - 1))
    return covariance


def separation(contest: Contest, names: Sequence[object]) -> str | None:
    """Return why there are no finite strengths, or None where there are.

    Finite estimates exist if and only if no direction in the parameters makes every observed outcome
    at least as good as the alternatives of its pair, and one of them better (a linear programme),
    and the players are connected by judgments.
    """
    wins = contest.total.reshape(-1, 3)
    edges = sparse.coo_array(
        (np.ones(len(contest.pairs)), (contest.pairs[:, 0], contest.pairs[:, 1])),
        shape=(contest.n_players, contest.n_players),
    )
    groups, member = connected_components(edges, directed=False)
    if groups > 1:
        sides = [_listed(names, member == g) for g in range(groups)]
        return f"no finite strengths: {' | '.join(sides)} were never compared with each other"
    if contest.n_ties == contest.n:
        return "no finite strengths: every judgment is a tie"
    won, lost = np.zeros(contest.n_players), np.zeros(contest.n_players)
    for side in (0, 1):
        np.add.at(won, contest.pairs[:, side], wins[:, side])
        np.add.at(lost, contest.pairs[:, side], wins[:, 1 - side])
    if (won == 0).any():
        return (
            f"no finite strengths: {_listed(names, won == 0)} was never preferred to another player"
        )
    if (lost == 0).any():
        return f"no finite strengths: no other player was ever preferred to {_listed(names, lost == 0)}"
    direction = _direction(contest)
    if direction is None:
        return None
    weaker = direction[: contest.n_players] < direction[: contest.n_players].max() - FLAT
    return (
        f"no finite strengths: none of {_listed(names, weaker)} was ever preferred to "
        f"any of {_listed(names, ~weaker)}"
    )


def _listed(names: Sequence[object], chosen: npt.NDArray[np.bool_]) -> str:
    return ", ".join(str(name) for name, taken in zip(names, chosen, strict=True) if taken)


def _direction(contest: Contest) -> FloatArray | None:
    """Return a direction in which the likelihood never falls and somewhere rises, if there is one."""
    x = contest.design
    seen = contest.modelled(contest.total[None])[0] > 0
    rows = [
        x[pair, outcome] - x[pair, other]
        for pair, outcome in np.argwhere(seen)
        for other in range(contest.outcomes)
        if other != outcome
    ]
    gains = np.array(rows)
    found = linprog(-gains.sum(axis=0), A_ub=-gains, b_ub=np.zeros(len(gains)), bounds=(-1, 1))
    best: FloatArray = np.asarray(found.x, dtype=np.float64)
    return best if float(gains.sum(axis=0) @ best) > FLAT else None
