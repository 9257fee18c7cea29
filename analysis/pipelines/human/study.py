"""Everything that a human study is asked, in the order of its plan; what it was not asked, post hoc."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from analysis.frames import JudgedItems
from analysis.pipelines.human import judges, sensitivity, translations
from analysis.pipelines.human.agreement import DimensionAgreement, agreement_of
from analysis.pipelines.human.ceiling import Ceiling, ceiling_of
from analysis.pipelines.human.conditions import ConditionMean, conditions_of
from analysis.pipelines.human.judges import Judged, judges_of
from analysis.pipelines.human.ordering import ordered
from analysis.pipelines.human.plan import Overrides, Parameters, Plan, Request, planned, requests
from analysis.pipelines.human.preferences import PreferenceResult, preference_of
from analysis.pipelines.human.sample import Sample
from analysis.pipelines.human.sensitivity import (
    SampleNumbers,
    Sensitivity,
    numbers_of,
    sensitivity_of,
)
from analysis.pipelines.human.traces import TraceStudy, trace_of
from analysis.pipelines.human.translations import Kept, Measured, translation_of
from analysis.pipelines.human.triangulation import Association, triangulation_of
from analysis.stats.draws import draws_kept
from analysis.stats.threads import one_thread

Progress = Callable[[int, int], None]
STEPS = 8


@dataclass(frozen=True)
class HumanStudy:
    """All results of one study."""

    sample: Sample
    plan: Plan
    agreement: tuple[DimensionAgreement, ...]
    preference: PreferenceResult
    triangulation: tuple[Association, ...]
    ceiling: tuple[Ceiling, ...]
    judges: tuple[Judged, ...]
    conditions: tuple[ConditionMean, ...]
    primary: SampleNumbers
    sensitivity: tuple[Sensitivity, ...]
    traces: tuple[TraceStudy, ...]
    translations: tuple[Measured | Kept, ...]


def analyse(
    sample: Sample,
    plan: Plan,
    overrides: Overrides | None = None,
    *,
    progress: Progress | None = None,
) -> HumanStudy:
    """Run the plan, and beside it what a report always holds."""
    # Under the same name, so that the rows in their first order are let go where nobody else has them.
    sample = ordered(sample)
    with one_thread(), draws_kept():
        return _analysed(sample, plan, overrides or Overrides(), progress or _silent)


def _analysed(sample: Sample, plan: Plan, asked: Overrides, tell: Progress) -> HumanStudy:

    def of(kind: str, *unplanned: Parameters) -> list[Request]:
        return requests(plan, kind, unplanned, asked)

    tell(0, STEPS)
    agreements = of("agreement", *_once(plan, "agreement"))
    agreement = tuple(found for request in agreements for found in agreement_of(sample, request))
    tell(1, STEPS)
    preference = preference_of(sample, of("preference", *_once(plan, "preference"))[0])
    tell(2, STEPS)
    scores = of("triangulation", *_breakdowns(plan, sample))
    triangulation = tuple(
        found for request in scores for found in triangulation_of(sample, request)
    )
    tell(3, STEPS)
    conditions = of("conditions", *_conditions(plan, sample))
    means = tuple(found for request in conditions for found in conditions_of(sample, request))
    tell(4, STEPS)
    whole = [request for request in scores if request["by"] is None]
    primary = SampleNumbers(
        **vars(numbers_of(sample, [], []))
        | {"agreement": agreement, "triangulation": _overall(triangulation)}
    )
    samples = of("sensitivity", *sensitivity.suggested(sample))
    tell(5, STEPS)
    further = tuple(sensitivity_of(sample, one, agreements, whole) for one in samples)
    tell(6, STEPS)
    judged = of("judges", *(judges.suggested(sample) if not planned(plan, "judges") else []))
    measures = planned(plan, "translation")
    translation = of("translation", *_keeping(measures, sample))
    study = HumanStudy(
        sample=sample,
        plan=plan,
        agreement=agreement,
        preference=preference,
        triangulation=triangulation,
        ceiling=tuple(ceiling_of(sample, request) for request in of("ceiling")),
        judges=tuple(judges_of(sample, request) for request in judged),
        conditions=means,
        primary=primary,
        sensitivity=further,
        traces=tuple(trace_of(sample, request) for request in of("trace")),
        translations=tuple(translation_of(sample, request) for request in translation),
    )
    tell(STEPS, STEPS)
    return study


def _silent(done: int, total: int) -> None:
    del done, total


def _once(plan: Plan, kind: str) -> list[Parameters]:
    """Return an entry of defaults where the plan has none."""
    return [] if planned(plan, kind) else [{}]


def _overall(found: tuple[Association, ...]) -> tuple[Association, ...]:
    return tuple(one for one in found if one.by is None)


def _breakdowns(plan: Plan, sample: Sample) -> list[Parameters]:
    """Return each planned association by source and by class, where the items have such fields."""
    fields = [f for f in (*JudgedItems.SOURCES, *JudgedItems.CLASSES) if f in sample.items.columns]
    entries = plan.entries.get("triangulation", ())
    return [dict(entry) | {"by": name} for entry in entries for name in fields]


def _conditions(plan: Plan, sample: Sample) -> list[Parameters]:
    """Return the mean of each ordered dimension under the usual conditions, unless planned."""
    if planned(plan, "conditions"):
        return []
    fields = [name for name in JudgedItems.CONDITIONS if name in sample.items.columns]
    scales = [scale for scale in sample.scales.values() if scale.ordered]
    return [
        {"task": scale.task or None, "dimension": scale.key, "by": name}
        for scale in scales
        for name in fields
    ]


def _keeping(measures: list[Parameters], sample: Sample) -> list[Mapping[str, Any]]:
    if not measures or any(entry["measure"] == "keep" for entry in measures):
        return []
    return list(translations.suggested(measures, sample))
