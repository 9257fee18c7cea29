"""Where two traces meet, as something to draw: the same in a file and on a page of the site."""

from collections.abc import Sequence
from dataclasses import dataclass

LEVELS = 10
LINE_FROM = 0.2
ROW, TOP = 46, 24
LEFT, RIGHT = 12, 88

Matrix = Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Line:
    """A line between two steps that resemble each other, the stronger the thicker and darker."""

    y1: int
    y2: int
    width: str
    opacity: str


@dataclass(frozen=True, slots=True)
class Dot:
    """The place of one step beside the lines."""

    x: int
    y: int
    number: int


@dataclass(frozen=True, slots=True)
class Meeting:
    """Which step of the other trace meets one best; `level` is its shade, from 0 to 9."""

    step: int
    value: float

    @property
    def level(self) -> int:
        """The shade of it."""
        return level(self.value)

    @property
    def words(self) -> str:
        """Say it."""
        if self.value <= 0:
            return "met by no step"
        return f"met best by step {self.step}: {self.value:.2f}"


def meetings(matrix: Matrix) -> list[Meeting]:
    """Return, for each row, the column that meets it best; of equals the first.

    Examples
    --------
    >>> [one.words for one in meetings([[0.1, 0.8], [0.0, 0.0]])]
    ['met best by step 2: 0.80', 'met by no step']
    """
    best = [max(range(len(row)), key=row.__getitem__) for row in matrix]
    return [Meeting(j + 1, float(row[j])) for row, j in zip(matrix, best, strict=True)]


def turned(matrix: Matrix) -> list[list[float]]:
    """Return the matrix as the other trace sees it."""
    return [list(column) for column in zip(*matrix, strict=True)]


def lines(matrix: Matrix) -> list[Line]:
    """Return a line for every step pair above a fifth."""
    return [
        Line(TOP + ROW * i, TOP + ROW * j, f"{1 + 4 * value:.1f}", f"{value**2:.2f}")
        for i, row in enumerate(matrix)
        for j, value in enumerate(row)
        if value >= LINE_FROM
    ]


def dots(matrix: Matrix) -> list[Dot]:
    """Return the places of all steps, those of the rows on the left."""
    sides = ((LEFT, len(matrix)), (RIGHT, len(matrix[0])))
    return [Dot(x, TOP + ROW * k, k + 1) for x, size in sides for k in range(size)]


def height(matrix: Matrix) -> int:
    """Return how high the drawing is."""
    return TOP + ROW * max(len(matrix), len(matrix[0]))


def level(value: float) -> int:
    """Return the shade of a similarity, from 0 to 9."""
    return min(LEVELS - 1, int(value * LEVELS))
