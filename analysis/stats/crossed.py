"""Linear algebra of two crossed factors: H = I + ΛZ'WZΛ without ever forming a rows × rows array.

Both mixed models stand on it. Z holds one indicator of each factor in every row, W the weights of
the rows, Λ the standard deviations of the two factors. Within a factor H is diagonal; between them
it has one entry for each observed cell. The larger factor is eliminated by its diagonal, which
leaves a Schur complement on the smaller: dense with a Cholesky factor while that fits, otherwise
touched only through products with vectors (conjugate gradients, and probes for the trace and the
determinant).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse
from scipy.linalg import cho_solve, lapack

from analysis.stats.conjugate import conjugate_gradients, log_quadrature

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

# Up to here the Schur complement and its inverse are dense arrays (two of 200 MB at the limit).
DENSE_LEVELS = 5000
# Up to here a Cholesky factor costs less than conjugate gradients.
FACTOR_LEVELS = 400
# An array levels × levels is used up to the first size, and up to the second if a tenth is filled.
DENSE_AREA = 1 << 16
FILLED_AREA = 1 << 24
# Entries of one gathered block; bounds the memory of `_gathered`.
GATHER = 1 << 22
PROBES = 32


def levels(labels: npt.ArrayLike, name: str) -> tuple[IntArray, int]:
    """Return the codes of the sorted labels and how many there are; a missing label is an error."""
    codes, found = pd.factorize(np.asarray(labels), sort=True)
    if (codes < 0).any():
        message = f"{name} has {int((codes < 0).sum())} missing labels; every row needs one."
        raise ValueError(message)
    return codes.astype(np.int64), len(found)


@dataclass(frozen=True)
class Crossing:
    """Rows folded into the observed cells of two factors, the factor with more levels first.

    Parameters
    ----------
    large, small : (cells,) int
        The two levels of each cell, ordered by `large`.
    n_large, n_small : int
        Levels of each factor.
    cell_of_row : (rows,) int
        The cell of each row.
    swapped : bool
        Whether the larger factor is the one that was given second.
    """

    large: IntArray
    small: IntArray
    n_large: int
    n_small: int
    cell_of_row: IntArray
    swapped: bool

    @classmethod
    def fold(cls, first: tuple[IntArray, int], second: tuple[IntArray, int]) -> Self:
        """Fold rows, given as (codes, number of levels) of both factors, into cells."""
        swapped = first[1] < second[1]
        (large, n_large), (small, n_small) = (second, first) if swapped else (first, second)
        keys, cell_of_row = _distinct(large * n_small + small, n_large * n_small)
        return cls(keys // n_small, keys % n_small, n_large, n_small, cell_of_row, swapped)

    @property
    def n_cells(self) -> int:
        """Observed combinations of levels."""
        return len(self.large)

    def cell_sums(self, values: FloatArray | None = None) -> FloatArray:
        """Return the sum of the values of the rows of each cell, or their number."""
        return np.bincount(self.cell_of_row, values, minlength=self.n_cells).astype(np.float64)

    def level_sums(self, values: FloatArray) -> FloatArray:
        """Return the sums of cell values over the levels, those of the larger factor first."""
        return np.concatenate(
            [
                np.bincount(self.large, values, minlength=self.n_large),
                np.bincount(self.small, values, minlength=self.n_small),
            ]
        )

    def spread(self, effects: FloatArray) -> FloatArray:
        """Return, for each cell, the sum of its two effects."""
        total: FloatArray = effects[self.large] + effects[self.n_large + self.small]
        return total

    def scale(self, deviations: FloatArray) -> FloatArray:
        """Return the diagonal of Λ for the two standard deviations."""
        return np.repeat(deviations, [self.n_large, self.n_small])

    @cached_property
    def is_dense(self) -> bool:
        """Whether an array levels × levels is smaller, or faster, than its sparse form."""
        area = self.n_large * self.n_small
        few, filled = area <= DENSE_AREA, 10 * self.n_cells > area
        return few or (filled and area <= FILLED_AREA)

    @property
    def is_huge(self) -> bool:
        """Whether even the smaller factor is too large for a dense array."""
        return self.n_small > DENSE_LEVELS

    def probes(self, rng: np.random.Generator) -> FloatArray:
        """Return columns of independent signs, one for each level of the smaller factor."""
        return np.where(rng.integers(0, 2, size=(self.n_small, PROBES)) == 1, 1.0, -1.0)

    @cached_property
    def starts(self) -> IntArray:
        """Where the cells of each level of the larger factor start, and the end."""
        return np.searchsorted(self.large, np.arange(self.n_large + 1)).astype(np.int64)

    @cached_property
    def by_length(self) -> list[IntArray]:
        """Cell indices, (levels, cells of each), for the levels that have equally many cells."""
        lengths = np.diff(self.starts)
        return [
            self.starts[:-1][lengths == k][:, None] + np.arange(k) for k in np.unique(lengths) if k
        ]

    @cached_property
    def is_small(self) -> bool:
        """Whether listing all pairs of cells that share a level beats any matrix product."""
        return self.is_dense and int((np.diff(self.starts) ** 2).sum()) <= 1 << 14

    @cached_property
    def partners(self) -> tuple[IntArray, IntArray]:
        """All ordered pairs of cells that share a level of the larger factor."""
        pairs = [np.broadcast_arrays(g[:, :, None], g[:, None, :]) for g in self.by_length]
        first = np.concatenate([a.ravel() for a, _ in pairs])
        return first, np.concatenate([b.ravel() for _, b in pairs])


def _distinct(keys: IntArray, size: int) -> tuple[IntArray, IntArray]:
    if size > 4 * len(keys) + 1000:
        found, codes = np.unique(keys, return_inverse=True)
        return found, codes.astype(np.int64)
    found = np.flatnonzero(np.bincount(keys, minlength=size))
    place = np.zeros(size, dtype=np.int64)
    place[found] = np.arange(len(found))
    return found, place[keys]


@dataclass(frozen=True)
class Inverse:
    """What the two models need of H⁻¹.

    Parameters
    ----------
    log_determinant : float
        Of H.
    diagonal : (levels,) float
        Of H⁻¹, the larger factor first.
    cells : (cells,) float
        The entry of H⁻¹ between the two levels of each observed cell.
    """

    log_determinant: float
    diagonal: FloatArray
    cells: FloatArray


@dataclass(frozen=True)
class System:
    """H for one set of cell weights and standard deviations.

    Parameters
    ----------
    crossing : Crossing
    weights : (cells,) float
        The sum of the weights of the rows of each cell.
    deviations : (2,) float
        Standard deviations, that of the larger factor first.
    """

    crossing: Crossing
    weights: FloatArray
    deviations: FloatArray

    @cached_property
    def diagonal(self) -> FloatArray:
        """Diagonal of H."""
        squares = self.crossing.scale(self.deviations**2)
        return 1.0 + squares * self.crossing.level_sums(self.weights)

    @cached_property
    def off(self) -> FloatArray:
        """Entries of H between the factors, one for each cell."""
        return self.weights * float(self.deviations[0] * self.deviations[1])

    @cached_property
    def between(self) -> "FloatArray | sparse.csr_array":
        """The block of H between the factors, (n_large, n_small): an array or compressed rows."""
        c = self.crossing
        if not c.is_dense:
            return sparse.csr_array((self.off, c.small, c.starts), shape=(c.n_large, c.n_small))
        full = np.zeros((c.n_large, c.n_small))
        full[c.large, c.small] = self.off
        return full

    @cached_property
    def across(self) -> "FloatArray | sparse.csr_array":
        """The same block, transposed, again by rows."""
        return self.between.T.tocsr() if sparse.issparse(self.between) else self.between.T

    @cached_property
    def factor(self) -> FloatArray:
        """Lower Cholesky factor of the dense Schur complement, zero above the diagonal."""
        large, small = self.halves(self.diagonal)
        product = self._eliminated(large)
        np.negative(product, out=product)
        product[np.diag_indices_from(product)] += small
        # The transposed view is in Fortran order, so that LAPACK works in place.
        lower: FloatArray = lapack.dpotrf(product.T, lower=1, clean=1, overwrite_a=1)[0]
        return lower

    def _eliminated(self, large: FloatArray) -> FloatArray:
        if self.crossing.is_small:
            (i, j), n = self.crossing.partners, self.crossing.n_small
            products = self.off[i] * self.off[j] / large[self.crossing.large[i]]
            place = self.crossing.small[i] * n + self.crossing.small[j]
            summed = np.bincount(place, products, minlength=n * n).astype(np.float64)
            return summed.reshape(n, n)
        if sparse.issparse(self.between):
            scaled = sparse.diags_array(1.0 / large) @ self.between
            full: FloatArray = (self.across @ scaled).toarray()
            return full
        product: FloatArray = self.across @ (self.between / large[:, None])
        return product

    def halves(self, stacked: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Split by factor."""
        return stacked[: self.crossing.n_large], stacked[self.crossing.n_large :]

    def solve(self, right: FloatArray) -> FloatArray:
        """Return H⁻¹ times columns, (levels, k)."""
        large, small = self.halves(right)
        pivot, scale = self.halves(self.diagonal)
        rest = small - self.across @ (large / pivot[:, None])
        if self.crossing.n_small <= FACTOR_LEVELS:
            below = cho_solve((self.factor, True), rest, check_finite=False)
        else:
            below = conjugate_gradients(self.complement, scale, rest).x
        return np.concatenate([(large - self.between @ below) / pivot[:, None], below])

    def complement(self, columns: FloatArray) -> FloatArray:
        """Return the Schur complement times columns, (n_small, k), without forming it."""
        large, small = self.halves(self.diagonal)
        inner = (self.between @ columns) / large[:, None]
        product: FloatArray = small[:, None] * columns - self.across @ inner
        return product

    def inverse(self, probes: FloatArray | None = None) -> Inverse:
        """Return determinant, diagonal and cell entries; estimated where probes are given.

        Parameters
        ----------
        probes : (n_small, k) float, optional
            Columns of independent signs ±1. The estimates are unbiased; the error of a sum over
            cells falls with the square root of k.
        """
        return self._exact() if probes is None else self._estimated(probes)

    def reach(self, inverse: Inverse) -> FloatArray:
        """Return (2, cells): the row of a cell in ZΛ, times H⁻¹, at its two levels.

        Times the weights and summed it is half the gradient of log det H in the two deviations.
        """
        c, (large, small) = self.crossing, self.deviations
        of_large, of_small = self.halves(inverse.diagonal)
        return np.array(
            [
                large * of_large[c.large] + small * inverse.cells,
                small * of_small[c.small] + large * inverse.cells,
            ]
        )

    def _exact(self) -> Inverse:
        lower = lapack.dpotri(self.factor, lower=1)[0]
        diagonal = np.diag(lower).copy()
        schur = lower + lower.T
        schur[np.diag_indices_from(schur)] = diagonal
        determinant = 2 * float(np.log(np.diag(self.factor)).sum())
        return self._assembled(determinant, diagonal, self._products(schur))

    def _products(self, schur: FloatArray) -> FloatArray:
        """Return (block · S⁻¹) at the observed cells."""
        c = self.crossing
        if c.is_small:
            i, j = c.partners
            products = self.off[j] * schur[c.small[i], c.small[j]]
            return np.bincount(i, products, minlength=c.n_cells).astype(np.float64)
        if sparse.issparse(self.between):
            return self._gathered(schur)
        return (self.between @ schur)[c.large, c.small]

    def _gathered(self, schur: FloatArray) -> FloatArray:
        """Return the same, level by level of the larger factor, in blocks of bounded size."""
        out = np.empty(self.crossing.n_cells)
        for group in self.crossing.by_length:
            chunk = max(1, GATHER // group.shape[1] ** 2)
            for start in range(0, len(group), chunk):
                cells = group[start : start + chunk]
                columns = self.crossing.small[cells]
                entries = schur[columns[:, :, None], columns[:, None, :]]
                out[cells] = np.einsum("mij,mj->mi", entries, self.off[cells])
        return out

    def _estimated(self, probes: FloatArray) -> Inverse:
        # S⁻¹ = D⁻¹ + R: only R is estimated, from solutions for D^½ times the signs.
        scale = self.halves(self.diagonal)[1]
        root = np.sqrt(scale)[:, None]
        solution = conjugate_gradients(self.complement, scale, root * probes, tolerance=1e-8)
        signs, rest = probes / root, solution.x - probes / root
        k, c = probes.shape[1], self.crossing
        through = self.between @ rest
        cells = self.off / scale[c.small]
        for j in range(k):
            cells += through[c.large, j] * signs[c.small, j] / k
        quadrature = np.mean([log_quadrature(solution, j) for j in range(k)])
        determinant = float(np.log(scale).sum() + c.n_small * quadrature)
        return self._assembled(determinant, 1 / scale + (rest * signs).mean(axis=1), cells)

    def _assembled(self, determinant: float, small: FloatArray, products: FloatArray) -> Inverse:
        pivot = self.halves(self.diagonal)[0]
        large_of_cell = self.crossing.large
        cells = -products / pivot[large_of_cell]
        inner = np.bincount(large_of_cell, self.off * cells, minlength=self.crossing.n_large)
        diagonal = np.concatenate([(1 - inner) / pivot, small])
        return Inverse(determinant + float(np.log(pivot).sum()), diagonal, cells)
