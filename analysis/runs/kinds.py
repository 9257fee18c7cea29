"""The kinds of runs there are."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

Report = Callable[[float, str], None]
# Of a study: the study, the parameters, a way to say how far it is. Over files: the run, and that way.
Analysis = Callable[..., dict[str, Any]]
# The parameters of the run, those of one of its parts, a way to say how far that is.
PartOf = Callable[[Mapping[str, Any], Mapping[str, Any], Report], bytes]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of run: its title, and where the functions stand that do it, or a part of its input.

    The first returns a strict JSON document, the second bytes. They are imported when they are
    needed: the web server never loads the libraries behind them.
    """

    title: str
    module: str
    function: str
    part_function: str = ""

    def analysis(self) -> Analysis:
        """Return the function."""
        found: Analysis = getattr(import_module(self.module), self.function)
        return found

    def part(self) -> PartOf:
        """Return the function that does one part of a sharded run."""
        found: PartOf = getattr(import_module(self.module), self.part_function)
        return found


MONITOR = "monitor"
CLCG = "clcg"
TRACE = "trace"
TRACE_PAIRS = "trace_pairs"
RELEASE = "release"
KINDS: dict[str, Kind] = {
    MONITOR: Kind("Monitor", "analysis.runs.monitor", "monitor"),
    "human": Kind("Report of the human study", "analysis.runs.human", "human"),
    CLCG: Kind("The cross-lingual gap", "analysis.runs.clcg", "clcg", "clcg_part"),
    TRACE: Kind("Traces across languages", "analysis.runs.trace", "trace", "trace_part"),
    TRACE_PAIRS: Kind("Pairs of traces, step by step", "analysis.runs.trace_pairs", "trace_pairs"),
    RELEASE: Kind("Release", "analysis.runs.release", "release"),
}
# What a researcher asks for of a study; the monitor, the pages of traces and of releases ask for their own.
NO_REPORTS = frozenset({MONITOR, CLCG, TRACE, TRACE_PAIRS, RELEASE})
REPORTS: tuple[str, ...] = tuple(kind for kind in KINDS if kind not in NO_REPORTS)
