"""The kind of run behind the monitor: one pass over all answers, and what it shows of them."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from statistics import median
from typing import Any

import numpy as np
from django.utils import timezone

from analysis.pipelines.monitor.agreement import agreement_so_far
from analysis.pipelines.monitor.observed import Gathered, LeftOut, Observed
from analysis.pipelines.monitor.unusual import Unusual, unusual
from analysis.runs.kinds import Report
from analysis.stats.coincidence import Level
from analysis.stats.proportions import wilson
from annotation.exports.reading import file_not_mapped
from annotation.models import Annotator, Claim, Study
from annotation.quality.funnel import Funnel
from annotation.quality.records import AnnotatorRecord
from annotation.selectors.collected import AnswerKind, Collected, collected, hour_of
from annotation.selectors.judgments import Checks, standing_exclusions
from annotation.selectors.progress import study_progress
from annotation.selectors.quality import study_funnel
from annotation.selectors.studies import study_definition
from annotation.studyfile.definition import StudyDefinition, TaskDefinition
from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.instrument import Dimension, Scale

HOURS = 24
LISTED = 50
THRESHOLD = 0.67
# Choices of several count as whole sets; what is typed has no level.
LEVELS: Mapping[Scale, Level] = {
    Scale.NOMINAL: "nominal",
    Scale.ORDINAL: "ordinal",
    Scale.INTERVAL: "interval",
    Scale.MULTIPLE: "nominal",
}
HASTY = "hasty", "faster_than_seconds"


@dataclass
class Pass:
    """What one pass over the answers leaves behind."""

    observed: Observed = field(default_factory=Observed)
    dimensions: dict[tuple[str, str], Gathered] = field(default_factory=dict)
    checks: dict[int, Checks] = field(default_factory=dict)
    by_hour: Counter[datetime] = field(default_factory=Counter)

    def take(self, some: Collected) -> None:
        """Take answers in; what came late, or of an unfinished form, is for funnel and hours alone."""
        self.checks.update(some.checks)
        for hour, count in Counter(some.hours).items():
            self.by_hour[hour_of(hour)] += count
        counts = np.array(some.finished, dtype=np.bool_)
        keys = np.array([some.answers, some.items, some.people], dtype=np.int64)[:, counts]
        kind = np.array(some.kind, dtype=np.intp)[counts]
        seconds = np.array(some.seconds, dtype=np.float64)[counts]
        contradictions = np.array([one.contradictions for one in some.kinds], dtype=np.int64)
        self.observed.add(keys, seconds, contradictions[kind])
        for (task, dimension), gathered in self.dimensions.items():
            gathered.add(keys, kind, [_value(one, task, dimension) for one in some.kinds])


def _value(kind: AnswerKind, task: str, dimension: str) -> str | float | None:
    """Return what answers of a kind say on a dimension."""
    rows = kind.rows if kind.task == task else ()
    return next((row.value for row in rows if row.dimension == dimension), None)


@file_not_mapped()
def monitor(
    study: Study,
    parameters: Mapping[str, Any],
    report: Report,
    *,
    clock: Callable[[], datetime] = timezone.now,
) -> dict[str, Any]:
    """Return the numbers of the monitor that need every answer, as a strict JSON document."""
    del parameters
    began, at = time.monotonic(), clock()
    seen = Pass(dimensions=gathered_dimensions(study_definition(study)))
    funnel = study_funnel(study, _passed(study, seen, report))
    seen.observed.failed = {pk: one.failed for pk, one in seen.checks.items() if one.failed}
    seen.observed.dimensions = tuple(seen.dimensions.values())
    sample = seen.observed
    sample.leave_out(_left_out(study, funnel))
    report(0.7, "Coverage")
    document = {
        "at": at.isoformat(),
        "funnel": funnel.as_dict(),
        "pace": _pace(seen, at),
        "checks": _checks(seen.checks.values()),
    } | _progress(study, sample)
    report(0.8, "Agreement")
    document |= _people(study, sample)
    return document | {"took": round(time.monotonic() - began, 2)}


def _left_out(study: Study, found: Funnel) -> LeftOut:
    """Return what the funnel leaves out: by the rules as of now, recorded or not, and by hand."""
    out = [(v.annotator, v.answer) for rule in found.applied for v in rule.verdicts]
    out += standing_exclusions(study).values_list("annotator", "answer")
    return LeftOut(
        np.array([who for who, answer in out if answer is None], dtype=np.int64),
        np.array([answer for _, answer in out if answer is not None], dtype=np.int64),
    )


def _passed(study: Study, seen: Pass, report: Report) -> Iterator[Sequence[AnnotatorRecord]]:
    """Read all answers once, and yield what the funnel counts of them."""
    read = 0
    for some in collected(study):
        report(0.7 * (1 - 1 / (1 + read / 200_000)), f"{read:,} judgments read")
        seen.take(some)
        read += len(some.answers)
        yield some.records


def gathered_dimensions(definition: StudyDefinition) -> dict[tuple[str, str], Gathered]:
    """Return an empty collection for each dimension on which people can agree."""
    return {
        (task.key, dimension.key): Gathered(
            task=task.key,
            dimension=dimension.key,
            level=LEVELS[dimension.scale],
            order=tuple(option.value for option in dimension.options),
            threshold=threshold_of(definition.plan, dimension.key),
        )
        for task in definition.tasks
        for dimension in _all_dimensions(task)
        if dimension.scale in LEVELS
    }


def _all_dimensions(task: TaskDefinition) -> Iterable[Dimension]:
    task_type = TASK_TYPES[task.type]
    yield from (task_type.stored(dimension) for dimension in task.dimensions)
    yield from task_type.derived_dimensions()


def threshold_of(plan: Mapping[str, Any], dimension: str) -> float:
    """Return the alpha that the plan wants of a dimension: its own entry's, else the general one."""
    node = plan.get("agreement") or []
    entries = node if isinstance(node, list) else [node]
    for wanted in (dimension, None):
        for entry in entries:
            if entry.get("dimension") == wanted and "threshold" in entry:
                return float(entry["threshold"])
    return THRESHOLD


