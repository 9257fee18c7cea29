"""The kinds of runs there are."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from annotation.models import Study

Report = Callable[[float, str], None]
Analysis = Callable[[Study, Mapping[str, Any], Report], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of run: its title, and where the function stands that does it.

    The function takes the study, the parameters and a way to say how far it is, and returns a strict
    JSON document. It is imported when it is needed: the web server never loads the libraries behind
    it.
    """

    title: str
    module: str
    function: str

    def analysis(self) -> Analysis:
        """Return the function."""
        found: Analysis = getattr(import_module(self.module), self.function)
        return found


MONITOR = "monitor"
KINDS: dict[str, Kind] = {
    MONITOR: Kind("Monitor", "analysis.runs.monitor", "monitor"),
    "human": Kind("Report of the human study", "analysis.runs.human", "human"),
}
# What a researcher asks for; the monitor asks for its own.
REPORTS: tuple[str, ...] = tuple(kind for kind in KINDS if kind != MONITOR)
