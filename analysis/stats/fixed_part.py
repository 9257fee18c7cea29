"""The fixed part of a linear mixed model, and entries that stand for several rows."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.stats.crossed import Crossing
from analysis.stats.reml import CrossProducts

FloatArray = npt.NDArray[np.float64]

# A column whose part that the others do not explain is below this, relative, is one of theirs.
COLLINEAR = 1e-10


@dataclass(frozen=True)
class Grouped:
    """What entries that stand for several rows keep of them.

    Parameters
    ----------
    rows : (entries,) float
        Rows of each entry, at least 1.
    within : float
        Sum of squares of all rows about the means of their entries.
    """

    rows: FloatArray
    within: float = 0.0

    def __post_init__(self) -> None:
        """Refuse entries that stand for nothing."""
        if not (self.rows >= 1).all() or not self.within >= 0:
            message = "every entry stands for at least one row, and squares are not negative."
            raise ValueError(message)

    @property
    def n(self) -> int:
        """Rows of all entries."""
        return int(self.rows.sum())


@dataclass(frozen=True)
class Basis:
    """The fixed part, X = QR with orthonormal Q, and the response split by it.

    Entries that stand for several rows enter with the square root of their number.

    Parameters
    ----------
    columns : (n, p) float
        Q.
    triangle : (p, p) float
        R.
    projection : (p,) float
        Q'y.
    rest : (n,) float
        y - QQ'y.
    """

    columns: FloatArray
    triangle: FloatArray
    projection: FloatArray
    rest: FloatArray

    @classmethod
    def of(cls, y: FloatArray, X: FloatArray) -> "Basis":
        """Split; columns are scaled first, so that units do not decide what is collinear."""
        lengths = np.linalg.norm(X, axis=0)
        columns, triangle = np.linalg.qr(X / np.where(lengths > 0, lengths, 1))
        projection = columns.T @ y
        rest = y - columns @ projection
        rest -= columns @ (columns.T @ rest)
        return cls(columns, triangle * np.where(lengths > 0, lengths, 1), projection, rest)

    def weak(self) -> int | None:
        """Return the first column that the ones before it make up."""
        share = np.abs(np.diag(self.triangle)) / np.linalg.norm(self.triangle, axis=0).clip(1e-300)
        found = np.flatnonzero(share < COLLINEAR)
        return int(found[0]) if found.size else None

    def products(self, crossing: Crossing, stands: Grouped) -> CrossProducts:
        """Return what the criterion needs of the rows."""
        root = np.sqrt(stands.rows)
        split = [root * column for column in (*self.columns.T, self.rest)]
        by_level = np.array([crossing.level_sums(crossing.cell_sums(c)) for c in split]).T
        log_scale = 2 * float(np.log(np.abs(np.diag(self.triangle))).sum())
        squares, p = float(self.rest @ self.rest) + stands.within, self.columns.shape[1]
        counts = crossing.cell_sums(stands.rows)
        return CrossProducts(crossing, counts, by_level, squares, log_scale, stands.n, p)
