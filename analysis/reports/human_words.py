"""What a human study found, in sentences that can stand in a paper."""

import json
from collections.abc import Sequence
from statistics import median

from analysis.pipelines.human.agreement import DimensionAgreement
from analysis.pipelines.human.ceiling import Ceiling
from analysis.pipelines.human.conditions import ConditionMean
from analysis.pipelines.human.document import NOT_COLLECTED
from analysis.pipelines.human.judges import Judged
from analysis.pipelines.human.pair_kappas import FEWEST_COMMON
from analysis.pipelines.human.plan import Request
from analysis.pipelines.human.preferences import Comparison
from analysis.pipelines.human.result_tables import funnel_stages
from analysis.pipelines.human.sensitivity import Sensitivity
from analysis.pipelines.human.study import HumanStudy
from analysis.pipelines.human.traces import TraceStudy
from analysis.pipelines.human.translations import Kept, Measured
from analysis.pipelines.human.triangulation import Association
from analysis.stats.bradley_terry import BradleyTerry
from analysis.stats.results import Estimate

SMALLEST_P = 0.001
FEW_ANNOTATORS = 20  # below it a bootstrap over annotators covers too seldom
STAGES = {"finished": "{} had not finished", "by_hand": "staff left out {}"}


def number(value: float) -> str:
    """Return a number to three decimals."""
    return f"{value:.3f}"


def interval(found: Estimate, level: float = 0.95) -> str:
    """Return an estimate with its interval and p, or why there is none."""
    if found.value is None:
        return f"undefined ({found.reason})"
    text = number(found.value)
    if found.low is not None and found.high is not None:
        text += f" ({level:.0%} CI [{number(found.low)}, {number(found.high)}])"
    elif found.reason:
        text += f" ({found.reason})"
    return text


