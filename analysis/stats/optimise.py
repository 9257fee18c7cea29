"""Minimise a smooth function of a few parameters, with the Hessian at the minimum."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

FloatArray = npt.NDArray[np.float64]
Objective = Callable[[FloatArray], tuple[float, FloatArray]]

STEP = 3e-4  # of the differences of the gradient; its square is the relative error of the Hessian
MOVED = 2e-4  # the largest move after which a Hessian still holds
CLOSE = 1e-7  # the largest Newton step that is left when an optimum counts as reached
NEAR = 2e-6  # gradient, relative to the value, at which BFGS hands over to Newton steps
RESTART = 0.3  # where a standard deviation starts again
SMALL = 0.05  # standard deviations below this are compared with 0


@dataclass(frozen=True)
class Optimum:
    """A stationary point.

    Parameters
    ----------
    x : (k,) float
    value : float
    hessian : (k, k) float
        Central differences of the analytic gradient.
    converged : bool
        Whether the Hessian is positive definite and the Newton step that is left is below 1e-7
        of the size of the parameters.
    evaluations : int
        Of the function with its gradient.
    """

    x: FloatArray
    value: float
    hessian: FloatArray
    converged: bool
    evaluations: int


def minimise_even(objective: Objective, start: FloatArray, even: Sequence[int]) -> Optimum:
    """Find a minimum of a function that is even in some coordinates: the standard deviations.

    BFGS goes near; Newton steps on the gradient alone then resolve the parameters further than the
    value can. Over signed standard deviations a minimum at 0 is an ordinary interior one. A
    coordinate that comes out small is set to exactly 0 where that is no higher and the function
    rises from there. The optimum has all even coordinates non-negative.
    """
    counted = Counted(objective)
    best = _from(counted, _near(counted, start), even)
    if not best.converged:
        # A coordinate that came close to 0 by chance stays there: 0 is always stationary.
        again = best.x.copy()
        again[[i for i in even if abs(again[i]) < SMALL]] = RESTART
        other = _from(counted, _near(counted, again), even)
        best = other if other.converged else best
    signs = np.ones(len(start))
    signs[list(even)] = np.where(best.x[list(even)] < 0, -1.0, 1.0)
    return replace(
        best,
        x=best.x * signs + 0.0,
        hessian=best.hessian * np.outer(signs, signs),
        evaluations=counted.count,
    )


def _from(objective: Objective, x: FloatArray, even: Sequence[int]) -> Optimum:
    """Polish a point, with small even coordinates at exactly 0 where that is an optimum."""
    small = [i for i in even if abs(x[i]) < SMALL]
    zeros = [z for k in range(len(small), 0, -1) for z in combinations(small, k)]
    found = (_with_zeros(objective, x, chosen) for chosen in zeros)
    return next((o for o in found if o is not None), None) or _polished(objective, x)


@dataclass
class Counted:
    """An objective that counts its calls."""

    objective: Objective
    count: int = 0

    def __call__(self, x: FloatArray) -> tuple[float, FloatArray]:
        """Evaluate."""
        self.count += 1
        return self.objective(x)


def _near(objective: Objective, start: FloatArray) -> FloatArray:
    value, gradient = objective(start)
    scale = 1 / max(1.0, abs(value))
    slopes = [objective(start + h)[1] - gradient for h in STEP * np.eye(len(start))]
    hessian = scale * np.array(slopes) / STEP
    values, vectors = np.linalg.eigh((hessian + hessian.T) / 2)
    # Where the function curves down the size of the curvature still is the right scale.
    inverse = (vectors / np.maximum(np.abs(values), 1e-3 * np.abs(values).max())) @ vectors.T

    def scaled(x: FloatArray) -> tuple[float, FloatArray]:
        value, gradient = objective(x)
        return scale * value, scale * gradient

    options: Any = {"gtol": NEAR, "hess_inv0": (inverse + inverse.T) / 2}
    found: FloatArray = minimize(scaled, start, jac=True, method="BFGS", options=options).x
    return found


def _polished(objective: Objective, x: FloatArray) -> Optimum:
    value, gradient = objective(x)
    if len(x) == 0:
        return Optimum(x, value, np.zeros((0, 0)), converged=True, evaluations=0)
    for _ in range(6):
        hessian = hessian_of(objective, x)
        if np.linalg.eigvalsh(hessian)[0] <= 0:
            return Optimum(x, value, hessian, converged=False, evaluations=0)
        start = x
        for _ in range(4):
            step: FloatArray = np.linalg.solve(hessian, gradient).astype(np.float64)
            if _size(step, x) < CLOSE:
                break
            x = x - step
            value, gradient = objective(x)
        if _size(x - start, x) < MOVED and _size(step, x) < CLOSE:
            return Optimum(x, value, hessian, converged=True, evaluations=0)
    return Optimum(x, value, hessian, converged=False, evaluations=0)


def _size(step: FloatArray, x: FloatArray) -> float:
    return float(np.max(np.abs(step) / (1 + np.abs(x))))


def hessian_of(objective: Objective, x: FloatArray, step: float = STEP) -> FloatArray:
    """Return the symmetric Hessian from central differences of the gradient."""
    rows = []
    for i in range(len(x)):
        h = np.zeros(len(x))
        h[i] = step * (1 + abs(x[i]))
        rows.append((objective(x + h)[1] - objective(x - h)[1]) / (2 * h[i]))
    full: FloatArray = np.array(rows)
    return (full + full.T) / 2


def _with_zeros(objective: Objective, x: FloatArray, zeros: Sequence[int]) -> Optimum | None:
    """Return the optimum with some coordinates at 0, unless the function falls from there."""
    free = np.setdiff1d(np.arange(len(x)), zeros)

    def restricted(part: FloatArray) -> tuple[float, FloatArray]:
        value, gradient = objective(_filled(part, free, len(x)))
        return value, gradient[free]

    here = objective(x)[0]
    found = _polished(restricted, x[free])
    hessian = np.zeros((len(x), len(x)))
    hessian[np.ix_(free, free)] = found.hessian
    for i in zeros:
        # By symmetry the rows of a coordinate at 0 are 0 but for the diagonal.
        step = np.zeros(len(x))
        step[i] = STEP
        rise = objective(_filled(found.x, free, len(x)) + step)[1][i] / STEP
        if rise <= 0:
            return None
        hessian[i, i] = rise
    if found.value > here + 1e-7 * max(1.0, abs(here)):
        return None
    return replace(found, x=_filled(found.x, free, len(x)), hessian=hessian)


def _filled(part: FloatArray, free: npt.NDArray[np.intp], n: int) -> FloatArray:
    full = np.zeros(n)
    full[free] = part
    return full
