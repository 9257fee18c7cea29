"""The result as tables: one CSV each."""

from collections.abc import Mapping
from dataclasses import asdict

import pandas as pd

from analysis.pipelines.clcg.gaps import GapSet
from analysis.pipelines.clcg.panel import FACTORS
from analysis.pipelines.clcg.scopes import ScopeContrast, ScopeGap
from analysis.pipelines.clcg.study import Study
from analysis.stats.equivalence import Equivalence
from analysis.stats.results import Estimate

Row = dict[str, object]
QUANTITIES = ("reference", "micro", "relative", "macro", "baseline", "net_macro", "net_micro")


def result_tables(study: Study) -> dict[str, pd.DataFrame]:
    """Return every table that has a row, by name."""
    tables = {
        "gaps": estimates("gap", {name: getattr(study.overall, name) for name in QUANTITIES}),
        "by_language": _languages(study),
        "by_class": _classes(study),
        "by_model": _gap_sets("model", study.models),
        "by_source": _gap_sets("source", study.sources),
        "by_level": _levels(study),
        "by_metric": _gap_sets("metric", {n: m.gaps for n, m in study.metrics.items()}),
        "language_by_model": _language_by_model(study),
        "by_aggregation": estimates("equal_weight", study.aggregation),
        "hypotheses": _hypotheses(study),
        "equivalence": _equivalence(study),
        "mixed_models": _mixed(study),
        "exposure": _exposure(study),
        "factors": _factors(study),
        "parsing": _parsing(study),
        "stability": _stability(study),
        "rank_agreement": _rank_agreement(study),
        "people_by_class": table_of(
            [
                {"dimension": dimension, "resource_class": number, "people": mean}
                | cells(study.classes[number].gap, "gap")
                for dimension, found in study.people.items()
                for number, mean in found.means.items()
            ]
        ),
        "context_gain": _context(study),
        "scopes": _scopes(study.scopes),
        "external": _external(study),
        "external_by_model": estimates("model", study.external.by_model if study.external else {}),
        "excluded": pd.DataFrame([asdict(one) for one in study.population.excluded]),
    }
    return {name: table for name, table in tables.items() if not table.empty}


def cells(found: Estimate, prefix: str = "") -> Row:
    """Return an estimate as cells of a row; the names start with the prefix."""
    start = f"{prefix}_" if prefix else ""
    return {
        prefix or "value": found.value,
        f"{start}low": found.low,
        f"{start}high": found.high,
        f"{start}p": found.p,
        f"{start}n": found.n,
        f"{start}reason": found.reason or "",
    }


def table_of(rows: list[Row]) -> pd.DataFrame:
    """Return rows as a table in which an undefined number is an empty cell."""
    table = pd.DataFrame(rows)
    for column in table.columns:
        kinds = {type(value) for value in table[column]}
        if kinds <= {int, type(None)}:
            table[column] = table[column].astype("Int64")
        elif kinds <= {float, int, type(None)}:
            table[column] = pd.to_numeric(table[column])
    return table


def estimates(key: str, found: Mapping[str, Estimate]) -> pd.DataFrame:
    """Return one row an estimate."""
    return table_of([{key: name} | cells(one) for name, one in found.items()])


def _gap_sets(key: str, found: Mapping[str, GapSet]) -> pd.DataFrame:
    return table_of(
        [
            {key: name, "gap": quantity} | cells(getattr(one, quantity))
            for name, one in found.items()
            for quantity in QUANTITIES
        ]
    )


def _languages(study: Study) -> pd.DataFrame:
    panel = study.population.panel
    rows = []
    for code, found in study.languages.items():
        known: Row = {"language": code, "name": panel.names.get(code, code)}
        known |= {name: panel.factors.get(name, {}).get(code) for name in FACTORS}
        parts = {"mean": found.mean, "gap": found.gap, "net": found.net}
        for prefix, one in parts.items():
            known |= cells(one, prefix)
        rows.append(known)
    return table_of(rows)


def _classes(study: Study) -> pd.DataFrame:
    return table_of(
        [
            {"resource_class": number, "languages": " ".join(found.languages)}
            | cells(found.gap, "gap")
            | cells(found.net, "net")
            for number, found in study.classes.items()
        ]
    )


def _levels(study: Study) -> pd.DataFrame:
    levels = study.levels
    return table_of(
        [
            {"level": level, "deviation": levels.deviations[level]}
            | cells(found.reference, "reference")
            | cells(found.micro, "gap")
            | cells(levels.standardised[level], "standardised")
            for level, found in levels.raw.items()
        ]
    )


def _language_by_model(study: Study) -> pd.DataFrame:
    grid = study.model_grid
    rows: list[Row] = []
    for i, model in enumerate(grid.groups):
        for code in grid.panel.compared:
            place = grid.place(code)
            gap = float(grid.means[0, i, 0] - grid.means[0, i, place])
            known = bool(grid.counts[i, place])
            row: Row = {"model": model, "language": code, "gap": gap if known else None}
            rows.append(row | {"rows": int(grid.counts[i, place])})
    return table_of(rows)


def _hypotheses(study: Study) -> pd.DataFrame:
    return table_of(
        [
            {"id": test.key, "statement": test.statement}
            | cells(test.estimate)
            | {"p_adjusted": test.p_adjusted, "supported": str(test.supported)}
            for test in study.family.tests
        ]
    )


def _equivalence(study: Study) -> pd.DataFrame:
    rows: list[Row] = []
    for name, found in study.equivalence.items():
        row: Row = {"test": name} | cells(found)
        if isinstance(found, Equivalence):
            low, high = found.margin
            row |= {"margin_low": low, "margin_high": high, "equivalent": str(found.equivalent)}
        rows.append(row)
    return table_of(rows)


