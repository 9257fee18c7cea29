"""The result as tables: one CSV each."""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from analysis.frames import Gaps as Names
from analysis.pipelines.irt.fits import BlockFit
from analysis.pipelines.irt.gap_grid import GAPS
from analysis.pipelines.irt.gaps import cell_estimate
from analysis.pipelines.irt.study import Study
from analysis.pipelines.irt.summaries import ByGap
from analysis.pipelines.irt.summary import Contrasts, Summary
from analysis.stats.results import Estimate

Row = dict[str, object]


def result_tables(study: Study, summary: Summary) -> dict[str, pd.DataFrame]:
    """Return every table that has a row, by name."""
    tables = {
        "gaps": gaps_table(study),
        "abilities": pd.concat([_abilities(fit, study) for fit in study.fits.each]),
        "items": pd.concat([_items(fit) for fit in study.fits.each]),
        "locale_means": _locale_means(summary),
        "model_means": _by_gap("model", summary.by_model.items()),
        "level_means": _by_gap("level", summary.by_level.items()),
        "home_advantage": _contrasts("region", summary.home_advantage),
        "adaptation": _contrasts("model", summary.adaptation | _mean_of_several(summary)),
        "diagnostics": _diagnostics(study),
        "ability_accuracy": _estimates("block", summary.accuracy),
        "posterior": _posterior(study),
        "error_rates": _estimates("locale", summary.error_rates),
        "dropped": pd.DataFrame([{"model": d.model, "reason": d.reason} for d in study.dropped]),
    }
    return {name: table for name, table in tables.items() if not table.empty}


def cells(prefix: str, found: Estimate) -> Row:
    """Return value, interval and reason of an estimate as cells of a row."""
    return {
        prefix: found.value,
        f"{prefix}_low": found.low,
        f"{prefix}_high": found.high,
        f"{prefix}_reason": found.reason or "",
    }


def gaps_table(study: Study) -> pd.DataFrame:
    """Return one row a model and locale, with interval and standard error of each gap."""
    gaps, grid = study.gaps, study.gaps.grid
    rows = []
    for j, model in enumerate(grid.models):
        for k, locale in enumerate(grid.locales):
            row: Row = {Names.MODEL: model, Names.LOCALE: locale}
            for i, gap in enumerate(GAPS):
                row |= cells(gap, cell_estimate(gaps, gap, model, locale))
                row[f"{gap}_se_information"] = gaps.errors[i, j, k]
            rows.append(row)
    return _numeric(pd.DataFrame(rows))


def _abilities(fit: BlockFit, study: Study) -> pd.DataFrame:
    flat, given = fit.block.flat()
    models, queries = study.fits.answers.models, fit.block.queries
    count = given.sum(axis=1)
    right = np.where(given, flat, 0).sum(axis=1, dtype=np.float64)
    information = fit.fit.information
    known = np.where(information > 0, information, np.nan)
    reasons = [fit.reason(j, query) or "" for j in range(len(models)) for query in queries]
    return pd.DataFrame(
        {
            "block": fit.block.name,
            "locale": fit.block.locale,
            "model": np.repeat(models, len(queries)),
            "query": np.tile(queries, len(models)),
            "answers": count,
            "correct": right,
            "accuracy": np.where(count > 0, right / np.maximum(count, 1), np.nan),
            "ability": fit.fit.ability,
            "se_information": 1 / np.sqrt(known),
            "ability_warm": fit.warm().ravel(),
            "flag": reasons,
        }
    )


def _items(fit: BlockFit) -> pd.DataFrame:
    flat, given = fit.block.flat()
    difficulty = fit.fit.difficulty
    flags = np.select(
        [difficulty == -np.inf, difficulty == np.inf, np.isnan(difficulty)],
        ["everyone was right", "everyone was wrong", "not estimated"],
        "",
    )
    return pd.DataFrame(
        {
            "block": fit.block.name,
            "locale": fit.block.locale,
            "item": fit.block.items,
            "answers": given.sum(axis=0),
            "correct": np.where(given, flat, 0).sum(axis=0, dtype=np.float64),
            "difficulty": difficulty,
            "flag": flags,
        }
    )


def _by_gap(key: str, rows: Iterable[tuple[object, ByGap]]) -> pd.DataFrame:
    made = []
    for name, by_gap in rows:
        row: Row = {key: name}
        for gap, found in by_gap.items():
            row |= cells(gap, found)
        made.append(row)
    return _numeric(pd.DataFrame(made))


def _locale_means(summary: Summary) -> pd.DataFrame:
    """Return the means by locale, and beside them the share of items that people rejected."""
    table = _by_gap("locale", summary.by_locale.items())
    if not summary.error_rates:
        return table
    rates = [
        {"locale": locale} | cells("error_rate", found)
        for locale, found in summary.error_rates.items()
    ]
    return table.merge(_numeric(pd.DataFrame(rates)), on="locale", how="left")


def _posterior(study: Study) -> pd.DataFrame:
    rows = [
        {"locale": locale, "model": model}
        | cells("posterior", sampled)
        | cells("local", cell_estimate(study.gaps, GAPS[1], model, locale))
        for locale, found in study.posterior.items()
        for model, sampled in found.local.items()
    ]
    return _numeric(pd.DataFrame(rows))


def _contrasts(key: str, table: Contrasts) -> pd.DataFrame:
    rows = [
        {key: name, "gap": gap}
        | cells("inside", c.inside)
        | cells("outside", c.outside)
        | cells("difference", c.difference)
        for name, by_gap in table.items()
        for gap, c in by_gap.items()
    ]
    return _numeric(pd.DataFrame(rows))


def _mean_of_several(summary: Summary) -> Contrasts:
    several = len(summary.adaptation) > 1
    return {f"mean of {len(summary.adaptation)}": summary.adaptation_mean} if several else {}


def _estimates(key: str, found: Mapping[str, Estimate]) -> pd.DataFrame:
    rows = [{key: name} | cells("value", e) | {"n": e.n} for name, e in found.items()]
    return _numeric(pd.DataFrame(rows))


def _diagnostics(study: Study) -> pd.DataFrame:
    rows = [
        {"diagnostic": d.key, "number": name} | cells("value", found) | {"n": found.n}
        for d in study.diagnostics
        for name, found in d.numbers.items()
    ]
    return _numeric(pd.DataFrame(rows)).astype({"n": "Int64"})


def _numeric(table: pd.DataFrame) -> pd.DataFrame:
    """Turn columns of numbers and None into numbers, so that what is undefined is an empty cell."""
    for column in table.columns:
        kinds = {type(value) for value in table[column]}
        if kinds <= {int, type(None)}:
            table[column] = table[column].astype("Int64")
            continue
        if kinds <= {float, int, type(None)}:
            table[column] = pd.to_numeric(table[column])
    return table
