"""Names beside points, where they cover neither a point nor each other."""

from collections.abc import Sequence
from itertools import product

from matplotlib.axes import Axes

SIZE = 8
# Rough room of a letter and of a point, in points of type.
LETTER, POINT = 0.62 * SIZE, 4.0
NEAR, FAR = 5.0, (5.0, 13.0, 22.0, 32.0)
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
Box = tuple[float, float, float, float]


def label_points(axes: Axes, points: Sequence[tuple[float, float, str]]) -> None:
    """Write each name beside its point (x, y, name); one that stands farther off gets a thin line.

    Room is looked for in order, so that the same points give the same figure; limits of the axes must
    stand.
    """
    scale = 72 / axes.figure.dpi
    spots = [tuple(axes.transData.transform((x, y)) * scale) for x, y, _ in points]
    taken: list[Box] = [(x - POINT, y - POINT, x + POINT, y + POINT) for x, y in spots]
    room = axes.get_window_extent()
    inside: Box = tuple(edge * scale for edge in (room.x0, room.y0, room.x1, room.y1))
    for (x, y, name), (left, low) in zip(points, spots, strict=True):
        offsets = [(far * dx, far * dy) for far, (dx, dy) in product(FAR, SIDES)]
        boxes = {offset: _box(left, low, name, offset) for offset in offsets}
        best = min(offsets, key=lambda offset: _covered(boxes[offset], taken, inside))
        taken.append(boxes[best])
        line = {"arrowstyle": "-", "color": "#8a8f94", "linewidth": 0.6}
        axes.annotate(
            name, (x, y), best, textcoords="offset points", fontsize=SIZE,
            ha={-1: "right", 0: "center", 1: "left"}[_sign(best[0])],
            va={-1: "top", 0: "center", 1: "bottom"}[_sign(best[1])],
            arrowprops=line if max(map(abs, best)) > NEAR else None,
        )  # fmt: skip


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def _box(left: float, low: float, name: str, offset: tuple[float, float]) -> Box:
    width, height = LETTER * len(name), float(SIZE)
    x = left + offset[0] - width * (1 - _sign(offset[0])) / 2
    y = low + offset[1] - height * (1 - _sign(offset[1])) / 2
    return x, y, x + width, y + height


def _covered(box: Box, taken: Sequence[Box], inside: Box) -> float:
    """Return the area that a box shares with others, and what of it lies outside the axes."""
    own = (box[2] - box[0]) * (box[3] - box[1])
    return sum(_shared(box, other) for other in taken) + own - _shared(box, inside)


def _shared(one: Box, other: Box) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(width, 0.0) * max(height, 0.0)