def _pace(seen: Pass, at: datetime) -> dict[str, Any]:
    """Return judgments an hour of the last day, all that were given, and the last hour of all."""
    now = at.replace(minute=0, second=0, microsecond=0)
    hours = [now - timedelta(hours=n) for n in reversed(range(HOURS))]
    last = max(seen.by_hour, default=None)
    return {
        "by_hour": [[hour.isoformat(), seen.by_hour[hour]] for hour in hours],
        "last_hour": last.isoformat() if last else None,
    }


def _checks(outcomes: Iterable[Checks]) -> dict[str, Any]:
    """Return how many of those who met attention checks failed none."""
    met = [one for one in outcomes if one.met]
    return wilson(sum(1 for one in met if not one.failed), len(met)).as_dict()


def _progress(study: Study, sample: Observed) -> dict[str, Any]:
    progress = study_progress(study)
    seconds = np.asarray(sample.seconds, dtype=np.float64)
    known = seconds[~np.isnan(seconds)]
    return {
        "coverage": [[times, items] for times, items in progress.bands],
        "replication": progress.replication,
        "items": progress.items,
        "items_judged": len(set(sample.items)),
        "over_assigned": progress.over_assigned,
        "unplanned_slots": progress.unplanned_slots,
        "needed_annotators": progress.needed_annotators,
        "judgments": len(sample.people),
        "annotators": len(set(sample.people)),
        "median_seconds_item": float(np.median(known)) if len(known) else None,
        "median_seconds_form": _form_seconds(study),
    }


def _form_seconds(study: Study) -> float | None:
    """Return the median time from taking a form to handing it in."""
    times = Claim.objects.filter(form__study=study, state=Claim.State.SUBMITTED).values_list(
        "claimed_at", "ended_at"
    )
    seconds = [(end - start).total_seconds() for start, end in times if end is not None]
    return median(seconds) if seconds else None


def _people(study: Study, sample: Observed) -> dict[str, Any]:
    agreement = agreement_so_far(sample.dimensions, study.seed)
    odd = unusual(sample, agreement, _hasty_bound(study_definition(study)))
    listed = odd[:LISTED]
    names = dict(
        Annotator.objects.filter(pk__in=[one.person for one in listed]).values_list(
            "pk", "pseudonym"
        )
    )
    return {
        "agreement": [one.as_dict() for one in agreement],
        "unusual": [_listed(one, names[one.person]) for one in listed],
        "unusual_total": len(odd),
    }


def _hasty_bound(definition: StudyDefinition) -> float | None:
    rule, parameter = HASTY
    bounds = [one.parameters[parameter] for one in definition.quality if one.rule == rule]
    return float(bounds[0]) if bounds else None


def _listed(one: Unusual, pseudonym: str) -> dict[str, Any]:
    disagreeing = [sign for sign in one.signs if sign.without is not None]
    worst = max(disagreeing, key=lambda sign: sign.size, default=None)
    return {
        "annotator": pseudonym,
        "signs": list(one.words),
        "alpha": worst.alpha if worst else None,
        "without": worst.without if worst else None,
    }
