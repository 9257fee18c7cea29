"""The result as one JSON document: what `clcg --json` prints and results.json holds."""

from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass

from analysis.pipelines.clcg.gaps import ClassGap, GapSet, LanguageGap
from analysis.pipelines.clcg.hypotheses import Family
from analysis.pipelines.clcg.mixed import Mixed
from analysis.pipelines.clcg.population import Population
from analysis.pipelines.clcg.study import Parsing, Study
from analysis.stats.results import Estimate

Document = dict[str, object]


def document(study: Study) -> Document:
    """Return the whole document."""
    overall = study.overall
    return {
        "micro": overall.micro,
        "macro": overall.macro,
        "net_macro": overall.net_macro,
        "net_micro": overall.net_micro,
        "baseline": overall.baseline,
        "relative": overall.relative,
        "reference_mean": overall.reference,
        "sample": _sample(study.population),
        "by_language": {code: _language(found) for code, found in study.languages.items()},
        "by_model": {model: _gaps(found) for model, found in study.models.items()},
        "by_class": {str(c): _class(found) for c, found in study.classes.items()},
        "by_source": {source: _gaps(found) for source, found in study.sources.items()},
        "by_level": {level: _gaps(found) for level, found in study.levels.raw.items()},
        "by_level_standardised": study.levels.standardised,
        "level_slope": study.levels.slope,
        "level_slope_raw": study.levels.slope_raw,
        "level_deviations": study.levels.deviations,
        "hypotheses": _hypotheses(study.family),
        "family": _family(study.family),
        "equivalence": _equivalence(study.equivalence),
        "mixed_model": _mixed(study.mixed["H1"]),
        "mixed_models": {key: _mixed(found) for key, found in study.mixed.items()},
    } | _further(study)


def _further(study: Study) -> Document:
    return {
        "exposure": tree(study.exposure),
        "factors": tree(study.factors),
        "by_aggregation": dict(study.aggregation),
        "parsing": _parsing(study.parsing),
        "stability": tree(study.stability),
        "split_halves": tree(study.halves),
        "agreement_of_models": dict(study.agreement_of_models),
        "context_gain": tree(study.context),
        "scopes": tree(study.scopes),
        "by_metric": {
            name: _gaps(found.gaps) | {"agreement": found.agreement}
            for name, found in study.metrics.items()
        },
        "external": None if study.external is None else tree(study.external),
        "people_by_class": tree(study.people),
        "settings": asdict(study.population.settings),
    }


def tree(value: object) -> object:
    """Return dataclasses as mappings, down to estimates, which keep their own form."""
    if isinstance(value, Estimate):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: tree(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): tree(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [tree(item) for item in value]
    return value


def _sample(population: Population) -> Document:
    sums, panel = population.sums, population.panel
    return {
        "rows_read": sums.rows,
        "rows": int(sums.count[:, 0].sum()),
        "documents": len(population.documents),
        "models": list(population.models),
        "reference": panel.reference,
        "baseline": panel.baseline,
        "targets": list(panel.targets),
        "unscored": sums.unscored,
        "failures_with_a_score": sums.fallback,
        "excluded": [asdict(one) for one in population.excluded],
    }


def _gaps(found: GapSet) -> Document:
    others = ("reference", "relative", "macro", "baseline", "net_macro", "net_micro")
    return found.micro.as_dict() | {name: getattr(found, name) for name in others}


def _language(found: LanguageGap) -> Document:
    return found.gap.as_dict() | {"mean": found.mean, "net": found.net}


def _class(found: ClassGap) -> Document:
    return found.gap.as_dict() | {"net": found.net, "languages": list(found.languages)}


def _hypotheses(family: Family) -> list[Document]:
    return [
        {
            "id": test.key,
            "statement": test.statement,
            "estimate": test.estimate,
            "p": test.estimate.p,
            "p_adjusted": test.p_adjusted,
            "supported": test.supported,
        }
        for test in family.tests
    ]


def _family(family: Family) -> Document:
    return {
        "size": family.size,
        "left_out": list(family.left_out),
        "method": family.method,
        "level": family.level,
    }


def _equivalence(found: Mapping[str, Estimate]) -> Document:
    others = {name: one for name, one in found.items() if name != "baseline"}
    return found["baseline"].as_dict() | others


def _mixed(found: Mixed) -> Document:
    fit = None if found.fit is None else found.fit.as_dict()
    converged = found.fit is not None and found.fit.converged
    return found.coefficient.as_dict() | {
        "formula": found.formula,
        "converged": converged,
        "supports": found.supports,
        "fit": fit,
    }


def _parsing(found: Parsing) -> Document:
    return {
        "counts": dict(found.counts),
        "failures_as_zero": _gaps(found.as_zero),
        "failures_excluded": _gaps(found.excluded),
        "shift": found.shift,
        "by_model": {
            model: {"failures_as_zero": one, "failures_excluded": other}
            for model, (one, other) in found.by_model.items()
        },
    }
