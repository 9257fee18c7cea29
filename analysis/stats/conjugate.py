"""Conjugate gradients on several right-hand sides, and the determinant that they give on the way."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.linalg import eigh_tridiagonal

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Solution:
    """The solution and the path to it.

    Parameters
    ----------
    x : (n, k) float
    steps, ratios : (iterations, k) float
        Step length α and ratio β of each iteration; the Lanczos matrix is made of them.
    """

    x: FloatArray
    steps: FloatArray
    ratios: FloatArray


def conjugate_gradients(
    apply: Callable[[FloatArray], FloatArray],
    diagonal: FloatArray,
    right: FloatArray,
    *,
    tolerance: float = 1e-10,
    limit: int = 2000,
) -> Solution:
    """Solve a positive definite system for each column, preconditioned by a diagonal.

    Parameters
    ----------
    apply : callable
        Takes (n, k) columns and returns the matrix times them.
    diagonal : (n,) float
        The preconditioner.
    right : (n, k) float
    tolerance : float
        Of the residual in the norm of the preconditioner, relative to the right-hand side.

    Notes
    -----
    Source: Golub and Van Loan, *Matrix Computations*, 4th ed., section 11.5.
    """
    scale = diagonal[:, None]
    x, residual = np.zeros_like(right), right.copy()
    direction = residual / scale
    size = np.einsum("ij,ij->j", residual, direction)
    enough = size * tolerance**2
    steps: list[FloatArray] = []
    ratios: list[FloatArray] = []
    while (size > enough).any() and len(steps) < limit:
        image = apply(direction)
        step = _divide(size, np.einsum("ij,ij->j", direction, image))
        x += step * direction
        residual -= step * image
        ready = residual / scale
        before, size = size, np.einsum("ij,ij->j", residual, ready)
        ratio = _divide(size, before)
        direction = ready + ratio * direction
        steps.append(step)
        ratios.append(ratio)
    return Solution(x, np.array(steps), np.array(ratios))


def _divide(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    # A column that is solved exactly (residual 0) stays where it is.
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


def log_quadrature(solution: Solution, column: int) -> float:
    """Return v' log(A) v / v'v for the start vector v of one column.

    A is the preconditioned matrix; its Lanczos matrix is read off the coefficients of conjugate
    gradients, and Gauss quadrature is exact for polynomials up to twice its size.

    Notes
    -----
    Source: Ubaru, Chen and Saad (2017), fast estimation of tr(f(A)) via stochastic Lanczos
    quadrature, SIAM J. Matrix Anal. Appl. 38(4).
    """
    step = solution.steps[:, column]
    used = int(np.argmax(step == 0)) if (step == 0).any() else len(step)
    step, ratio = step[:used], solution.ratios[:used, column]
    middle = 1 / step
    middle[1:] += ratio[:-1] / step[:-1]
    values, vectors = eigh_tridiagonal(middle, np.sqrt(ratio[:-1]) / step[:-1])
    return float(vectors[0] ** 2 @ np.log(values))
