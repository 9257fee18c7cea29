"""The numbers behind the monitor: the last ones there are, and when new ones are due."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from analysis.runs.kinds import MONITOR
from analysis.runs.models import AnalysisRun
from analysis.runs.queue import run_ask, runs_forget
from annotation.models import Study

# New numbers at most this often, and never so often that computing them takes a fifth of the time.
EVERY = timedelta(seconds=20)
REST = 4
KEPT = 5

State = AnalysisRun.State


@dataclass(frozen=True, slots=True)
class Watch:
    """The last finished run, the last one of all, and how the two stand."""

    done: AnalysisRun | None
    last: AnalysisRun | None

    @property
    def waiting(self) -> bool:
        """Whether new numbers are on their way."""
        return self.last is not None and not self.last.ended

    def due(self, now: datetime) -> bool:
        """Whether new numbers should be asked for."""
        if self.last is None:
            return True
        took = self.done.result.get("took", 0.0) if self.done and self.done.result else 0.0
        rest = max(EVERY, REST * timedelta(seconds=took))
        return not self.waiting and now - self.last.asked_at >= rest


def watch(study: Study, kind: str = MONITOR) -> Watch:
    """Return how the numbers of a study stand, in two queries."""
    runs = AnalysisRun.objects.filter(study=study, kind=kind).order_by("-asked_at", "-pk")
    return Watch(runs.filter(state=State.DONE).first(), runs.defer("result").first())


def monitor_ask(study: Study, *, author: str, now: datetime) -> Watch:
    """Ask for new numbers if they are due; return how things stand."""
    found = watch(study)
    if not found.due(now):
        return found
    run = run_ask(study, MONITOR, {}, input_sha256="", author=author, now=now)
    runs_forget(study, MONITOR, keep=KEPT)
    return Watch(found.done, run)
