"""The Laplace deviance of a logistic model with two crossed random intercepts, and its gradient."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from scipy.special import expit
from scipy.stats import norm

from analysis.stats.crossed import Crossing, Inverse, System

FloatArray = npt.NDArray[np.float64]

SEARCHES = 100  # Newton steps for one mode; ten are many
SETTLED = 1e-10  # squared distance to the mode in the norm of H
SHORTEST = 1e-6  # part of a Newton step below which halving stops


@dataclass
class LaplaceDeviance:
    """-2 log marginal likelihood of (intercept, two standard deviations), as lme4 with nAGQ = 1.

    With η = β + ZΛu and u standard normal, the mode û of the joint density is found by penalised
    iteratively reweighted least squares, and

        F(β, σ) = -2 log p(y | û) + û'û + log det H,    H = I + ΛZ'WZΛ.

    The gradient is analytic: the explicit part, and the part that runs through W at û, by one more
    solve with H (the adjoint).

    Parameters
    ----------
    crossing : Crossing
    trials, successes : (cells,) float
        Judgments and ones of each cell.
    probes : (n_small, k) float or None
        Signs that estimate the determinant and H⁻¹ where a dense array would be too large.
    mode : (levels,) float
        The last mode, from which the next search starts.
    """

    crossing: Crossing
    trials: FloatArray
    successes: FloatArray
    probes: FloatArray | None = None
    mode: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        """Start from effects of zero."""
        self.mode = np.zeros(self.crossing.n_large + self.crossing.n_small)

    def __call__(self, x: FloatArray) -> tuple[float, FloatArray]:
        """Return value and gradient at (β, σ of the larger factor, σ of the smaller one)."""
        system, mean = self._search(x)
        inverse = system.inverse(self.probes)
        value = 2 * self._penalised(x, self.mode) + inverse.log_determinant
        return value, self._gradient(system, mean, inverse)

    def _predictor(self, x: FloatArray, mode: FloatArray) -> FloatArray:
        eta: FloatArray = x[0] + self.crossing.spread(self.crossing.scale(x[1:]) * mode)
        return eta

    def _penalised(self, x: FloatArray, mode: FloatArray) -> float:
        eta = self._predictor(x, mode)
        fit = self.successes @ eta - self.trials @ np.logaddexp(0, eta)
        return float(mode @ mode / 2 - fit)

    def _search(self, x: FloatArray) -> tuple[System, FloatArray]:
        """Move the mode to its place for x; return H and the fitted means there."""
        scale = self.crossing.scale(x[1:])
        value, settled = self._penalised(x, self.mode), False
        for _ in range(SEARCHES):
            mean = expit(self._predictor(x, self.mode))
            system = System(self.crossing, self.trials * mean * (1 - mean), x[1:])
            if settled:
                break
            residual = self.successes - self.trials * mean
            gradient = scale * self.crossing.level_sums(residual) - self.mode
            step = system.solve(gradient[:, None])[:, 0]
            # Newton's method squares the error: this step, still taken, is the last that matters.
            settled = float(step @ gradient) < SETTLED
            value = self._move(x, step, value)
        return system, mean

    def _move(self, x: FloatArray, step: FloatArray, value: float) -> float:
        length = 1.0
        while length > SHORTEST:
            moved = self.mode + length * step
            new = self._penalised(x, moved)
            if new <= value + 1e-12 * (1 + abs(value)):
                break
            length /= 2
        self.mode = moved
        return new

    def _gradient(self, system: System, mean: FloatArray, inverse: Inverse) -> FloatArray:
        crossing = self.crossing
        reach = system.reach(inverse)
        leverage = system.deviations @ reach
        weights = system.weights
        pull = leverage * weights * (1 - 2 * mean)
        scale = crossing.scale(system.deviations)
        adjoint = system.solve((scale * crossing.level_sums(pull))[:, None])[:, 0]
        bend = pull - weights * crossing.spread(scale * adjoint)
        residual = self.successes - self.trials * mean
        own = 2 * (reach @ weights)
        effects = self.mode * (crossing.level_sums(bend) - 2 * crossing.level_sums(residual))
        effects += adjoint * crossing.level_sums(residual)
        through = [float(half.sum()) for half in system.halves(effects)]
        return np.array([bend.sum() - 2 * residual.sum(), own[0] + through[0], own[1] + through[1]])


def averaged_probability(intercept: float, deviations: FloatArray) -> tuple[float, FloatArray]:
    """Return E[expit(β + ΣσZ)] over standard normal Z, and its gradient in (β, σ…).

    Parameters
    ----------
    intercept : float
        β, in log odds.
    deviations : (k,) float
        Standard deviations of independent normal effects.

    Notes
    -----
    The trapezoidal rule converges exponentially for a smooth integrand that vanishes at both ends.

    Examples
    --------
    >>> mean, slope = averaged_probability(1.0, np.array([0.0, 2.0]))
    >>> round(mean, 4)
    0.6477
    """
    nodes = np.linspace(-9, 9, 2001)
    weights = norm.pdf(nodes)
    weights /= weights.sum()
    total = float(np.linalg.norm(deviations))
    p = expit(intercept + total * nodes)
    flat = weights * p * (1 - p)
    direction = deviations / total if total > 0 else np.zeros(len(deviations))
    return float(weights @ p), np.concatenate([[flat.sum()], (flat @ nodes) * direction])
