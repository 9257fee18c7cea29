"""The REML criterion of a linear model with two crossed random intercepts, and its gradient."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.stats.crossed import Crossing, System

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class CrossProducts:
    """What the criterion needs of the rows: an orthonormal fixed part Q and the residual e.

    Parameters
    ----------
    crossing : Crossing
    counts : (cells,) float
        Rows of each cell.
    by_level : (levels, p + 1) float
        Z'[Q, e].
    squares : float
        e'e.
    log_scale : float
        log det X'X.
    n, p : int
    """

    crossing: Crossing
    counts: FloatArray
    by_level: FloatArray
    squares: float
    log_scale: float
    n: int
    p: int

    def __call__(self, deviations: FloatArray) -> tuple[float, FloatArray]:
        """Return the criterion and its gradient at two relative standard deviations."""
        profile = Profile.at(self, deviations)
        degrees = self.n - self.p
        determinant = np.linalg.slogdet(profile.weighted)[1] + self.log_scale
        spread = np.log(2 * np.pi * profile.squares / degrees)
        value = profile.log_determinant + determinant + degrees * (1 + spread)
        return float(value), self._gradient(profile, deviations)

    def _gradient(self, profile: "Profile", deviations: FloatArray) -> FloatArray:
        # Z'V⁻¹[Q, e] = B - Z'Z Λ s, which stays exact where a deviation is 0.
        scaled = self.crossing.scale(deviations)[:, None] * profile.solved
        through = [
            self.crossing.level_sums(self.counts * self.crossing.spread(column))
            for column in scaled.T
        ]
        projected = self.by_level - np.array(through).T
        fixed, residual = projected[:, :-1], projected[:, -1] - projected[:, :-1] @ profile.fixed
        explained = np.einsum("ij,ij->i", fixed @ np.linalg.inv(profile.weighted), fixed)
        loss = explained + (self.n - self.p) * residual**2 / profile.squares
        cut = self.crossing.n_large
        lost = np.array([loss[:cut].sum(), loss[cut:].sum()])
        gradient: FloatArray = profile.slope - 2 * deviations * lost
        return gradient


@dataclass(frozen=True)
class Profile:
    """Coefficients and residual for given relative standard deviations.

    Parameters
    ----------
    fixed : (p,) float
        Generalised least squares coefficients of Q.
    weighted : (p, p) float
        Q'V⁻¹Q.
    squares : float
        r², the generalised residual sum of squares.
    solved : (levels, p + 1) float
        H⁻¹ΛZ'[Q, e].
    log_determinant : float
        log det V.
    slope : (2,) float
        Gradient of log det V.
    """

    fixed: FloatArray
    weighted: FloatArray
    squares: float
    solved: FloatArray
    log_determinant: float
    slope: FloatArray

    @classmethod
    def at(cls, products: CrossProducts, deviations: FloatArray) -> "Profile":
        """Profile out coefficients and residual variance."""
        system = System(products.crossing, products.counts, deviations)
        inverse = system.inverse()
        scaled = products.crossing.scale(deviations)[:, None] * products.by_level
        solved = system.solve(scaled)
        p = products.p
        taken = scaled.T @ solved
        weighted = np.eye(p) - taken[:p, :p]
        fixed: FloatArray = np.linalg.solve(weighted, -taken[:p, p]).astype(np.float64)
        squares = products.squares - float(taken[p, p] - taken[:p, p] @ fixed)
        slope = 2 * (system.reach(inverse) @ products.counts)
        return cls(fixed, weighted, squares, solved, inverse.log_determinant, slope)
