"""A bench that takes no time."""

from analysis.benches.measure import Row


def rows() -> list[Row]:
    """Return one row."""
    return [Row(name="nothing", n=0, cpu_seconds=0.0, wall_seconds=0.0)]
