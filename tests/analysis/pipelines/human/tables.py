"""Small tables of judgments for the tests, as a reader gives them: text in every cell."""

from collections.abc import Mapping, Sequence

import pandas as pd

from analysis.pipelines.human.plan import Overrides, Plan, read_plan
from analysis.pipelines.human.reading import sample_of
from analysis.pipelines.human.sample import Sample
from analysis.pipelines.human.study import HumanStudy, analyse

QUICK = Overrides(bootstrap=200)


def ratings(rows: Sequence[Sequence[object]], dimensions: Sequence[str]) -> pd.DataFrame:
    """Return ratings: item, annotator, then a value a dimension."""
    names = ["item_id", "annotator", *dimensions]
    return pd.DataFrame([[str(cell) for cell in row] for row in rows], columns=names, dtype=str)


def items(rows: Mapping[str, Mapping[str, object]]) -> pd.DataFrame:
    """Return items with their fields."""
    table = pd.DataFrame([{"item_id": key, **fields} for key, fields in rows.items()])
    return table.astype(str)


def preferences(rows: Sequence[Sequence[object]], *further: str) -> pd.DataFrame:
    """Return judgments of pairs."""
    names = ["pair_id", "annotator", "preferred", *further]
    return pd.DataFrame([[str(cell) for cell in row] for row in rows], columns=names, dtype=str)


def studied(
    sample: Sample | None = None,
    plan: Mapping[str, object] | None = None,
    *,
    as_planned: bool = False,
    **tables: pd.DataFrame,
) -> HumanStudy:
    """Analyse with few resamples, or as planned."""
    known = Plan() if plan is None else read_plan(plan)
    whole = sample or sample_of(
        tables.get("ratings"),
        items=tables.get("items"),
        preferences=tables.get("preferences"),
        document=plan,
    )
    return analyse(whole, known, None if as_planned else QUICK)