def counted(count: int, noun: str) -> str:
    """Return a number with what it counts: 1 item, 2 items."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def p_of(found: Estimate) -> str:
    """Return p as papers print it, with what leads to it; empty where there is none."""
    if found.p is None:
        return ""
    return ", p < 0.001" if found.p < SMALLEST_P else f", p = {number(found.p)}"


def standing(requests: Sequence[Request]) -> tuple[str, ...]:
    """Return which analyses are prespecified and which post hoc, with their parameters; each once."""
    told = (
        f"{'Prespecified' if one.prespecified else 'Post hoc'}: {parameters(one)}."
        for one in requests
    )
    return tuple(dict.fromkeys(told))


def parameters(request: Request) -> str:
    """Return the parameters of an analysis in one line; those that say nothing are left out."""
    return "; ".join(
        f"{name} {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in request.parameters.items()
        if value not in (None, {}, [])
    )


def funnel_words(study: HumanStudy) -> tuple[str, ...]:
    """Return who came, who was left out by what, and what remained."""
    stages = funnel_stages(study)
    sample = study.primary
    end = (
        f"The analysis holds {counted(sample.judgments, 'judgment')} of "
        f"{counted(sample.items, 'item')} by {counted(sample.annotators, 'annotator')}."
    )
    pairs = len(study.sample.preferences)
    if pairs:
        end += f" {pairs:,} judgments of pairs enter the preference."
    if not sample.judgments and not pairs:
        end = "Nothing has been judged yet; every number below says what it lacks."
    if not stages:
        return (end, f"No funnel: {NOT_COLLECTED}.")
    parts = [f"{counted(stages[0]['left_annotators'], 'annotator')} came"]
    for stage in stages[1:]:
        gone = (stage["removed_annotators"], "annotator"), (stage["removed_judgments"], "judgment")
        if out := " with ".join(counted(*one) for one in gone if one[0]):
            left_out = STAGES.get(stage["stage"], f"the rule {stage['stage']} left out {{}}")
            parts.append(left_out.format(out))
    last = stages[-1]
    people = counted(last["left_annotators"], "annotator")
    left = f"what remains is {people} and {counted(last['left_judgments'], 'judgment')}"
    return ("; ".join([*parts, left]) + ".", end)


def agreement_words(found: Sequence[DimensionAgreement]) -> tuple[str, ...]:
    """Return a sentence a dimension."""
    if not found:
        return ("No dimension was rated, so there is no agreement to report.",)
    return tuple(_agreement(one) for one in found)


def _agreement(one: DimensionAgreement) -> str:
    name = one.scale.column
    if one.alpha.value is None:
        return f"Agreement on {name} is undefined: {one.alpha.reason}."
    against = "reaches" if one.reaches else "stays below"
    percent = one.alpha.percent_agreement
    beside = "" if percent is None else f"; annotators gave equal ratings in {percent:.1%} of pairs"
    ac = "" if one.ac.value is None else f", Gwet's AC {number(one.ac.value)}"
    note = "".join(f" Note: {note}." for note in one.alpha.notes)
    return (
        f"Krippendorff's α ({one.scale.level}) for {name} was {interval(one.alpha)} over "
        f"{counted(one.alpha.n_items, 'item')} with at least two ratings; it {against} the threshold of "
        f"{one.request['threshold']:g}{beside}{ac}.{_alone(one)}{note}"
    )


def _alone(one: DimensionAgreement) -> str:
    """Say how many items one person alone rated, where there are some."""
    alone = one.items_rated - one.alpha.n_items
    if not alone:
        return ""
    has = "has" if alone == 1 else "have"
    return f" {counted(alone, 'item')} {has} a single rating, with nothing to compare."


def preference_words(one: Comparison) -> tuple[str, ...]:
    """Return the sentence on one comparison, and what qualifies it."""
    raw, mixed = one.found.raw, one.found.mixed
    names = f"“{one.side}” over “{one.other}”"
    if raw.value is None:
        return (f"The preference of {names} is undefined: {raw.reason}.",)
    first = (
        f"Of {raw.n:,} decisive judgments, {raw.count:,} preferred {names}: {interval(raw)}{p_of(raw)}"
        f" (exact, {one.request['side']})."
    )
    if mixed.at_zero.value is None:
        refused = f"The crossed model has no estimate: {mixed.reason}.{_of_pairs(one)}"
        return (first, refused, _qualified(one))
    model = (
        f"With crossed random intercepts of annotators and pairs (Laplace maximum likelihood) the "
        f"probability was {interval(mixed.at_zero)}{p_of(mixed.at_zero)} at zero random effects and "
        f"{interval(mixed.averaged)} averaged over them; odds ratio {interval(mixed.odds_ratio)}."
    )
    if mixed.singular:
        model += " A standard deviation is estimated as 0 (singular), which is a result."
    return (first, model, _qualified(one))


def _of_pairs(one: Comparison) -> str:
    """Say what the model without annotators finds, where each decided once."""
    fit = one.found.of_pairs
    if fit is None or fit.at_zero.value is None:
        return ""
    return (
        f" With a random intercept of pairs alone, which the plan does not name (post hoc), the "
        f"probability was {interval(fit.at_zero)}{p_of(fit.at_zero)} for a typical pair and "
        f"{interval(fit.averaged)} averaged over pairs; how much annotators differ is inside it."
    )


def strength_words(fit: BradleyTerry) -> tuple[str, ...]:
    """Return several systems, the strongest first, each with its rank; or why there is no order."""
    if fit.reason is not None:
        return (f"No strengths of systems: {fit.reason}.",)
    order = sorted(
        zip(fit.players, fit.strengths, fit.ranks, strict=True),
        key=lambda one: one[2].value or 0.0,
    )
    listed = "; ".join(f"{who} {interval(found)}, {_rank(rank)}" for who, found, rank in order)
    return (f"In log strength (Bradley-Terry, the mean of all systems at 0): {listed}.",)


def _rank(found: Estimate) -> str:
    if found.value is None:
        return f"no rank ({found.reason})"
    rank = f"rank {found.value:.0f}"
    if found.low is None or found.high is None or found.low == found.high:
        return rank
    return f"{rank} (between {found.low:.0f} and {found.high:.0f})"


def _qualified(one: Comparison) -> str:
    found = one.found
    undecided = found.undecided
    text = f"Resampling annotators gives {interval(found.by_annotator)}"
    few = f" (with {one.annotators} annotators it is too narrow)"
    text += f"{few if one.annotators < FEW_ANNOTATORS else ''}."
    if undecided.value is not None:
        text += f" Undecided were {undecided.count:,} of {undecided.n:,} judgments."
    return text + f" The side shown first was chosen in a share of {interval(found.position)}."


def association_words(found: Sequence[Association]) -> tuple[str, ...]:
    """Return a sentence an association."""
    return tuple(_association(one) for one in found)


def _association(one: Association) -> str:
    where = "" if one.by is None else f" among items with {one.by} {one.group}"
    pair = f"The item mean of {one.human} and {one.automatic}{where}"
    if one.found.value is None:
        return f"{pair}: no correlation, since {one.found.reason}."
    return f"{pair}: Spearman's ρ = {interval(one.found)}{p_of(one.found)}, n = {one.found.n:,}."


def condition_words(found: Sequence[ConditionMean]) -> tuple[str, ...]:
    """Return, of each dimension and field, the conditions with the highest and the lowest mean."""
    each: dict[tuple[str, str], list[ConditionMean]] = {}
    for one in found:
        each.setdefault((one.dimension, one.by), []).append(one)
    return tuple(_conditions(*names, means) for names, means in each.items())


def _conditions(dimension: str, by: str, means: Sequence[ConditionMean]) -> str:
    what, first = f"The mean of {dimension} by {by}", means[0].found
    known = [one for one in means if one.found.value is not None]
    if not known:
        return f"{what} is undefined: {first.reason}."
    if len(known) == 1:
        return f"{what} was {interval(known[0].found)} for {known[0].group}, the only one."
    ordered = sorted(known, key=lambda one: one.found.value or 0.0)
    low, high = ordered[0], ordered[-1]
    return (
        f"{what} ran from {interval(low.found)} for {low.group} to {interval(high.found)} for "
        f"{high.group}."
    )


def ceiling_words(one: Ceiling) -> tuple[str, ...]:
    """Return the flag with both parts."""
    what = f"The ceiling rule on {one.request['dimension']}"
    if one.flag is None:
        missing = one.lowest.reason or one.difference.reason
        return (f"{what} cannot be decided: {missing}.",)
    verdict = "flags saturation" if one.flag else "does not flag saturation"
    sentence = (
        f"{what} {verdict}: the lowest median over {one.request['by']} is {interval(one.lowest)} "
        f"(bound {one.request['median']:g}), and the items with high {one.request['score']} are rated "
        f"{interval(one.difference)} higher than those with low (bound {one.request['separation']:g})."
    )
    return (sentence,)


def judge_words(one: Judged) -> tuple[str, ...]:
    """Return how people and judges agree on single rows."""
    if one.reason is not None:
        return (f"People and judges cannot be compared on {one.human}: {one.reason}.",)
    each = tuple(
        f"People and {a.judge} gave the same label in a share of {interval(a.exact)} of "
        f"{a.exact.n or 0:,} rows; κ = {interval(a.kappa)}."
        for a in one.each
    )
    if len(one.each) == 1:
        return each
    agree = f"The judges agree with each other on a share of {interval(one.judges_agree)} of items;"
    confirmed = f"where they do, people confirm their label in {interval(one.confirmed)} of rows."
    return (*each, f"{agree} {confirmed}")


def trace_words(one: TraceStudy) -> tuple[str, ...]:
    """Return how equivalence follows each score, and the comparisons."""
    rhos = tuple(
        f"{one.human} and {score}: Spearman's ρ = {interval(rho)}{p_of(rho)}."
        for score, rho in one.rho.items()
    )
    tests = tuple(
        f"{pair.first} less {pair.second}: Δρ = {interval(pair.williams)}{p_of(pair.williams)} "
        f"(Williams' t on rank correlations); ΔAUC = {interval(pair.aucs)}{p_of(pair.aucs)} (DeLong)."
        for pair in one.versus
    )
    counts = f"{one.positive} items count as positive and {one.negative} as negative in the AUCs."
    within = one.request["within"]
    ranked = (f"Everything is compared by ranks within each {within}.",) if within else ()
    return (*ranked, *rhos, *tests, counts, *_kappas(one), *_anchors(one))


def _kappas(one: TraceStudy) -> tuple[str, ...]:
    """Return the range of kappa over pairs of people; nothing where no two judged enough."""
    values = [pair.kappa.value for pair in one.kappas if pair.kappa.value is not None]
    if not values:
        return ()
    each = (
        f"κ with quadratic weights was {number(min(values))}"
        if len(values) == 1
        else f"κ with quadratic weights ran from {number(min(values))} to {number(max(values))}, "
        f"median {number(median(values))}"
    )
    return (
        f"{each}, over {len(values):,} pairs of people with {FEWEST_COMMON} or more items in common.",
    )


def _anchors(one: TraceStudy) -> tuple[str, ...]:
    """Return how two groups that share the anchors judged these."""
    found = one.anchors
    if found is None:
        return ()
    if found.difference.value is None:
        return (f"Groups of people cannot be compared: {found.difference.reason}.",)
    first, second = found.groups
    apart = f" {found.apart:,} further people belong to no group." if found.apart else ""
    notes = "".join(f" Note: {note}." for note in found.difference.notes)
    test = f"{interval(found.difference)}{p_of(found.difference)} ({found.difference.method})"
    sentence = (
        f"On the {found.items:,} anchors that all judged, the {first.people:,} people of group "
        f"{first.name} gave a mean {one.human} of {number(first.mean)} and the {second.people:,} of "
        f"group {second.name} one of {number(second.mean)}: a difference of {test}."
    )
    return (f"{sentence}{apart}{notes}",)


def translation_words(one: Measured | Kept) -> tuple[str, ...]:
    """Return the share over all, and where it is highest."""
    if isinstance(one, Kept):
        kept = int(one.table["keep"].sum()) if len(one.table) else 0
        return (f"{kept:,} of {len(one.table):,} items are to be kept: kept.csv lists them.",)
    name = {"error_rate": "error rate", "share": "share"}[one.measure]
    labels = one.request["error"] if one.measure == "error_rate" else one.request["of"]
    words = f"The {name} of {one.dimension} ({labels}) was {interval(one.every)}."
    defined = {k: e.value for k, e in one.groups.items() if e.value is not None}
    if len(defined) > 1:
        top, low = max(defined, key=lambda k: defined[k]), min(defined, key=lambda k: defined[k])
        words += f" It ran from {number(defined[low])} ({low}) to {number(defined[top])} ({top})."
    return (words,)


def sensitivity_words(one: Sensitivity) -> tuple[str, ...]:
    """Return what a further sample leaves out and what is left."""
    rows, items = one.judgments_affected, one.items_affected
    if rows.value is None or items.value is None:
        return (f"“{one.numbers.name}”: no judgment has answers to what its condition names.",)
    sentence = (
        f"“{one.numbers.name}”: the condition holds for {rows.count:,} of {rows.n:,} judgments "
        f"({rows.value:.1%}) and {items.count:,} of {items.n:,} items ({items.value:.1%}); "
        f"{one.numbers.judgments:,} judgments of {one.numbers.items:,} items are left. Preferences "
        "do not change."
    )
    return (sentence,)