def _mixed(study: Study) -> pd.DataFrame:
    return table_of(
        [
            {"model": key, "formula": found.formula}
            | cells(found.coefficient)
            | {"supports": str(found.supports)}
            for key, found in study.mixed.items()
        ]
    )


def _exposure(study: Study) -> pd.DataFrame:
    found = study.exposure
    groups = {"pooled": found.pooled, "all models": found.all_models, **found.by_model}
    groups |= {f"class {number}": one for number, one in found.by_class.items()}
    rows = [
        {"group": name}
        | cells(one.memorable, "memorable")
        | cells(one.new, "new")
        | cells(one.difference, "difference")
        | _covered(found.coverage.get(name))
        for name, one in groups.items()
    ]
    none: Row = {"memorable": None, "new": None, "difference": None}
    rows += [
        {"group": model} | none | {"difference_reason": reason} | _covered(found.coverage[model])
        for model, reason in found.reasons.items()
    ]
    return table_of(rows)


def _covered(coverage: tuple[int, int, int] | None) -> Row:
    """Return how many documents are memorable and new to a model, and how many have no date."""
    kinds = ("memorable", "new", "undated")
    counts = coverage or (None, None, None)
    return {f"{kind}_documents": n for kind, n in zip(kinds, counts, strict=True)}


def _factors(study: Study) -> pd.DataFrame:
    found = study.factors
    rows: list[Row] = [
        {"factor": name, "kind": "rank correlation"} | cells(one)
        for name, one in found.rank.items()
    ]
    rows.append(
        {"factor": "resource_class", "kind": "with sensitivity classes"} | cells(found.sensitivity)
    )
    rows += [
        {"factor": name, "kind": f"partial, given class; p by {df} df"} | cells(one)
        for name, by_df in found.partial.items()
        for df, one in by_df.items()
    ]
    rows += [
        {"factor": pair, "kind": "rank correlation of two factors"} | cells(one)
        for pair, one in found.among.items()
    ]
    regression = found.regression
    for name, value in regression.coefficients.items():
        row: Row = {"factor": name, "kind": "standardised least squares", "value": value}
        rows.append(row | {"n": regression.n, "reason": ""})
    return table_of(rows)


def _parsing(study: Study) -> pd.DataFrame:
    found = study.parsing
    pairs = {"all": (found.as_zero.micro, found.excluded.micro), **found.by_model}
    return table_of(
        [
            {"model": name} | cells(one, "failures_as_zero") | cells(other, "failures_excluded")
            for name, (one, other) in pairs.items()
        ]
    )


def _stability(study: Study) -> pd.DataFrame:
    found = study.stability
    rows: list[Row] = []
    for name, run in {"all": found.pooled, **found.by_model}.items():
        row: Row = {"model": name, "mean": run.mean, "sd": run.sd, "range": run.spread}
        row |= {f"repetition_{r}": g for r, g in zip(found.repetitions, run.gaps, strict=True)}
        rows.append(row)
    return table_of(rows)


def _rank_agreement(study: Study) -> pd.DataFrame:
    """Return every correlation of two orders: which order, and between what."""
    stability, halves = study.stability, study.halves
    models, languages = "order of the models", "order of the languages"
    rows: list[Row] = [
        {"of": models, "between": f"repetitions {pair}"} | cells(one)
        for pair, one in stability.pairwise.items()
    ]
    rows.append({"of": models, "between": "all repetitions (Kendall's W)"} | cells(stability.w))
    found = {f"models {pair}": one for pair, one in study.agreement_of_models.items()}
    found |= {f"metrics {study.population.settings.score} x {name}": metric.agreement
              for name, metric in list(study.metrics.items())[1:]}  # fmt: skip
    found |= {"halves of the documents": halves.mean, "the same, stepped up": halves.stepped_up}
    if study.external is not None:
        other = study.external
        found["corpora, levels matched"] = other.matched
        found["corpora, primary band x the other's"] = other.headline
        found |= {f"other corpus, {pair}": e for pair, e in other.agreement_of_models.items()}
        found["halves of the other corpus"] = other.halves.mean
    rows += [{"of": languages, "between": name} | cells(one) for name, one in found.items()]
    rows += [{"of": "order of the classes", "between": f"gap x people's {name}"} | cells(one.agreement)
             for name, one in study.people.items()]  # fmt: skip
    return table_of(rows)


def _context(study: Study) -> pd.DataFrame:
    found = study.context
    rows = [
        {"group": code} | cells(one)
        | dict(zip(("rows", "items", "models"), found.coverage[code], strict=True))
        for code, one in found.by_language.items()
    ]  # fmt: skip
    rows += [{"group": f"class {number}"} | cells(one) for number, one in found.by_class.items()]
    return table_of(rows)


def _scopes(found: ScopeContrast) -> pd.DataFrame:
    if found.reason is not None:
        return pd.DataFrame()
    groups: dict[str, ScopeGap] = {"all": found.pooled}
    groups |= dict(found.by_language) | {f"class {c}": one for c, one in found.by_class.items()}
    groups |= dict(found.by_level) | dict(found.by_source)
    return table_of(
        [
            {"group": name}
            | cells(one.full, "full_body")
            | cells(one.grounded, "item_grounded")
            | cells(one.difference, "difference")
            for name, one in groups.items()
        ]
    )


def _external(study: Study) -> pd.DataFrame:
    if study.external is None:
        return pd.DataFrame()
    primary = study.external.primary_matched
    return table_of(
        [
            {"language": code, "primary": primary.get(code)} | cells(one, "external")
            for code, one in study.external.gaps.items()
        ]
    )
