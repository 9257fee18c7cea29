"""How a bench measures: CPU and wall seconds of a piece of work, as ratios within one process."""

import resource
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from django.db import connection

FORGET_PEAK = Path("/proc/self/clear_refs")


@dataclass(frozen=True)
class Limit:
    """A bound that is claimed for a measured number, and whether it holds here.

    Parameters
    ----------
    what : str
        What the number counts, with its unit: "CPU-s", "MiB", "x dense Adam".
    found, bound : float
    at_least : bool
        Whether the bound is the least that is claimed; otherwise it is the most that is allowed.
    """

    what: str
    found: float
    bound: float
    at_least: bool = False

    @property
    def holds(self) -> bool:
        """Whether the number keeps to its bound."""
        return self.found >= self.bound if self.at_least else self.found <= self.bound

    @property
    def words(self) -> str:
        """Return number, bound and verdict as a reader sees them."""
        side = "at least" if self.at_least else "at most"
        verdict = "holds" if self.holds else "DOES NOT HOLD"
        found = f"{self.found:,.0f}" if self.found >= 100 else f"{self.found:.3g}"  # noqa: PLR2004
        return f"{found} {self.what}, {side} {self.bound:,g}: {verdict}"

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        side = "at_least" if self.at_least else "at_most"
        return {"what": self.what, "found": self.found, side: self.bound, "holds": self.holds}


@dataclass(frozen=True)
class Row:
    """One measured piece of work.

    Parameters
    ----------
    name : str
        What was done, with its size in words.
    n : int
        Observations that went in.
    cpu_seconds, wall_seconds : float
        Of the fastest of the repeats; CPU of all threads of the process.
    per : dict
        CPU seconds for one unit of work, by the name of the unit.
    against : tuple of (str, float) or None
        A slower or required way of doing the same, and how many times its CPU seconds this is.
        Machines differ; a ratio within one process differs less.
    peak_mib : float or None
        The most memory that the process has held so far, where it matters.
    limits : tuple of Limit
        What is claimed of this row, each with its verdict.
    """

    name: str
    n: int
    cpu_seconds: float
    wall_seconds: float
    per: Mapping[str, float] = field(default_factory=dict)
    against: tuple[str, float] | None = None
    peak_mib: float | None = None
    limits: tuple[Limit, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        against = self.against and {"name": self.against[0], "ratio": self.against[1]}
        return {
            "name": self.name,
            "n": self.n,
            "cpu_seconds": self.cpu_seconds,
            "wall_seconds": self.wall_seconds,
            "per": dict(self.per),
            "against": against,
            "limits": [limit.as_dict() for limit in self.limits],
        } | ({} if self.peak_mib is None else {"peak_mib": self.peak_mib})


def seconds(work: Callable[[], object], *, repeats: int = 1) -> tuple[float, float]:
    """Return the CPU and the wall seconds of the fastest of some runs."""
    best = (float("inf"), float("inf"))
    for _ in range(repeats):
        cpu, wall = time.process_time(), time.perf_counter()
        work()
        best = min(best, (time.process_time() - cpu, time.perf_counter() - wall))
    return best


def peak_bytes(used: resource.struct_rusage) -> int:
    """Return the bytes that a process held at most, of what the system tells of its use."""
    # Linux counts KiB, macOS bytes.
    return used.ru_maxrss * (1 if sys.platform == "darwin" else 2**10)


def peak_mib() -> float:
    """Return the MiB that this process has held at most so far."""
    return peak_bytes(resource.getrusage(resource.RUSAGE_SELF)) / 2**20


def peak_forget() -> None:
    """Count no more what was held until now, where the system can forget it.

    The pages of the database's file are among it, which go with the connection.
    """
    connection.close()
    with suppress(OSError):
        FORGET_PEAK.write_text("5")


def measure(
    name: str,
    n: int,
    work: Callable[[], object],
    *,
    units: Mapping[str, int] | None = None,
    against: tuple[str, float] | None = None,
    repeats: int = 1,
    peak: bool = False,
    cpu_limit: float | None = None,
) -> Row:
    """Run the work and return its row.

    `units` counts the units of work by name (`{"replicate": 2000}`); `against` names another way
    of doing the same and gives its CPU seconds; `cpu_limit` are those that the work may take.
    """
    cpu, wall = seconds(work, repeats=repeats)
    per = {unit: cpu / count for unit, count in (units or {}).items()}
    ratio = against and (against[0], against[1] / max(cpu, 1e-9))
    held = peak_mib() if peak else None
    limits = () if cpu_limit is None else (Limit("CPU-s", cpu, cpu_limit),)
    return Row(name, n, cpu, wall, per, ratio, held, limits)
