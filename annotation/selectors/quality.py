"""The funnel of a study: its declared rules over what was collected."""

from collections.abc import Iterable, Sequence

from annotation.models import ExclusionRevocation, Study
from annotation.quality.funnel import DeclaredRule, Funnel, funnel
from annotation.quality.records import AnnotatorRecord
from annotation.quality.rules import Verdict
from annotation.selectors.collected import records_in_parts
from annotation.selectors.judgments import standing_exclusions
from annotation.selectors.studies import study_definition


def study_funnel(study: Study, parts: Iterable[Sequence[AnnotatorRecord]] | None = None) -> Funnel:
    """Return the stages from all who came to the analytic sample, with every rule's verdicts.

    An exclusion that a person took back stays out of the rules' hands. `parts` are all people, some
    at a time: who reads all answers for another purpose spares a second reading.
    """
    rules = [
        DeclaredRule(rule.rule, rule.exclude, rule.parameters)
        for rule in study_definition(study).quality
    ]
    taken_back = {
        (rule, version, annotator, answer)
        for rule, version, annotator, answer in ExclusionRevocation.objects.filter(
            exclusion__study=study
        ).values_list(
            "exclusion__rule",
            "exclusion__rule_version",
            "exclusion__annotator",
            "exclusion__answer",
        )
    }

    def revoked(rule: str, version: str, verdict: Verdict) -> bool:
        return (rule, version, verdict.annotator, verdict.answer) in taken_back

    people = records_in_parts(study) if parts is None else parts
    return funnel(people, rules, revoked=revoked, by_hand=_standing(study))


def _standing(study: Study) -> list[Verdict]:
    """Return all that stands: what the rules leave out has left by then, the rest is by hand.

    A rule's row whose ground fell away when another was taken back stands until somebody takes it
    back too; so the funnel always ends at the analytic sample.
    """
    return [
        Verdict(exclusion.annotator_id, exclusion.answer_id, exclusion.reason)
        for exclusion in standing_exclusions(study)
    ]
