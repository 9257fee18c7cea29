"""Strengths of several systems from judged pairs: Bradley-Terry with ties after Davidson."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import expit
from scipy.stats import norm

from analysis.stats.crossed import levels
from analysis.stats.davidson import Contest, fit_counts, sandwich, separation
from analysis.stats.draws import multiplicities
from analysis.stats.percentile import checked_resamples, seed_of, with_percentile_interval
from analysis.stats.resample import RESAMPLES
from analysis.stats.results import Estimate, undefined

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Interval = Literal["sandwich", "bootstrap"]

METHOD = "Bradley-Terry with ties (Davidson), maximum likelihood"


@dataclass(frozen=True)
class BradleyTerry:
    """Strengths and ranks of players.

    Parameters
    ----------
    players : tuple
        In sorted order; all other members follow it.
    strengths : tuple of Estimate
        Log strength, with the mean of all players at 0. A difference is the log odds that one is
        preferred to the other in a decisive judgment.
    ranks : tuple of Estimate
        1 is the strongest; the limits are the ranks that the player takes in the middle part of the
        replicates.
    best : tuple of float
        Share of the replicates in which the player is the strongest.
    tie : Estimate
        Davidson's ν: between equals a tie is ν times as likely as either win; 0 without ties.
    covariance : tuple of tuple of float
        Of the strengths, clustered.
    n, n_ties, n_clusters : int
    reason : str or None
        Why there are no finite strengths.
    """

    players: tuple[object, ...]
    strengths: tuple[Estimate, ...]
    ranks: tuple[Estimate, ...]
    best: tuple[float, ...]
    tie: Estimate
    covariance: tuple[tuple[float, ...], ...]
    n: int
    n_ties: int
    n_clusters: int
    reason: str | None = None

    def preferred(self, player: object, other: object, *, confidence: float = 0.95) -> Estimate:
        """Return the probability that a decisive judgment prefers one player to another.

        Wald interval on the logit from the clustered covariance; p two-sided against 1/2.
        """
        method = f"probability in a decisive judgment; {METHOD}; Wald interval {confidence:.0%}"
        i, j = self.players.index(player), self.players.index(other)
        one, two = self.strengths[i].value, self.strengths[j].value
        if one is None or two is None or i == j:
            return undefined(self.reason or "a player is not compared with itself", method=method)
        found = Estimate(value=float(expit(one - two)), n=self.n, method=method)
        if not self.covariance:
            return replace(found, reason=self.strengths[i].reason)
        c = np.array(self.covariance)
        error = float(np.sqrt(c[i, i] + c[j, j] - 2 * c[i, j]))
        reach = float(norm.ppf((1 + confidence) / 2)) * error
        low, high = (float(expit(one - two + sign * reach)) for sign in (-1, 1))
        p = float(2 * norm.sf(abs(one - two) / error))
        return replace(found, low=low, high=high, p=p)

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        lists = {
            name: [e.as_dict() for e in estimates]
            for name, estimates in (("strengths", self.strengths), ("ranks", self.ranks))
        }
        return asdict(self) | lists | {"tie": self.tie.as_dict()}


def bradley_terry(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    outcome: npt.ArrayLike,
    cluster: npt.ArrayLike,
    rng: np.random.Generator,
    *,
    interval: Interval = "sandwich",
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
) -> BradleyTerry:
    """Fit strengths to judgments of pairs of players, ties included.

    Parameters
    ----------
    first, second : (n,) labels
        The two players of each judgment.
    outcome : (n,) of 1, 0.5 and 0
        1 where the first was preferred, 0 where the second, 0.5 for no difference.
    cluster : (n,) labels
        Whose judgments belong together: the annotator.
    rng : numpy.random.Generator
        Draws the replicates of the bootstrap; under the sandwich, normal replicates for the ranks.
    interval : {"sandwich", "bootstrap"}
        Of the strengths: Wald with a covariance clustered by `cluster`, or percentiles of refits to
        resampled clusters.

    Returns
    -------
    BradleyTerry
        Undefined, with the reason, where no finite strengths exist: groups of players that never
        met, or that never lost to the others (a player without a win is the simplest case). Without
        intervals where there is one cluster.

    Raises
    ------
    ValueError
        For arrays of different lengths, other outcomes, a player against itself.

    Notes
    -----
    P(i preferred) : P(j preferred) : P(tie) = π_i : π_j : ν √(π_i π_j), a multinomial logit in
    log π and log ν, concave; fitted by Newton's method. Whether finite estimates exist is decided
    before, exactly, by linear programming (Albert and Anderson, 1984, Biometrika 71(1)).

    Source: Davidson (1970), On extending the Bradley-Terry model to accommodate ties in paired
    comparison experiments, JASA 65(329).

    Examples
    --------
    Two players: 6 wins, 2 losses, 2 ties; the log odds of a decisive judgment are log 3.

    >>> found = bradley_terry(
    ...     ["a"] * 10, ["b"] * 10, [1] * 6 + [0] * 2 + [0.5] * 2, range(10), np.random.default_rng(1)
    ... )
    >>> round(found.strengths[0].value - found.strengths[1].value, 6), round(np.log(3), 6).item()
    (1.098612, 1.098612)
    >>> bradley_terry(["a", "b"], ["b", "c"], [1, 1], [1, 2], np.random.default_rng(1)).reason
    'no finite strengths: c was never preferred to another player'
    """
    checked_resamples(resamples)
    results = np.asarray(outcome, dtype=np.float64)
    columns = [np.asarray(x) for x in (first, second, cluster)]
    _check(columns, results, confidence, interval)
    if len(results) == 0 or np.isnan(results).any():
        some = f"{int(np.isnan(results).sum())} of {len(results)} outcomes are missing (NaN)"
        return _without((), len(results), some if len(results) else "there are no judgments")
    players, codes = np.unique(np.concatenate(columns[:2]), return_inverse=True)
    if (same := np.flatnonzero(codes[: len(results)] == codes[len(results) :])).size:
        message = f"row {same[0]} compares {players[codes[same[0]]]} with itself."
        raise ValueError(message)
    names = tuple(players.tolist())
    contest = Contest.of(codes.reshape(2, -1), results, levels(cluster, "cluster"), len(names))
    if (reason := separation(contest, names)) is not None:
        return _without(names, len(results), reason)
    return _fitted(contest, names, Draws(rng, interval, resamples, confidence))


def _check(
    columns: Sequence[npt.NDArray[np.generic]],
    results: FloatArray,
    confidence: float,
    interval: str,
) -> None:
    if any(column.shape != (len(results),) for column in columns):
        shapes = [column.shape for column in columns]
        message = (
            f"first, second and cluster must have the {len(results)} rows of outcome: {shapes}."
        )
        raise ValueError(message)
    wrong = results[~np.isnan(results) & ~np.isin(results, (0, 0.5, 1))]
    if len(wrong):
        message = f"outcome must hold 1, 0.5 and 0 only; it holds {wrong[0]:g}."
        raise ValueError(message)
    if not 0 < confidence < 1:
        message = f"confidence must lie between 0 and 1, such as 0.95; it is {confidence:g}."
        raise ValueError(message)
    if interval not in ("sandwich", "bootstrap"):
        message = f"interval must be sandwich or bootstrap; it is {interval!r}."
        raise ValueError(message)


@dataclass(frozen=True)
class Draws:
    """How intervals are made."""

    rng: np.random.Generator
    interval: Interval
    resamples: int
    confidence: float

    def replicates(self, contest: Contest, theta: FloatArray, covariance: FloatArray) -> FloatArray:
        """Return (resamples, parameters): refits to resampled clusters, or normal draws."""
        if self.interval == "sandwich":
            return self.rng.multivariate_normal(theta, covariance, size=self.resamples)
        refits = []
        for block in multiplicities(contest.counts.shape[0], self.resamples, self.rng):
            fit = fit_counts(contest, (contest.counts.T @ block.T).T)
            refits.append(np.where(fit.valid[:, None], fit.theta, np.nan))
        return np.concatenate(refits)

    def bounded(
        self, found: Estimate, replicates: FloatArray, value: float, error: float
    ) -> Estimate:
        """Add an interval to an estimate; value and error are on the scale of the replicates."""
        if self.interval == "bootstrap":
            return with_percentile_interval(
                found, replicates, confidence=self.confidence, units="clusters", rng=self.rng
            )
        reach = float(norm.ppf((1 + self.confidence) / 2)) * error
        method = f"{found.method}; Wald interval, covariance clustered"
        return replace(found, low=value - reach, high=value + reach, method=method)

    def ranked(self, rank: Estimate, places: IntArray) -> Estimate:
        """Add the ranks between which a player lies in the middle part of the replicates."""
        tails = [(1 - self.confidence) / 2, (1 + self.confidence) / 2]
        low, high = np.quantile(places, tails, method="inverted_cdf")
        method = f"{rank.method}, limits from {len(places)} {self.interval} replicates"
        seed = seed_of(self.rng)
        return replace(rank, low=float(low), high=float(high), seed=seed, method=method)


def _fitted(contest: Contest, names: tuple[object, ...], draws: Draws) -> BradleyTerry:
    players, n = len(names), contest.n
    fit = fit_counts(contest, contest.total[None])
    theta = fit.theta[0]
    order = 1.0 + (theta[None, :players] > theta[:players, None]).sum(axis=1)
    base = replace(
        _without(names, n, ""),
        strengths=tuple(Estimate(float(s), n=n, method=METHOD) for s in theta[:players]),
        ranks=tuple(Estimate(float(r), n=n, method="rank by strength") for r in order),
        tie=_tie(contest, theta),
        n_ties=contest.n_ties,
        n_clusters=contest.counts.shape[0],
        reason=None,
    )
    if base.n_clusters == 1:
        return _unbounded(base, "no interval: there is one cluster, and nothing to compare it with")
    covariance = sandwich(contest, fit)
    drawn = draws.replicates(contest, theta, covariance)
    bounded = [
        draws.bounded(found, drawn[:, i], float(theta[i]), float(np.sqrt(covariance[i, i])))
        for i, found in enumerate([*base.strengths, base.tie][: len(theta)])
    ]
    kept = drawn[~np.isnan(drawn[:, :players]).any(axis=1), :players]
    places = 1 + (kept[:, None, :] > kept[:, :, None]).sum(axis=2)
    if bounded[0].low is None:
        return _unbounded(base, str(bounded[0].reason))
    return replace(
        base,
        strengths=tuple(bounded[:players]),
        tie=_from_log(bounded[-1]) if contest.n_ties else base.tie,
        ranks=tuple(draws.ranked(*pair) for pair in zip(base.ranks, places.T, strict=True)),
        best=tuple(map(float, (places == 1).mean(axis=0))),
        covariance=tuple(tuple(map(float, row)) for row in covariance[:players, :players]),
    )


def _tie(contest: Contest, theta: FloatArray) -> Estimate:
    if contest.n_ties:
        return Estimate(float(np.exp(theta[-1])), n=contest.n, method=f"ν; {METHOD}")
    return Estimate(0.0, n=contest.n, method=METHOD, reason="no interval: there are no ties")


def _from_log(estimate: Estimate) -> Estimate:
    """Return ν with the limits that were found for its logarithm."""
    low, high = estimate.low, estimate.high
    if low is None or high is None:
        return estimate
    return replace(estimate, low=float(np.exp(low)), high=float(np.exp(high)))


def _unbounded(base: BradleyTerry, reason: str) -> BradleyTerry:
    return replace(
        base,
        strengths=tuple(replace(e, reason=reason) for e in base.strengths),
        ranks=tuple(replace(e, reason=reason) for e in base.ranks),
        tie=replace(base.tie, reason=reason),
    )


def _without(names: tuple[object, ...], n: int, reason: str) -> BradleyTerry:
    nothing = undefined(reason, method=METHOD, n=n)
    return BradleyTerry(
        players=names,
        strengths=(nothing,) * len(names),
        ranks=(nothing,) * len(names),
        best=(),
        tie=nothing,
        covariance=(),
        n=n,
        n_ties=0,
        n_clusters=0,
        reason=reason,
    )
