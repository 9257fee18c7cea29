"""The result as tables: one CSV each."""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from analysis.pipelines.human.preferences import Comparison
from analysis.pipelines.human.study import HumanStudy
from analysis.pipelines.human.translations import Kept
from analysis.stats.results import Estimate

Row = dict[str, object]
PAIR_MODEL = "model of pairs alone, at zero random effects"


def result_tables(study: HumanStudy) -> dict[str, pd.DataFrame]:
    """Return every table that has a row, by name."""
    tables = {
        "funnel": pd.DataFrame(funnel_stages(study)),
        "agreement": pd.DataFrame(_agreement(study)),
        "preference": pd.DataFrame(
            [row for one in study.preference.comparisons for row in _comparison(one)]
        ),
        "strengths": pd.DataFrame(_strengths(study)),
        "triangulation": pd.DataFrame(_associations(study)),
        "ceiling": pd.DataFrame(_ceiling(study)),
        "judges": pd.DataFrame(_judges(study)),
        "conditions": pd.DataFrame(_conditions(study)),
        "sensitivity": pd.DataFrame(_sensitivity(study)),
        "trace_scores": pd.DataFrame(_trace_scores(study)),
        "trace_comparisons": pd.DataFrame(_trace_comparisons(study)),
        "trace_anchors": pd.DataFrame(_trace_anchors(study)),
        "trace_kappas": pd.DataFrame(_trace_kappas(study)),
        "translation": pd.DataFrame(_translation(study)),
    }
    for one in study.translations:
        if isinstance(one, Kept):
            tables["kept"] = one.table
    return {name: table for name, table in tables.items() if not table.empty}


def cells(found: Estimate) -> Row:
    """Return an estimate as cells of a row."""
    return {
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "p": found.p,
        "n": found.n,
        "reason": found.reason or "",
    }


def funnel_stages(study: HumanStudy) -> list[Mapping[str, Any]]:
    """Return the stages of the funnel; none where it is not known."""
    stages = (study.sample.funnel or {}).get("stages")
    return list(stages) if isinstance(stages, list) else []


def _standing(prespecified: object) -> str:
    return "prespecified" if prespecified else "post hoc"


def _agreement(study: HumanStudy) -> Iterable[Row]:
    for one in study.agreement:
        yield {
            "dimension": one.scale.column,
            "level": one.scale.kind,
            "items": one.alpha.n_items,
            "annotators": one.alpha.n_raters,
            "ratings": one.alpha.n,
            "alpha": one.alpha.value,
            "low": one.alpha.low,
            "high": one.alpha.high,
            "percent": one.alpha.percent_agreement,
            "ac": one.ac.value,
            "ac_low": one.ac.low,
            "ac_high": one.ac.high,
            "threshold": one.request["threshold"],
            "reaches": "" if one.reaches is None else ("yes" if one.reaches else "no"),
            "standing": _standing(one.request.prespecified),
            "reason": one.alpha.reason or "",
            "ac_reason": one.ac.reason or "",
            "notes": "; ".join(one.alpha.notes),
        }


def _comparison(one: Comparison) -> Iterable[Row]:
    mixed, of_pairs = one.found.mixed, one.found.of_pairs
    for name, found in {
        "raw share": one.found.raw,
        "model, at zero random effects": mixed.at_zero,
        "model, averaged over random effects": mixed.averaged,
        "model, odds ratio": mixed.odds_ratio,
        **({} if of_pairs is None else {PAIR_MODEL: of_pairs.at_zero}),
        "annotator bootstrap": one.found.by_annotator,
        "weighted by confidence": one.found.weighted,
        "share for the side shown first": one.found.position,
        "undecided": one.found.undecided,
    }.items():
        names: Row = {"preferred": one.side, "over": one.other, "quantity": name}
        planned = one.request.prespecified and name != PAIR_MODEL
        yield names | cells(found) | {"standing": _standing(planned)}


def _strengths(study: HumanStudy) -> Iterable[Row]:
    fit = study.preference.strengths
    if fit is None or fit.reason is not None:
        return
    for n, player in enumerate(fit.players):
        rank = fit.ranks[n]
        yield (
            {"system": str(player)}
            | cells(fit.strengths[n])
            | {
                "rank": rank.value,
                "rank_low": rank.low,
                "rank_high": rank.high,
            }
        )


def _associations(study: HumanStudy) -> Iterable[Row]:
    for one in study.triangulation:
        names: Row = {"human": one.human, "automatic": one.automatic}
        group: Row = {"by": one.by or "", "group": one.group or "all items"}
        yield names | group | cells(one.found) | {"standing": _standing(one.request.prespecified)}


