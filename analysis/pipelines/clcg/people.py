"""Whether the classes with larger gaps are those whose answers people rate lower."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.frames import ConditionMeans
from analysis.pipelines.clcg.gaps import ClassGap
from analysis.pipelines.clcg.sums import ClcgError
from analysis.stats.association import spearman
from analysis.stats.results import Estimate

# `resource_class`, `joshi_class`: whatever a study calls the field.
CLASS = "class"


@dataclass(frozen=True)
class PeopleByClass:
    """Mean ratings of one dimension by class, and their rank correlation with the gaps of the classes."""

    means: Mapping[int, float]
    agreement: Estimate


def people_by_class(
    table: pd.DataFrame | None, classes: Mapping[int, ClassGap]
) -> dict[str, PeopleByClass]:
    """Compare the means of every dimension with the gaps, over the classes that have both."""
    if table is None:
        return {}
    rows = table[table[ConditionMeans.BY].str.endswith(CLASS) & table[ConditionMeans.VALUE].notna()]
    if rows.empty:
        raise ClcgError(
            "The means by condition hold none by resource class: `by` must end in class."
        )
    return {
        str(dimension): _compared(own, classes)
        for dimension, own in rows.groupby(ConditionMeans.DIMENSION)
    }


def _compared(rows: pd.DataFrame, classes: Mapping[int, ClassGap]) -> PeopleByClass:
    told = dict(zip(rows[ConditionMeans.GROUP], rows[ConditionMeans.VALUE], strict=True))
    both = {
        c: float(told[str(c)]) for c, one in classes.items() if str(c) in told and one.gap.defined
    }
    gaps = [classes[c].gap.value for c in both]
    return PeopleByClass(both, spearman(np.array(list(both.values())), np.array(gaps, dtype=float)))