def _ceiling(study: HumanStudy) -> Iterable[Row]:
    for one in study.ceiling:
        names: Row = {"dimension": one.request["dimension"]}
        for group, median in one.medians.items():
            yield names | {"quantity": f"median, {one.request['by']} {group}", "value": median}
        parts = {
            "lowest median": one.lowest,
            "mean, HIGH": one.high,
            "mean, LOW": one.low,
            "HIGH less LOW": one.difference,
        }
        for name, found in parts.items():
            yield names | {"quantity": name} | cells(found)


def _judges(study: HumanStudy) -> Iterable[Row]:
    for one in study.judges:
        standing = {"standing": _standing(one.request.prespecified)}
        for each in one.each:
            names: Row = {"human": one.human, "judge": each.judge}
            yield names | {"quantity": "exact agreement"} | cells(each.exact) | standing
            yield names | {"quantity": "Cohen's kappa"} | cells(each.kappa) | standing
        every: Row = {"human": one.human, "judge": "all judges"}
        agree = "judges agree with each other"
        yield every | {"quantity": agree} | cells(one.judges_agree) | standing
        consensus = "people confirm their consensus"
        yield every | {"quantity": consensus} | cells(one.confirmed) | standing


def _conditions(study: HumanStudy) -> Iterable[Row]:
    for one in study.conditions:
        names: Row = {"dimension": one.dimension, "by": one.by, "group": one.group or ""}
        items: Row = {"items": one.items}
        yield names | items | cells(one.found) | {"standing": _standing(one.request.prespecified)}


def _sensitivity(study: HumanStudy) -> Iterable[Row]:
    if not study.sensitivity:
        return
    for one in [study.primary, *(further.numbers for further in study.sensitivity)]:
        names: Row = {"sample": one.name}
        for quantity, count in (("judgments", one.judgments), ("items", one.items)):
            yield names | {"quantity": quantity, "value": float(count)}
        for dimension, mean in one.means.items():
            yield names | {"quantity": f"mean {dimension}", "value": mean}
        for alpha in one.agreement:
            yield names | {"quantity": f"alpha {alpha.scale.column}"} | cells(alpha.alpha)
        for rho in one.triangulation:
            yield names | {"quantity": f"rho {rho.human}, {rho.automatic}"} | cells(rho.found)


def _trace_scores(study: HumanStudy) -> Iterable[Row]:
    for one in study.traces:
        thirds = {t.score: t for t in one.terciles}
        for score, rho in one.rho.items():
            row: Row = {"human": one.human, "score": score} | cells(rho)
            third = thirds.get(score)
            if third is not None:
                row |= dict(
                    zip(("low_third", "middle_third", "high_third"), third.means, strict=True)
                )
                row |= {"trend_p": third.jonckheere.p, "difference_p": third.kruskal.p}
            yield row | {"standing": _standing(one.request.prespecified)}


def _trace_comparisons(study: HumanStudy) -> Iterable[Row]:
    for one in study.traces:
        for pair in one.versus:
            names: Row = {"first": pair.first, "second": pair.second}
            tests = {
                "rho, first less second (Williams)": pair.williams,
                "rho, first less second (Steiger)": pair.steiger,
                "AUC, first less second (DeLong)": pair.aucs,
                "AUC, first": pair.aucs.first,
                "AUC, second": pair.aucs.second,
            }
            for name, found in tests.items():
                if found is not None:
                    yield names | {"quantity": name} | cells(found)


def _trace_anchors(study: HumanStudy) -> Iterable[Row]:
    for one in study.traces:
        found = one.anchors
        if found is None:
            continue
        for group in found.groups:
            mean = Estimate(group.mean, n=group.people)
            yield {"human": one.human, "quantity": f"mean, group {group.name}"} | cells(mean)
        yield {"human": one.human, "quantity": "first less second"} | cells(found.difference)


def _trace_kappas(study: HumanStudy) -> Iterable[Row]:
    for one in study.traces:
        for pair in one.kappas:
            people: Row = {"first person": pair.first, "second person": pair.second}
            yield {"human": one.human} | people | cells(pair.kappa)


def _translation(study: HumanStudy) -> Iterable[Row]:
    for one in study.translations:
        if isinstance(one, Kept):
            what, every = "share of items kept", one.share
        else:
            what, every = f"{one.measure} of {one.dimension}", one.every
        standing: Row = {"standing": _standing(one.request.prespecified)}
        for group, found in {"all": every, **one.groups}.items():
            yield {"measure": what, "group": group} | cells(found) | standing
